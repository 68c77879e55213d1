package kwcap

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kernelwake/internal/absent"
	"kernelwake/internal/evidence"
	"kernelwake/internal/format/formattest"
)

// changed reads a sample with pairs of texts replaced.
func changed(t *testing.T, file string, pairs ...string) *evidence.Parsed {
	t.Helper()
	text := string(sample(t, file+".kwcap.json"))
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			t.Fatalf("the sample doesn't hold %s", pairs[i])
		}
		text = strings.Replace(text, pairs[i], pairs[i+1], 1)
	}
	all, err := formattest.Read(Format{}, file, []byte(text))
	if err != nil {
		t.Fatalf("%v: %+v", err, problemsOf(t, text))
	}
	return all[0]
}

// codes are the codes of the findings, each once.
func codes(p *evidence.Parsed) map[string]int64 {
	found := map[string]int64{}
	for _, finding := range p.Findings {
		found[finding.Code] += finding.Count
	}
	return found
}

func outcomeOf(t *testing.T, p *evidence.Parsed, name string) evidence.Outcome {
	t.Helper()
	o, ok := p.Outcome(name, "")
	if !ok {
		t.Fatalf("there is no outcome %s", name)
	}
	return o
}

func TestTheEnvironmentFillsWhatTheDimensionsLeaveOpen(t *testing.T) {
	p := changed(t, "training")
	for key, want := range map[string]any{"gpu_model": "NVIDIA H100 80GB HBM3", "driver": "550.127.08", "framework": "pytorch", "framework_version": "2.9.1", "gpu_count": 8.0} {
		if got := p.Dimensions[key]; got.Value != want || got.Source != evidence.Observed {
			t.Errorf("%s is %v from %q", key, got.Value, got.Source)
		}
	}
	if got := p.Dimensions["gpu_count"].From; got != "" {
		t.Errorf("a dimension that is given takes its place from %q", got)
	}
}

func TestAnEnvironmentThatContradictsADimensionIsBelievedNoMoreThanIt(t *testing.T) {
	p := changed(t, "training", `"gpu_count": {"v": 8, "src": "observed"}`, `"gpu_count": {"v": 4, "src": "declared"}`)
	got := p.Dimensions["gpu_count"]
	if got.Known() || got.Absent != absent.Conflict || !strings.Contains(got.Note, "4 declared") || !strings.Contains(got.Note, "8 observed in /environment/gpus") {
		t.Errorf("gpu_count is %+v", got)
	}
	if codes(p)["environment_disagrees"] != 1 {
		t.Errorf("findings %v", codes(p))
	}
}

func TestSpellingsOfOneFactAreNoContradiction(t *testing.T) {
	p := changed(t, "training", `"gpu_model": {"absent": "not_recorded"}`, `"gpu_model": {"v": "H100 SXM5 80GB", "src": "declared"}`)
	if got := p.Dimensions["gpu_model"]; got.Value != "H100 SXM5 80GB" {
		t.Errorf("gpu_model is %+v", got)
	}
}

func TestTheStateOfTheRunIsSaid(t *testing.T) {
	for state, code := range map[string]string{"failed": "run_failed", "cancelled": "run_stopped_early", "running": "run_not_ended"} {
		p := changed(t, "training", `"state": "completed"`, `"state": "`+state+`"`)
		if codes(p)[code] != 1 || !p.Completeness.StoppedEarly {
			t.Errorf("%s: findings %v", state, codes(p))
		}
	}
}

func TestTimeToTargetFollowsFromTheSeries(t *testing.T) {
	for name, c := range map[string]struct {
		pairs              []string
		end, after, missed float64
		finding            int64
	}{
		"reached at the last evaluation":       {nil, 148.617, 144.562, 0, 0},
		"reached at the first":                 {[]string{`"value": 3.28`, `"value": 3.5`}, 133.308, 0, 0, 0},
		"not reached":                          {[]string{`"value": 3.28`, `"value": 3.2`}, 148.617, 148.617, 1, 1},
		"higher is better":                     {[]string{`"direction": "lower", "value": 3.28`, `"direction": "higher", "value": 3.3`}, 133.308, 0, 0, 0},
		"in the unit of the file":              {[]string{`"name": "quality", "unit": "1"`, `"name": "quality", "unit": "%"`}, 148.617, 144.562, 0, 0},
		"evaluations not in the order of time": {[]string{`"at": [133.308, 144.562, 148.617]`, `"at": [148.617, 144.562, 133.308]`}, 133.308, 0, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			p := changed(t, "training", c.pairs...)
			o := outcomeOf(t, p, "time_to_target")
			got := []float64{o.Data.Floats("end")[0], o.Data.Floats("end_after")[0], o.Data.Floats("censored")[0]}
			if diff := cmp.Diff([]float64{c.end, c.after, c.missed}, got); diff != "" {
				t.Error(diff)
			}
			if codes(p)["target_not_reached"] != c.finding {
				t.Errorf("findings %v", codes(p))
			}
		})
	}
}

func TestATimeToTargetThatTheSeriesContradictsIsFound(t *testing.T) {
	p := changed(t, "training", `{"name": "elapsed_time"`, `{"name": "time_to_target", "unit": "s", "kind": "spells", "clock": "run", "start": [0], "end": [148.617], "censored": [1]}, {"name": "elapsed_time"`)
	if codes(p)["target_disagrees"] != 1 {
		t.Errorf("findings %v", codes(p))
	}
}

