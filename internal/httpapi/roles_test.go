package httpapi_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"kernelwake/internal/httpapi"
	"kernelwake/internal/httpapi/apitest"
	"kernelwake/internal/workspace"
)

// passed reports whether a request got past the door: what a handler answers
// to an empty or wrong request is anything but a matter of permission.
func passed(status int) bool {
	return status != http.StatusUnauthorized && status != http.StatusForbidden
}

func try(w *apitest.World, route httpapi.RouteInfo, in, token string) apitest.Answer {
	path := strings.NewReplacer("{ws}", in, "{id}", "nothing", "{setup}", "nothing", "{row}", "0").Replace(route.Path)
	request := apitest.Request{Method: route.Method, Path: path, Token: token}
	if route.Method == http.MethodPost || route.Method == http.MethodPatch {
		request.Body = map[string]any{}
	}
	return w.Do(request)
}

func TestEveryRouteAsEveryRole(t *testing.T) {
	w := apitest.Start(t)
	for _, route := range httpapi.Routes() {
		if route.ID == "sign-out" {
			continue
		}
		for role, token := range w.Tokens {
			answer := try(w, route, "default", token)
			want := route.Action == workspace.Public || route.Action == workspace.SignedIn || slices.Contains(route.Roles, role)
			scoped := strings.Contains(route.Path, "{ws}")
			switch {
			case role == workspace.Operator && scoped:
				// To an operator who is no member the workspace isn't there.
				if answer.Status != http.StatusNotFound || !strings.Contains(string(answer.Body), "workspace_not_found") {
					t.Errorf("%s as operator: %d %s", route.ID, answer.Status, answer.Body)
				}
			case want != passed(answer.Status) && route.ID != "sign-in":
				t.Errorf("%s as %s: %d, want allowed %v\n%s", route.ID, role, answer.Status, want, answer.Body)
			}
		}
	}
}

func TestEveryRouteAsNoOne(t *testing.T) {
	w := apitest.Start(t)
	for _, route := range httpapi.Routes() {
		for _, token := range []string{"-", "a-token-nobody-has-0123456789"} {
			answer := try(w, route, "default", token)
			public := route.Action == workspace.Public
			if route.ID != "sign-in" && public == (answer.Status == http.StatusUnauthorized) {
				t.Errorf("%s as no one: %d", route.ID, answer.Status)
			}
			if answer.Status == http.StatusUnauthorized && answer.Header.Get("WWW-Authenticate") == "" && route.ID != "sign-in" {
				t.Errorf("%s as no one: no WWW-Authenticate", route.ID)
			}
		}
	}
}

func TestEveryRouteAsAMemberOfAnotherWorkspace(t *testing.T) {
	w := apitest.Start(t)
	for _, route := range httpapi.Routes() {
		if !strings.Contains(route.Path, "{ws}") {
			continue
		}
		for _, in := range []string{"default", w.Workspace} {
			answer := try(w, route, in, w.Stranger)
			if answer.Status != http.StatusNotFound || !strings.Contains(string(answer.Body), "workspace_not_found") {
				t.Errorf("%s of another workspace: %d %s", route.ID, answer.Status, answer.Body)
			}
		}
	}
}

// The evidence of one workspace can't be reached through another by its id.
func TestIDsOfAnotherWorkspaceAreNotFound(t *testing.T) {
	w := apitest.Start(t)
	made := w.Import(map[string]string{"workload": "w"}, apitest.Training(t, "r1", nil, 1, 2, 3))
	run, capture := made.Runs[0].ID, made.Runs[0].Captures[0].ID
	in := "/api/v1/workspaces/other/"
	for _, request := range []apitest.Request{
		{Method: "GET", Path: in + "runs/" + run},
		{Method: "PATCH", Path: in + "runs/" + run, Body: map[string]any{"name": "mine"}, Header: map[string]string{"If-Match": "1"}},
		{Method: "GET", Path: in + "captures/" + capture},
		{Method: "GET", Path: in + "captures/" + capture + "/bytes"},
		{Method: "GET", Path: in + "captures/" + capture + "/samples?metric=step_time"},
		{Method: "PATCH", Path: in + "captures/" + capture, Body: map[string]any{"labels": map[string]string{"a": "b"}}, Header: map[string]string{"If-Match": "1"}},
		{Method: "DELETE", Path: in + "captures/" + capture},
		{Method: "GET", Path: in + "workloads/" + made.Runs[0].WorkloadID},
		{Method: "POST", Path: in + "comparisons/preview", Body: map[string]any{"baseline": []string{run}, "candidate": []string{run}}},
		{Method: "POST", Path: in + "comparisons/glance", Body: map[string]any{"a": run, "b": run}},
	} {
		request.Token = w.Stranger
		if answer := w.Do(request); answer.Status != http.StatusNotFound {
			t.Errorf("%s %s: %d %s", request.Method, request.Path, answer.Status, answer.Body)
		}
	}
	var found httpapi.Found
	w.Want(200, apitest.Request{Method: "GET", Path: in + "search?q=r1", Token: w.Stranger}, &found)
	if found.Total != 0 {
		t.Errorf("a search of another workspace found %+v", found)
	}
	// The same bytes in another workspace are new there: recognition stays inside.
	upload := w.Upload(in+"imports", map[string]string{"workload": "w"}, apitest.Training(t, "r1", nil, 1, 2, 3))
	upload.Token = w.Stranger
	answer := w.Want(200, upload, nil)
	if strings.Contains(string(answer.Body), run) || strings.Contains(string(answer.Body), `"already_stored":true`) {
		t.Errorf("bytes of another workspace were recognised: %s", answer.Body)
	}
}

func TestDenialsAreInTheAuditLog(t *testing.T) {
	w := apitest.Start(t)
	w.Problem(http.StatusForbidden, "role_too_low", apitest.Request{Method: "POST", Path: "workloads", Token: w.Tokens[workspace.Viewer], Body: map[string]any{"name": "x", "lens": "training"}})
	var log httpapi.List[struct {
		Action    string `json:"action"`
		ActorName string `json:"actor_name"`
		Outcome   string `json:"outcome"`
		RequestID string `json:"request_id"`
	}]
	w.Want(200, apitest.Request{Method: "GET", Path: "audit"}, &log)
	if len(log.Rows) == 0 || log.Rows[0].Outcome != "denied" || log.Rows[0].Action != "create-workload" || log.Rows[0].ActorName != "viewer" || log.Rows[0].RequestID == "" {
		t.Errorf("the newest audit row is %+v", log.Rows)
	}
	for _, chain := range []string{w.Workspace, ""} {
		if n, err := w.Records.VerifyAudit(t.Context(), chain); n == 0 || err != nil {
			t.Errorf("chain %q: %d rows, %v", chain, n, err)
		}
	}
}
