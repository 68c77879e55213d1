package stats

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/stat/distuv"
)

// SmallestDetectable returns the smallest effect, on the interval's own scale,
// whose interval of this width would exclude zero in either direction: the
// farther end's distance. Of a log ratio take RelativeChange.
func SmallestDetectable(i Interval) float64 { return i.HalfWidth() }

// RelativeChange turns a log ratio into a share of the baseline: 0.05 for 5 %.
func RelativeChange(logRatio float64) float64 { return math.Expm1(logRatio) }

// LogThreshold turns a threshold given as a share of the baseline into one on
// the log scale.
func LogThreshold(share float64) float64 { return math.Log1p(share) }

// RunsOutlook says whether more runs would settle a comparison.
type RunsOutlook string

// The outlooks of NeededRuns.
const (
	RunsDecide         RunsOutlook = "decides"         // with Runs a side
	RunsBelowThreshold RunsOutlook = "below_threshold" // the effect is too small to matter, however many
	RunsOutOfReach     RunsOutlook = "out_of_reach"    // more than mostRuns a side
)

// NeededRuns is the fewest runs a side that would decide.
type NeededRuns struct {
	Runs    int // 0 unless Outlook is RunsDecide
	Outlook RunsOutlook
}

// Planning describes the comparison that more runs would repeat, on the scale
// of its effect (logs for a ratio).
type Planning struct {
	Effect           float64 // the point estimate, taken as true
	Threshold        float64 // smallest effect that matters, positive
	SD               float64 // between launches
	HistoryFreedom   int     // degrees of freedom of the recorded history
	Level            float64
	LeastRunsToClaim int // fewest runs a side that may claim; 2 when 0
}

const (
	mostRuns       = 1000
	replicatedFrom = 4
)

// NeededRuns returns the fewest runs a side whose predicted interval would
// exclude zero. The prediction is PredictedHalfWidth around the effect as
// estimated, so the answer is as uncertain as that estimate: such a repetition
// decides about every second time; it is a floor to plan from.
func (p Planning) NeededRuns() NeededRuns {
	effect := math.Abs(p.Effect)
	if effect < p.Threshold || effect == 0 {
		return NeededRuns{Outlook: RunsBelowThreshold}
	}
	for runs := max(p.LeastRunsToClaim, 2); runs <= mostRuns; runs++ {
		if p.PredictedHalfWidth(runs) < effect {
			return NeededRuns{Runs: runs, Outlook: RunsDecide}
		}
	}
	return NeededRuns{Outlook: RunsOutOfReach}
}

// PredictedHalfWidth returns the half-width to expect of an interval from that
// many runs a side: the pooled t interval for two and three; from four on, the
// order-statistic interval of runs that lie at the expected places of normal
// ones (Blom 1958); beyond 50 its large-sample form, z·s·√(2/R)·√(π/3).
func (p Planning) PredictedHalfWidth(runs int) float64 {
	perSide := math.Sqrt(2 / float64(runs))
	switch {
	case runs < replicatedFrom:
		freedom := float64(2*(runs-1) + p.HistoryFreedom)
		return tQuantile(p.Level, freedom) * p.SD * perSide
	case runs*runs > exactPairs:
		return normalQuantile(p.Level) * p.SD * perSide * math.Sqrt(math.Pi/3)
	}
	return p.SD * unitHalfWidth(runs, p.Level)
}

// unitHalfWidths keeps what unitHalfWidth has computed: it depends on its two
// arguments alone, and planning asks for every number of runs in turn.
var unitHalfWidths sync.Map

type runsAtLevel struct {
	runs  int
	level float64
}

// unitHalfWidth is the half-width for launches of standard deviation 1.
func unitHalfWidth(runs int, level float64) float64 {
	key := runsAtLevel{runs, level}
	if known, ok := unitHalfWidths.Load(key); ok {
		return known.(float64)
	}
	places := make([]float64, runs)
	for i := range places {
		places[i] = distuv.UnitNormal.Quantile((float64(i) + 1 - 0.375) / (float64(runs) + 0.25))
	}
	width := math.Inf(1)
	if replication, err := Replicated(places, places, level); err == nil {
		width = replication.Interval.HalfWidth()
	}
	unitHalfWidths.Store(key, width)
	return width
}
