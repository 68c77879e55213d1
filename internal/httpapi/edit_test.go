package httpapi_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"kernelwake/internal/evidence"
	"kernelwake/internal/httpapi"
	"kernelwake/internal/httpapi/apitest"
	"kernelwake/internal/sqlstore"
)

func TestEditsNameTheRevisionTheyWereMadeOn(t *testing.T) {
	w := apitest.Start(t)
	run := w.Import(map[string]string{"workload": "w"}, apitest.Training(t, "r", nil, 1, 2)).Runs[0]
	capture := run.Captures[0].ID
	for path, id := range map[string]string{"runs/" + run.ID: run.ID, "workloads/" + run.WorkloadID: run.WorkloadID, "captures/" + capture: capture} {
		edit := apitest.Request{Method: "PATCH", Path: path, Body: map[string]any{"labels": map[string]string{"a": "b"}}}
		w.Problem(http.StatusPreconditionRequired, "if_match_missing", edit)
		edit.Header = map[string]string{"If-Match": `"` + id + `.9"`}
		problem := w.Problem(http.StatusPreconditionFailed, "revision_stale", edit)
		if !strings.Contains(problem.Detail, "revision 1") {
			t.Errorf("the refusal doesn't tell the current revision: %s", problem.Detail)
		}
		edit.Header = map[string]string{"If-Match": `"something else"`}
		w.Problem(http.StatusPreconditionFailed, "revision_stale", edit)
		read := w.Want(200, apitest.Request{Method: "GET", Path: path}, nil)
		edit.Header = map[string]string{"If-Match": read.Header.Get("ETag")}
		if answer := w.Want(200, edit, nil); answer.Header.Get("ETag") != fmt.Sprintf("%q", id+".2") {
			t.Errorf("ETag after the edit: %s", answer.Header.Get("ETag"))
		}
		edit.Header = map[string]string{"If-Match": "1"}
		w.Problem(http.StatusPreconditionFailed, "revision_stale", edit)
	}
}

func TestDeclarationsAndLabelsAreMergedAndTakenBack(t *testing.T) {
	w := apitest.Start(t)
	run := w.Import(map[string]string{"workload": "w", "dims": `{"driver":"1","cuda":"12"}`}, apitest.Training(t, "r", nil, 1, 2)).Runs[0]
	var edited, relabelled evidence.Run
	w.Want(200, apitest.Request{Method: "PATCH", Path: "runs/" + run.ID, Header: map[string]string{"If-Match": "1"}, Body: map[string]any{
		"declared": map[string]any{"driver": map[string]string{"absent": "withdrawn"}, "mig": map[string]string{"absent": "not_applicable"}}, "labels": map[string]string{"a": "1", "b": "2"},
	}}, &edited)
	if len(edited.Declared) != 2 || edited.Declared["cuda"].Value != "12" || edited.Declared["cuda"].By != "admin" || len(edited.Labels) != 2 {
		t.Errorf("after the first edit: %+v, %+v", edited.Declared, edited.Labels)
	}
	var page httpapi.RunPage
	w.Want(200, apitest.Request{Method: "GET", Path: "runs/" + run.ID}, &page)
	if mig := page.Dimensions["mig"]; mig.Absent != "not_applicable" || mig.Value.Value != nil {
		t.Errorf("a value that doesn't apply: %+v", mig)
	}
	w.Want(200, apitest.Request{Method: "PATCH", Path: "runs/" + run.ID, Header: map[string]string{"If-Match": "2"}, Body: map[string]any{"labels": map[string]string{"a": ""}}}, &relabelled)
	if len(relabelled.Labels) != 1 || relabelled.Labels["b"] != "2" {
		t.Errorf("labels %+v", relabelled.Labels)
	}
	w.Problem(422, "declaration_invalid", apitest.Request{Method: "PATCH", Path: "runs/" + run.ID, Header: map[string]string{"If-Match": "3"}, Body: map[string]any{"declared": map[string]any{"drivr": "1"}}})
}

func TestAStrongerSourceKeepsItsWordAndTheConflictShows(t *testing.T) {
	w := apitest.Start(t)
	run := w.Import(map[string]string{"workload": "w", "dims": `{"model":"large"}`}, apitest.Training(t, "r", map[string]any{"model": "small"}, 1, 2)).Runs[0]
	var page httpapi.RunPage
	w.Want(200, apitest.Request{Method: "GET", Path: "runs/" + run.ID}, &page)
	model := page.Dimensions["model"]
	if model.Value.Value != "small" || !model.Conflict || len(model.Sources) != 2 || model.Class != "gate" {
		t.Errorf("model %+v", model)
	}
}

