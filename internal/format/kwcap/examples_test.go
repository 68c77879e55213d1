package kwcap

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kernelwake/internal/absent"
	"kernelwake/internal/evidence"
	"kernelwake/internal/fault"
	"kernelwake/internal/format/formattest"
	"kernelwake/internal/lens"
	"kernelwake/internal/sampledir"
)

// python runs python3 and returns what it printed. Without python3 the test is
// skipped loudly.
func python(t *testing.T, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	interpreter, lookErr := exec.LookPath("python3")
	if lookErr != nil {
		t.Skip("SKIPPED, python3 is absent: the capture writer and its converters were not tried")
	}
	command := exec.Command(interpreter, args...)
	command.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1", "PYTHONPATH="+examples(t))
	var out, errOut strings.Builder
	command.Stdout, command.Stderr = &out, &errOut
	err = command.Run()
	return out.String(), errOut.String(), err
}

func examples(t *testing.T) string {
	t.Helper()
	path, err := filepath.Abs("../../../examples")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// convert runs a converter and imports what it wrote.
func convert(t *testing.T, converter string, args ...string) *evidence.Parsed {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out.kwcap.json")
	_, stderr, err := python(t, append([]string{filepath.Join(examples(t), "converters", converter), "--workload", "w", "-o", out}, args...)...)
	if err != nil {
		t.Fatalf("%s: %v\n%s", converter, err, stderr)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	all, err := formattest.Read(Format{}, out, data)
	if err != nil {
		t.Fatalf("%v: %+v", err, fault.Of(err).Problems)
	}
	return all[0]
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestTheWriterKnowsWhatTheRegistryNeeds(t *testing.T) {
	out, stderr, err := python(t, "-c", "import kwcap, json; print(json.dumps([kwcap.REQUIRED, kwcap.REASONS, kwcap.VERSION]))")
	if err != nil {
		t.Fatal(stderr)
	}
	required := map[string][]string{}
	for _, l := range lens.All {
		for _, field := range l.Fields {
			if field.Required {
				required[string(l.ID)] = append(required[string(l.ID)], field.Key)
			}
		}
		slices.Sort(required[string(l.ID)])
	}
	want, err := json.Marshal([]any{required, absent.FileReasons, schemaVersion})
	if err != nil {
		t.Fatal(err)
	}
	var got, wanted any
	if json.Unmarshal([]byte(out), &got) != nil || json.Unmarshal(want, &wanted) != nil {
		t.Fatalf("the writer says %s", out)
	}
	if diff := cmp.Diff(wanted, got); diff != "" {
		t.Errorf("examples/kwcap.py has drifted from the registry (-registry +writer):\n%s", diff)
	}
}

func TestTheWritersExampleIsImported(t *testing.T) {
	path := filepath.Join(t.TempDir(), "seed-3.kwcap.json")
	script := fmt.Sprintf(`
import kwcap
text = kwcap.__doc__.split("Example:")[1].split("Dimensions that")[0]
step_times, step_numbers = [10.5, 11.25, 9], [1, 2, 3]
import os; os.chdir(%q)
exec("\n".join(line[4:] for line in text.splitlines()))
`, filepath.Dir(path))
	if _, stderr, err := python(t, "-c", script); err != nil {
		t.Fatal(stderr)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	all, err := formattest.Read(Format{}, path, data)
	if err != nil {
		t.Fatalf("%v: %+v", err, fault.Of(err).Problems)
	}
	if got := outcomeOf(t, all[0], "step_time"); got.Data.Len() != 3 || all[0].Dimensions["init"].Absent != absent.NotRecorded {
		t.Errorf("step times %+v, init %+v", got.Data, all[0].Dimensions["init"])
	}
}

func TestTheWriterRefusesWhatTheImporterWould(t *testing.T) {
	const begin = "import kwcap; c = kwcap.Capture('training', 'w', 'r', '2026-01-01T00:00:00Z', '2026-01-01T00:01:00Z', 'p', '1'); "
	for name, c := range map[string]struct{ script, says string }{
		"not a number":       {"c.samples('step_time', 'ms', [1.0, float('nan')]); c.to_dict()", "/outcomes/0/v/1"},
		"None":               {"c.dimensions['model'] = {'v': None, 'src': 'declared'}; c.total('elapsed_time', 's', 1); c.to_dict()", "absent('not_recorded')"},
		"unknown reason":     {"kwcap.absent('no idea')", "not_recorded"},
		"unknown source":     {"kwcap.dim(1, 'guessed')", "declared"},
		"unequal columns":    {"c.samples('step_time', 'ms', [1, 2], step=[1])", "one length"},
		"no value":           {"c.samples('step_time', 'ms', [])", "missing()"},
		"outside the window": {"c.samples('step_time', 'ms', [1], at=[60])", "outside the window"},
		"twice":              {"c.total('elapsed_time', 's', 1); c.total('elapsed_time', 's', 1)", "already"},
		"nothing":            {"c.to_dict()", "at least one outcome"},
		"local time":         {"kwcap.utc('2026-01-01T00:00:00')", "no time zone"},
		"column of a typo":   {"c.samples('step_time', 'ms', [1], steps=[1])", "no column 'steps'"},
		"window backwards":   {"kwcap.Capture('training', 'w', 'r', '2026-01-01T00:01:00Z', '2026-01-01T00:00:00Z', 'p', '1')", "before it has begun"},
	} {
		if _, stderr, err := python(t, "-c", begin+c.script); err == nil || !strings.Contains(stderr, c.says) {
			t.Errorf("%s: %v, says %s", name, err, stderr)
		}
	}
}

func TestTheWriterWritesLargeIntegersAndForeignNumbersWell(t *testing.T) {
	out, stderr, err := python(t, "-c", `
import kwcap, json
class Scalar:
    def item(self): return 2.5
c = kwcap.Capture('training', 'w', 'r', 0, 60.5, 'p', '1', created=1)
c.total('elapsed_time', 's', Scalar())
c.ext['org.example'] = {'ns': 2**53, 'small': 2**53 - 1}
print(json.dumps(c.to_dict()))`)
	if err != nil {
		t.Fatal(stderr)
	}
	if all, err := formattest.Read(Format{}, "", []byte(out)); err != nil || outcomeOf(t, all[0], "elapsed_time").Statistics["value"] != 2.5 {
		t.Errorf("%v: %s", err, out)
	}
	if !strings.Contains(out, `"ns": "9007199254740992", "small": 9007199254740991`) || !strings.Contains(out, `"1970-01-01T00:01:00.500000Z"`) {
		t.Errorf("written as %s", out)
	}
}

func TestEveryConverterExplainsItself(t *testing.T) {
	for _, name := range []string{"csv_samples.py", "hf_trainer_state.py", "vllm_bench_serve.py"} {
		path := filepath.Join(examples(t), "converters", name)
		out, stderr, err := python(t, path, "--help")
		if err != nil || !strings.Contains(out, "--measured-on") || !strings.Contains(out, "absent") && !strings.Contains(out, "declare") {
			t.Errorf("%s --help: %v %s", name, err, stderr)
		}
		if _, stderr, err := python(t, path, "--workload", "w", write(t, "x.json", "[]"), "--lens", "training"); err == nil || strings.Contains(stderr, "Traceback") {
			t.Errorf("%s on a wrong file: %v %s", name, err, stderr)
		}
	}
}

func TestCSVSamplesKeepsTimesStepsAndGaps(t *testing.T) {
	table := write(t, "steps.csv", "step,ms,when,state\n1,10.5,2026-01-01T00:00:00Z,ok\n2,,2026-01-01T00:00:01Z,ok\n3,11.5,2026-01-01T00:00:02.5Z,ok\n4,NaN,2026-01-01T00:00:03Z,ok\n")
	p := convert(t, "csv_samples.py", table, "--lens", "training", "--outcome", "step_time:ms=ms", "--time", "when", "--step", "step", "--dim", "world_size=8", "--dim", "model=resnet50", "--dim", `effective_batch={"count":64,"unit":"{sample}"}`)
	o := outcomeOf(t, p, "step_time")
	for name, want := range map[string][]float64{"v": {10.5, 11.5}, "at": {0, 2.5}, "step": {1, 3}} {
		if diff := cmp.Diff(want, o.Data.Floats(name)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if codes(p)["excluded_by_producer"] != 2 || p.Dimensions["world_size"].Value != 8.0 || p.Dimensions["gpu_model"].Absent != absent.NotRecorded {
		t.Errorf("findings %v, dimensions %+v", codes(p), p.Dimensions)
	}
	tabs := write(t, "requests.tsv", "ttft\tout\tstatus\tt\n0.5\t3\tok\t0.25\n0.75\t4\terror\t1\n")
	requests := convert(t, "csv_samples.py", tabs, "--lens", "inference", "--separator", "tab", "--outcome", "ttft:s=ttft", "--at", "t", "--status", "status", "--start", "2026-01-01T00:00:00Z", "--end", "2026-01-01T00:01:00Z")
	if diff := cmp.Diff([]float64{500}, outcomeOf(t, requests, "ttft").Good()); diff != "" {
		t.Error(diff)
	}
}

func TestCSVSamplesAsksForWhatItCantKnow(t *testing.T) {
	path := filepath.Join(examples(t), "converters", "csv_samples.py")
	table := write(t, "steps.csv", "step,ms\n1,10.5\n")
	for says, args := range map[string][]string{
		"--start and --end":    {"--outcome", "step_time:ms=ms"},
		"there is no column":   {"--outcome", "step_time:ms=millis"},
		"NAME:UNIT=COLUMN":     {"--outcome", "step_time=ms", "--start", "2026-01-01T00:00:00Z", "--end", "2026-01-01T00:01:00Z"},
		"the names of the col": nil,
	} {
		file := table
		if args == nil {
			file, args = write(t, "empty.csv", "step,ms\n"), []string{"--outcome", "step_time:ms=ms"}
		}
		_, stderr, err := python(t, append([]string{path, file, "--workload", "w", "--lens", "training"}, args...)...)
		if err == nil || !strings.Contains(stderr, says) || strings.Contains(stderr, "Traceback") {
			t.Errorf("it says %s, not %q", stderr, says)
		}
	}
}

const trainerState = `{"global_step": 300, "log_history": [
 {"step": 100, "loss": 2.5}, {"step": 100, "eval_loss": 2.0, "eval_accuracy": 0.5, "eval_runtime": 10},
 {"step": 200, "eval_loss": 1.5, "eval_accuracy": 0.75, "eval_runtime": 10}, {"step": 300, "eval_loss": 1.25, "eval_accuracy": 0.875, "eval_runtime": 10},
 {"step": 300, "train_runtime": %d, "train_samples_per_second": 19.2, "total_flos": 1}]}`

func TestTrainerStateGivesProgressWithoutTimes(t *testing.T) {
	state := write(t, "trainer_state.json", fmt.Sprintf(trainerState, 1000))
	p := convert(t, "hf_trainer_state.py", state, "--target", "0.7", "--direction", "higher", "--batch", "8", "--accumulation", "4", "--world-size", "2", "--start", "2026-01-01T00:00:00Z", "--end", "2026-01-01T01:00:00Z")
	if diff := cmp.Diff([]float64{0.5, 0.75, 0.875}, outcomeOf(t, p, "quality").Data.Floats("v")); diff != "" {
		t.Error(diff)
	}
	reached := outcomeOf(t, p, "samples_to_target").Data
	if reached.Floats("end")[0] != 200*64 || reached.Floats("end_after")[0] != 100*64 || reached.Floats("censored")[0] != 0 {
		t.Errorf("samples to target: %+v", reached)
	}
	if o := outcomeOf(t, p, "step_time"); o.Absent != absent.NotRecorded {
		t.Errorf("step time is %+v", o)
	}
	if o := outcomeOf(t, p, "throughput_per_gpu"); o.Statistics["value"] != 9.6 || o.Unit != "{sample}/s" {
		t.Errorf("throughput is %+v", o)
	}
}

func TestATargetNotReachedIsCensored(t *testing.T) {
	state := write(t, "trainer_state.json", fmt.Sprintf(trainerState, 1000))
	p := convert(t, "hf_trainer_state.py", state, "--metric", "eval_loss", "--target", "1", "--batch", "8", "--world-size", "1")
	if reached := outcomeOf(t, p, "samples_to_target").Data; reached.Floats("end")[0] != 300*8 || reached.Floats("censored")[0] != 1 {
		t.Errorf("samples to target: %+v", reached)
	}
	if p.Labels["window_source"] == "" {
		t.Error("nothing says that the window is assumed")
	}
}

func TestARunTimeShorterThanItsEvaluationsIsWithheld(t *testing.T) {
	state := write(t, "trainer_state.json", fmt.Sprintf(trainerState, 20))
	p := convert(t, "hf_trainer_state.py", state, "--world-size", "1")
	for _, name := range []string{"throughput_per_gpu", "elapsed_time"} {
		if o := outcomeOf(t, p, name); o.Absent != absent.Withheld || !strings.Contains(o.Note, "parts_exceed_whole") {
			t.Errorf("%s is %+v", name, o)
		}
	}
}

const benchResult = `{"date": "20260301-100010", "backend": "vllm", "model_id": "org/model", "tokenizer_id": "org/model", "num_prompts": 3, "request_rate": "inf", "burstiness": 1.0, "max_concurrency": 2,
 "duration": 3.5, "completed": 2, "failed": 1, "request_goodput": null, "output_throughput": 3.0, "request_throughput": 0.6, "mean_ttft_ms": 375.0, "median_ttft_ms": 375.0, "p99_ttft_ms": 499.0, "mean_e2el_ms": 1250.0%s}`

const benchRequests = `, "input_lens": [64, 64, 64], "output_lens": [5, 4, 0], "ttfts": [0.5, 0.25, 0.0], "itls": [[0.25, 0.25, 0.5, 0.5], [0.25, 0.25, 0.25], []],
 "latencies": [2.0, 1.0, 0.0], "start_times": [100.5, 100.0, 101.0], "errors": ["", "", "Connection reset"]`

func TestBenchServeRequestsAreRecomputed(t *testing.T) {
	p := convert(t, "vllm_bench_serve.py", write(t, "bench.json", fmt.Sprintf(benchResult, benchRequests)), "--tool-version", "0.31.0", "--measured-on", "gpu")
	for name, want := range map[string][]float64{"ttft": {250, 500}, "e2el": {1000, 2000}, "tpot": {250, 375}, "itl": {250, 250, 250, 250, 250, 500, 500}} {
		got := slices.Clone(outcomeOf(t, p, name).Good())
		if name == "itl" {
			slices.Sort(got)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if got := outcomeOf(t, p, "output_token_throughput").Statistics["value"]; got != 9/2.5 {
		t.Errorf("output token throughput is %v", got)
	}
	if failed, _ := p.Completeness.Failed.Get(); failed != 1 || *outcomeOf(t, p, "error_rate").Numerator != 1 {
		t.Errorf("%d failed", failed)
	}
	for key, want := range map[string]any{"model": "org/model", "concurrency_or_rate": 2.0, "arrival": "closed", "load_tool": "vllm bench serve 0.31.0", "streaming": true} {
		if got := p.Dimensions[key].Value; got != want {
			t.Errorf("%s is %v", key, got)
		}
	}
	if p.Dimensions["dataset"].Absent != absent.NotRecorded {
		t.Errorf("data set is %+v", p.Dimensions["dataset"])
	}
}

func TestBenchServeSummariesStaySummaries(t *testing.T) {
	p := convert(t, "vllm_bench_serve.py", write(t, "bench.json", fmt.Sprintf(benchResult, "")))
	o := outcomeOf(t, p, "ttft")
	if o.Kind != lens.Summary || o.Statistics["p99"] != 499 || o.Definition.Quantiles != "linear" {
		t.Errorf("ttft is %+v", o)
	}
	if o := outcomeOf(t, p, "itl"); o.Absent != absent.NotRecorded {
		t.Errorf("itl is %+v", o)
	}
}

func TestTheRealBenchServeResultAgreesWithItsOwnSummary(t *testing.T) {
	samples := sampledir.Find(t)
	for _, name := range []string{"completions-c4.json", "chat-c4.json", "chat-c4-contended.json"} {
		path := filepath.Join(samples, "serving", "vllm-bench-0.31.0", name)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var result map[string]any
		if err := json.Unmarshal(data, &result); err != nil {
			t.Fatal(err)
		}
		p := convert(t, "vllm_bench_serve.py", path, "--measured-on", "cpu")
		l, _ := lens.Find(lens.Inference)
		measured := map[string]float64{}
		for _, m := range evidence.MeasureAll(p, l) {
			if m.Value != nil {
				measured[m.Metric] = *m.Value
			}
		}
		for _, metric := range []string{"ttft", "tpot", "itl", "e2el"} {
			for _, statistic := range []string{"p50", "p90", "p99", "mean"} {
				want, ok := result[statistic+"_"+metric+"_ms"].(float64)
				if got := measured[metric+"."+statistic]; !ok || math.Abs(got-want) > 1e-6*math.Max(want, 1e-3) {
					t.Errorf("%s: %s.%s is %v, the tool says %v", name, metric, statistic, got, want)
				}
			}
		}
	}
}

func TestTheRealTrainerStateIsReadAsItIs(t *testing.T) {
	folder := filepath.Join(sampledir.Find(t), "training", "hf-trainer-state")
	p := convert(t, "hf_trainer_state.py", filepath.Join(folder, "trainer_state.json"), "--all-results", filepath.Join(folder, "all_results.json"),
		"--metric", "eval_wer", "--target", "10", "--batch", "32", "--accumulation", "2", "--world-size", "1")
	if o := outcomeOf(t, p, "throughput_per_gpu"); o.Absent != absent.Withheld || !strings.Contains(o.Note, "parts_exceed_whole") {
		t.Errorf("throughput is %+v", o)
	}
	if o := outcomeOf(t, p, "step_time"); o.Absent != absent.NotRecorded {
		t.Errorf("step time is %+v", o)
	}
	reached := outcomeOf(t, p, "samples_to_target").Data
	if reached.Floats("end")[0] != 10_000*64 || reached.Floats("end_after")[0] != 9_000*64 {
		t.Errorf("the target was met at %v, after %v", reached.Floats("end"), reached.Floats("end_after"))
	}
	if got := outcomeOf(t, p, "quality").Data.Len(); got != 15 {
		t.Errorf("%d evaluations", got)
	}
}
