package httpapi

import (
	"context"

	"kernelwake/internal/evidence"
	"kernelwake/internal/fault"
	"kernelwake/internal/lens"
)

// RunEdit is an edit of a run.
type RunEdit struct {
	ByID
	Edit
	Body RunEditBody
}

// RunEditBody holds what changes. Declared and labels are merged: a value of
// {"absent":"withdrawn"} takes a declaration back, an empty label goes.
type RunEditBody struct {
	Name       *string           `json:"name,omitempty"`
	Group      *string           `json:"replicate_group,omitempty"`
	WorkloadID *string           `json:"workload_id,omitempty"`
	LaunchKind *string           `json:"launch_kind,omitempty" enum:"launch,invocation,unknown" doc:"what a person says of the run as a launch"`
	Declared   map[string]any    `json:"declared,omitempty"`
	Labels     map[string]string `json:"labels,omitempty"`
}

// EditedRun is a run after an edit.
type EditedRun struct {
	Tag
	Body evidence.Run
}

func editRun(a *API, ctx context.Context, input *RunEdit) (*EditedRun, error) {
	admitted := scopeOf(ctx)
	revision, err := input.revision(input.ID)
	if err != nil {
		return nil, err
	}
	edited, err := a.Records.EditRun(ctx, admitted.actor, admitted.workspaceID, input.ID, revision, func(r *evidence.Run) error {
		return input.Body.apply(r, admitted.actor.Name)
	})
	if err != nil {
		return nil, err
	}
	return &EditedRun{Tag{tagOf(edited.ID, edited.Revision)}, edited}, nil
}

func (b RunEditBody) apply(r *evidence.Run, by string) error {
	of, ok := lens.Find(r.Lens)
	if !ok {
		return fault.New(fault.Internal, "lens_unknown", "run %s has the unknown lens %q", r.ID, r.Lens)
	}
	if err := evidence.CheckDeclared(b.Declared, of); err != nil {
		return err
	}
	set := func(into *string, value *string) {
		if value != nil {
			*into = *value
		}
	}
	set(&r.Name, b.Name)
	set(&r.Group, b.Group)
	set(&r.WorkloadID, b.WorkloadID)
	if b.LaunchKind != nil {
		r.Launch.Kind = evidence.LaunchKind(*b.LaunchKind)
	}
	r.Declared = declare(r.Declared, b.Declared, by)
	r.Labels = relabel(r.Labels, b.Labels)
	return checkLabels(r.Labels)
}
