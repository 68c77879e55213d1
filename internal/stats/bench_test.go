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
