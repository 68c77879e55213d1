package evidence

import (
	"fmt"
	"math"

	"kernelwake/internal/absent"
	"kernelwake/internal/lens"
	"kernelwake/internal/stats"
)

// reader returns the function that fills in a measurement from the outcome's
// kind of data. What is common to all statistics is computed once.
func reader(o Outcome, definition lens.Outcome) func(*Measurement) {
	switch o.Kind {
	case lens.Samples:
		return readSamples(o)
	case lens.Spells:
		return readSpells(o)
	case lens.RatioKind:
		return readRatio(o, definition)
	case lens.Histogram:
		return readHistogram(o)
	case lens.Series:
		return readSeries(o)
	case lens.Intervals:
		return readIntervals(o)
	}
	return readStated(o)
}

func readSamples(o Outcome) func(*Measurement) {
	values := o.Good()
	effective := math.NaN()
	var at map[lens.Statistic]float64
	return func(m *Measurement) {
		m.N = absent.Of(int64(len(values)))
		if len(values) == 0 {
			m.missing(absent.TooFewSamples, "no good sample was recorded")
			return
		}
		if at == nil {
			four := stats.Quantiles(values, 0.50, 0.90, 0.95, 0.99)
			at = map[lens.Statistic]float64{lens.P50: four[0], lens.P90: four[1], lens.P95: four[2], lens.P99: four[3], lens.Mean: stats.Mean(values)}
			effective = stats.EffectiveSamples(values)
		}
		value, ok := at[m.Statistic]
		switch {
		case !ok && len(values) == 1:
			value = values[0]
		case !ok:
			value = at[lens.P50]
		}
		m.known(value)
		if !Enough(m.Statistic, effective) {
			m.Marks = append(m.Marks, MarkTooFewSamples)
		}
	}
}

// readSpells estimates by Kaplan–Meier, so that what never ended counts as at
// least so long and is never shown as if it had.
func readSpells(o Outcome) func(*Measurement) {
	spells := o.Waits()
	survival := stats.KaplanMeier(spells)
	return func(m *Measurement) {
		m.N = absent.Of(int64(survival.Spells))
		m.Censored = int64(survival.Spells - survival.Events)
		if m.Censored > 0 {
			m.Marks = append(m.Marks, MarkCensored)
		}
		if survival.Spells == 0 {
			m.missing(absent.TooFewSamples, "no spell was recorded")
			return
		}
		q, ok := quantiles[m.Statistic]
		if !ok {
			q = 0.5
		}
		value, reached := survival.Quantile(q)
		if !reached {
			m.missing(absent.NotReached, "not reached within the time followed")
			return
		}
		if survival.Collapsed {
			m.Marks = append(m.Marks, MarkCollapsed)
		}
		m.known(value)
	}
}

func readRatio(o Outcome, definition lens.Outcome) func(*Measurement) {
	return func(m *Measurement) {
		if o.Numerator == nil || o.Denominator == nil {
			readStated(o)(m)
			return
		}
		if definition.Counted {
			m.N = absent.Of(int64(*o.Denominator))
		}
		switch {
		case *o.Denominator == 0:
			m.missing(absent.NotApplicable, "the whole is 0")
		case definition.Effect == lens.Points && *o.Numerator > *o.Denominator:
			m.missing(absent.Withheld, "parts_exceed_whole: the part is larger than the whole")
		default:
			m.known(*o.Numerator / *o.Denominator)
		}
	}
}

// readStated takes what the source says: summaries and totals.
func readStated(o Outcome) func(*Measurement) {
	return func(m *Measurement) {
		value, ok := o.Statistics[string(m.Statistic)]
		if values := o.Data.Floats("v"); !ok && m.Statistic == lens.Value && len(values) == 1 {
			value, ok = values[0], true
		}
		if !ok {
			m.missing(absent.NotRecorded, "the source doesn't state it")
			return
		}
		m.known(value)
		if n, known := o.N.Get(); o.Kind == lens.Summary && known && !Enough(m.Statistic, float64(n)) {
			m.Marks = append(m.Marks, MarkTooFewSamples)
		}
	}
}

// readSeries takes the last value.
func readSeries(o Outcome) func(*Measurement) {
	values := o.Data.Floats("v")
	return func(m *Measurement) {
		for i := len(values) - 1; i >= 0; i-- {
			if !math.IsNaN(values[i]) {
				m.N = absent.Of(int64(len(values)))
				m.known(values[i])
				return
			}
		}
		m.missing(absent.NotRecorded, "the series is empty")
	}
}

// readIntervals adds up the time covered.
func readIntervals(o Outcome) func(*Measurement) {
	from, to := o.Data.Floats("from"), o.Data.Floats("to")
	return func(m *Measurement) {
		if len(from) != len(to) {
			m.missing(absent.Lost, "the intervals have ends missing")
			return
		}
		var total float64
		for i := range from {
			total += to[i] - from[i]
		}
		m.N = absent.Of(int64(len(from)))
		m.known(total)
	}
}

// finestBucket is the widest bucket, as upper ÷ lower end, that still says
// where a quantile lies: the smallest effect that latencies are judged by.
const finestBucket = 1.05

// readHistogram interpolates within a narrow bucket. A wide one, as servers
// export them, only bounds the quantile: a value made up inside it would look
// measured.
func readHistogram(o Outcome) func(*Measurement) {
	var total int64
	for _, count := range o.Counts {
		total += count
	}
	return func(m *Measurement) {
		if !m.N.Known() {
			m.N = absent.Of(total)
		}
		q, isQuantile := quantiles[m.Statistic]
		switch {
		case total == 0 || len(o.Counts) != len(o.Bounds)+1:
			m.missing(absent.NotRecorded, "the histogram is empty")
		case !isQuantile:
			readStated(o)(m)
		default:
			m.quantileOf(o, q*float64(total))
		}
	}
}

// quantileOf finds the bucket in which the rank lies.
func (m *Measurement) quantileOf(o Outcome, rank float64) {
	var below float64
	for i, count := range o.Counts {
		if below+float64(count) < rank {
			below += float64(count)
			continue
		}
		if i == len(o.Bounds) {
			m.missing(absent.NotReached, "in the overflow bucket: at least its lower bound")
			return
		}
		lower := 0.0
		if i > 0 {
			lower = o.Bounds[i-1]
		}
		if lower == 0 || o.Bounds[i]/lower > finestBucket {
			m.missing(absent.NotSupported, fmt.Sprintf("the histogram only says between %g and %g %s", lower, o.Bounds[i], o.Unit))
			return
		}
		m.known(lower + (o.Bounds[i]-lower)*(rank-below)/math.Max(float64(count), 1))
		return
	}
}
