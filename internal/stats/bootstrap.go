package stats

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
)

// ErrTooFewSamples says that a launch has too few samples for the statistic.
var ErrTooFewSamples = errors.New("too few samples")

// DefaultResamples is the number of bootstrap resamples, chosen so that the
// ends of the usual intervals are single order statistics.
const DefaultResamples = 9999

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
	// Fixed is the side's value on the effect's scale (the mean of logs, say)
	// when it has several launches: it is not resampled and adds no width.
	// It is read only when there are no Invocations.
	Fixed float64
}

// Bootstrap is the circular block bootstrap of Politis & Romano (1992) within
// the launches compared. The zero value with a Seed follows the published rule.
type Bootstrap struct {
	Seed        uint64
	Resamples   int // DefaultResamples when 0
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
}

// Interval returns the percentile interval at a level: of B sorted effects
// those at rank ⌈(1−level)/2·(B+1)⌉ from either end.
func (e BootstrapEffect) Interval(level float64) Interval {
	b := len(e.effects)
	rank := int(math.Ceil((1-level)/2*float64(b+1) - 1e-9))
	rank = min(max(rank, 1), (b+1)/2)
	return Interval{Point: e.Point, Low: e.effects[rank-1], High: e.effects[b-rank]}
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
		o.Resamples = DefaultResamples
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
	slices.Sort(effects)
	if math.IsNaN(effects[0]) || math.IsInf(effects[0], -1) || math.IsInf(effects[len(effects)-1], 1) {
		return BootstrapEffect{}, fmt.Errorf("forming the ratio of a resample: %w", ErrNotPositive)
	}
	return BootstrapEffect{
		Point:        c.point - b.point,
		Resamples:    o.Resamples,
		BlockLengths: slices.Concat(b.blockLengths, c.blockLengths),
		effects:      effects,
	}, nil
}

// preparedSide is a side ready to be resampled.
type preparedSide struct {
	point        float64
	scale        Scale
	blockLengths []int
	series       []series
}

// series draws the statistic of resamples of one series of samples.
type series interface {
	// resampler returns a function that draws the next resample; it is used by
	// one goroutine.
	resampler() func(random splitMix64) float64
	// draws is how many outputs of the generator one resample consumes.
	draws() uint64
}

func (o Bootstrap) prepare(side Side, statistic Statistic, scale Scale) (preparedSide, error) {
	if len(side.Invocations) == 0 {
		return preparedSide{point: side.Fixed, scale: scale}, nil
	}
	prepared := preparedSide{scale: scale}
	values := make([]float64, len(side.Invocations))
	for i, samples := range side.Invocations {
		if len(samples) < 2 {
			return preparedSide{}, fmt.Errorf("series %d has %d samples: %w", i, len(samples), ErrTooFewSamples)
		}
		length := o.BlockLength
		if length == 0 {
			length = BlockLength(samples)
		}
		plan := newBlockPlan(len(samples), length)
		prepared.blockLengths = append(prepared.blockLengths, plan.length)
		values[i] = statistic.Of(samples)
		if statistic.mean {
			prepared.series = append(prepared.series, newMeanSeries(samples, plan))
		} else {
			prepared.series = append(prepared.series, newQuantileSeries(samples, plan, statistic.quantile))
		}
	}
	value := Median(values)
	if scale == LogRatio && !(value > 0) {
		return preparedSide{}, fmt.Errorf("the value is %g: %w", value, ErrNotPositive)
	}
	prepared.point = scale.of(value)
	return prepared, nil
}

// values returns, for each series, its statistic in every resample. The draws
// of one resample follow each other series by series; since the generator can
// be set to any draw, the series are worked through one at a time, so that each
// has the processor's cache to itself, and the resamples in parallel.
func (o Bootstrap) values(all []series) [][]float64 {
	var perResample uint64
	for _, s := range all {
		perResample += s.draws()
	}
	result := make([][]float64, len(all))
	var before uint64
	for i, s := range all {
		result[i] = make([]float64, o.Resamples)
		o.fill(result[i], s, before, perResample)
		before += s.draws()
	}
	return result
}

// fill draws every resample of one series, whose draws start at before of the
// perResample of each resample; each processor takes a share.
func (o Bootstrap) fill(values []float64, s series, before, perResample uint64) {
	workers := max(1, min(runtime.GOMAXPROCS(0), len(values)/256))
	var wait sync.WaitGroup
	for w := range workers {
		from, to := len(values)*w/workers, len(values)*(w+1)/workers
		wait.Go(func() {
			next := s.resampler()
			for i := from; i < to; i++ {
				values[i] = next(splitMix64{o.Seed}.skipped(uint64(i)*perResample + before))
			}
		})
	}
	wait.Wait()
}

// combine forms the effect of every resample from the values of the baseline's
// series followed by the candidate's.
func (o Bootstrap) combine(values [][]float64, b, c preparedSide) []float64 {
	effects := make([]float64, o.Resamples)
	for i := range effects {
		effects[i] = c.value(values[len(b.series):], i) - b.value(values[:len(b.series)], i)
	}
	return effects
}

// value returns the side's value in a resample, on the effect's scale.
func (p preparedSide) value(values [][]float64, resample int) float64 {
	switch len(values) {
	case 0:
		return p.point
	case 1:
		return p.scale.of(values[0][resample])
	}
	invocations := make([]float64, len(values))
	for i := range values {
		invocations[i] = values[i][resample]
	}
	return p.scale.of(Median(invocations))
}

// blockPlan says how a series of n samples is resampled.
type blockPlan struct {
	n, length, blocks int
	last              int // samples taken of the last block
	start             modulus
}

func newBlockPlan(n, length int) blockPlan {
	length = min(max(length, 1), n)
	blocks := (n + length - 1) / length
	return blockPlan{n: n, length: length, blocks: blocks, last: n - (blocks-1)*length, start: newModulus(n)}
}
