package compare

import (
	"crypto/sha256"
	"math"

	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
	"kernelwake/internal/stats"
)

// level is the confidence of every interval.
const level = 0.95

// Launches from which a tier applies, on the smaller side.
const (
	replicatedFrom = 4
	fewFrom        = 2
	// bootstrapFrom is the number of samples from which a launch is resampled;
	// with fewer, the t interval of its median or mean is taken.
	bootstrapFrom = 20
)

func tierOf(baseline, candidate int) Tier {
	switch smaller := min(baseline, candidate); {
	case smaller >= replicatedFrom:
		return Replicated
	case smaller >= fewFrom:
		return FewRuns
	}
	return SingleRun
}

// estimate is an effect on its own scale: logs for a ratio.
type estimate struct {
	interval stats.Interval
	// within is the interval within these launches (single_run only).
	within *stats.Interval
	method string
	p      float64
	// sd and freedom of the launches, for planning.
	sd      float64
	history int
	// assumed is true where the spread of launches was not recorded.
	assumed bool
}

// side of an estimation: the values on the effect's scale.
type scaled struct {
	values  []float64
	samples [][]float64 // of the single launch
	spells  [][]stats.Spell
	n       int64
}

// estimateOf computes the effect of a pair with known values on both sides.
func estimateOf(p pair, history [][]float64, seed uint64) (estimate, error) {
	scale := stats.Difference
	if p.outcome.Effect == lens.Ratio {
		scale = stats.LogRatio
	}
	var sides [2]scaled
	for i, side := range p.sides {
		values, err := onScale(side.values(), scale)
		if err != nil {
			return estimate{}, err
		}
		sides[i] = scaled{values: values, n: side.samplesOf()}
		if known := side.known(); len(known) == 1 {
			sides[i].samples, sides[i].spells = known[0].samples, known[0].spells
		}
	}
	groups := make([][]float64, 0, len(history))
	for _, group := range history {
		if values, err := onScale(group, scale); err == nil {
			groups = append(groups, values)
		}
	}
	b, c := sides[0], sides[1]
	spread := stats.Pooled(append([][]float64{b.values, c.values}, groups...)...)
	e := estimate{sd: spread.SD, history: stats.Pooled(groups...).DegreesOfFreedom}
	if spread.DegreesOfFreedom == 0 {
		e.sd, e.assumed = assumedSD(p, scale), true
	}
	tier := tierOf(len(b.values), len(c.values))
	if tier == SingleRun {
		return e.single(p, b, c, scale, spread, seed)
	}
	if newcombe, ok := sharesOf(p); ok {
		e.interval, e.method, e.p = newcombe, stats.MethodNewcombe, stats.NormalP(newcombe, level).TwoSided
		return e, nil
	}
	if tier == Replicated && p.outcome.Effect != lens.Points {
		replication, err := stats.Replicated(b.values, c.values, level)
		if err != nil {
			return estimate{}, err
		}
		e.interval, e.method, e.p = replication.Interval, stats.MethodHodgesLehmann, replication.Test.P.TwoSided
		return e, nil
	}
	few, err := stats.FewRuns(b.values, c.values, level, groups...)
	if err != nil {
		return estimate{}, err
	}
	e.interval, e.method, e.p = few.Interval, stats.MethodPooledT, stats.NormalP(few.Interval, level).TwoSided
	return e, nil
}

func onScale(values []float64, scale stats.Scale) ([]float64, error) {
	if scale == stats.LogRatio {
		return stats.Logs(values)
	}
	return values, nil
}

func assumedSD(p pair, scale stats.Scale) float64 {
	if scale == stats.LogRatio {
		return stats.AssumedLaunchSD
	}
	return stats.AssumedLaunchSD * max(math.Abs(medianOf(p.sides[0].values())), math.Abs(medianOf(p.sides[1].values())))
}

// single is the effect where a side is one launch: an interval within these
// launches for the finding, and one that allows for the noise between launches
// for the verdict.
func (e estimate) single(p pair, b, c scaled, scale stats.Scale, spread stats.Spread, seed uint64) (estimate, error) {
	point := stats.Mean(c.values) - stats.Mean(b.values)
	within, method := withinLaunches(p, b, c, scale, point, seed)
	larger := max(len(b.values), len(c.values))
	noise := stats.LaunchNoiseLog(spread, larger, level)
	if scale == stats.Difference {
		noise = stats.LaunchNoiseValue(spread, larger, level, medianOf(p.sides[0].values()), medianOf(p.sides[1].values()))
	}
	e.within, e.method, e.assumed = within, method+"+launch_noise", noise.Assumed
	if noise.Assumed {
		e.method += "_assumed"
		e.sd = assumedSD(p, scale)
	}
	if within == nil {
		within = &stats.Interval{Point: point, Low: point, High: point}
	}
	e.interval = stats.Combine(*within, noise)
	e.p = stats.NormalP(e.interval, level).TwoSided
	return e, nil
}

