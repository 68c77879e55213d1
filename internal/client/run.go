package client

import (
	"context"
	"net/http"

	"kernelwake/internal/evidence"
	"kernelwake/internal/httpapi"
)

// Runs returns a page of runs.
func (c *Client) Runs(ctx context.Context, filter httpapi.RunFilter) (httpapi.List[httpapi.RunRow], error) {
	var answer httpapi.List[httpapi.RunRow]
	return answer, c.do(ctx, call{method: http.MethodGet, path: c.in("runs"), query: filter}, &answer)
}

// Run returns a run by id.
func (c *Client) Run(ctx context.Context, id string) (httpapi.RunPage, error) {
	var answer httpapi.RunPage
	return answer, c.do(ctx, call{method: http.MethodGet, path: c.in("runs", id)}, &answer)
}

// EditRun edits a run at a revision.
func (c *Client) EditRun(ctx context.Context, id string, revision int64, body httpapi.RunEditBody) (evidence.Run, error) {
	var answer evidence.Run
	return answer, c.do(ctx, call{method: http.MethodPatch, path: c.in("runs", id), body: body, header: edits(revision)}, &answer)
}

// AttachSetup attaches a version of a setup to a run; 0 is the newest.
func (c *Client) AttachSetup(ctx context.Context, runID, setupID string, version int64) (evidence.Attachment, error) {
	body := map[string]any{"setup_id": setupID}
	if version > 0 {
		body["version"] = version
	}
	var answer evidence.Attachment
	return answer, c.do(ctx, call{method: http.MethodPost, path: c.in("runs", runID, "setups"), body: body}, &answer)
}

// DetachSetup takes a setup off a run.
func (c *Client) DetachSetup(ctx context.Context, runID, setupID string) error {
	return c.do(ctx, call{method: http.MethodDelete, path: c.in("runs", runID, "setups", setupID)}, nil)
}
