package stats

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
)

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
	prepared := preparedSide{point: side.Fixed, scale: scale}
	var values []float64
	for i, samples := range side.Invocations {
		plan, err := o.plan(samples)
		if err != nil {
			return preparedSide{}, fmt.Errorf("series %d: %w", i, err)
		}
		values = append(values, statistic.Of(samples))
		if statistic.mean {
			prepared.add(newMeanSeries(samples, plan), plan)
		} else {
			prepared.add(newQuantileSeries(samples, plan, statistic.quantile), plan)
		}
	}
	for i, spells := range side.Spells {
		plan, err := o.plan(durations(spells))
		if err != nil {
			return preparedSide{}, fmt.Errorf("series %d: %w", i, err)
		}
		if scale == LogRatio && !(slices.Min(durations(spells)) > 0) {
			return preparedSide{}, fmt.Errorf("series %d: %w", i, ErrNotPositive)
		}
		value, ok := KaplanMeier(spells).Quantile(statistic.quantile)
		if !ok || statistic.mean { // a mean needs the end of every spell
			return preparedSide{}, fmt.Errorf("series %d: %w", i, ErrBeyondObservation)
		}
		values = append(values, value)
		prepared.add(newSpellSeries(spells, plan, statistic.quantile), plan)
	}
	if len(values) == 0 {
		return prepared, nil
	}
	value := Median(values)
	if scale == LogRatio && !(value > 0) {
		return preparedSide{}, fmt.Errorf("the value is %g: %w", value, ErrNotPositive)
	}
	prepared.point = scale.of(value)
	return prepared, nil
}

func (p *preparedSide) add(s series, plan blockPlan) {
	p.series = append(p.series, s)
	p.blockLengths = append(p.blockLengths, plan.length)
}

// plan says how a series is resampled.
func (o Bootstrap) plan(samples []float64) (blockPlan, error) {
	if len(samples) < 2 {
		return blockPlan{}, fmt.Errorf("%d samples: %w", len(samples), ErrTooFewSamples)
	}
	length := o.BlockLength
	if length == 0 {
		length = BlockLength(samples)
	}
	return newBlockPlan(len(samples), length), nil
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
