package httpapi

import (
	"context"

	"kernelwake/internal/evidence"
)

// CaptureEdit is an edit of a capture.
type CaptureEdit struct {
	ByID
	Edit
	Body CaptureEditBody
}

// CaptureEditBody holds what changes; what was imported doesn't. Labels are
// merged: an empty one goes.
type CaptureEditBody struct {
	Labels map[string]string `json:"labels,omitempty"`
}

// EditedCapture is a capture after an edit.
type EditedCapture struct {
	Tag
	Body evidence.Capture
}

func editCapture(a *API, ctx context.Context, input *CaptureEdit) (*EditedCapture, error) {
	admitted := scopeOf(ctx)
	revision, err := input.revision(input.ID)
	if err != nil {
		return nil, err
	}
	edited, err := a.Records.EditCapture(ctx, admitted.actor, admitted.workspaceID, input.ID, revision, func(c *evidence.Capture) error {
		c.Labels = relabel(c.Labels, input.Body.Labels)
		return checkLabels(c.Labels)
	})
	if err != nil {
		return nil, err
	}
	return &EditedCapture{Tag{tagOf(edited.ID, edited.Revision)}, edited}, nil
}
