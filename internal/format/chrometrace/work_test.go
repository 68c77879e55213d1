package chrometrace

import (
	"encoding/json"
	"testing"

	"kernelwake/internal/trace"
)

const torch215 = "torch-2.15-cpu-train/"

// workPairs are pairs of real traces and what their signatures say.
var workPairs = []struct {
	a, b  string
	state trace.WorkState
	// factor is k·r under per_sample; because is the state that keeps the
	// reading unknown.
	multiple, growth string
	because          trace.SignatureState
}{
	{a: torch215 + "base", b: torch215 + "base-again", state: trace.WorkEqual},
	{a: torch215 + "base", b: torch215 + "steps5", state: trace.WorkEqual},
	{a: torch215 + "base", b: torch215 + "stack", state: trace.WorkEqual},
	{a: torch215 + "base", b: torch215 + "memory-flops", state: trace.WorkEqual},
	{a: torch215 + "base", b: torch215 + "with-observer", state: trace.WorkEqual},
	{a: torch215 + "base", b: torch215 + "exported-gz", state: trace.WorkEqual},
	{a: torch215 + "base", b: "torch-2.6-cpu-train/base", state: trace.WorkEqual},
	{a: "torch-2.6-cpu-train/attention", b: torch215 + "attention", state: trace.WorkEqual},
	{a: torch215 + "base", b: torch215 + "adamw", state: trace.WorkEqual},
	{a: torch215 + "base", b: torch215 + "autocast-bf16", state: trace.WorkEqual},
	{a: torch215 + "base", b: torch215 + "loader0", state: trace.WorkEqual},
	{a: torch215 + "base", b: torch215 + "log-every-2", state: trace.WorkEqual},
	{a: torch215 + "base", b: "torch-2.15-cpu-ddp2-gloo/node-1_19767.1796051136059743348.pt.trace", state: trace.WorkEqual},
	{a: torch215 + "base", b: "torch-2.15-cpu-ddp2-gloo/node-1_19768.1796051136062575460.pt.trace", state: trace.WorkEqual},
	{a: torch215 + "loader0", b: torch215 + "loader2", state: trace.WorkEqual},
	{a: "kineto-resnet50-v100/workers0.pt.trace", b: "kineto-resnet50-v100/workers4.pt.trace", state: trace.WorkEqual},
	{a: "bert-small-inference/h100", b: "bert-small-inference/mi300x", state: trace.WorkEqual},
	{a: torch215 + "base", b: "torch-2.15-cpu-compile/base", state: trace.OperatorsDiffer},
	{a: torch215 + "conv", b: "torch-2.15-cpu-compile/conv", state: trace.OperatorsDiffer},
	{a: torch215 + "base", b: torch215 + "batch16", state: trace.WorkPerSample, multiple: "1", growth: "2"},
	{a: torch215 + "batch16", b: torch215 + "base", state: trace.WorkPerSample, multiple: "1", growth: "1/2"},
	{a: torch215 + "base", b: torch215 + "no-schedule", state: trace.WorkPerSample, multiple: "3", growth: "1"},
	{a: torch215 + "base", b: torch215 + "width128", state: trace.WorkDifferent},
	{a: torch215 + "base", b: torch215 + "conv", state: trace.WorkDifferent},
	{a: torch215 + "base", b: torch215 + "no-shapes", state: trace.WorkUnknown, because: trace.NoShapes},
	{a: "multirank-128/rank-0", b: "multirank-128/rank-1", state: trace.WorkUnknown, because: trace.ShapesVary},
	{a: "not-comparable/a100-world8-rank3", b: "not-comparable/v100-world2-rank1", state: trace.WorkUnknown, because: trace.ShapesVary},
	{a: "b200-moe-overlap/rank-0", b: "inference-mi300x/vllm-decode-hipgraph", state: trace.WorkUnknown, because: trace.GraphLaunched},
}

