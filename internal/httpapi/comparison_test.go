package httpapi_test

import (
	"fmt"
	"net/http"
	"testing"

	"kernelwake/internal/compare"
	"kernelwake/internal/httpapi"
	"kernelwake/internal/httpapi/apitest"
	"kernelwake/internal/workspace"
)

// sides imports launches of two configurations that differ by 20 %, known to
// the last dimension but those of the context.
func sides(t *testing.T, w *apitest.World, launches int) (baseline, candidate []string) {
	t.Helper()
	for i := range launches {
		wobble := 1 + 0.002*float64(i)
		for side, into := range map[float64]*[]string{100: &baseline, 80: &candidate} {
			var steps []float64
			for s := range 30 {
				steps = append(steps, side*wobble*(1+0.001*float64(s%7)))
			}
			made := w.Import(map[string]string{"workload": "w"}, apitest.Training(t, fmt.Sprintf("r%g-%d", side, i), apitest.Known(map[string]any{"input": side}), steps...))
			*into = append(*into, made.Runs[0].ID)
		}
	}
	return baseline, candidate
}

func TestPreviewComparesAndKeepsNothing(t *testing.T) {
	w := apitest.Start(t)
	baseline, candidate := sides(t, w, 4)
	var preview httpapi.Preview
	w.Want(200, apitest.Request{Method: "POST", Path: "comparisons/preview", Token: w.Tokens[workspace.Viewer], Body: map[string]any{
		"baseline": baseline, "candidate": candidate, "changes": map[string]string{"input": "fewer workers"},
	}}, &preview)
	if preview.Answer == compare.Refused || len(preview.Outcomes) == 0 {
		t.Fatalf("answer %s, refusals %+v", preview.Answer, preview.Refusals)
	}
	outcome := preview.Outcomes[0]
	effect, known := outcome.Effect.Get()
	if outcome.Metric != "step_time.p50" || !known || effect.Value < 0.79 || effect.Value > 0.81 || outcome.Tier != compare.Replicated {
		t.Errorf("outcome %+v", outcome)
	}
	samples := preview.Samples["step_time"]
	if len(samples.Baseline) != 4 || len(samples.Candidate) != 4 || samples.Baseline[0].Of != 30 || samples.Unit != "ms" {
		t.Errorf("samples %+v", samples)
	}
	var saved httpapi.List[httpapi.ComparisonRow]
	w.Want(200, apitest.Request{Method: "GET", Path: "comparisons"}, &saved)
	if saved.Total != 0 {
		t.Errorf("%d comparisons are kept", saved.Total)
	}
}

func TestSavedComparisonStaysAndRecomputesToTheSameDigits(t *testing.T) {
	w := apitest.Start(t)
	baseline, candidate := sides(t, w, 4)
	body := map[string]any{"name": "fewer workers", "baseline": baseline, "candidate": candidate, "changes": map[string]string{"input": "fewer workers"}}
	var saved httpapi.ComparisonPage
	w.Want(http.StatusCreated, apitest.Request{Method: "POST", Path: "comparisons", Body: body}, &saved)

	// What is said of the runs later doesn't reach it.
	for _, id := range append(baseline, candidate...) {
		w.Want(200, apitest.Request{Method: "PATCH", Path: "runs/" + id, Body: map[string]any{"declared": map[string]any{"driver": "1.0"}, "name": "renamed " + id}, Header: map[string]string{"If-Match": "1"}}, nil)
	}
	sides2 := apitest.Training(t, "later", apitest.Known(map[string]any{"input": 100.0}), 300, 310, 305)
	w.Import(map[string]string{"workload": "w"}, sides2)

	var again httpapi.Recomputed
	w.Want(200, apitest.Request{Method: "POST", Path: "comparisons/" + saved.ID + "/recompute"}, &again)
	if !again.Equal || again.ResultSHA256 != saved.ResultSHA256 {
		t.Errorf("recomputed: equal %v, differs %v", again.Equal, again.Differs)
	}
	var page httpapi.ComparisonPage
	w.Want(200, apitest.Request{Method: "GET", Path: "comparisons/" + saved.ID}, &page)
	if page.Result.InputsSHA256 != saved.Result.InputsSHA256 || len(page.Samples["step_time"].Baseline) != 4 {
		t.Errorf("read back: %+v", page.ComparisonRow)
	}
	if page.Result.Method == "" || page.Result.StatsVersion == "" {
		t.Error("the comparison names no method or version")
	}
}

