package stats

import (
	"math"
	"slices"
)

// Mean returns the arithmetic mean, by compensated summation, NaN for no values.
func Mean(values []float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	return compensatedSum(values) / float64(len(values))
}

// SD returns the sample standard deviation (divisor n − 1), NaN below two values.
func SD(values []float64) float64 {
	if len(values) < 2 {
		return math.NaN()
	}
	return math.Sqrt(squaredDeviations(values) / float64(len(values)-1))
}

// squaredDeviations returns Σ(x − mean)², in two passes.
func squaredDeviations(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	mean := Mean(values)
	var sum, rest float64
	for _, v := range values {
		d := v - mean
		sum += float64(d * d)
		rest += d
	}
	return max(0, sum-float64(rest*rest)/float64(len(values)))
}

// compensatedSum adds up values and, beside them, what each addition rounded
// away (Ogita, Rump & Oishi 2005, with Knuth's two-sum): the error does not grow
// with the number of values, so that a mean over a million samples keeps the
// twelve digits that results are stored with.
func compensatedSum(values []float64) float64 {
	var sum, lost float64
	for _, v := range values {
		next := sum + v
		added := next - sum
		lost += (sum - (next - added)) + (v - added)
		sum = next
	}
	return sum + lost
}

// Median returns the middle value, or the mean of the two middle ones; NaN for
// no values. The slice is left as it is.
func Median(values []float64) float64 { return Quantile(values, 0.5) }

// MedianSorted is Median of values in ascending order.
func MedianSorted(sorted []float64) float64 { return QuantileSorted(sorted, 0.5) }

// Quantile returns the q-quantile by Hyndman & Fan's type 7 (1996), NumPy's
// default: linear between the order statistics around (n−1)·q, counted from 0.
// NaN for no values or q outside [0, 1]. The slice is left as it is; values
// already in ascending order are not copied.
func Quantile(values []float64, q float64) float64 {
	if slices.IsSorted(values) {
		return QuantileSorted(values, q)
	}
	return Quantiles(values, q)[0]
}

// Quantiles returns several quantiles of the same values for the price of one
// copy and a partial ordering, in the order asked.
func Quantiles(values []float64, qs ...float64) []float64 {
	if len(values) >= narrowFrom && !slices.ContainsFunc(qs, notShare) && !slices.IsSorted(values) {
		return narrowedQuantiles(values, qs)
	}
	work := values
	if !slices.IsSorted(values) {
		work = slices.Clone(values)
		selectRanks(work, neededRanks(len(work), qs))
	}
	result := make([]float64, len(qs))
	for i, q := range qs {
		result[i] = QuantileSorted(work, q)
	}
	return result
}

// notShare says that q is no share, so that no quantile belongs to it.
func notShare(q float64) bool { return !(q >= 0 && q <= 1) }

// QuantileSorted is Quantile of values in ascending order.
func QuantileSorted(sorted []float64, q float64) float64 {
	if len(sorted) == 0 || notShare(q) {
		return math.NaN()
	}
	lower, fraction := quantilePosition(len(sorted), q)
	return interpolate(sorted[lower], sorted[min(lower+1, len(sorted)-1)], fraction)
}

// quantilePosition returns where the type-7 quantile of n values lies: the
// order statistic at or below it, counted from 0, and the way to the next.
func quantilePosition(n int, q float64) (lower int, fraction float64) {
	h := float64(n-1) * q
	lower = int(math.Floor(h))
	return lower, h - float64(lower)
}

// interpolate goes the given fraction of the way from low to high. The explicit
// conversion forbids a fused multiply-add, so that every platform agrees.
func interpolate(low, high, fraction float64) float64 {
	if fraction == 0 || low == high {
		return low
	}
	return low + float64((high-low)*fraction)
}

// neededRanks lists, ascending and without repeats, the order statistics that
// the quantiles of n values read.
func neededRanks(n int, qs []float64) []int {
	var ranks []int
	for _, q := range qs {
		if !notShare(q) {
			lower, _ := quantilePosition(n, q)
			ranks = append(ranks, lower, min(lower+1, n-1))
		}
	}
	slices.Sort(ranks)
	return slices.Compact(ranks)
}
