package httpapi

import (
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"kernelwake/internal/workspace"
)

// inWorkspace begins every route of evidence; {ws} is a workspace's id or name.
const inWorkspace = "/api/v1/workspaces/{ws}/"

// binder registers a route's handler and describes it.
type binder func(*API, route, huma.API)

// route is one row of the one list: what is asked, what it does as far as
// permission goes, how long it may take.
type route struct {
	id, method, path, summary string
	action                    workspace.Action
	tag                       string
	bind                      binder
	// limit is how long the whole request may take; 0 is ordinary.
	limit time.Duration
}

const (
	ordinary = 60 * time.Second
	transfer = 15 * time.Minute // uploads and downloads of captures
)

// routes is every route of the API with the action that roles are checked
// against.
func routes() []route {
	const get, post, patch, remove = http.MethodGet, http.MethodPost, http.MethodPatch, http.MethodDelete
	ws := func(path string) string { return inWorkspace + path }
	return []route{
		{id: "get-health", method: get, path: "/healthz", summary: "The process answers", action: workspace.Public, tag: "server", bind: typed(health)},
		{id: "get-ready", method: get, path: "/readyz", summary: "The stores answer and the disk is writable", action: workspace.Public, tag: "server", bind: typed(ready)},
		{id: "sign-in", method: get, path: "/signin", summary: "Spend a sign-in link", action: workspace.Public, tag: "session", bind: streaming(signIn, describeSignIn)},
		{id: "get-session", method: get, path: "/api/v1/session", summary: "Who is signed in, and where", action: workspace.SignedIn, tag: "session", bind: typed(session)},
		{id: "sign-out", method: post, path: "/api/v1/signout", summary: "End the session", action: workspace.SignedIn, tag: "session", bind: typed(signOut)},
		{id: "list-lenses", method: get, path: "/api/v1/lenses", summary: "The registry: what counts, what must match", action: workspace.SignedIn, tag: "lenses", bind: typed(lenses)},
		{id: "list-workspaces", method: get, path: "/api/v1/operator/workspaces", summary: "Workspaces of the server", action: workspace.ManageWorkspaces, tag: "operator", bind: typed(listWorkspaces)},
		{id: "create-workspace", method: post, path: "/api/v1/operator/workspaces", summary: "Make a workspace", action: workspace.ManageWorkspaces, tag: "operator", bind: typed(createWorkspace, creates)},

		{id: "check-import", method: post, path: ws("imports/check"), summary: "Say what is in a file, keeping nothing", action: workspace.Read, tag: "imports", bind: streaming(checkImport, describeCheck), limit: transfer},
		{id: "import", method: post, path: ws("imports"), summary: "Import captures", action: workspace.Import, tag: "imports", bind: streaming(importFiles, describeImport), limit: transfer},

		{id: "list-workloads", method: get, path: ws("workloads"), summary: "Workloads", action: workspace.Read, tag: "workloads", bind: typed(listWorkloads)},
		{id: "create-workload", method: post, path: ws("workloads"), summary: "Make a workload", action: workspace.Edit, tag: "workloads", bind: typed(createWorkload, creates)},
		{id: "get-workload", method: get, path: ws("workloads/{id}"), summary: "A workload", action: workspace.Read, tag: "workloads", bind: typed(getWorkload)},
		{id: "edit-workload", method: patch, path: ws("workloads/{id}"), summary: "Rename, label, declare", action: workspace.Edit, tag: "workloads", bind: typed(editWorkload)},

		{id: "list-runs", method: get, path: ws("runs"), summary: "Runs, the newest first", action: workspace.Read, tag: "runs", bind: typed(listRuns)},
		{id: "get-run", method: get, path: ws("runs/{id}"), summary: "A run with its dimensions, captures, setups and what relies on it", action: workspace.Read, tag: "runs", bind: typed(getRun)},
		{id: "edit-run", method: patch, path: ws("runs/{id}"), summary: "Rename, label, group, declare, move", action: workspace.Edit, tag: "runs", bind: typed(editRun)},
		{id: "attach-setup", method: post, path: ws("runs/{id}/setups"), summary: "Attach a setup to a run", action: workspace.Edit, tag: "setups", bind: typed(attachSetup, creates)},
		{id: "detach-setup", method: remove, path: ws("runs/{id}/setups/{setup}"), summary: "Take a setup off a run", action: workspace.Edit, tag: "setups", bind: typed(detachSetup)},

		{id: "list-captures", method: get, path: ws("captures"), summary: "Captures, the newest first", action: workspace.Read, tag: "captures", bind: typed(listCaptures)},
		{id: "get-capture", method: get, path: ws("captures/{id}"), summary: "A capture and what was read from it", action: workspace.Read, tag: "captures", bind: typed(getCapture)},
		{id: "edit-capture", method: patch, path: ws("captures/{id}"), summary: "Label a capture", action: workspace.Edit, tag: "captures", bind: typed(editCapture)},
		{id: "download-capture", method: get, path: ws("captures/{id}/bytes"), summary: "The exact bytes that were imported", action: workspace.Read, tag: "captures", bind: streaming(downloadCapture, describeDownload), limit: transfer},
		{id: "remove-capture", method: remove, path: ws("captures/{id}"), summary: "Remove a capture that nothing relies on", action: workspace.RemoveCapture, tag: "captures", bind: typed(removeCapture)},
		{id: "get-timeline", method: get, path: ws("captures/{id}/timeline"), summary: "A trace's spans in a window, reduced to a picture's width", action: workspace.Read, tag: "captures", bind: typed(timeline)},
		{id: "find-spans", method: get, path: ws("captures/{id}/spans"), summary: "Spans by name and category", action: workspace.Read, tag: "captures", bind: typed(findSpans)},
		{id: "get-span", method: get, path: ws("captures/{id}/spans/{row}"), summary: "A span and the spans it is tied to", action: workspace.Read, tag: "captures", bind: typed(getSpan)},
		{id: "get-requests", method: get, path: ws("captures/{id}/requests"), summary: "A load run's requests, column by column", action: workspace.Read, tag: "captures", bind: typed(requests)},
		{id: "get-samples", method: get, path: ws("captures/{id}/samples"), summary: "The samples behind an outcome", action: workspace.Read, tag: "captures", bind: typed(samples)},

		{id: "list-setups", method: get, path: ws("setups"), summary: "Setups, each in its newest version", action: workspace.Read, tag: "setups", bind: typed(listSetups)},
		{id: "create-setup", method: post, path: ws("setups"), summary: "Make a setup", action: workspace.Edit, tag: "setups", bind: typed(createSetup, creates)},
		{id: "get-setup", method: get, path: ws("setups/{id}"), summary: "A setup with all its versions", action: workspace.Read, tag: "setups", bind: typed(getSetup)},
		{id: "add-setup-version", method: post, path: ws("setups/{id}/versions"), summary: "Write a new version of a setup", action: workspace.Edit, tag: "setups", bind: typed(addSetupVersion, creates)},

		{id: "preview-comparison", method: post, path: ws("comparisons/preview"), summary: "Compare without saving", action: workspace.Compare, tag: "comparisons", bind: typed(previewComparison)},
		{id: "glance", method: post, path: ws("comparisons/glance"), summary: "What two runs share and what differs, in a line", action: workspace.Compare, tag: "comparisons", bind: typed(glance)},
		{id: "list-comparisons", method: get, path: ws("comparisons"), summary: "Saved comparisons, the newest first", action: workspace.Read, tag: "comparisons", bind: typed(listComparisons)},
		{id: "save-comparison", method: post, path: ws("comparisons"), summary: "Compare and keep the result", action: workspace.SaveComparison, tag: "comparisons", bind: typed(saveComparison, creates)},
		{id: "get-comparison", method: get, path: ws("comparisons/{id}"), summary: "A saved comparison, as it was computed", action: workspace.Read, tag: "comparisons", bind: typed(getComparison)},
		{id: "recompute-comparison", method: post, path: ws("comparisons/{id}/recompute"), summary: "Compute a saved comparison again and hold the digits against it", action: workspace.Compare, tag: "comparisons", bind: typed(recomputeComparison)},

		{id: "search", method: get, path: ws("search"), summary: "Runs, captures by digest, workloads, setups", action: workspace.Read, tag: "search", bind: typed(search)},
		{id: "list-audit", method: get, path: ws("audit"), summary: "The audit log, the newest first", action: workspace.ReadAudit, tag: "audit", bind: typed(listAudit)},
	}
}

