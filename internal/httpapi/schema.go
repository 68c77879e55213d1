package httpapi

import (
	"encoding/json"
	"path"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"kernelwake/internal/absent"
	"kernelwake/internal/compare"
	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
	"kernelwake/internal/workspace"
)

// registry names the wire types and describes those that write themselves.
func registry() huma.Registry {
	r := huma.NewMapRegistry("#/components/schemas/", schemaName)
	orAbsent[float64](r)
	orAbsent[int64](r)
	orAbsent[int](r)
	orAbsent[time.Time](r)
	orAbsent[compare.Effect](r)
	orAbsent[compare.Finding](r)
	oneOf(r, lens.Inference, lens.Training, lens.Fleet)
	oneOf(r, lens.Must, lens.Gate, lens.Context, lens.Noise, lens.Note, lens.PerOutcome)
	oneOf(r, lens.Lower, lens.Higher, lens.NoDirection)
	oneOf(r, lens.Ratio, lens.Difference, lens.Points)
	oneOf(r, evidence.Recorded, evidence.Synthetic, evidence.Unattested)
	oneOf(r, evidence.GPU, evidence.CPU, evidence.Simulator, evidence.NoDevice, evidence.UnknownDevice)
	oneOf(r, evidence.Observed, evidence.Derived, evidence.Declared, evidence.FromSetup, evidence.ByWorkload, evidence.DefaultTool)
	oneOf(r, compare.Refused, compare.Capped, compare.Clear)
	oneOf(r, compare.Same, compare.IntentionallyChanged, compare.Different, compare.Unknown)
	oneOf(r, compare.Replicated, compare.FewRuns, compare.SingleRun)
	oneOf(r, compare.Improved, compare.Regressed, compare.Equivalent, compare.Unresolved)
	oneOf(r, compare.VerdictImproved, compare.VerdictRegressed, compare.VerdictInconclusive, compare.VerdictInvalid)
	oneOf(r, workspace.Roles...)
	return r
}

// prefixes keep apart types of one name from several packages.
var prefixes = map[string]string{"compare": "Compare", "lens": "Lens", "importing": "Import", "sqlstore": "Stored", "fault": "Fault", "trace": "Trace"}

func schemaName(t reflect.Type, hint string) string {
	name := huma.DefaultSchemaNamer(t, hint)
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	prefix := prefixes[path.Base(t.PkgPath())]
	if t.Name() == "" || strings.HasPrefix(name, prefix) {
		return name
	}
	return prefix + name
}

// Absence is the reason a value is missing.
type Absence struct {
	Absent absent.Reason `json:"absent"`
	Note   string        `json:"note,omitempty"`
}

// valueOrAbsence describes absent.Value: the value itself or its absence.
type valueOrAbsence[T any] struct{}

func (valueOrAbsence[T]) Schema(r huma.Registry) *huma.Schema {
	return &huma.Schema{OneOf: []*huma.Schema{
		r.Schema(reflect.TypeFor[T](), true, ""),
		r.Schema(reflect.TypeFor[Absence](), true, ""),
	}}
}

func orAbsent[T any](r huma.Registry) {
	r.RegisterTypeAlias(reflect.TypeFor[absent.Value[T]](), reflect.TypeFor[valueOrAbsence[T]]())
}

// enumerated guards enumerations: each API describes itself.
var enumerated sync.RWMutex

// enumerations holds the words of each closed set, by type.
var enumerations = map[reflect.Type][]any{}

type enumeration[T ~string] struct{}

func (enumeration[T]) Schema(huma.Registry) *huma.Schema {
	enumerated.RLock()
	defer enumerated.RUnlock()
	return &huma.Schema{Type: huma.TypeString, Enum: enumerations[reflect.TypeFor[T]()]}
}

func oneOf[T ~string](r huma.Registry, words ...T) {
	enumerated.Lock()
	defer enumerated.Unlock()
	values := make([]any, len(words))
	for i, word := range words {
		values[i] = string(word)
	}
	enumerations[reflect.TypeFor[T]()] = values
	r.RegisterTypeAlias(reflect.TypeFor[T](), reflect.TypeFor[enumeration[T]]())
}

// Nullable is a value that may be null where the API says so: a list's
// truncation.
type Nullable[T any] struct{ Value *T }

// MarshalJSON writes the value or null.
func (n Nullable[T]) MarshalJSON() ([]byte, error) { return json.Marshal(n.Value) }

// UnmarshalJSON reads what MarshalJSON writes.
func (n *Nullable[T]) UnmarshalJSON(data []byte) error { return json.Unmarshal(data, &n.Value) }

// Schema says so.
func (Nullable[T]) Schema(r huma.Registry) *huma.Schema {
	return orNull(r.Schema(reflect.TypeFor[T](), true, ""))
}

func orNull(schema *huma.Schema) *huma.Schema {
	return &huma.Schema{OneOf: []*huma.Schema{schema, {Type: "null"}}}
}

// describeProblem adds the refusal to a streaming operation.
func describeProblem(r huma.Registry, operation *huma.Operation) {
	if operation.Responses == nil {
		operation.Responses = map[string]*huma.Response{}
	}
	operation.Responses["default"] = &huma.Response{
		Description: "A refusal", Content: map[string]*huma.MediaType{"application/problem+json": {Schema: r.Schema(reflect.TypeFor[Problem](), true, "Problem")}},
	}
}

// finish corrects what can't be told from types: members that are null where
// there is nothing.
func finish(spec *huma.OpenAPI) {
	if view := spec.Components.Schemas.Map()["TraceTimelineView"]; view != nil {
		view.Properties["truncated"] = orNull(view.Properties["truncated"])
	}
}
