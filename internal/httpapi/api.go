package httpapi

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"kernelwake/internal/blob"
	"kernelwake/internal/importing"
	"kernelwake/internal/library"
	"kernelwake/internal/sqlstore"
)

// Options are what the API works with.
type Options struct {
	Records  *sqlstore.DB
	Blobs    blob.Store
	Library  *library.Library
	Importer *importing.Importer
	// Pages serves everything that is no API: the browser workspace.
	Pages   http.Handler
	Log     *slog.Logger
	Version string
	// Demo is true where the server shows example data.
	Demo bool
}

// API answers the routes.
type API struct {
	Options
	mux    *http.ServeMux
	routes []route
	spec   *huma.OpenAPI
}

// New returns the API over its stores.
func New(options Options) *API {
	useProblems()
	a := &API{Options: options, mux: http.NewServeMux(), routes: routes()}
	described := humago.New(a.mux, configuration(options.Version))
	for _, r := range a.routes {
		r.bind(a, r, described)
	}
	a.spec = described.OpenAPI()
	finish(a.spec)
	a.serveDocuments()
	if options.Pages != nil {
		a.mux.Handle("/", options.Pages)
	}
	a.mux.HandleFunc(everythingElse, a.refuseRoute)
	return a
}

// Handler is the API with everything that stands around each request: an id, a
// log line, limits, headers, compression, protection against requests of other
// sites.
func (a *API) Handler() http.Handler {
	crossOrigin := http.NewCrossOriginProtection()
	crossOrigin.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.writeProblem(w, r, crossOriginDenied())
	}))
	return a.identified(secured(compressed(crossOrigin.Handler(a.mux))))
}

// configuration is huma's, without what it adds to bodies and without its
// pages, which load scripts from other hosts.
func configuration(version string) huma.Config {
	config := huma.DefaultConfig("Kernelwake", version)
	config.Info.Description = "Self-hosted server for GPU performance decisions: imports captures, compares runs only when they are comparable, keeps exact evidence."
	config.CreateHooks = nil
	config.DocsPath, config.OpenAPIPath, config.SchemasPath = "", "", ""
	// "json" is how huma looks up "application/problem+json".
	inJSON := huma.Format{Marshal: writeJSON, Unmarshal: readJSON}
	config.Formats = map[string]huma.Format{"application/json": inJSON, "json": inJSON}
	config.DefaultFormat = "application/json"
	config.RejectUnknownQueryParameters = true
	config.Components.Schemas = registry()
	config.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		"token":   {Type: "http", Scheme: "bearer", Description: "a personal token"},
		"session": {Type: "apiKey", In: "cookie", Name: sessionCookie, Description: "the browser's session"},
	}
	return config
}

// typed binds a handler whose input and output are described by their types.
func typed[I, O any](handle func(*API, context.Context, *I) (*O, error), more ...func(*huma.Operation)) binder {
	return func(a *API, r route, described huma.API) {
		operation := r.operation()
		for _, change := range more {
			change(&operation)
		}
		operation.Middlewares = huma.Middlewares{func(ctx huma.Context, next func(huma.Context)) {
			request, w := humago.Unwrap(ctx)
			admitted, cancel, err := a.admit(w, request, r)
			if err != nil {
				a.writeProblem(w, request, err)
				return
			}
			defer cancel()
			next(huma.WithContext(ctx, admitted))
		}}
		huma.Register(described, operation, func(ctx context.Context, input *I) (*O, error) {
			output, err := handle(a, ctx, input)
			if err != nil {
				return nil, a.problem(ctx, err)
			}
			return output, nil
		})
	}
}

// streaming binds a handler that reads or writes the bytes itself; describe
// adds what the document says of it.
func streaming(handle func(*API, http.ResponseWriter, *http.Request) error, describe func(huma.Registry, *huma.Operation)) binder {
	return func(a *API, r route, described huma.API) {
		operation := r.operation()
		describe(described.OpenAPI().Components.Schemas, &operation)
		describeProblem(described.OpenAPI().Components.Schemas, &operation)
		described.OpenAPI().AddOperation(&operation)
		a.mux.HandleFunc(r.method+" "+r.path, func(w http.ResponseWriter, request *http.Request) {
			ctx, cancel, err := a.admit(w, request, r)
			if err == nil {
				defer cancel()
				err = handle(a, w, request.WithContext(ctx))
			}
			if err != nil {
				a.writeProblem(w, request, err)
			}
		})
	}
}