func (r route) operation() huma.Operation {
	operation := huma.Operation{
		OperationID: r.id, Method: r.method, Path: r.path, Summary: r.summary, Tags: []string{r.tag},
		MaxBodyBytes: 1 << 20, BodyReadTimeout: 10 * time.Second,
		Extensions: map[string]any{"x-action": string(r.action), "x-roles": roleNames(r.action)},
	}
	if r.action != workspace.Public {
		operation.Security = []map[string][]string{{"token": {}}, {"session": {}}}
	}
	return operation
}

func roleNames(action workspace.Action) []string {
	names := []string{}
	for _, role := range workspace.Allowed(action) {
		names = append(names, string(role))
	}
	return names
}

// scoped reports whether the route belongs to a workspace.
func (r route) scoped() bool { return strings.HasPrefix(r.path, inWorkspace) }

func (r route) timeLimit() time.Duration {
	if r.limit > 0 {
		return r.limit
	}
	return ordinary
}

// creates marks an operation that makes a thing.
func creates(operation *huma.Operation) { operation.DefaultStatus = http.StatusCreated }

// RouteInfo is what a route asks of a role.
type RouteInfo struct {
	ID, Method, Path string
	Action           workspace.Action
	// Roles may use it; empty needs no role.
	Roles []workspace.Role
}

// Routes is the one list of routes, for the table of roles in the documents
// and the test that tries them all.
func Routes() []RouteInfo {
	var all []RouteInfo
	for _, r := range routes() {
		all = append(all, RouteInfo{r.id, r.method, r.path, r.action, workspace.Allowed(r.action)})
	}
	return all
}
