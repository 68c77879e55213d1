package aiperf

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kernelwake/internal/evidence"
)

func TestTheFormBefore011IsReadUnderItsOldNames(t *testing.T) {
	summary := `{"records":{"ttft":{"tag":"ttft","unit":"ms","header":"Time to First Token","avg":30.5,"min":30,"max":31,"p1":null,"p50":30.5,"p99":30.99,"std":0.5,"count":2},
		"request_count":{"tag":"request_count","unit":"requests","avg":2,"p50":null,"count":1},"error_request_count":{"tag":"error_request_count","unit":"requests","avg":1}},
		"input_config":{"endpoint":{"model_names":["openai/gpt-oss-20b"],"type":"chat","streaming":true},"loadgen":{"concurrency":100,"request_count":3}},"was_cancelled":false,
		"error_summary":[{"error_details":{"code":499,"type":"RequestCancellationError","message":"x"},"count":1}]}`
	line := func(ns int, metrics, failure string) string {
		return fmt.Sprintf(`{"metadata":{"x_request_id":"r%d","conversation_id":"c","turn_index":0,"timestamp_ns":%d,"credit_phase":"profiling"},"metrics":{%s},"error":%s}`+"\n", ns, ns, metrics, failure)
	}
	records := line(1000, `"ttft":{"value":30,"unit":"ms"},"request_latency":{"value":100,"unit":"ms"},"request_count":{"value":1,"unit":"requests"}`, "null") +
		line(2000, `"ttft":{"value":31,"unit":"ms"},"request_latency":{"value":100,"unit":"ms"},"request_count":{"value":1,"unit":"requests"}`, "null") +
		line(3000, `"error_request_count":{"value":1,"unit":"requests"}`, `{"code":499,"type":"RequestCancellationError","message":"x"}`)
	got := one(t, []member{{"run1/profile_export_aiperf.json", []byte(summary)}, {"run1/profile_export.jsonl", []byte(records)}})
	if got.FormatVersion != "before 0.1.1" || got.Dimensions["concurrency_or_rate"].Value != 100.0 {
		t.Errorf("format version %q, load %v", got.FormatVersion, got.Dimensions["concurrency_or_rate"])
	}
	ttft, _ := got.Outcome("ttft", "")
	if !slices.Equal(ttft.Data.Floats("v"), []float64{30, 31}) || ttft.Reported["p99"] != 30.99 {
		t.Errorf("ttft %v, reported %v", ttft.Data.Floats("v"), ttft.Reported)
	}
	var f figures
	if err := json.Unmarshal(got.Figures, &f); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]errorFigures{{Class: "cancelled", Label: "499 RequestCancellationError", Count: 1}}, f.Errors); diff != "" {
		t.Errorf("errors:\n%s", diff)
	}
	if f.Agreement == nil || f.Agreement.Equal != f.Agreement.Compared || f.Agreement.Compared < 8 {
		t.Errorf("agreement %+v", f.Agreement)
	}
}

func TestNullMetricsOfOldSummariesAreAbsentNotZero(t *testing.T) {
	summary := `{"goodput":null,"request_throughput":{"unit":"requests/sec","avg":2},"request_count":{"unit":"requests","avg":64},"benchmark_duration":{"unit":"sec","avg":32},"time_to_first_token":{"unit":"ms","avg":26,"p99":null},"error_request_count":null,
		"input_config":{"endpoint":{"model_names":["m"],"streaming":true}},"was_cancelled":false,"telemetry_data":null}`
	got := one(t, []member{{"r/profile_export_aiperf.json", []byte(summary)}})
	ttft, _ := got.Outcome("ttft", "")
	rate, _ := got.Outcome("request_throughput", "")
	if _, zero := ttft.Statistics["p99"]; zero || ttft.Statistics["mean"] != 26 || rate.Definition.Denominator != benchmarkDuration {
		t.Errorf("ttft %v, throughput over %q", ttft.Statistics, rate.Definition.Denominator)
	}
}

