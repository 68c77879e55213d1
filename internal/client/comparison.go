package client

import (
	"context"
	"net/http"

	"kernelwake/internal/httpapi"
)

// Preview compares without keeping the result.
func (c *Client) Preview(ctx context.Context, request httpapi.ComparisonRequest) (httpapi.Preview, error) {
	var answer httpapi.Preview
	return answer, c.do(ctx, call{method: http.MethodPost, path: c.in("comparisons", "preview"), body: request}, &answer)
}

// SaveComparison compares and keeps the result, once for a key.
func (c *Client) SaveComparison(ctx context.Context, body httpapi.NewComparisonBody, key string) (httpapi.ComparisonPage, error) {
	var answer httpapi.ComparisonPage
	return answer, c.do(ctx, call{method: http.MethodPost, path: c.in("comparisons"), body: body, header: once(key)}, &answer)
}

// Comparisons returns a page of saved comparisons.
func (c *Client) Comparisons(ctx context.Context, filter httpapi.ComparisonFilter) (httpapi.List[httpapi.ComparisonRow], error) {
	var answer httpapi.List[httpapi.ComparisonRow]
	return answer, c.do(ctx, call{method: http.MethodGet, path: c.in("comparisons"), query: filter}, &answer)
}

// Comparison returns a saved comparison.
func (c *Client) Comparison(ctx context.Context, id string) (httpapi.ComparisonPage, error) {
	var answer httpapi.ComparisonPage
	return answer, c.do(ctx, call{method: http.MethodGet, path: c.in("comparisons", id)}, &answer)
}

// Recompute computes a saved comparison again.
func (c *Client) Recompute(ctx context.Context, id string) (httpapi.Recomputed, error) {
	var answer httpapi.Recomputed
	return answer, c.do(ctx, call{method: http.MethodPost, path: c.in("comparisons", id, "recompute")}, &answer)
}

// Glance says in a line what two runs share and what differs.
func (c *Client) Glance(ctx context.Context, a, b string) (httpapi.Glance, error) {
	var answer httpapi.Glance
	return answer, c.do(ctx, call{method: http.MethodPost, path: c.in("comparisons", "glance"), body: map[string]string{"a": a, "b": b}}, &answer)
}
