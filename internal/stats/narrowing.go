package stats

import (
	"math"
	"slices"
)

const (
	// narrowFrom is the number of values from which reading them once to leave
	// out most is cheaper than partitioning a copy.
	narrowFrom = 8192
	// narrowSample is the size of the sample that shows where a quantile lies.
	narrowSample = 4096
	// narrowWidth is the half-width of the range kept, in standard deviations
	// of a sample quantile.
	narrowWidth = 4
	// narrowChunk is how many values are read between two looks at the room left.
	narrowChunk = 1024
)

// narrowedQuantiles returns quantiles of many unordered values. A sample brackets each
// quantile; one pass counts the values below the bracket and keeps those
// in it, which are then partitioned (Floyd & Rivest 1975). A bracket that turns
// out wrong is noticed by the count, and the quantile is selected from a copy.
func narrowedQuantiles(values, qs []float64) []float64 {
	brackets := sampledBrackets(values, qs)
	kept := make([]float64, len(values)/8+narrowChunk)
	result := make([]float64, len(qs))
	for i, q := range qs {
		lower, fraction := quantilePosition(len(values), q)
		upper := min(lower+1, len(values)-1)
		below, inside, ok := keepWithin(values, kept, brackets[i])
		if !ok || lower < below || upper >= below+inside {
			result[i] = selectedQuantile(slices.Clone(values), lower, upper, fraction)
			continue
		}
		result[i] = selectedQuantile(kept[:inside], lower-below, upper-below, fraction)
	}
	return result
}

// selectedQuantile reorders values to read the quantile between two ranks.
func selectedQuantile(values []float64, lower, upper int, fraction float64) float64 {
	selectRanks(values, slices.Compact([]int{lower, upper}))
	return interpolate(values[lower], values[upper], fraction)
}

// bracket is a range of values, ends included.
type bracket struct{ low, high float64 }

// sampledBrackets returns, for each quantile, the range in which an evenly
// spaced sample says that it lies.
func sampledBrackets(values, qs []float64) []bracket {
	sample := make([]float64, narrowSample)
	for i := range sample {
		sample[i] = values[i*len(values)/narrowSample]
	}
	type ends struct{ low, high int }
	at := make([]ends, len(qs))
	var ranks []int
	for i, q := range qs {
		reach := int(narrowWidth*math.Sqrt(narrowSample*q*(1-q))) + 2
		centre := int(q * narrowSample)
		at[i] = ends{centre - reach, centre + reach}
		for _, rank := range []int{at[i].low, at[i].high} {
			if rank >= 0 && rank < narrowSample {
				ranks = append(ranks, rank)
			}
		}
	}
	slices.Sort(ranks)
	selectRanks(sample, slices.Compact(ranks))
	brackets := make([]bracket, len(qs))
	for i := range brackets {
		brackets[i] = bracket{math.Inf(-1), math.Inf(1)}
		if at[i].low >= 0 {
			brackets[i].low = sample[at[i].low]
		}
		if at[i].high < narrowSample {
			brackets[i].high = sample[at[i].high]
		}
	}
	return brackets
}

// keepWithin copies the values inside the bracket to kept and counts those
// below it; false when there is no room for them.
func keepWithin(values, kept []float64, b bracket) (below, inside int, ok bool) {
	for len(values) > 0 {
		if len(kept)-inside < narrowChunk {
			return 0, 0, false
		}
		chunk := values[:min(narrowChunk, len(values))]
		under, taken := keepChunk(chunk, (*[narrowChunk]float64)(kept[inside:]), b)
		below, inside, values = below+under, inside+taken, values[len(chunk):]
	}
	return below, inside, true
}

// keepChunk is keepWithin of at most narrowChunk values. It has no branch that
// depends on a value, since none could be predicted. Inlined, its counters no
// longer fit the registers and it takes a third longer.
//
//go:noinline
func keepChunk(chunk []float64, room *[narrowChunk]float64, b bracket) (below, taken int) {
	for _, v := range chunk {
		room[taken&(narrowChunk-1)] = v
		under, notOver := 0, 0
		if v < b.low {
			under = 1
		}
		if v <= b.high {
			notOver = 1
		}
		below += under
		taken += notOver - under
	}
	return below, taken
}