func TestTheForkIsToldFromTheRelease(t *testing.T) {
	summary := bytes.ReplaceAll(bytes.ReplaceAll(small.summary(), []byte(`"schema_version":"1.4"`), []byte(`"schema_version":"1.2"`)), []byte("0.13.0"), []byte("0.8.0"))
	got := one(t, []member{madeUp(t, small)[0], {"run/profile_export_aiperf.json", summary}})
	if got.Tool != "aiperf 0.8.0 (fork, schema 1.2)" || got.Dimensions["load_tool"].Value != got.Tool {
		t.Errorf("tool %q, client %v", got.Tool, got.Dimensions["load_tool"])
	}
}

func TestTheDenominatorTheSummaryUsedIsToldByItsNumbers(t *testing.T) {
	for rate, want := range map[string]string{"4": phaseWindow, "5": benchmarkDuration, "7": "not named by the summary"} {
		summary := fmt.Sprintf(`{"aiperf_version":"0.13.0","request_throughput":{"unit":"requests/sec","avg":%s},"request_count":{"unit":"requests","avg":40},"benchmark_duration":{"unit":"sec","avg":8},
			"input_config":{"models":{"items":[{"name":"m"}]}},"start_time":"2026-11-30T14:58:32.000000","end_time":"2026-11-30T14:58:42.000000"}`, rate)
		got := one(t, []member{{"r/profile_export_aiperf.json", []byte(summary)}})
		if outcome, _ := got.Outcome("request_throughput", ""); outcome.Definition.Denominator != want {
			t.Errorf("40 requests at %s a second: %q, want %q", rate, outcome.Definition.Denominator, want)
		}
	}
}

// capturesOf imports a sample and returns its captures by selector.
func capturesOf(t *testing.T, name string) map[string]*evidence.Parsed {
	t.Helper()
	all := map[string]*evidence.Parsed{}
	for _, one := range mustRead(t, packZip(t, folder(t, sampleFolder(t, name)))) {
		all[strings.TrimPrefix(strings.TrimPrefix(one.Selector, name), "/")] = one
	}
	return all
}

func TestSamplesShowWhichRunsDidTheSameWork(t *testing.T) {
	first, again, longer := capturesOf(t, "v0.13-stream-c4")[""], capturesOf(t, "v0.13-stream-c4-again")[""], capturesOf(t, "v0.13-stream-c4-osl48")[""]
	for _, key := range []string{"request_bodies_sha256", "prompt_order_sha256", "dataset", "random_seed", "sampling", "tokenizer", "arrival", "concurrency_or_rate"} {
		if !first.Dimensions[key].Known() || !cmp.Equal(first.Dimensions[key].Value, again.Dimensions[key].Value) {
			t.Errorf("%s differs in the same run again: %v, %v", key, first.Dimensions[key], again.Dimensions[key])
		}
	}
	if cmp.Equal(first.Dimensions["osl"].Value, longer.Dimensions["osl"].Value) || cmp.Equal(first.Dimensions["dataset"].Value, longer.Dimensions["dataset"].Value) {
		t.Error("48 tokens look like 32")
	}
	sweep := capturesOf(t, "v0.13-sweep-c1-8")
	for cell, seed := range map[string]float64{"concurrency_1": 42, "concurrency_2": 43, "concurrency_4": 44, "concurrency_8": 45} {
		if got := sweep[cell].Dimensions["random_seed"].Value; got != seed {
			t.Errorf("%s has seed %v, want %v", cell, got, seed)
		}
	}
	if cmp.Equal(sweep["concurrency_1"].Dimensions["request_bodies_sha256"].Value, sweep["concurrency_2"].Dimensions["request_bodies_sha256"].Value) {
		t.Error("cells with other seeds have equal bodies")
	}
	runs := capturesOf(t, "v0.13-runs3")
	groups := map[string]bool{}
	for _, one := range runs {
		groups[string(one.Launch.Kind)+one.Launch.Group] = true
	}
	if len(runs) != 3 || len(groups) != 1 {
		t.Errorf("three trials of one command are %d launches", len(groups))
	}
	warm := runs["profile_runs/run_0001"].Dimensions["cache_state"].Value.(map[string]any)
	if warm["warmup_prompts_again"] != 4.0 {
		t.Errorf("run 1 sends the warm-up's four prompts again; cache state says %v", warm)
	}
}
