package stats

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// ErrTooFewRuns says that no interval of the asked level exists for so few runs.
var ErrTooFewRuns = errors.New("too few runs")

// Replication is the comparison of repeated runs, at least four a side for a
// 95 % interval.
type Replication struct {
	// Interval is the Hodges–Lehmann estimate (1963), the median of all
	// differences candidate − baseline, between two order statistics of them.
	Interval Interval
	// K is the rank of the lower end among the sorted differences, from 1.
	K int
	// Coverage is the interval's exact confidence without ties, at least the
	// level asked for.
	Coverage float64
	// Test is the matching rank test.
	Test RankTest
}

// Replicated compares run values, already logarithms where a ratio is wanted,
// at the given confidence level. The ends are the K-th smallest and K-th
// largest difference, with K the largest integer for which
// P(U ≤ K−1) ≤ (1−level)/2 under the exact distribution of U (the normal one
// beyond 50 runs a side). ErrTooFewRuns when there is no such K.
func Replicated(baseline, candidate []float64, level float64) (Replication, error) {
	m, n := len(baseline), len(candidate)
	k, coverage := 0, 0.0
	if m > 0 && n > 0 {
		k, coverage = intervalRank(m, n, level)
	}
	if k == 0 {
		return Replication{}, fmt.Errorf("forming a %g %% interval from %d against %d runs: %w", 100*level, m, n, ErrTooFewRuns)
	}
	differences := make([]float64, 0, m*n)
	for _, c := range candidate {
		for _, b := range baseline {
			differences = append(differences, c-b)
		}
	}
	slices.Sort(differences)
	return Replication{
		Interval: Interval{MedianSorted(differences), differences[k-1], differences[len(differences)-k]},
		K:        k,
		Coverage: coverage,
		Test:     MannWhitney(baseline, candidate),
	}, nil
}

// intervalRank returns K and the exact coverage for m against n runs, 0 when
// even the whole range of differences covers less than asked.
func intervalRank(m, n int, level float64) (k int, coverage float64) {
	// The tolerance keeps a tail that equals (1−level)/2 on paper from failing
	// by the last bit of the subtraction.
	tail := (1-level)/2 + 1e-12
	if m*n > exactPairs {
		pairs := float64(m) * float64(n)
		sd := math.Sqrt(pairs * float64(m+n+1) / 12)
		return int(math.Floor(pairs/2 - normalQuantile(level)*sd + 0.5)), level
	}
	weights := uniformUWeights(m, n)
	var total float64
	for _, w := range weights {
		total += w
	}
	var below, reached float64
	for k < len(weights)/2+1 {
		below += weights[k] / total
		if below > tail {
			break
		}
		reached = below
		k++
	}
	return k, 1 - 2*reached
}

// uniformUWeights returns in how many of the arrangements of m and n distinct
// values U takes each value, by the recursion of Mann & Whitney (1947):
// w(i, j, u) = w(i, j−1, u) + w(i−1, j, u−j).
func uniformUWeights(m, n int) []float64 {
	if n > m {
		m, n = n, m
	}
	rows := make([][]float64, n+1) // rows[j] is w(i, j, ·), i growing
	for j := range rows {
		rows[j] = make([]float64, m*n+1)
		rows[j][0] = 1
	}
	for i := 1; i <= m; i++ {
		for j := 1; j <= n; j++ {
			for u := i * j; u >= 0; u-- { // downwards: rows[j][u−j] is still of i−1
				weight := rows[j-1][u]
				if u >= j {
					weight += rows[j][u-j]
				}
				rows[j][u] = weight
			}
		}
	}
	return rows[n]
}
