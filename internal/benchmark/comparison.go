package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os/exec"
	"time"

	"kernelwake/internal/absent"
	"kernelwake/internal/compare"
	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
)

// runsPerSide and samplesPerRun are the comparison that is promised a speed.
const (
	runsPerSide   = 5
	samplesPerRun = 100_000
)

// comparison measures the whole comparison of two sides, dimension table and
// verdicts included, against NumPy and SciPy doing only its statistics.
func comparison(string) []row {
	one := row{job: fmt.Sprintf("comparison of %d × %d samples a side", runsPerSide, samplesPerRun), versus: "NumPy and SciPy, the statistics alone", target: "at least 5 × faster"}
	input := compare.Input{Baseline: side("b", 1), Candidate: side("c", 1.05)}
	input.Declaration.Changes = map[string]string{"input": "measured"}
	one.ours, one.err = inside(func() error {
		result, err := compare.Compare(input)
		if err == nil && len(result.Outcomes) == 0 {
			err = fmt.Errorf("nothing was compared: %s", result.Sentence)
		}
		return err
	})
	if one.err != nil {
		return []row{one}
	}
	python, err := peer("KERNELWAKE_STATISTICS_PYTHON")
	if err != nil {
		one.err = err
		return []row{one}
	}
	out, err := exec.Command(python, "internal/stats/testdata/peer.py", "--replicated-only").Output()
	if err != nil {
		one.err = fmt.Errorf("running the peer: %w", err)
		return []row{one}
	}
	var runs, samples int
	var seconds float64
	if _, err := fmt.Sscanf(string(out), "replicated %dx%d: %f s", &runs, &samples, &seconds); err != nil {
		one.err = fmt.Errorf("reading the peer's answer: %w", err)
		return []row{one}
	}
	one.peer.wall = time.Duration(seconds * float64(time.Second))
	return []row{one}
}

func side(name string, scale float64) compare.Side {
	var runs []evidence.RunEvidence
	for i := range runsPerSide {
		random := rand.New(rand.NewPCG(uint64(i), uint64(len(name))+math.Float64bits(scale)))
		values, state := make([]float64, samplesPerRun), 0.0
		for j := range values {
			state = 0.6*state + 0.8*random.NormFloat64()
			values[j] = scale * 100 * math.Exp(0.3*state)
		}
		id := fmt.Sprintf("%s%d", name, i)
		known := func(value any) evidence.Dimension {
			return evidence.Dimension{Value: value, Source: evidence.Observed}
		}
		parsed := &evidence.Parsed{
			Format: evidence.FormatKernelwake, Lens: lens.Training, Origin: evidence.Recorded, MeasuredOn: evidence.GPU,
			Started: absent.Of(time.Date(2026, 1, 1, i, len(name), 0, 0, time.UTC)),
			Launch:  evidence.LaunchID{Kind: evidence.Launch},
			Dimensions: map[string]evidence.Dimension{
				"model": known("m"), "gpu_model": known("NVIDIA H200"), "gpu_count": known(1.0), "world_size": known(1.0),
				"effective_batch": known(map[string]any{"count": 8.0, "unit": "{sample}"}), "input": known(name),
			},
			Outcomes: []evidence.Outcome{{
				Name: "step_time", Unit: "ms", Kind: lens.Samples, N: absent.Of(int64(samplesPerRun)),
				Definition: evidence.Definition{Metric: "step_time/1", Aggregation: 1},
				Data:       evidence.Table{Name: "samples", Columns: []evidence.Column{{Name: "v", Floats: values}}},
			}},
		}
		runs = append(runs, evidence.RunEvidence{ID: id, Name: id, Captures: []evidence.CaptureEvidence{{
			ID: id, SHA256: evidence.Digest([]byte(id)), ParsedSHA256: evidence.Digest([]byte("parsed " + id)), Parsed: parsed,
		}}})
	}
	return compare.Side{Runs: runs}
}
