package stats

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// ErrTooFewSamples says that a launch has too few samples for the statistic.
var ErrTooFewSamples = errors.New("too few samples")

// ErrBeyondObservation says that a quantile lies beyond what was observed: too
// many spells were still going on.
var ErrBeyondObservation = errors.New("quantile lies beyond what was observed")

// DefaultResamples is the number of bootstrap resamples, chosen so that the
// ends of the usual intervals are single order statistics.
const DefaultResamples = 9999

// Resamples of censored spells cost a pass over all of them; from manySpells on,
// on both sides together, ManySpellsResamples are drawn.
const (
	ManySpellsResamples = 999
	manySpells          = 50_000
)

func defaultResamples(sides ...Side) int {
	count := 0
	for _, side := range sides {
		for _, spells := range side.Spells {
			count += len(spells)
		}
	}
	if count >= manySpells {
		return ManySpellsResamples
	}
	return DefaultResamples
}

// Statistic is what a launch's samples are summarised by: a quantile or the mean.
type Statistic struct {
	mean     bool
	quantile float64
}

// QuantileStatistic is the type-7 quantile; 0.5 is the median.
func QuantileStatistic(q float64) Statistic { return Statistic{quantile: q} }

// MeanStatistic is the arithmetic mean.
func MeanStatistic() Statistic { return Statistic{mean: true} }

// Of applies the statistic to samples.
func (s Statistic) Of(samples []float64) float64 {
	if s.mean {
		return Mean(samples)
	}
	return Quantile(samples, s.quantile)
}

// Scale says how the two sides' values make an effect.
type Scale int

// The scales of an effect.
const (
	LogRatio   Scale = iota // ln candidate − ln baseline
	Difference              // candidate − baseline
)

// of puts a value on the scale.
func (s Scale) of(value float64) float64 {
	if s == LogRatio {
		return math.Log(value)
	}
	return value
}

// Side is one side of a single-run bootstrap: one launch to resample, or a
// fixed value.
type Side struct {
	// Invocations are the ordered samples of the launch, one series for each
	// invocation of the load against it; usually one. The launch's value is the
	// median of the invocations' statistics.
	Invocations [][]float64
	// Spells are given instead where the samples are waits that may be
	// censored: the statistic is then a Kaplan–Meier quantile.
	Spells [][]Spell
	// Fixed is the side's value on the effect's scale (the mean of logs, say)
	// when it has several launches: it is not resampled and adds no width.
	// It is read only when there are neither Invocations nor Spells.
	Fixed float64
}

// Bootstrap is the circular block bootstrap of Politis & Romano (1992) within
// the launches compared. The zero value with a Seed follows the published rule.
type Bootstrap struct {
	Seed        uint64
	Resamples   int // when 0: DefaultResamples, or ManySpellsResamples of many spells
	BlockLength int // BlockLength(samples) of each series when 0
}

// BootstrapEffect is what a bootstrap found.
type BootstrapEffect struct {
	// Point is the effect of the samples as recorded.
	Point float64
	// Resamples is how many resamples were drawn.
	Resamples int
	// BlockLengths lists the block length of each series, baseline first.
	BlockLengths []int

	effects []float64 // of the resamples, ascending
	// undetermined counts resamples in which both sides' quantiles lie beyond
	// what was observed: their effects could be anything.
	undetermined int
}

// Interval returns the percentile interval at a level: of B sorted effects
// those at rank ⌈(1−level)/2·(B+1)⌉ from either end. With censored spells an end
// can be infinite: how far the effect reaches there was not observed.
func (e BootstrapEffect) Interval(level float64) Interval {
	known := len(e.effects)
	all := known + e.undetermined
	rank := int(math.Ceil((1-level)/2*float64(all+1) - 1e-9))
	rank = min(max(rank, 1), (all+1)/2)
	// Effects that could be anything count as extreme at both ends.
	rank -= e.undetermined
	if rank < 1 {
		return Interval{Point: e.Point, Low: math.Inf(-1), High: math.Inf(1)}
	}
	return Interval{Point: e.Point, Low: e.effects[rank-1], High: e.effects[known-rank]}
}

// BlockLength returns ℓ = min(n/10, max(⌈n^⅓⌉, ⌈3τ⌉)), at least 1, with τ the
// autocorrelation time of the samples.
func BlockLength(samples []float64) int {
	n := len(samples)
	byTau := int(math.Ceil(3 * AutocorrelationTime(samples)))
	byLength := int(math.Ceil(math.Cbrt(float64(n)) - 1e-9))
	return max(1, min(n/10, max(byLength, byTau)))
}

// Run resamples the baseline, then the candidate, Resamples times: of each
// series ⌈n/ℓ⌉ blocks of ℓ consecutive samples, wrapping around, each starting
// at the generator's next output modulo n, the last one cut to make n samples.
// ErrTooFewSamples for a series of fewer than two samples, ErrNotPositive when
// a ratio is asked of a value that has no logarithm.
//
// The result is exact, as if each resample had been sorted; the time is that of
// the blocks drawn, not of the samples in them. Resamples are spread over the
// processors; the result does not depend on how many there are.
func (o Bootstrap) Run(baseline, candidate Side, statistic Statistic, scale Scale) (BootstrapEffect, error) {
	if o.Resamples == 0 {
		o.Resamples = defaultResamples(baseline, candidate)
	}
	b, err := o.prepare(baseline, statistic, scale)
	if err != nil {
		return BootstrapEffect{}, fmt.Errorf("resampling the baseline: %w", err)
	}
	c, err := o.prepare(candidate, statistic, scale)
	if err != nil {
		return BootstrapEffect{}, fmt.Errorf("resampling the candidate: %w", err)
	}
	effects := o.combine(o.values(slices.Concat(b.series, c.series)), b, c)
	slices.Sort(effects) // what is not a number comes first
	undetermined := 0
	for undetermined < len(effects) && math.IsNaN(effects[undetermined]) {
		undetermined++
	}
	effects = effects[undetermined:]
	censored := len(baseline.Spells)+len(candidate.Spells) > 0
	if !censored && (undetermined > 0 || math.IsInf(effects[0], -1) || math.IsInf(effects[len(effects)-1], 1)) {
		return BootstrapEffect{}, fmt.Errorf("forming the ratio of a resample: %w", ErrNotPositive)
	}
	return BootstrapEffect{
		Point:        c.point - b.point,
		Resamples:    o.Resamples,
		BlockLengths: slices.Concat(b.blockLengths, c.blockLengths),
		effects:      effects,
		undetermined: undetermined,
	}, nil
}
