package httpapi

import (
	"context"
	"time"

	"kernelwake/internal/evidence"
	"kernelwake/internal/fault"
	"kernelwake/internal/id"
	"kernelwake/internal/lens"
)

// InWorkspace names the workspace of a route.
type InWorkspace struct {
	Workspace string `path:"ws" doc:"the workspace's id or name"`
}

// ByID names the workspace and the thing of a route.
type ByID struct {
	InWorkspace
	ID string `path:"id"`
}

// WorkloadFilter narrows a list of workloads.
type WorkloadFilter struct {
	InWorkspace
	Page
	Q string `query:"q" maxLength:"200" doc:"found anywhere in the name"`
}

func listWorkloads(a *API, ctx context.Context, input *WorkloadFilter) (*Listed[evidence.Workload], error) {
	if err := checkCursor(id.Is(id.Workload, input.Cursor), input.Cursor); err != nil {
		return nil, err
	}
	rows, total, err := a.Records.Workloads(ctx, scopeOf(ctx).workspaceID, input.Q, input.Cursor, input.Limit+1)
	if err != nil {
		return nil, err
	}
	return listed(rows, total, input.Limit, func(w evidence.Workload) string { return w.ID }), nil
}

// WorkloadAnswer is a workload with its revision.
type WorkloadAnswer struct {
	Tag
	Body evidence.Workload
}

func workloadAnswer(w evidence.Workload, err error) (*WorkloadAnswer, error) {
	if err != nil {
		return nil, err
	}
	return &WorkloadAnswer{Tag: Tag{tagOf(w.ID, w.Revision)}, Body: w}, nil
}

func getWorkload(a *API, ctx context.Context, input *ByID) (*WorkloadAnswer, error) {
	return workloadAnswer(a.Records.Workload(ctx, scopeOf(ctx).workspaceID, input.ID))
}

// NewWorkload is a workload to make.
type NewWorkload struct {
	InWorkspace
	Create
	Body NewWorkloadBody
}

// NewWorkloadBody is a workload to make, with what its runs have in common.
type NewWorkloadBody struct {
	Name     string            `json:"name" minLength:"1" maxLength:"200"`
	Lens     lens.ID           `json:"lens"`
	Declared map[string]any    `json:"declared,omitempty"`
	Labels   map[string]string `json:"labels,omitempty"`
}

func createWorkload(a *API, ctx context.Context, input *NewWorkload) (*WorkloadAnswer, error) {
	admitted := scopeOf(ctx)
	of, ok := lens.Find(input.Body.Lens)
	if !ok {
		return nil, fault.New(fault.Invalid, "lens_unknown", "%q is no lens", input.Body.Lens).WithHint("use inference, training or fleet")
	}
	if err := evidence.CheckDeclared(input.Body.Declared, of); err != nil {
		return nil, err
	}
	if err := checkLabels(input.Body.Labels); err != nil {
		return nil, err
	}
	once, err := input.once(ctx, "create-workload", input.Body)
	if err != nil {
		return nil, err
	}
	made := evidence.Workload{Name: input.Body.Name, Lens: input.Body.Lens, Labels: input.Body.Labels, Declared: declare(nil, input.Body.Declared, admitted.actor.Name)}
	return workloadAnswer(a.Records.CreateWorkload(ctx, admitted.actor, admitted.workspaceID, made, once))
}

// WorkloadEdit is an edit of a workload.
type WorkloadEdit struct {
	ByID
	Edit
	Body WorkloadEditBody
}

// WorkloadEditBody holds what changes. Declared and labels are merged: a value
// of {"absent":"withdrawn"} takes a declaration back, an empty label goes.
type WorkloadEditBody struct {
	Name     *string           `json:"name,omitempty"`
	Declared map[string]any    `json:"declared,omitempty"`
	Labels   map[string]string `json:"labels,omitempty"`
}

func editWorkload(a *API, ctx context.Context, input *WorkloadEdit) (*WorkloadAnswer, error) {
	admitted := scopeOf(ctx)
	revision, err := input.revision(input.ID)
	if err != nil {
		return nil, err
	}
	return workloadAnswer(a.Records.EditWorkload(ctx, admitted.actor, admitted.workspaceID, input.ID, revision, func(w *evidence.Workload) error {
		of, _ := lens.Find(w.Lens)
		if err := evidence.CheckDeclared(input.Body.Declared, of); err != nil {
			return err
		}
		if input.Body.Name != nil {
			w.Name = *input.Body.Name
		}
		w.Declared = declare(w.Declared, input.Body.Declared, admitted.actor.Name)
		w.Labels = relabel(w.Labels, input.Body.Labels)
		return checkLabels(w.Labels)
	}))
}

// withdrawn is the absence that takes a declaration back.
const withdrawn = "withdrawn"

// declare merges new declarations into those there are.
func declare(there map[string]evidence.DeclaredValue, said map[string]any, by string) map[string]evidence.DeclaredValue {
	merged := make(map[string]evidence.DeclaredValue, len(there)+len(said))
	for key, value := range there {
		merged[key] = value
	}
	for key, value := range said {
		if object, ok := value.(map[string]any); ok && object["absent"] == withdrawn {
			delete(merged, key)
			continue
		}
		merged[key] = evidence.DeclaredValue{Value: value, By: by, At: time.Now().UTC().Truncate(time.Microsecond)}
	}
	return merged
}

func relabel(there, said map[string]string) map[string]string {
	merged := make(map[string]string, len(there)+len(said))
	for key, value := range there {
		merged[key] = value
	}
	for key, value := range said {
		if value == "" {
			delete(merged, key)
		} else {
			merged[key] = value
		}
	}
	return merged
}

const (
	labelsLimit     = 64
	labelKeyLimit   = 128
	labelValueLimit = 4096
)

func checkLabels(labels map[string]string) error {
	refused := func(what string, limit, got int) error {
		return fault.New(fault.Invalid, "labels_invalid", "%s may have %d, this has %d", what, limit, got).WithHint("shorten the labels")
	}
	if len(labels) > labelsLimit {
		return refused("a thing's labels", labelsLimit, len(labels))
	}
	for key, value := range labels {
		switch {
		case key == "":
			return fault.New(fault.Invalid, "labels_invalid", "a label needs a name").WithHint("write labels as name: value")
		case len(key) > labelKeyLimit:
			return refused("a label's name in bytes", labelKeyLimit, len(key))
		case len(value) > labelValueLimit:
			return refused("a label's value in bytes", labelValueLimit, len(value))
		}
	}
	return nil
}
