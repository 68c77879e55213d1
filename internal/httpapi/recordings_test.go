package httpapi_test

import (
	"encoding/json"
	"fmt"
	"path"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"kernelwake/examples/recordings"
	"kernelwake/internal/absent"
	"kernelwake/internal/compare"
	"kernelwake/internal/evidence"
	"kernelwake/internal/httpapi"
	"kernelwake/internal/httpapi/apitest"
	"kernelwake/internal/lens"
	"kernelwake/internal/trace"
)

// recording is a capture that this project made, as it is in the repository.
func recording(t testing.TB, name string) apitest.File {
	t.Helper()
	content, err := recordings.Files.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return apitest.File{Name: path.Base(name), Content: content}
}

func launches(t testing.TB, w *apitest.World, name string, n int) []string {
	t.Helper()
	var files []apitest.File
	for i := range n {
		files = append(files, recording(t, fmt.Sprintf("training/%s-%d.json.gz", name, i+1)))
	}
	var ids []string
	for _, run := range w.Import(map[string]string{"workload": "training loop", "lens": "training", "replicate_group": name}, files...).Runs {
		ids = append(ids, run.ID)
	}
	return ids
}

func TestRecordedLaunchesGiveAVerdictOrARefusal(t *testing.T) {
	w := apitest.Start(t)
	slow, fast, narrow := launches(t, w, "loader0", 5), launches(t, w, "loader2", 5), launches(t, w, "narrow", 5)
	var clear httpapi.ComparisonPage
	w.Want(201, apitest.Request{Method: "POST", Path: "comparisons", Body: map[string]any{"name": "faster loader?", "baseline": slow, "candidate": fast, "changes": map[string]string{"input": "two workers"}}}, &clear)
	if clear.Answer != string(compare.Clear) || clear.Verdict != string(compare.VerdictImproved) || clear.Result.Outcomes[0].Tier != compare.Replicated {
		t.Errorf("answer %s, verdict %s: %s", clear.Answer, clear.Verdict, clear.Sentence)
	}
	var refused httpapi.Preview
	w.Want(200, apitest.Request{Method: "POST", Path: "comparisons/preview", Body: map[string]any{"baseline": slow, "candidate": narrow}}, &refused)
	if refused.Answer != compare.Refused || len(refused.Outcomes) != 0 || len(refused.Refusals) == 0 || refused.Refusals[0].Remedy == "" {
		t.Errorf("another layer width: %s, refusals %+v", refused.Answer, refused.Refusals)
	}
	var again httpapi.Recomputed
	w.Want(200, apitest.Request{Method: "POST", Path: "comparisons/" + clear.ID + "/recompute"}, &again)
	if !again.Equal {
		t.Errorf("recomputed: differs in %v", again.Differs)
	}
}

func TestATracesTimelineAndSpansComeFromTheParsedForm(t *testing.T) {
	w := apitest.Start(t)
	made := w.Import(map[string]string{"workload": "training loop", "lens": "training"}, recording(t, "training/loader0-1.json.gz"))
	capture := "captures/" + made.Runs[0].Captures[0].ID
	var whole trace.TimelineView
	w.Want(200, apitest.Request{Method: "GET", Path: capture + "/timeline?width=800"}, &whole)
	if whole.Of == 0 || len(whole.Rows) == 0 || whole.EndNS <= whole.BeginNS {
		t.Errorf("whole trace: %d spans in %d rows", whole.Of, len(whole.Rows))
	}
	var part trace.TimelineView
	middle := (whole.BeginNS + whole.EndNS) / 2
	w.Want(200, apitest.Request{Method: "GET", Path: fmt.Sprintf("%s/timeline?from_ns=%d&to_ns=%d&width=800", capture, middle, middle+5_000_000)}, &part)
	if part.Of == 0 || part.Of >= whole.Of {
		t.Errorf("5 ms of it: %d of %d spans", part.Of, whole.Of)
	}
	var found httpapi.List[trace.SpanDetail]
	w.Want(200, apitest.Request{Method: "GET", Path: capture + "/spans?name=AddMM&limit=3"}, &found)
	if len(found.Rows) != 3 || found.Truncated.Value == nil || found.Truncated.Value.Of != found.Total {
		t.Errorf("spans %+v of %d, truncated %+v", found.Rows, found.Total, found.Truncated.Value)
	}
	var one trace.SpanDetail
	w.Want(200, apitest.Request{Method: "GET", Path: fmt.Sprintf("%s/spans/%d", capture, found.Rows[0].Row)}, &one)
	if one.Name != found.Rows[0].Name || one.StartNS != found.Rows[0].StartNS {
		t.Errorf("span %+v, found %+v", one, found.Rows[0])
	}
	w.Problem(404, "span_not_found", apitest.Request{Method: "GET", Path: capture + "/spans/99999999"})
	w.Problem(404, "requests_not_in_capture", apitest.Request{Method: "GET", Path: capture + "/requests"})
}