func TestEveryChangeIsInTheAuditLogWithTheRequestThatMadeIt(t *testing.T) {
	w := apitest.Start(t)
	run := w.Import(map[string]string{"workload": "w"}, apitest.Training(t, "r", nil, 1, 2)).Runs[0]
	edit := w.Want(200, apitest.Request{Method: "PATCH", Path: "runs/" + run.ID, Header: map[string]string{"If-Match": "1"}, Body: map[string]any{"name": "new name"}}, nil)
	var log httpapi.List[sqlstore.AuditRow]
	w.Want(200, apitest.Request{Method: "GET", Path: "audit?limit=1"}, &log)
	row := log.Rows[0]
	if row.Action != "run.edit" || row.ObjectID != run.ID || row.RequestID != edit.Header.Get("X-Request-Id") || !strings.Contains(row.Before, `"name":"r"`) || !strings.Contains(row.After, "new name") || row.Role != "admin" {
		t.Errorf("row %+v", row)
	}
	seen := map[string]bool{}
	for cursor := ""; ; {
		var page httpapi.List[sqlstore.AuditRow]
		w.Want(200, apitest.Request{Method: "GET", Path: "audit?limit=2&cursor=" + cursor}, &page)
		for _, row := range page.Rows {
			seen[row.Action] = true
		}
		if page.Next == nil {
			break
		}
		cursor = *page.Next
	}
	for _, action := range []string{"workload.create", "run.create", "capture.import", "run.edit", "member.create"} {
		if !seen[action] {
			t.Errorf("%s is not in the log", action)
		}
	}
}

func TestListsAreBoundedPagedAndSayHowMany(t *testing.T) {
	w := apitest.Start(t)
	for i := range 5 {
		w.Import(map[string]string{"workload": "w"}, apitest.Training(t, fmt.Sprint("r", i), nil, float64(i+1), 2))
	}
	var names []string
	for cursor := ""; ; {
		var page httpapi.List[httpapi.RunRow]
		answer := w.Want(200, apitest.Request{Method: "GET", Path: "runs?limit=2&cursor=" + cursor}, &page)
		if page.Total != 5 || len(page.Rows) > 2 || page.AsOf.IsZero() || !strings.Contains(string(answer.Body), `"truncated":null`) {
			t.Errorf("page %s", answer.Body)
		}
		for _, row := range page.Rows {
			names = append(names, row.Name)
		}
		if page.Next == nil {
			break
		}
		cursor = *page.Next
	}
	if fmt.Sprint(names) != "[r4 r3 r2 r1 r0]" {
		t.Errorf("runs %v", names)
	}
	w.Problem(422, "cursor_invalid", apitest.Request{Method: "GET", Path: "runs?cursor=abc"})
	w.Problem(422, "request_invalid", apitest.Request{Method: "GET", Path: "runs?limit=501"})
	w.Problem(422, "request_invalid", apitest.Request{Method: "GET", Path: "runs?limt=5"})
}

func TestSearchFindsByNameAndByDigest(t *testing.T) {
	w := apitest.Start(t)
	run := w.Import(map[string]string{"workload": "needle workload"}, apitest.Training(t, "needle", nil, 1, 2)).Runs[0]
	for _, q := range []string{"needle", "NEEDLE", run.Captures[0].SHA256[:10], run.Captures[0].ParsedSHA256[:10]} {
		var found httpapi.Found
		w.Want(200, apitest.Request{Method: "GET", Path: "search?q=" + q}, &found)
		if len(found.Captures) != 1 || found.Captures[0].ID != run.Captures[0].ID {
			t.Errorf("%q found %+v", q, found)
		}
	}
	var none httpapi.Found
	answer := w.Want(200, apitest.Request{Method: "GET", Path: "search?q=haystack"}, &none)
	if none.Total != 0 || strings.Contains(string(answer.Body), "null") {
		t.Errorf("found %s", answer.Body)
	}
}

