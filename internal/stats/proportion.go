package stats

import (
	"fmt"
	"math"
	"slices"
)

// Wilson returns the share of successes with Wilson's score interval (1927).
// It needs 0 ≤ successes ≤ n and n > 0; ErrTooFewSamples without samples.
func Wilson(successes, n int, level float64) (Interval, error) {
	if n <= 0 || successes < 0 || successes > n {
		return Interval{}, fmt.Errorf("taking %d of %d as a share: %w", successes, n, ErrTooFewSamples)
	}
	z := normalQuantile(level)
	count := float64(n)
	share := float64(successes) / count
	centre := (share + z*z/(2*count)) / (1 + z*z/count)
	half := z / (1 + z*z/count) * math.Sqrt(share*(1-share)/count+z*z/(4*count*count))
	low, high := max(0, centre-half), min(1, centre+half)
	if successes == 0 {
		low = 0
	}
	if successes == n {
		high = 1
	}
	return Interval{share, low, high}, nil
}

// Newcombe returns the difference candidate − baseline of two shares with
// Newcombe's hybrid score interval (1998, method 10).
func Newcombe(baseline, baselineN, candidate, candidateN int, level float64) (Interval, error) {
	b, err := Wilson(baseline, baselineN, level)
	if err != nil {
		return Interval{}, fmt.Errorf("the baseline's share: %w", err)
	}
	c, err := Wilson(candidate, candidateN, level)
	if err != nil {
		return Interval{}, fmt.Errorf("the candidate's share: %w", err)
	}
	point := c.Point - b.Point
	return Interval{
		Point: point,
		Low:   point - math.Hypot(c.Point-c.Low, b.High-b.Point),
		High:  point + math.Hypot(c.High-c.Point, b.Point-b.Low),
	}, nil
}

// Fisher returns the two-sided exact p-value for two shares being equal: the
// probability of all tables with the same margins that are no likelier than the
// one seen. Counts must be valid shares, as for Wilson.
func Fisher(baseline, baselineN, candidate, candidateN int) float64 {
	total, successes := baselineN+candidateN, baseline+candidate
	logProbability := func(k int) float64 {
		return logChoose(baselineN, k) + logChoose(candidateN, successes-k) - logChoose(total, successes)
	}
	seen := logProbability(baseline)
	p := 0.0
	for k := max(0, successes-candidateN); k <= min(baselineN, successes); k++ {
		// Equal probabilities differ in their last bits; R uses the same slack.
		if l := logProbability(k); l <= seen+1e-7 {
			p += math.Exp(l)
		}
	}
	return min(p, 1)
}

func logChoose(n, k int) float64 {
	a, _ := math.Lgamma(float64(n) + 1)
	b, _ := math.Lgamma(float64(k) + 1)
	c, _ := math.Lgamma(float64(n-k) + 1)
	return a - b - c
}

// Holm returns p-values adjusted for having been looked at together (Holm
// 1979), in the order given.
func Holm(ps []float64) []float64 {
	order := make([]int, len(ps))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case ps[a] < ps[b]:
			return -1
		case ps[a] > ps[b]:
			return 1
		}
		return 0
	})
	adjusted := make([]float64, len(ps))
	running := 0.0
	for i, at := range order {
		running = max(running, min(1, float64(len(ps)-i)*ps[at]))
		adjusted[at] = running
	}
	return adjusted
}