// withinLaunches is the interval that speaks of these launches alone: by
// counts for shares, by resampling from twenty samples on, by t for the median
// and mean of fewer; nil where a launch is one value.
func withinLaunches(p pair, b, c scaled, scale stats.Scale, point float64, seed uint64) (*stats.Interval, string) {
	if newcombe, ok := sharesOf(p); ok {
		return &newcombe, stats.MethodNewcombe
	}
	if p.outcome.Effect == lens.Points {
		return nil, "one_value"
	}
	smallest := int64(math.MaxInt64)
	for _, side := range []scaled{b, c} {
		if len(side.values) > 1 {
			continue
		}
		if len(side.samples) == 0 && len(side.spells) == 0 {
			return nil, "one_value"
		}
		smallest = min(smallest, side.n)
	}
	statistic := statisticOf(p.statistic)
	if smallest >= bootstrapFrom {
		effect, err := stats.Bootstrap{Seed: seed}.Run(seriesOf(b), seriesOf(c), statistic, scale)
		if err != nil {
			return nil, "one_value"
		}
		interval := effect.Interval(level)
		if math.IsInf(interval.Low, 0) || math.IsInf(interval.High, 0) {
			return nil, "one_value" // a wait that was not seen to end has no upper end
		}
		interval.Point = point
		return &interval, stats.MethodBlockBootstrap
	}
	if q, ok := evidence.QuantileOf(p.statistic); ok && q != 0.5 {
		return nil, "one_value"
	}
	if len(b.spells)+len(c.spells) > 0 {
		return nil, "one_value"
	}
	interval, err := stats.WithinTInterval(point, level, logsOfSingles(scale, b, c)...)
	if err != nil {
		return nil, "one_value"
	}
	return &interval, stats.MethodWithinT
}

func statisticOf(s lens.Statistic) stats.Statistic {
	if s == lens.Mean {
		return stats.MeanStatistic()
	}
	if q, ok := evidence.QuantileOf(s); ok {
		return stats.QuantileStatistic(q)
	}
	return stats.QuantileStatistic(0.5)
}

// seriesOf resamples a single launch; several launches stand as they are.
func seriesOf(side scaled) stats.Side {
	if len(side.values) > 1 {
		return stats.Side{Fixed: stats.Mean(side.values)}
	}
	return stats.Side{Invocations: side.samples, Spells: side.spells}
}

// logsOfSingles are the samples of the sides that are one launch, on the
// effect's scale. Several invocations of a launch stand together.
func logsOfSingles(scale stats.Scale, sides ...scaled) [][]float64 {
	var all [][]float64
	for _, side := range sides {
		if len(side.values) > 1 {
			continue
		}
		var samples []float64
		for _, series := range side.samples {
			samples = append(samples, series...)
		}
		values, err := onScale(samples, scale)
		if err != nil {
			return [][]float64{nil}
		}
		all = append(all, values)
	}
	return all
}

// sharesOf is Newcombe's interval where both sides give counts.
func sharesOf(p pair) (stats.Interval, bool) {
	var part, whole [2]int
	for i, side := range p.sides {
		for _, v := range side.known() {
			if !v.counted {
				return stats.Interval{}, false
			}
			part[i] += int(v.part)
			whole[i] += int(v.whole)
		}
	}
	interval, err := stats.Newcombe(part[0], whole[0], part[1], whole[1], level)
	return interval, err == nil
}

// seedOf derives the bootstrap's seed from the parsed digests of both sides,
// runs in start order, and the metric.
func seedOf(sides [2][]launch, metric string) uint64 {
	var digests [2][][sha256.Size]byte
	for i, side := range sides {
		for _, c := range capturesOf(side) {
			digests[i] = append(digests[i], c.digest())
		}
	}
	return stats.BootstrapSeed(digests[0], digests[1], metric)
}

func medianOf(values []float64) float64 { return stats.Median(values) }
