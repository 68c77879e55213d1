package httpapi

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

//go:embed documents.html
var documentsPage string

//go:embed documents.css
var documentsStyle string

// OpenAPI is the API's description as YAML.
func (a *API) OpenAPI() ([]byte, error) {
	data, err := a.spec.YAML()
	if err != nil {
		return nil, fmt.Errorf("writing the API's description: %w", err)
	}
	return data, nil
}

// serveDocuments answers the description, and a page of it to read that asks
// nothing of other hosts.
func (a *API) serveDocuments() {
	spec, err := json.Marshal(a.spec)
	if err != nil {
		panic(fmt.Errorf("writing the API's description: %w", err)) // it is made from types alone
	}
	a.document("/api/openapi.json", "application/openapi+json", spec)
	a.document("/api/docs", "text/html; charset=utf-8", documents(a.spec, a.routes))
	a.document("/api/docs.css", "text/css; charset=utf-8", []byte(documentsStyle))
}

func (a *API) document(path, contentType string, content []byte) {
	a.mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
		if _, err := w.Write(content); err != nil {
			a.Log.Debug("document not sent", "error", err.Error())
		}
	})
}

// documented is a route as the page shows it.
type documented struct {
	Method, Path, Summary, Roles, Description string
	Parameters                                []documentedParameter
	Body, Answer                              string
}

type documentedParameter struct{ Name, In, Type, Says string }

func documents(spec *huma.OpenAPI, routes []route) []byte {
	type group struct {
		Name   string
		Routes []documented
	}
	var groups []*group
	for _, r := range routes {
		operation := operationOf(spec.Paths[r.path], r.method)
		if operation == nil {
			continue
		}
		i := slices.IndexFunc(groups, func(g *group) bool { return g.Name == r.tag })
		if i < 0 {
			groups, i = append(groups, &group{Name: r.tag}), len(groups)
		}
		groups[i].Routes = append(groups[i].Routes, describe(r, operation))
	}
	schemas := map[string]string{}
	for name, schema := range spec.Components.Schemas.Map() {
		if data, err := json.MarshalIndent(schema, "", "  "); err == nil {
			schemas[name] = string(data)
		}
	}
	var page strings.Builder
	parsed := template.Must(template.New("documents").Parse(documentsPage))
	if err := parsed.Execute(&page, map[string]any{"Title": spec.Info.Title, "Version": spec.Info.Version, "Groups": groups, "Schemas": schemas}); err != nil {
		panic(fmt.Errorf("writing the API's page: %w", err)) // it is made from types alone
	}
	return []byte(page.String())
}

func operationOf(item *huma.PathItem, method string) *huma.Operation {
	if item == nil {
		return nil
	}
	return map[string]*huma.Operation{http.MethodGet: item.Get, http.MethodPost: item.Post, http.MethodPatch: item.Patch, http.MethodDelete: item.Delete}[method]
}

func describe(r route, operation *huma.Operation) documented {
	shown := documented{Method: r.method, Path: r.path, Summary: r.summary, Description: operation.Description, Roles: strings.Join(roleNames(r.action), ", ")}
	if shown.Roles == "" {
		shown.Roles = strings.ReplaceAll(string(r.action), "_", " ")
	}
	for _, parameter := range operation.Parameters {
		shown.Parameters = append(shown.Parameters, documentedParameter{parameter.Name, parameter.In, typeName(parameter.Schema), parameter.Description})
	}
	if body := operation.RequestBody; body != nil {
		shown.Body = contentName(body.Content)
	}
	for status, response := range operation.Responses {
		if strings.HasPrefix(status, "2") {
			shown.Answer = contentName(response.Content)
		}
	}
	return shown
}

func contentName(content map[string]*huma.MediaType) string {
	for kind, media := range content {
		if kind == "application/json" {
			return typeName(media.Schema)
		}
		return kind
	}
	return ""
}

// typeName is a schema's name, or its type.
func typeName(schema *huma.Schema) string {
	switch {
	case schema == nil:
		return ""
	case schema.Ref != "":
		return strings.TrimPrefix(schema.Ref, "#/components/schemas/")
	case schema.Items != nil:
		return "list of " + typeName(schema.Items)
	case len(schema.Enum) > 0:
		return strings.Trim(fmt.Sprint(schema.Enum), "[]")
	}
	return schema.Type
}

// Describe returns the API's description without any store: what
// api/openapi.yaml holds.
func Describe() ([]byte, error) {
	return New(Options{Log: slog.New(slog.DiscardHandler), Version: "1"}).OpenAPI()
}