func TestRatesAreWithheldWherePartsExceedTheWhole(t *testing.T) {
	for name, pairs := range map[string][]string{
		"steps of several seconds": {`"unit": "ms", "kind": "samples"`, `"unit": "s", "kind": "samples"`},
		"means of many steps":      {`"agg": 1`, `"agg": 500`},
	} {
		p := changed(t, "training", pairs...)
		if codes(p)["parts_exceed_whole"] != 1 || outcomeOf(t, p, "throughput_per_gpu").Absent != absent.Withheld {
			t.Errorf("%s: findings %v, throughput %+v", name, codes(p), outcomeOf(t, p, "throughput_per_gpu"))
		}
	}
	whole := changed(t, "training")
	if codes(whole)["parts_exceed_whole"] != 0 || outcomeOf(t, whole, "throughput_per_gpu").Absent != "" {
		t.Errorf("a sound run is withheld: %v", codes(whole))
	}
}

func TestAShareAboveTheWholeIsWithheld(t *testing.T) {
	p := changed(t, "training", `{"name": "elapsed_time"`, `{"name": "mfu", "unit": "%", "kind": "summary", "n": 1, "stats": {"mean": 133}}, {"name": "elapsed_time"`)
	if o := outcomeOf(t, p, "mfu"); o.Absent != absent.Withheld || codes(p)["parts_exceed_whole"] != 1 {
		t.Errorf("mfu is %+v, findings %v", o, codes(p))
	}
}

func TestFailedRequestsCountAndStayOutOfTheLatency(t *testing.T) {
	p := changed(t, "inference")
	ttft := outcomeOf(t, p, "ttft")
	if diff := cmp.Diff([]float64{62.5, 31.25}, ttft.Good()); diff != "" {
		t.Error(diff)
	}
	rate := outcomeOf(t, p, "error_rate")
	if *rate.Numerator != 1 || *rate.Denominator != 3 {
		t.Errorf("error rate %v of %v", *rate.Numerator, *rate.Denominator)
	}
	if cancelled, ok := p.Completeness.Cancelled.Get(); !ok || cancelled != 1 {
		t.Errorf("%d cancelled", cancelled)
	}
}

func TestCompletenessThatTheSamplesContradictIsFound(t *testing.T) {
	p := changed(t, "inference", `"load_tool"`, `"completeness": {"v": {"sent": 4, "ok": 4, "failed": 0, "cancelled": 0}, "src": "declared"}, "load_tool"`)
	if codes(p)["completeness_disagrees"] != 1 {
		t.Errorf("findings %v", codes(p))
	}
}

func TestSecretsAreFoundReportedAndLeftOut(t *testing.T) {
	token := "hf_" + strings.Repeat("aB3", 12)
	pairs := []string{
		"my_bench.py --url http://localhost:8000", "/home/ann/bench/my_bench.py --api-key s3cr3t-value-1",
		`["--max-num-seqs", "64"]`, `["--hf-token", "` + token + `"]`,
		`"ticket": "PERF-12"`, `"HF_TOKEN": "plain-looking"`,
		`{"retries": [1, 0]}`, `{"env": {"PASSWORD": "x"}, "host": "10.1.2.3"}`,
	}
	p := changed(t, "inference", pairs...)
	encoded, err := p.Encode()
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{token, "ann", "s3cr3t", "plain-looking", "10.1.2.3", `"PASSWORD":"x"`} {
		if strings.Contains(string(encoded), secret) {
			t.Errorf("the parsed form holds %q", secret)
		}
	}
	if found := codes(p)["secret_found"]; found != 6 {
		t.Errorf("%d secrets are reported: %+v", found, p.Findings)
	}
	var kept *evidence.Parsed
	text := string(sample(t, "inference.kwcap.json"))
	for i := 0; i < len(pairs); i += 2 {
		text = strings.Replace(text, pairs[i], pairs[i+1], 1)
	}
	err = Format{}.Read(t.Context(), formattest.File("", []byte(text)), evidence.ReadOptions{KeepSecrets: true}, func(p *evidence.Parsed) error { kept = p; return nil })
	if err != nil {
		t.Fatal(err)
	}
	if args, _ := json.Marshal(kept.Dimensions["engine_args"].Value); !strings.Contains(string(args), token) || codes(kept)["secret_found"] != 6 {
		t.Errorf("kept: %s, findings %v", args, codes(kept))
	}
}

func TestAnotherLensThanTheFilesIsRefused(t *testing.T) {
	err := Format{}.Read(t.Context(), formattest.File("", sample(t, "fleet.kwcap.json")), evidence.ReadOptions{Lens: "training"}, func(*evidence.Parsed) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "fleet") {
		t.Errorf("the error is %v", err)
	}
}

func TestUnitsAreConvertedAndTheFilesUnitIsKept(t *testing.T) {
	p := changed(t, "inference")
	if o := outcomeOf(t, p, "vram_peak"); o.Statistics["value"] != 2<<30 || o.Unit != "By" || o.SourceUnit != "GiBy" {
		t.Errorf("vram_peak is %+v", o)
	}
	samples := changed(t, "training")
	if o := outcomeOf(t, samples, "throughput_per_gpu"); o.Unit != "{sample}/s" || math.Abs(o.Statistics["value"]-269.5) > 1e-12 {
		t.Errorf("samples a second became %v %s", o.Statistics, o.Unit)
	}
}