func TestALoadRunsRequestsAndSamplesAreBounded(t *testing.T) {
	w := apitest.Start(t)
	made := w.Import(map[string]string{"workload": "serving"}, recording(t, "serving/seqs8-1.zip"))
	if made.Runs[0].Lens != lens.Inference || made.Runs[0].Captures[0].Format != evidence.FormatAIPerf {
		t.Fatalf("imported %+v", made.Runs[0])
	}
	capture := "captures/" + made.Runs[0].Captures[0].ID
	var table httpapi.ColumnTable
	w.Want(200, apitest.Request{Method: "GET", Path: capture + "/requests?limit=50"}, &table)
	if table.Total < 100 || table.Truncated.Value == nil || table.Truncated.Value.Kept != 50 || len(table.Order) == 0 {
		t.Fatalf("table of %d, truncated %+v, columns %v", table.Total, table.Truncated.Value, table.Order)
	}
	for _, name := range table.Order {
		if len(table.Columns[name]) != 50 {
			t.Errorf("column %s has %d values", name, len(table.Columns[name]))
		}
	}
	var samples httpapi.Samples
	w.Want(200, apitest.Request{Method: "GET", Path: capture + "/samples?metric=ttft&limit=40"}, &samples)
	if samples.Unit != "ms" || len(samples.Values) != 40 || samples.N < 100 || samples.Kept != 40 || len(samples.At) != 40 {
		t.Errorf("samples: %d values of %d in %s, %d starts", len(samples.Values), samples.N, samples.Unit, len(samples.At))
	}
	w.Problem(404, "outcome_not_found", apitest.Request{Method: "GET", Path: capture + "/samples?metric=speed"})
	w.Problem(404, "spans_not_in_capture", apitest.Request{Method: "GET", Path: capture + "/timeline"})
}

// What a comparison reads of the stored forms must be all that it depends on.
func TestAComparisonThroughTheStoreHasTheDigitsOfTheWholeFiles(t *testing.T) {
	w := apitest.Start(t)
	for _, pair := range []struct{ a, b, of string }{
		{"training/loader0-1.json.gz", "training/loader2-1.json.gz", "training"}, {"serving/seqs2-1.zip", "serving/seqs8-1.zip", "inference"}, {"fleet/fifo.kwcap.json", "fleet/backfill.kwcap.json", "fleet"},
	} {
		var ids []string
		for _, name := range []string{pair.a, pair.b} {
			ids = append(ids, w.Import(map[string]string{"workload": pair.of, "lens": pair.of}, recording(t, name)).Runs[0].ID)
		}
		var preview httpapi.Preview
		answer := w.Want(200, apitest.Request{Method: "POST", Path: "comparisons/preview", Body: map[string]any{"baseline": ids[:1], "candidate": ids[1:]}}, &preview)
		runs, err := w.Library.Runs(t.Context(), w.Workspace, ids)
		if err != nil {
			t.Fatal(err)
		}
		for i := range runs {
			for j := range runs[i].Captures {
				if runs[i].Captures[j].Parsed, err = w.Library.Parsed(t.Context(), runs[i].Captures[j].ParsedSHA256); err != nil {
					t.Fatal(err)
				}
			}
		}
		whole, err := compare.Compare(compare.Input{Baseline: compare.Side{Runs: runs[:1]}, Candidate: compare.Side{Runs: runs[1:]}, Declaration: compare.Declaration{By: "admin"}})
		if err != nil {
			t.Fatal(err)
		}
		var got compare.Result
		if err := json.Unmarshal(answer.Body, &got); err != nil {
			t.Fatal(err)
		}
		wanted, err := json.Marshal(whole)
		if err != nil {
			t.Fatal(err)
		}
		var want compare.Result
		if err := json.Unmarshal(wanted, &want); err != nil {
			t.Fatal(err)
		}
		ignoreEmpty := cmpopts.EquateEmpty()
		if diff := cmp.Diff(want, got, ignoreEmpty, cmp.AllowUnexported(absent.Value[float64]{}, absent.Value[int]{}, absent.Value[compare.Effect]{}, absent.Value[compare.Finding]{})); diff != "" {
			t.Errorf("%s against %s (-whole +stored):\n%s", pair.a, pair.b, diff)
		}
	}
}
