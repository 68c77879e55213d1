package aiperf

import (
	"math"
	"slices"
)

// mostGaps bounds the gaps between chunks that a capture keeps as samples.
// Beyond it every second one is let go, again and again: count, mean, smallest
// and largest stay those of all, and a finding says how many were kept.
const mostGaps = 1_000_000

// gapColumn pools the gaps between the chunks of all answers, in the order of
// the requests.
type gapColumn struct {
	kept []float64
	// perRequest counts the gaps kept of each request.
	perRequest []uint32
	// stride is how many gaps one that is kept stands for: 1, 2, 4, …
	stride int64
	most   int
	// Of all gaps, kept or not:
	seen              int64
	sum, lost         float64 // lost is Neumaier's compensation
	smallest, largest float64
}

func newGapColumn(most int) *gapColumn {
	return &gapColumn{stride: 1, most: most, smallest: math.Inf(1), largest: math.Inf(-1)}
}

// add takes the gaps of the next request.
func (g *gapColumn) add(gaps []float64) {
	var kept uint32
	if free := cap(g.kept) - len(g.kept); free < len(gaps) { // doubled: append grows by a quarter
		g.kept = slices.Grow(g.kept, max(len(gaps), len(g.kept)))
	}
	for _, gap := range gaps {
		g.count(gap)
		if (g.seen-1)&(g.stride-1) == 0 {
			g.kept = append(g.kept, gap)
			kept++
		}
	}
	g.perRequest = append(g.perRequest, kept)
	for len(g.kept) > g.most {
		g.thin()
	}
}

func (g *gapColumn) count(gap float64) {
	g.seen++
	g.smallest, g.largest = min(g.smallest, gap), max(g.largest, gap)
	next := g.sum + gap
	if math.Abs(g.sum) >= math.Abs(gap) {
		g.lost += (g.sum - next) + gap
	} else {
		g.lost += (gap - next) + g.sum
	}
	g.sum = next
}

// thin lets every second kept gap go.
func (g *gapColumn) thin() {
	from, to := 0, 0
	for i, count := range g.perRequest {
		var kept uint32
		for range count {
			if from%2 == 0 {
				g.kept[to] = g.kept[from]
				to++
				kept++
			}
			from++
		}
		g.perRequest[i] = kept
	}
	g.kept = g.kept[:to]
	g.stride *= 2
}

// thinned reports whether gaps were let go.
func (g *gapColumn) thinned() bool { return g.stride > 1 }

func (g *gapColumn) mean() float64 { return (g.sum + g.lost) / float64(g.seen) }

// ordered returns the kept gaps with the requests in the order given.
func (g *gapColumn) ordered(order []int32) []float64 {
	starts := make([]int, len(g.perRequest))
	at := 0
	for i, count := range g.perRequest {
		starts[i] = at
		at += int(count)
	}
	values := make([]float64, 0, len(g.kept))
	for _, request := range order {
		start := starts[request]
		values = append(values, g.kept[start:start+int(g.perRequest[request])]...)
	}
	return values
}
