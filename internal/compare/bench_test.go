package compare

import (
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"kernelwake/internal/absent"
	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
)

// loadRun is a run of a load about which everything needed is known.
func loadRun(tb testing.TB, name string, samples []float64) evidence.RunEvidence {
	tb.Helper()
	none := evidence.Dimension{Absent: absent.NotApplicable}
	known := func(value any) evidence.Dimension {
		return evidence.Dimension{Value: value, Source: evidence.Observed}
	}
	began := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	outcome := func(name string) evidence.Outcome {
		return evidence.Outcome{Name: name, Unit: "ms", Kind: lens.Samples, N: absent.Of(int64(len(samples))), Data: evidence.Table{Name: "samples", Columns: []evidence.Column{{Name: "v", Floats: samples}}}}
	}
	p := &evidence.Parsed{
		Format: evidence.FormatKernelwake, Name: name, Lens: lens.Inference, Origin: evidence.Recorded, MeasuredOn: evidence.CPU, Launch: evidence.LaunchID{Kind: evidence.Launch},
		Started: absent.Of(began), Ended: absent.Of(began.Add(time.Minute)),
		Dimensions: map[string]evidence.Dimension{
			"model": known("m"), "gpu_model": none, "gpu_count": none, "gpu_memory": none, "request_bodies_sha256": known("b"),
			"arrival": known("closed"), "concurrency_or_rate": known(4.0), "streaming": known(true), "measured_at": known("client"),
		},
		Outcomes: []evidence.Outcome{outcome("ttft"), outcome("e2el")},
	}
	digest := evidence.Digest([]byte(name))
	return evidence.RunEvidence{ID: name, Name: name, Captures: []evidence.CaptureEvidence{{ID: name, SHA256: digest, ParsedSHA256: digest, Parsed: p}}}
}

func sidesOfSamples(tb testing.TB, runs, samples int) Input {
	random := rand.New(rand.NewPCG(1, 2))
	var in Input
	for side, into := range []*Side{&in.Baseline, &in.Candidate} {
		for n := range runs {
			values := make([]float64, samples)
			for i := range values {
				values[i] = (20 + float64(side)) * (1 + 0.1*random.NormFloat64() + 0.02*float64(n))
			}
			into.Runs = append(into.Runs, loadRun(tb, strconv.Itoa(side)+"-"+strconv.Itoa(n), values))
		}
	}
	return in
}

// Two sides of five runs, 100,000 samples each in two outcomes: eight metrics.
func BenchmarkCompareFiveRunsOf100kSamples(b *testing.B) {
	in := sidesOfSamples(b, 5, 100_000)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Compare(in); err != nil {
			b.Fatal(err)
		}
	}
}

// One launch a side is resampled 9,999 times for every metric.
func BenchmarkCompareSingleRunsOf10kSamples(b *testing.B) {
	in := sidesOfSamples(b, 1, 10_000)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Compare(in); err != nil {
			b.Fatal(err)
		}
	}
}
