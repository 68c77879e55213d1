package client

import (
	"context"
	"net/http"

	"kernelwake/internal/evidence"
	"kernelwake/internal/httpapi"
)

// Workloads returns a page of workloads.
func (c *Client) Workloads(ctx context.Context, filter httpapi.WorkloadFilter) (httpapi.List[evidence.Workload], error) {
	var answer httpapi.List[evidence.Workload]
	return answer, c.do(ctx, call{method: http.MethodGet, path: c.in("workloads"), query: filter}, &answer)
}

// Workload returns a workload by id.
func (c *Client) Workload(ctx context.Context, id string) (evidence.Workload, error) {
	var answer evidence.Workload
	return answer, c.do(ctx, call{method: http.MethodGet, path: c.in("workloads", id)}, &answer)
}

// CreateWorkload makes a workload, once for a key.
func (c *Client) CreateWorkload(ctx context.Context, body httpapi.NewWorkloadBody, key string) (evidence.Workload, error) {
	var answer evidence.Workload
	return answer, c.do(ctx, call{method: http.MethodPost, path: c.in("workloads"), body: body, header: once(key)}, &answer)
}

// EditWorkload edits a workload at a revision.
func (c *Client) EditWorkload(ctx context.Context, id string, revision int64, body httpapi.WorkloadEditBody) (evidence.Workload, error) {
	var answer evidence.Workload
	return answer, c.do(ctx, call{method: http.MethodPatch, path: c.in("workloads", id), body: body, header: edits(revision)}, &answer)
}
