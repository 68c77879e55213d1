package chrometrace

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kernelwake/internal/absent"
	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
	"kernelwake/internal/sampledir"
	"kernelwake/internal/trace"
)

func parse(t testing.TB, name string, data []byte, options evidence.ReadOptions) *evidence.Parsed {
	t.Helper()
	var got *evidence.Parsed
	file := evidence.File{Name: name, Bytes: int64(len(data)), Content: bytes.NewReader(data)}
	err := Format{}.Read(context.Background(), file, options, func(p *evidence.Parsed) error {
		got = p
		return nil
	})
	if err != nil {
		t.Fatalf("reading %s: %v", name, err)
	}
	return got
}

func parseSample(t testing.TB, name string, options evidence.ReadOptions) *evidence.Parsed {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(sampledir.Find(t), "traces", name))
	if err != nil {
		t.Fatal(err)
	}
	return parse(t, name, data, options)
}

func TestATraceBecomesEvidence(t *testing.T) {
	p := parse(t, "C:\\runs\\base.pt.trace.json", []byte(small().text()), evidence.ReadOptions{})
	if p.Format != "chrome-trace" || p.FormatVersion != "1" || p.Importer != "chrome-trace@1" || p.Name != "base" || p.MeasuredOn != evidence.GPU || p.Origin != evidence.Recorded || p.Launch.Kind != evidence.Launch {
		t.Errorf("%s %s by %s, named %q, measured on %s, %s, %s", p.Format, p.FormatVersion, p.Importer, p.Name, p.MeasuredOn, p.Origin, p.Launch.Kind)
	}
	steps, _ := p.Outcome("step_time", "")
	if diff := cmp.Diff([]float64{0.9, 0.9}, steps.Data.Floats("v")); diff != "" {
		t.Errorf("step times in ms: %s", diff)
	}
	if diff := cmp.Diff([]float64{0, 0.001}, steps.Data.Floats("at")); diff != "" {
		t.Errorf("step starts in s: %s", diff)
	}
	kernels, _ := p.Outcome("kernel_time_per_step", "")
	if kernels.Statistics["value"] != 0.4 {
		t.Errorf("kernel time per step is %v ms, made of 400 µs", kernels.Statistics["value"])
	}
	idle, _ := p.Outcome("gpu_idle_share", "")
	if *idle.Numerator != 600_000 || *idle.Denominator != 1_600_000 || idle.Basis != "ns" {
		t.Errorf("idle %v of %v %s", *idle.Numerator, *idle.Denominator, idle.Basis)
	}
	want := map[string]any{"gpu_model": "NVIDIA H200", "gpu_count": 1.0, "world_size": 1.0, "compile": "off", "framework": "pytorch", "precision": nil, "measured_on": "gpu"}
	for key, value := range want {
		if got := p.Dimensions[key].Value; got != value {
			t.Errorf("%s is %v, wanted %v", key, got, value)
		}
	}
	if p.Started.Known() {
		t.Errorf("times that count from an unknown moment gave the date %v", p.Started)
	}
}

func TestFiguresBearTheDocumentedNamesAndNoNull(t *testing.T) {
	for _, data := range []string{small().text(), `[{"ph":"X","name":"a","ts":1,"dur":2}]`} {
		p := parse(t, "t.json", []byte(data), evidence.ReadOptions{})
		var f map[string]any
		if err := json.Unmarshal(p.Figures, &f); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"window_ns", "busy_ns", "idle_ns", "compute_ns", "exposed_communication_ns", "exposed_memory_ns", "kernels", "steps", "events", "gpu_events", "left_out", "streams", "devices", "copies", "launches", "operators", "collectives", "clock", "metadata"} {
			if f[name] == nil {
				t.Errorf("%s is missing or null", name)
			}
		}
		if bytes.Contains(p.Figures, []byte("null")) {
			t.Errorf("the figures hold a null: %s", p.Figures)
		}
	}
}

func TestEveryFieldOfTheLensHasAValueOrAReason(t *testing.T) {
	for _, id := range []lens.ID{lens.Training, lens.Inference} {
		p := parse(t, "t.json", []byte(small().text()), evidence.ReadOptions{Lens: id})
		definition, _ := lens.Find(id)
		if p.Lens != id || p.LensGuessed {
			t.Errorf("read under %s (guessed %v), %s was chosen", p.Lens, p.LensGuessed, id)
		}
		for _, field := range definition.Fields {
			d, ok := p.Dimensions[field.Key]
			if !ok || !d.Known() && d.Absent == "" || d.Known() && (d.Source == "" || d.From == "") {
				t.Errorf("%s of %s: %+v", field.Key, id, d)
			}
		}
		for _, o := range p.Outcomes {
			registered, ok := definition.Outcome(o.Name)
			if !ok || registered.Unit != o.Unit {
				t.Errorf("outcome %s in %s is not in the registry of %s", o.Name, o.Unit, id)
			}
		}
	}
}

