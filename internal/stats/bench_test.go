package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// lognormalSeries makes ordered samples like those of a loaded server: skewed
// latencies that resemble their neighbours (autoregressive, φ).
func lognormalSeries(n int, phi float64, seed uint64) []float64 {
	random := rand.New(rand.NewPCG(seed, 1))
	samples := make([]float64, n)
	state := 0.0
	for i := range samples {
		state = phi*state + math.Sqrt(1-phi*phi)*random.NormFloat64()
		samples[i] = 100 * math.Exp(0.3*state)
	}
	return samples
}

func BenchmarkQuantile(b *testing.B) {
	for _, n := range []int{1_000, 100_000, 1_000_000} {
		samples := lognormalSeries(n, 0.6, 1)
		b.Run(fmt.Sprintf("p99/n=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Quantile(samples, 0.99)
			}
		})
		b.Run(fmt.Sprintf("p50+p90+p99/n=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Quantiles(samples, 0.5, 0.9, 0.99)
			}
		})
	}
}

func BenchmarkBootstrap(b *testing.B) {
	for _, n := range []int{400, 10_000, 100_000} {
		for _, phi := range []float64{0, 0.6, 0.99} {
			baseline, candidate := lognormalSeries(n, phi, 1), lognormalSeries(n, phi, 2)
			for name, statistic := range map[string]Statistic{"p50": QuantileStatistic(0.5), "p99": QuantileStatistic(0.99), "mean": MeanStatistic()} {
				b.Run(fmt.Sprintf("%s/n=%d/phi=%g", name, n, phi), func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						if _, err := (Bootstrap{Seed: 42}).Run(Side{Invocations: [][]float64{baseline}}, Side{Invocations: [][]float64{candidate}}, statistic, LogRatio); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}

// BenchmarkBootstrapTies resamples series of few distinct values, where many
// samples share the quantile.
func BenchmarkBootstrapTies(b *testing.B) {
	for _, distinct := range []float64{1, 2, 20, 500} {
		samples := lognormalSeries(100_000, 0.6, 1)
		for i, v := range samples {
			samples[i] = 100 + math.Floor(v/150*distinct)
			if distinct == 1 {
				samples[i] = 100
			}
		}
		b.Run(fmt.Sprintf("about %g values", distinct), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := (Bootstrap{Seed: 42}).Run(Side{Invocations: [][]float64{samples}}, Side{Fixed: 1}, QuantileStatistic(0.5), LogRatio); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkComparison does what testdata/peer.py does with NumPy and SciPy:
// five runs of 100,000 samples a side.
func BenchmarkComparison(b *testing.B) {
	const runs, n = 5, 100_000
	var baseline, candidate [][]float64
	for i := range uint64(runs) {
		baseline = append(baseline, lognormalSeries(n, 0.6, i))
		candidate = append(candidate, lognormalSeries(n, 0.6, runs+i))
	}
	b.Run("replicated", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			compareReplicated(b, baseline, candidate)
		}
	})
	for _, statistic := range []struct {
		name string
		of   Statistic
	}{{"p50", QuantileStatistic(0.5)}, {"p99", QuantileStatistic(0.99)}, {"mean", MeanStatistic()}} {
		for _, invocations := range []int{1, runs} {
			b.Run(fmt.Sprintf("bootstrap %s, %d invocations", statistic.name, invocations), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					effect, err := Bootstrap{Seed: 42}.Run(Side{Invocations: baseline[:invocations]}, Side{Invocations: candidate[:invocations]}, statistic.of, LogRatio)
					if err != nil {
						b.Fatal(err)
					}
					effect.Interval(0.95)
				}
			})
		}
	}
}

// compareReplicated looks at every run's steadiness and effective samples,
// summarises it and compares each summary.
func compareReplicated(b *testing.B, baseline, candidate [][]float64) {
	summaries := func(runs [][]float64) (values [4][]float64) {
		for _, samples := range runs {
			MSER5(samples)
			EffectiveSamples(samples)
			quantiles := Quantiles(samples, 0.5, 0.9, 0.99)
			for i, v := range append(quantiles, Mean(samples)) {
				values[i] = append(values[i], math.Log(v))
			}
		}
		return values
	}
	before, after := summaries(baseline), summaries(candidate)
	for i := range before {
		if _, err := Replicated(before[i], after[i], 0.95); err != nil {
			b.Fatal(err)
		}
	}
}