func TestWorkSignaturesOfRealPairs(t *testing.T) {
	for _, pair := range workPairs {
		t.Run(pair.a+":"+pair.b, func(t *testing.T) {
			reading, err := trace.CompareWork(storedSignature(t, pair.a), storedSignature(t, pair.b))
			if err != nil {
				t.Fatal(err)
			}
			if reading.State != pair.state {
				t.Fatalf("the reading is %s (%+v), wanted %s", reading.State, reading, pair.state)
			}
			if pair.because != "" && reading.Because[1] != pair.because {
				t.Errorf("unknown because of %v, wanted %s", reading.Because, pair.because)
			}
			if pair.multiple != "" && (reading.Multiple.String() != pair.multiple || reading.Growth.String() != pair.growth) {
				t.Errorf("B = %s × A at batch × %s, wanted %s and %s", reading.Multiple, reading.Growth, pair.multiple, pair.growth)
			}
		})
	}
}

// signatures keeps what was made of a sample, since several tests ask.
var signatures = map[string]trace.Signature{}

// storedSignature is a trace's signature after a round trip through its stored
// form.
func storedSignature(t *testing.T, name string) trace.Signature {
	t.Helper()
	if known, ok := signatures[name]; ok {
		return known
	}
	stored, err := json.Marshal(trace.Analyse(readSample(t, name+".json.gz").t).Signature)
	if err != nil {
		t.Fatal(err)
	}
	var signature trace.Signature
	if err := json.Unmarshal(stored, &signature); err != nil {
		t.Fatal(err)
	}
	signatures[name] = signature
	return signature
}

// TestTypicalStepsOfRealTraces holds the size of typical steps against the
// reference script's.
func TestTypicalStepsOfRealTraces(t *testing.T) {
	for _, want := range []struct {
		name                              string
		operators, products, alike, steps int64
	}{
		{torch215 + "base", 14, 5, 3, 3},
		{torch215 + "no-schedule", 42, 15, 1, 1},
		{"torch-2.15-cpu-compile/base", 8, 5, 3, 3},
		{"kineto-resnet50-v100/workers0.pt.trace", 406, 56, 6, 6},
		{"kineto-resnet50-v100/workers4.pt.trace", 406, 56, 6, 6},
		{"bert-small-inference/h100", 69, 30, 1, 1},
		{"b200-moe-overlap/rank-0", 375, 109, 1, 1},
	} {
		t.Run(want.name, func(t *testing.T) {
			signature := storedSignature(t, want.name)
			if got := sumOfCounts(t, signature.Lines); got != want.operators {
				t.Errorf("%d operators, the reference counts %d", got, want.operators)
			}
			if got := sumOfCounts(t, signature.Products); got != want.products {
				t.Errorf("%d products, the reference counts %d", got, want.products)
			}
			if signature.Alike != want.alike || signature.Steps != want.steps {
				t.Errorf("%d of %d steps alike, the reference says %d of %d", signature.Alike, signature.Steps, want.alike, want.steps)
			}
		})
	}
}

func sumOfCounts(t *testing.T, lines []string) int64 {
	t.Helper()
	var sum int64
	for _, line := range lines {
		var n int64
		for _, digit := range line {
			if digit == ' ' {
				break
			}
			n = 10*n + int64(digit-'0')
		}
		sum += n
	}
	return sum
}

func TestOperatorsCoverComputeAsTheReferenceSays(t *testing.T) {
	for name, want := range map[string]float64{
		"b200-moe-overlap/rank-0": 1, "inference-mi300x/vllm-decode-hipgraph": .027, "bert-small-inference/h100": 1,
		"kineto-resnet50-v100/workers0.pt.trace": 1, "not-comparable/a100-world8-rank3": .973, "not-comparable/v100-world2-rank1": .916,
		"multirank-128/rank-0": .997, "multirank-128/rank-1": .998,
	} {
		got, known := storedSignature(t, name).Coverage.Get()
		if !known || got < want-.0005 || got > want+.0005 {
			t.Errorf("%s: %.4f of compute time is launched under an operator, the reference says %.3f", name, got, want)
		}
	}
}