func TestTheLensIsSuggestedByWhatRan(t *testing.T) {
	for name, want := range map[string]struct {
		lens    lens.ID
		guessed bool
	}{
		"kineto-resnet50-v100/workers0.pt.trace.json.gz":                             {lens.Training, false},
		"torch-2.15-cpu-train/no-schedule.json.gz":                                   {lens.Training, false},
		"b200-moe-overlap/rank-0.json.gz":                                            {lens.Inference, false},
		"inference-mi300x/vllm-decode-hipgraph.json.gz":                              {lens.Inference, false},
		"bert-small-inference/h100.json.gz":                                          {lens.Training, true},
		"torch-2.15-cpu-ddp2-gloo/node-1_19767.1796051136059743348.pt.trace.json.gz": {lens.Training, false},
	} {
		p := parseSample(t, name, evidence.ReadOptions{})
		if p.Lens != want.lens || p.LensGuessed != want.guessed {
			t.Errorf("%s: %s, guessed %v; wanted %s, %v", name, p.Lens, p.LensGuessed, want.lens, want.guessed)
		}
	}
	file := evidence.File{Name: "t.json", Bytes: 1, Content: strings.NewReader("{")}
	err := Format{}.Read(context.Background(), file, evidence.ReadOptions{Lens: lens.Fleet}, nil)
	wantRefused(t, err, "lens_not_offered")
}

func TestLoaderPairGivesTheExpectedStepTimes(t *testing.T) {
	training, _ := lens.Find(lens.Training)
	for name, want := range map[string]float64{"workers0": 176.273, "workers4": 126.548} {
		p := parseSample(t, "kineto-resnet50-v100/"+name+".pt.trace.json.gz", evidence.ReadOptions{})
		steps, _ := p.Outcome("step_time", "")
		for _, m := range evidence.Measure(steps, training) {
			if value, ok := m.Known(); m.Metric == "step_time.p50" && (!ok || math.Abs(value-want) > 1e-9) {
				t.Errorf("%s: step_time.p50 is %v ms, expected %v", name, value, want)
			}
		}
		if d := p.Dimensions["gpu_count"]; d.Value != 1.0 {
			t.Errorf("%s: %v GPUs used, 1 of the 4 listed ran kernels", name, d.Value)
		}
	}
}

func TestStepsThatOnlyFillTheQueueAreNoSamples(t *testing.T) {
	p := parseSample(t, "ns-absolute-ts-v100/rank-0.pt.trace.json.gz", evidence.ReadOptions{})
	steps, _ := p.Outcome("step_time", "")
	if diff := cmp.Diff([]float64{95.697341, 95.551087, 95.699037}, steps.Data.Floats("v")); diff != "" {
		t.Errorf("steps kept (-expected +got):\n%s", diff)
	}
	var f struct{ Steps []trace.Step }
	if err := json.Unmarshal(p.Figures, &f); err != nil {
		t.Fatal(err)
	}
	var spans []float64
	for _, step := range f.Steps {
		ns, _ := step.GPUNS.Get()
		spans = append(spans, math.Round(float64(ns)/1e5)/10)
	}
	if diff := cmp.Diff([]float64{97.7, 95.7, 95.6, 95.7, 95.4}, spans); diff != "" {
		t.Errorf("GPU time of the steps in ms (-known +got):\n%s", diff)
	}
}

func TestTheDateFollowsFromBaseAndFirstTime(t *testing.T) {
	for name, want := range map[string]string{
		"torch-2.6-cpu-train/base.json.gz":               "2026-11-30", // the base follows the events
		"ns-absolute-ts-v100/rank-0.pt.trace.json.gz":    "2024-04-04", // absolute times, no base
		"kineto-resnet50-v100/workers0.pt.trace.json.gz": "2021-06-08",
		"ddp2-a100-nccl/rank-0.json.gz":                  "2024-05-23", // its log says 17:15 the day before, in California
	} {
		started, ok := parseSample(t, name, evidence.ReadOptions{}).Started.Get()
		if !ok || started.Format("2006-01-02") != want {
			t.Errorf("%s: recorded on %v (%v), wanted %s", name, started, ok, want)
		}
	}
}

