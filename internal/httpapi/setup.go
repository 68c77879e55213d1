package httpapi

import (
	"context"

	"kernelwake/internal/evidence"
	"kernelwake/internal/id"
	"kernelwake/internal/lens"
	"kernelwake/internal/sqlstore"
)

func listSetups(a *API, ctx context.Context, input *WorkloadFilter) (*Listed[sqlstore.SetupRow], error) {
	if err := checkCursor(id.Is(id.Setup, input.Cursor), input.Cursor); err != nil {
		return nil, err
	}
	rows, total, err := a.Records.Setups(ctx, scopeOf(ctx).workspaceID, input.Q, input.Cursor, input.Limit+1)
	if err != nil {
		return nil, err
	}
	return listed(rows, total, input.Limit, func(s sqlstore.SetupRow) string { return s.ID }), nil
}

// NewSetup is a setup to make.
type NewSetup struct {
	InWorkspace
	Create
	Body struct {
		Name   string         `json:"name" minLength:"1" maxLength:"200"`
		Values map[string]any `json:"values" doc:"values by field key; {\"absent\": reason} where one doesn't apply"`
		Notes  []string       `json:"notes,omitempty" doc:"accepted from the env command, not kept"`
	}
}

// SetupAnswer is a setup with its revision: the newest version.
type SetupAnswer struct {
	Tag
	Body SetupPage
}

// SetupPage is a setup in its newest version, with all of them.
type SetupPage struct {
	evidence.Setup
	Versions []evidence.Setup `json:"versions"`
}

func setupAnswer(versions []evidence.Setup, err error) (*SetupAnswer, error) {
	if err != nil {
		return nil, err
	}
	return &SetupAnswer{Tag{tagOf(versions[0].ID, versions[0].Version)}, SetupPage{versions[0], versions}}, nil
}

func getSetup(a *API, ctx context.Context, input *ByID) (*SetupAnswer, error) {
	return setupAnswer(a.Records.SetupVersions(ctx, scopeOf(ctx).workspaceID, input.ID))
}

func createSetup(a *API, ctx context.Context, input *NewSetup) (*SetupAnswer, error) {
	admitted := scopeOf(ctx)
	if err := evidence.CheckDeclared(input.Body.Values, lens.All...); err != nil {
		return nil, err
	}
	once, err := input.once(ctx, "create-setup", input.Body)
	if err != nil {
		return nil, err
	}
	made, err := a.Records.CreateSetup(ctx, admitted.actor, admitted.workspaceID, input.Body.Name, input.Body.Values, once)
	if err != nil {
		return nil, err
	}
	return setupAnswer(a.Records.SetupVersions(ctx, admitted.workspaceID, made.ID))
}

// NewSetupVersion is a new version of a setup.
type NewSetupVersion struct {
	ByID
	Edit
	Body struct {
		Values map[string]any `json:"values"`
	}
}

func addSetupVersion(a *API, ctx context.Context, input *NewSetupVersion) (*SetupAnswer, error) {
	admitted := scopeOf(ctx)
	if err := evidence.CheckDeclared(input.Body.Values, lens.All...); err != nil {
		return nil, err
	}
	revision, err := input.revision(input.ID)
	if err != nil {
		return nil, err
	}
	if _, err := a.Records.AddSetupVersion(ctx, admitted.actor, admitted.workspaceID, input.ID, revision, input.Body.Values); err != nil {
		return nil, err
	}
	return setupAnswer(a.Records.SetupVersions(ctx, admitted.workspaceID, input.ID))
}

// NewAttachment names a setup to attach to a run.
type NewAttachment struct {
	ByID
	Body struct {
		SetupID string `json:"setup_id"`
		Version int64  `json:"version,omitempty" minimum:"1" doc:"the newest where none is named"`
	}
}

func attachSetup(a *API, ctx context.Context, input *NewAttachment) (*struct{ Body evidence.Attachment }, error) {
	admitted := scopeOf(ctx)
	if _, err := a.Records.StoredRun(ctx, admitted.workspaceID, input.ID); err != nil {
		return nil, err
	}
	made, err := a.Records.AttachSetup(ctx, admitted.actor, admitted.workspaceID, input.ID, input.Body.SetupID, input.Body.Version)
	if err != nil {
		return nil, err
	}
	return &struct{ Body evidence.Attachment }{made}, nil
}

// Detachment names a setup to take off a run.
type Detachment struct {
	ByID
	Setup string `path:"setup" doc:"the setup's id"`
}

func detachSetup(a *API, ctx context.Context, input *Detachment) (*struct{}, error) {
	admitted := scopeOf(ctx)
	return nil, a.Records.DetachSetup(ctx, admitted.actor, admitted.workspaceID, input.ID, input.Setup)
}
