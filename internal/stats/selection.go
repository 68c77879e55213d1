package stats

import "slices"

// sortBelow is the length from which partitioning beats sorting outright.
const sortBelow = 64

// selectRanks reorders values so that each of the given ranks (ascending,
// counted from 0) holds the value it would hold after sorting.
func selectRanks(values []float64, ranks []int) { selectWithin(values, 0, ranks, 0) }

// selectWithin orders values, which start at rank offset, for the given ranks.
// Depth grows with each partition; past a bound the part is sorted, so that no
// input makes selection quadratic.
func selectWithin(values []float64, offset int, ranks []int, depth int) {
	for len(ranks) > 0 {
		if len(values) <= sortBelow || depth > 64 {
			slices.Sort(values)
			return
		}
		depth++
		below, equal := partition(values, pivotFor(values, ranks[len(ranks)/2]-offset))
		left, _ := slices.BinarySearch(ranks, offset+below)
		right, _ := slices.BinarySearch(ranks, offset+below+equal)
		if left > 0 {
			selectWithin(values[:below], offset, ranks[:left], depth)
		}
		values, ranks, offset = values[below+equal:], ranks[right:], offset+below+equal
	}
}

// pivotFor returns a value likely to lie near the given rank: that order
// statistic of an evenly spread sample (the idea of Floyd & Rivest, 1975).
func pivotFor(values []float64, rank int) float64 {
	const most = 63
	var sample [most]float64
	step := len(values) / most
	for i := range sample {
		sample[i] = values[i*step]
	}
	slices.Sort(sample[:])
	return sample[min(max(rank*most/len(values), 1), most-2)]
}

// partition reorders values into those below the pivot, those equal to it and
// those above, and returns the sizes of the first two parts.
func partition(values []float64, pivot float64) (below, equal int) {
	low, at, high := 0, 0, len(values)
	for at < high {
		switch v := values[at]; {
		case v < pivot:
			values[at], values[low] = values[low], v
			low++
			at++
		case v > pivot:
			high--
			values[at], values[high] = values[high], v
		default:
			at++
		}
	}
	return low, high - low
}