func TestRanksAreTakenFromTheTraceAlone(t *testing.T) {
	p := parseSample(t, "multirank-128/rank-1.json.gz", evidence.ReadOptions{})
	if p.Rank.Rank != absent.Of[int64](1) || p.Rank.WorldSize != absent.Of[int64](128) {
		t.Errorf("rank %v of %v", p.Rank.Rank, p.Rank.WorldSize)
	}
	p = parse(t, "rank-3.json", []byte(small().text()), evidence.ReadOptions{})
	if p.Rank.Rank.Known() {
		t.Errorf("the file's name gave rank %v", p.Rank.Rank)
	}
}

func TestParsingTwiceGivesEqualBytes(t *testing.T) {
	data := []byte(small().text())
	first, err := parse(t, "a.json", data, evidence.ReadOptions{}).Encode()
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		again, err := parse(t, "a.json", data, evidence.ReadOptions{}).Encode()
		if err != nil {
			t.Fatal(err)
		}
		if evidence.Digest(first) != evidence.Digest(again) {
			t.Fatal("the same bytes give another parsed form")
		}
	}
	decoded, err := evidence.Decode(first)
	if err != nil {
		t.Fatal(err)
	}
	spans, _ := decoded.Table(trace.SpansTable)
	if view := trace.Timeline(spans, 0, 0, 1000); view.Of != 12 {
		t.Errorf("the stored timeline shows %d of 12 spans", view.Of)
	}
}

func TestSecretsHostsAndHomesStayOutOfTheParsedForm(t *testing.T) {
	var s script
	s.step(1, 0, 100)
	s.event("python_function", "/home/alice/train.py(3): main", 7, 7, 1, 2, "")
	body := s.text()
	data := `{"host_name":"gpu-box-17.example.net","username":"alice","metadata":{"env":{"HF_TOKEN":"hf_abcdefghijklmnopqrstuvwxyz0123"}},` + body[1:]
	p := parse(t, "t.json", []byte(data), evidence.ReadOptions{})
	encoded, err := p.Encode()
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"gpu-box-17", "alice", "hf_abc"} {
		if bytes.Contains(encoded, []byte(text)) {
			t.Errorf("the parsed form holds %q", text)
		}
	}
	found := map[string]int64{}
	for _, finding := range p.Findings {
		found[finding.Code] += finding.Count
	}
	if found["metadata_removed"] != 3 || found["secret_found"] < 2 {
		t.Errorf("findings %v; wanted 3 members removed, a token and a home folder found", found)
	}
	kept := parse(t, "t.json", []byte(data), evidence.ReadOptions{KeepSecrets: true})
	spans, _ := kept.Table(trace.SpansTable)
	if hits, _ := trace.FindSpans(spans, trace.SpanSearch{Name: "alice", Limit: 9}); len(hits) != 1 {
		t.Error("a person who asked to keep secrets lost them")
	}
}

func TestTracesAreToldByTheirContent(t *testing.T) {
	text := small().text()
	_, events, _ := strings.Cut(text, `"traceEvents":`)
	for name, test := range map[string]struct {
		data string
		want bool
	}{
		"object":                 {text, true},
		"bare array":             {strings.TrimSuffix(events, "}"), true},
		"array cut in an event":  {`[{"ph":"X","name":"a","ts":1,"du`, true},
		"byte order mark":        {"\xef\xbb\xbf" + text, true},
		"gzip":                   {string(zipped(t, []byte(text))), true},
		"events after megabytes": {`{"otherData":"` + strings.Repeat("x", 3<<20) + `","traceEvents":[]}`, true},
		"no events":              {`{"schemaVersion":1,"deviceProperties":[]}`, true},
		"execution trace":        {`{"schema":"1.1.1-chakra.0.0.4","pid":1,"nodes":[]}`, false},
		"capture":                {`{"schema":"kernelwake.capture","version":"1.0"}`, false},
		"list":                   {`[1,2,3]`, false},
		"list of objects":        {`[{"a":1}]`, false},
		"empty":                  {``, false},
		"zip":                    {"PK\x03\x04", false},
	} {
		t.Run(name, func(t *testing.T) {
			head := []byte(test.data[:min(len(test.data), 64<<10)])
			file := evidence.File{Bytes: int64(len(test.data)), Content: strings.NewReader(test.data)}
			if got := (Format{}).Match(file, head); got != test.want {
				t.Errorf("told a trace: %v, wanted %v", got, test.want)
			}
		})
	}
}

func TestAFileOverTheLimitOnReceivedBytesIsRefused(t *testing.T) {
	limit := evidence.LimitsOf[evidence.FormatChromeTrace].Received
	file := evidence.File{Name: "t.json", Bytes: limit + 1, Content: strings.NewReader("{}")}
	wantRefused(t, Format{}.Read(context.Background(), file, evidence.ReadOptions{}, nil), "file_too_large")
}
