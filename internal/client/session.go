package client

import (
	"context"
	"net/http"

	"kernelwake/internal/httpapi"
	"kernelwake/internal/lens"
	"kernelwake/internal/sqlstore"
)

// Session says who the token belongs to, and where.
func (c *Client) Session(ctx context.Context) (httpapi.Session, error) {
	var answer httpapi.Session
	return answer, c.do(ctx, call{method: http.MethodGet, path: "/api/v1/session"}, &answer)
}

// Lenses returns the server's registry.
func (c *Client) Lenses(ctx context.Context) ([]lens.Lens, error) {
	var answer []lens.Lens
	return answer, c.do(ctx, call{method: http.MethodGet, path: "/api/v1/lenses"}, &answer)
}

// Ready says which stores of the server answer. A server that isn't ready is a
// failure.
func (c *Client) Ready(ctx context.Context) (httpapi.Readiness, error) {
	var answer httpapi.Readiness
	return answer, c.do(ctx, call{method: http.MethodGet, path: "/readyz"}, &answer)
}

// Search finds runs, captures, workloads and setups.
func (c *Client) Search(ctx context.Context, q string) (httpapi.Found, error) {
	var answer httpapi.Found
	return answer, c.do(ctx, call{method: http.MethodGet, path: c.in("search"), query: httpapi.SearchQuery{Q: q}}, &answer)
}

// Audit returns a page of the audit log.
func (c *Client) Audit(ctx context.Context, page httpapi.Page) (httpapi.List[sqlstore.AuditRow], error) {
	var answer httpapi.List[sqlstore.AuditRow]
	return answer, c.do(ctx, call{method: http.MethodGet, path: c.in("audit"), query: httpapi.AuditPage{Page: page}}, &answer)
}
