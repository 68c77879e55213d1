package stats

import (
	"math"
	"sort"

	"gonum.org/v1/gonum/stat/distuv"
)

// Ranks is an interval for a quantile given as order statistics, counted from
// 1. A rank of 0 says that the sample is too small for a finite end there.
type Ranks struct {
	Low, High int
	// Coverage is the exact confidence, 0 when an end is missing.
	Coverage float64
}

// QuantileRanks returns the order statistics between which the q-quantile lies
// with the given confidence, whatever the distribution: Low is the largest l
// with P(B ≤ l−1) ≤ α/2 and High the smallest u with P(B ≤ u−1) ≥ 1−α/2, for
// B ~ Binomial(n, q). Samples are taken as independent; give the effective n
// where they are not.
func QuantileRanks(n int, q, level float64) Ranks {
	if n <= 0 || !(q > 0 && q < 1) {
		return Ranks{}
	}
	tail := (1 - level) / 2
	count := distuv.Binomial{N: float64(n), P: q}
	atMost := func(k int) float64 { return count.CDF(float64(k)) }
	var ranks Ranks
	// The first l for which P(B ≤ l−1) exceeds the tail, less one.
	ranks.Low = sort.Search(n, func(i int) bool { return atMost(i) > tail })
	if high := sort.Search(n, func(i int) bool { return atMost(i) >= 1-tail }) + 1; high <= n {
		ranks.High = high
	}
	if ranks.Low > 0 && ranks.High > 0 {
		ranks.Coverage = atMost(ranks.High-1) - atMost(ranks.Low-1)
	}
	return ranks
}

// MinimumSamples returns the fewest independent samples for which the two-sided
// interval of QuantileRanks has both ends: 368 for p99 at 95 %.
func MinimumSamples(q, level float64) int {
	return fewestBelow(max(q, 1-q), (1-level)/2)
}

// MinimumSamplesUpper returns the fewest independent samples for which a
// one-sided upper bound of the q-quantile exists: 299 for p99 at 95 %.
func MinimumSamplesUpper(q, level float64) int {
	return fewestBelow(q, 1-level)
}

// fewestBelow returns the smallest n with pⁿ ≤ tail.
func fewestBelow(p, tail float64) int {
	return int(math.Ceil(math.Log(tail)/math.Log(p) - 1e-9))
}