func TestACreateSentAgainMakesNothingTwice(t *testing.T) {
	w := apitest.Start(t)
	baseline, candidate := sides(t, w, 1)
	body := map[string]any{"name": "once", "baseline": baseline, "candidate": candidate}
	request := apitest.Request{Method: "POST", Path: "comparisons", Body: body, Header: map[string]string{"Idempotency-Key": "k1"}}
	var first, second httpapi.ComparisonPage
	w.Want(http.StatusCreated, request, &first)
	w.Want(http.StatusCreated, request, &second)
	if first.ID != second.ID {
		t.Errorf("made %s and %s", first.ID, second.ID)
	}
	request.Body = map[string]any{"name": "other", "baseline": baseline, "candidate": candidate}
	w.Problem(http.StatusConflict, "idempotency_key_reused", request)
	request.Body, request.Token = body, w.Tokens[workspace.Analyst]
	var others httpapi.ComparisonPage
	w.Want(http.StatusCreated, request, &others)
	if others.ID == first.ID {
		t.Error("a key of one member answered another")
	}
}

func TestWhatAComparisonRestsOnCannotBeRemoved(t *testing.T) {
	w := apitest.Start(t)
	baseline, candidate := sides(t, w, 1)
	spare := w.Import(map[string]string{"workload": "another"}, apitest.Training(t, "spare", nil, 1, 2)).Runs[0]
	var saved httpapi.ComparisonPage
	w.Want(http.StatusCreated, apitest.Request{Method: "POST", Path: "comparisons", Body: map[string]any{"name": "kept", "baseline": baseline, "candidate": candidate}}, &saved)
	var page httpapi.RunPage
	w.Want(200, apitest.Request{Method: "GET", Path: "runs/" + baseline[0]}, &page)
	if len(page.ReliedOnBy) != 1 || page.ReliedOnBy[0].ID != saved.ID || page.ReliedOnBy[0].As != "baseline" {
		t.Errorf("relied on by %+v", page.ReliedOnBy)
	}
	problem := w.Problem(http.StatusConflict, "capture_relied_on", apitest.Request{Method: "DELETE", Path: "captures/" + page.Captures[0].Capture.ID})
	if len(problem.Errors) != 1 || problem.Errors[0].Pointer != "/comparisons/"+saved.ID {
		t.Errorf("the refusal names %+v", problem.Errors)
	}
	w.Want(http.StatusNoContent, apitest.Request{Method: "DELETE", Path: "captures/" + spare.Captures[0].ID}, nil)
	w.Problem(http.StatusNotFound, "run_not_found", apitest.Request{Method: "GET", Path: "runs/" + spare.ID})
	for _, digest := range []string{spare.Captures[0].SHA256, spare.Captures[0].ParsedSHA256} {
		if content, err := w.Blobs.Open(t.Context(), digest); err == nil {
			content.Close()
			t.Errorf("blob %s of a removed capture is still there", digest)
		}
	}
}

func TestComparisonsThatCannotBeAskedAreRefusedClearly(t *testing.T) {
	w := apitest.Start(t)
	baseline, candidate := sides(t, w, 1)
	for _, test := range []struct {
		name, code string
		status     int
		body       map[string]any
	}{
		{"no baseline", "request_invalid", 422, map[string]any{"baseline": []string{}, "candidate": candidate}},
		{"a run that isn't there", "run_not_found", 404, map[string]any{"baseline": []string{"run_x"}, "candidate": candidate}},
		{"a run twice on a side", "run_repeated", 422, map[string]any{"baseline": []string{baseline[0], baseline[0]}, "candidate": candidate}},
		{"a member nobody knows", "request_invalid", 422, map[string]any{"baseline": baseline, "candidate": candidate, "speed": 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			w.Problem(test.status, test.code, apitest.Request{Method: "POST", Path: "comparisons/preview", Body: test.body})
		})
	}
	answer := w.Do(apitest.Request{Method: "POST", Path: "comparisons/preview", Body: map[string]any{"baseline": baseline, "candidate": candidate, "changes": map[string]string{"weather": "rain"}}})
	if answer.Status != 422 {
		t.Errorf("a row that isn't: %d %s", answer.Status, answer.Body)
	}
}

func TestARefusalHasNoNumbers(t *testing.T) {
	w := apitest.Start(t)
	a := w.Import(map[string]string{"workload": "w"}, apitest.Training(t, "a", apitest.Known(map[string]any{"world_size": 8}), 1, 2, 3)).Runs[0].ID
	b := w.Import(map[string]string{"workload": "w"}, apitest.Training(t, "b", apitest.Known(map[string]any{"world_size": 2}), 4, 5, 6)).Runs[0].ID
	var preview httpapi.Preview
	w.Want(200, apitest.Request{Method: "POST", Path: "comparisons/preview", Body: map[string]any{"baseline": []string{a}, "candidate": []string{b}}}, &preview)
	if preview.Answer != compare.Refused || len(preview.Refusals) == 0 || len(preview.Outcomes) != 0 || len(preview.Samples) != 0 {
		t.Errorf("answer %s, %d outcomes, %d samples, refusals %+v", preview.Answer, len(preview.Outcomes), len(preview.Samples), preview.Refusals)
	}
}
