package httpapi_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kernelwake/internal/evidence"
	"kernelwake/internal/httpapi"
	"kernelwake/internal/httpapi/apitest"
)

func TestACapturesLabelsAreMergedShownEverywhereAndFoundBy(t *testing.T) {
	w := apitest.Start(t)
	made := w.Import(map[string]string{"workload": "w"}, apitest.Training(t, "a", nil, 1, 2), apitest.Training(t, "b", nil, 3, 4))
	run := made.Runs[0]
	path := "captures/" + run.Captures[0].ID
	edit := func(revision string, labels map[string]string) apitest.Request {
		return apitest.Request{Method: "PATCH", Path: path, Header: map[string]string{"If-Match": revision}, Body: map[string]any{"labels": labels}}
	}
	w.Want(200, edit("1", map[string]string{"ticket": "PERF-12", "owner": "ana"}), nil)
	var edited evidence.Capture
	w.Want(200, edit("2", map[string]string{"owner": "", "team": "b"}), &edited)
	want := map[string]string{"ticket": "PERF-12", "team": "b"}
	if diff := cmp.Diff(want, edited.Labels); diff != "" || edited.Revision != 3 {
		t.Errorf("revision %d, labels (-want +got):\n%s", edited.Revision, diff)
	}
	var page httpapi.CapturePage
	w.Want(200, apitest.Request{Method: "GET", Path: path}, &page)
	var ofRun httpapi.RunPage
	w.Want(200, apitest.Request{Method: "GET", Path: "runs/" + run.ID}, &ofRun)
	var list httpapi.List[evidence.Capture]
	w.Want(200, apitest.Request{Method: "GET", Path: "captures?label=ticket%3DPERF-12"}, &list)
	if list.Total != 1 || len(list.Rows) != 1 {
		t.Fatalf("found by label: %+v", list)
	}
	for where, got := range map[string]evidence.Capture{
		"page": {Labels: page.Labels, Revision: page.Revision}, "run": ofRun.Captures[0].Capture, "list": list.Rows[0],
	} {
		if diff := cmp.Diff(want, got.Labels); diff != "" || got.Revision != 3 {
			t.Errorf("%s: revision %d, labels (-want +got):\n%s", where, got.Revision, diff)
		}
	}
	w.Want(200, apitest.Request{Method: "GET", Path: "captures?label=owner"}, &list)
	if list.Total != 0 {
		t.Errorf("a label taken away is found: %+v", list)
	}
	w.Problem(422, "labels_invalid", edit("3", map[string]string{strings.Repeat("k", 129): "v"}))
	w.Problem(422, "request_invalid", apitest.Request{Method: "PATCH", Path: path, Header: map[string]string{"If-Match": "3"}, Body: map[string]any{"cell": "x"}})
}
