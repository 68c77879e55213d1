package client

import (
	"context"
	"net/http"

	"kernelwake/internal/httpapi"
	"kernelwake/internal/sqlstore"
)

// Setups returns a page of setups, each in its newest version.
func (c *Client) Setups(ctx context.Context, filter httpapi.WorkloadFilter) (httpapi.List[sqlstore.SetupRow], error) {
	var answer httpapi.List[sqlstore.SetupRow]
	return answer, c.do(ctx, call{method: http.MethodGet, path: c.in("setups"), query: filter}, &answer)
}

// Setup returns a setup with all its versions.
func (c *Client) Setup(ctx context.Context, id string) (httpapi.SetupPage, error) {
	var answer httpapi.SetupPage
	return answer, c.do(ctx, call{method: http.MethodGet, path: c.in("setups", id)}, &answer)
}

// CreateSetup makes a setup, once for a key.
func (c *Client) CreateSetup(ctx context.Context, name string, values map[string]any, key string) (httpapi.SetupPage, error) {
	var answer httpapi.SetupPage
	body := map[string]any{"name": name, "values": values}
	return answer, c.do(ctx, call{method: http.MethodPost, path: c.in("setups"), body: body, header: once(key)}, &answer)
}

// AddSetupVersion writes a version after the one named.
func (c *Client) AddSetupVersion(ctx context.Context, id string, newest int64, values map[string]any) (httpapi.SetupPage, error) {
	var answer httpapi.SetupPage
	body := map[string]any{"values": values}
	return answer, c.do(ctx, call{method: http.MethodPost, path: c.in("setups", id, "versions"), body: body, header: edits(newest)}, &answer)
}