func TestRequestsOfOtherSitesChangeNothing(t *testing.T) {
	w := apitest.Start(t)
	body := map[string]any{"name": "x", "lens": "training"}
	w.Problem(http.StatusForbidden, "cross_origin", apitest.Request{Method: "POST", Path: "workloads", Body: body, Header: map[string]string{"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}})
	w.Problem(http.StatusForbidden, "cross_origin", apitest.Request{Method: "POST", Path: "workloads", Body: body, Header: map[string]string{"Origin": "https://evil.example"}})
	w.Want(http.StatusCreated, apitest.Request{Method: "POST", Path: "workloads", Body: body, Header: map[string]string{"Sec-Fetch-Site": "same-origin"}}, nil)
}

func TestAnswersCarryStrictHeadersAndNoNull(t *testing.T) {
	w := apitest.Start(t)
	run := w.Import(map[string]string{"workload": "w"}, apitest.Training(t, "r", nil, 1, 2)).Runs[0]
	answer := w.Want(200, apitest.Request{Method: "GET", Path: "runs/" + run.ID}, nil)
	for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Cache-Control": "no-store", "Content-Type": "application/json"} {
		if got := answer.Header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if !strings.Contains(answer.Header.Get("Content-Security-Policy"), "default-src 'none'") {
		t.Error("no strict policy")
	}
	if bytes.Contains(answer.Body, []byte(":null")) {
		t.Errorf("a null in %s", answer.Body)
	}
	for _, path := range []string{"/api/v1/nothing", "/api/v2/", "/api/v1/workspaces/default/nothing"} {
		w.Problem(http.StatusNotFound, "route_not_found", apitest.Request{Method: "GET", Path: path})
	}
}

func TestAMethodThatAPathHasNotIsToldThoseItHas(t *testing.T) {
	w := apitest.Start(t)
	for path, allow := range map[string]string{"/api/v1/lenses": "GET", "workloads": "GET, POST", "captures/cap_1": "GET, PATCH, DELETE", "captures/cap_1/bytes": "GET"} {
		t.Run(path, func(t *testing.T) {
			request := apitest.Request{Method: "PUT", Path: path, Body: map[string]any{}}
			w.Problem(http.StatusMethodNotAllowed, "method_not_allowed", request)
			if got := w.Want(http.StatusMethodNotAllowed, request, nil).Header.Get("Allow"); got != allow {
				t.Errorf("Allow: %q, want %q", got, allow)
			}
		})
	}
}

func TestLargeAnswersAreCompressedForThoseWhoTakeIt(t *testing.T) {
	w := apitest.Start(t)
	answer := w.Want(200, apitest.Request{Method: "GET", Path: "/api/v1/lenses", Header: map[string]string{"Accept-Encoding": "gzip"}}, nil)
	if answer.Header.Get("Content-Encoding") != "gzip" {
		t.Fatalf("Content-Encoding %q", answer.Header.Get("Content-Encoding"))
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(answer.Body))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(unpacked)
	var lenses []map[string]any
	if err != nil || json.Unmarshal(data, &lenses) != nil || len(lenses) != 3 {
		t.Errorf("%d lenses, %v", len(lenses), err)
	}
}

func TestBodiesAreReadStrictlyAndBounded(t *testing.T) {
	w := apitest.Start(t)
	send := func(body string) apitest.Request {
		return apitest.Request{Method: "POST", Path: "workloads", Raw: strings.NewReader(body), ContentType: "application/json"}
	}
	for _, body := range []string{`{"name":"a","name":"b","lens":"training"}`, `{"name":"a","lens":"training","x":1}`, `{"name":"a","lens":"telescope"}`, `{"Name":"a","lens":"training"}`, `{`, `[]`, `{"name":"` + strings.Repeat("a", 201) + `","lens":"training"}`} {
		answer := w.Do(send(body))
		if answer.Status != 422 && answer.Status != 400 {
			t.Errorf("%.60s: %d %s", body, answer.Status, answer.Body)
		}
	}
	w.Problem(http.StatusRequestEntityTooLarge, "body_too_large", send(`{"name":"`+strings.Repeat("a", 1<<20)+`"}`))
}

func TestDocumentsAskNothingOfOtherHosts(t *testing.T) {
	w := apitest.Start(t)
	page := w.Want(200, apitest.Request{Method: "GET", Path: "/api/docs", Token: "-"}, nil)
	if !strings.HasPrefix(page.Header.Get("Content-Type"), "text/html") || bytes.Contains(page.Body, []byte("://")) || bytes.Contains(page.Body, []byte("<script")) {
		t.Errorf("the page loads from elsewhere or runs scripts")
	}
	for _, route := range httpapi.Routes() {
		if !bytes.Contains(page.Body, []byte(route.Path)) {
			t.Errorf("the page doesn't tell of %s", route.Path)
		}
	}
	var spec struct {
		Paths map[string]map[string]struct {
			OperationID string   `json:"operationId"`
			Roles       []string `json:"x-roles"`
		} `json:"paths"`
	}
	w.Want(200, apitest.Request{Method: "GET", Path: "/api/openapi.json", Token: "-"}, &spec)
	for _, route := range httpapi.Routes() {
		if got := spec.Paths[route.Path][strings.ToLower(route.Method)]; got.OperationID != route.ID || len(got.Roles) != len(route.Roles) {
			t.Errorf("the description of %s is %+v", route.ID, got)
		}
	}
}
