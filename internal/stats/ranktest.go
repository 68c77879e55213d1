package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// exactPairs is the product of run counts up to which rank distributions are
// enumerated: 50 runs a side.
const exactPairs = 50 * 50

// RankTest is the Mann–Whitney test of two sets of run values.
type RankTest struct {
	// U counts the pairs in which the candidate is larger, a tie as a half.
	U float64
	// P holds the probabilities under random assignment of the observed values
	// to the two sides. Less speaks of smaller candidates. TwoSided is
	// P(|U − mn/2| ≥ |u − mn/2|).
	P PValues
	// Exact says that P was enumerated. Otherwise it is the normal
	// approximation with corrections for ties and continuity.
	Exact bool
}

// MannWhitney tests whether the candidate's values tend to lie above or below
// the baseline's (Mann & Whitney 1947). With ties the permutation distribution
// is still exact (Klotz 1966): it is built tie group by tie group. Both sides
// need at least one value.
func MannWhitney(baseline, candidate []float64) RankTest {
	groups, u := tieGroups(baseline, candidate)
	pairs := len(baseline) * len(candidate)
	if pairs <= exactPairs {
		return RankTest{U: u, P: permutationP(groups, len(baseline), len(candidate), u), Exact: true}
	}
	return RankTest{U: u, P: approximateP(groups, len(baseline), len(candidate), u)}
}

// tieGroups returns the sizes of the groups of equal values in ascending order
// over both sides, and the candidate's U.
func tieGroups(baseline, candidate []float64) (sizes []int, u float64) {
	b, c := slices.Clone(baseline), slices.Clone(candidate)
	slices.Sort(b)
	slices.Sort(c)
	for i, j := 0, 0; i < len(b) || j < len(c); {
		var value float64
		if j == len(c) || (i < len(b) && b[i] <= c[j]) {
			value = b[i]
		} else {
			value = c[j]
		}
		below, ties, own := i, 0, 0
		for ; i < len(b) && b[i] == value; i++ {
			ties++
		}
		for ; j < len(c) && c[j] == value; j++ {
			own++
		}
		u += float64(own) * (float64(below) + float64(ties)/2)
		sizes = append(sizes, ties+own)
	}
	return sizes, u
}

// permutationP enumerates all ways to draw the candidate's runs from the tie
// groups. Midranks and U are doubled to stay integers.
func permutationP(groups []int, m, n int, u float64) PValues {
	weights := rankSumWeights(groups, n)
	doubledU, doubledMean := int(math.Round(2*u)), m*n
	distance := absInt(doubledU - doubledMean)
	var total, two, less, greater float64
	for sum, w := range weights {
		if w == 0 {
			continue
		}
		at := sum - n*(n+1)
		total += w
		if absInt(at-doubledMean) >= distance {
			two += w
		}
		if at <= doubledU {
			less += w
		}
		if at >= doubledU {
			greater += w
		}
	}
	return PValues{TwoSided: two / total, Less: less / total, Greater: greater / total}
}

// rankSumWeights returns, for each doubled sum of midranks, in how many ways n
// of the values grouped by ties can have it.
func rankSumWeights(groups []int, n int) []float64 {
	values := 0
	for _, size := range groups {
		values += size
	}
	width := n*(2*values-n+1) + 1
	ways := make([][]float64, n+1)
	for j := range ways {
		ways[j] = make([]float64, width)
	}
	ways[0][0] = 1
	before := 0
	for _, size := range groups {
		doubledMidrank := 2*before + size + 1
		before += size
		for taken := min(n, before); taken > 0; taken-- {
			choose := 1.0
			for own := 1; own <= min(size, taken); own++ {
				choose = choose * float64(size-own+1) / float64(own)
				from, shift := ways[taken-own], own*doubledMidrank
				to := ways[taken]
				for sum := 0; sum+shift < width; sum++ {
					if from[sum] != 0 {
						to[sum+shift] += float64(choose * from[sum])
					}
				}
			}
		}
	}
	return ways[n]
}

func absInt(x int) int {
	if x < 0 {
		return -x
	}
	return x
}

// approximateP is the normal approximation with tie and continuity correction.
func approximateP(groups []int, m, n int, u float64) PValues {
	total := float64(m + n)
	var ties float64
	for _, size := range groups {
		t := float64(size)
		ties += t*t*t - t
	}
	pairs := float64(m) * float64(n)
	sd := math.Sqrt(pairs / 12 * ((total + 1) - ties/(total*(total-1))))
	if sd == 0 {
		return PValues{TwoSided: 1, Less: 1, Greater: 1}
	}
	d := u - pairs/2
	less := distuv.UnitNormal.CDF((d + 0.5) / sd)
	greater := distuv.UnitNormal.CDF((-d + 0.5) / sd)
	two := 2 * distuv.UnitNormal.CDF((0.5-math.Abs(d))/sd)
	return PValues{TwoSided: min(1, two), Less: less, Greater: greater}
}
