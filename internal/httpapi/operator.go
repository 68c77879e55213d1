package httpapi

import (
	"context"

	"kernelwake/internal/workspace"
)

func listWorkspaces(a *API, ctx context.Context, _ *struct{}) (*Listed[workspace.Workspace], error) {
	all, err := a.Records.Workspaces(ctx)
	if err != nil {
		return nil, err
	}
	return listed(all, int64(len(all)), len(all), func(w workspace.Workspace) string { return w.ID }), nil
}

// NewWorkspace names a workspace to make.
type NewWorkspace struct {
	Body struct {
		Name string `json:"name" minLength:"1" maxLength:"200"`
	}
}

func createWorkspace(a *API, ctx context.Context, input *NewWorkspace) (*struct{ Body workspace.Workspace }, error) {
	made, err := a.Records.CreateWorkspace(ctx, scopeOf(ctx).actor, input.Body.Name)
	if err != nil {
		return nil, err
	}
	return &struct{ Body workspace.Workspace }{made}, nil
}
