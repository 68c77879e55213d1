package evidence

import (
	"cmp"
	"math"
	"slices"

	"kernelwake/internal/absent"
	"kernelwake/internal/lens"
	"kernelwake/internal/stats"
)

// Measurement is one statistic of an outcome as every screen, command and
// comparison shows it.
type Measurement struct {
	// Metric is the id: name, phase if any, and statistic ("ttft.p99").
	Metric    string         `json:"metric"`
	Name      string         `json:"name"`
	Phase     string         `json:"phase,omitempty"`
	Statistic lens.Statistic `json:"statistic"`
	Label     string         `json:"label"`
	Unit      string         `json:"unit"`
	Direction lens.Direction `json:"direction"`
	// Value is nil where the statistic is absent, for the reason in Absent.
	Value  *float64      `json:"value,omitempty"`
	Absent absent.Reason `json:"absent,omitempty"`
	Note   string        `json:"note,omitempty"`
	// N is how many good samples, spells or counted things stand behind it.
	N absent.Value[int64] `json:"n"`
	// Basis says what the value was computed from, in the words of lens.Kind:
	// FromSamples, FromSummary, or ratio, total, spells, series, histogram.
	Basis string `json:"basis"`
	// Reported is what the source's own summary says, where Value was
	// recomputed.
	Reported *float64 `json:"reported,omitempty"`
	// Marks stand with the number: MarkTooFewSamples, MarkCensored,
	// MarkAggregated, MarkCollapsed.
	Marks []string `json:"marks,omitempty"`
	// Censored counts spells that had not ended.
	Censored int64 `json:"censored,omitempty"`
}

// The two usual bases of a measurement.
const (
	FromSamples = string(lens.Samples) // computed from raw values
	FromSummary = string(lens.Summary) // taken from what the source had summed up
)

// Marks of a measurement.
const (
	// MarkTooFewSamples: fewer effective samples than a finite two-sided 95 %
	// interval of the quantile needs (368 for p99).
	MarkTooFewSamples = "too_few_samples"
	// MarkCensored: some spells had not ended; they count as at least so long.
	MarkCensored = "censored"
	// MarkAggregated: each sample is itself a mean of several values.
	MarkAggregated = "aggregated"
	// MarkCollapsed: late entries leave the estimate too small; see
	// stats.Survival.Collapsed.
	MarkCollapsed = "collapsed"
)

// measureLevel is the confidence of the interval that marks a quantile.
const measureLevel = 0.95

// Known returns the value and whether there is one.
func (m Measurement) Known() (float64, bool) {
	if m.Value == nil {
		return 0, false
	}
	return *m.Value, true
}

// MetricID names a statistic of an outcome, with its phase if it has one.
func MetricID(name, phase string, statistic lens.Statistic) string {
	if phase != "" {
		name += "." + phase
	}
	return lens.Metric(name, statistic)
}

// Measure returns every statistic of an outcome that the lens compares, in the
// registry's order; for an outcome that the registry doesn't know (x_…), what
// the capture states, without a direction.
func Measure(o Outcome, l lens.Lens) []Measurement {
	definition, known := l.Outcome(o.Name)
	if !known {
		definition = lens.Outcome{Name: o.Name, Label: o.Name, Unit: o.Unit, Direction: lens.NoDirection, Statistics: statedStatistics(o)}
	}
	read := reader(o, definition)
	measurements := make([]Measurement, 0, len(definition.Statistics))
	for _, statistic := range definition.Statistics {
		m := Measurement{
			Metric: MetricID(o.Name, o.Phase, statistic), Name: o.Name, Phase: o.Phase, Statistic: statistic, Label: label(definition, o.Phase, statistic),
			Unit: cmp.Or(o.Unit, definition.Unit), Direction: definition.Direction, N: o.N, Basis: string(o.Kind),
		}
		if reported, ok := o.Reported[string(statistic)]; ok {
			m.Reported = &reported
		}
		switch {
		case o.Absent != "":
			m.missing(o.Absent, o.Note)
		default:
			read(&m)
		}
		if o.Definition.Aggregation > 1 && m.Value != nil && statistic != lens.Mean {
			m.Marks = append(m.Marks, MarkAggregated)
		}
		measurements = append(measurements, m)
	}
	return measurements
}

// MeasureAll returns the measurements of all outcomes of a capture in the
// registry's order, those it doesn't know last. Fleet ratios whose parts
// contradict each other are withheld.
func MeasureAll(p *Parsed, l lens.Lens) []Measurement {
	position := func(o Outcome) int {
		at := slices.IndexFunc(l.Outcomes, func(d lens.Outcome) bool { return d.Name == o.Name })
		if at < 0 {
			return len(l.Outcomes)
		}
		return at
	}
	outcomes := slices.Clone(p.Outcomes)
	slices.SortStableFunc(outcomes, func(a, b Outcome) int { return position(a) - position(b) })
	var all []Measurement
	for _, o := range outcomes {
		if reason, note := Withheld(p, o); reason != "" && o.Absent == "" {
			o.Absent, o.Note = reason, note
		}
		all = append(all, Measure(o, l)...)
	}
	return all
}

func (m *Measurement) known(value float64) {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		m.missing(absent.NotRecorded, "the source gives no finite number")
		return
	}
	m.Value = &value
}

func (m *Measurement) missing(reason absent.Reason, note string) { m.Absent, m.Note = reason, note }

func label(definition lens.Outcome, phase string, statistic lens.Statistic) string {
	text := definition.Label
	if phase != "" {
		text += " " + phase
	}
	if statistic != lens.Value {
		text += " " + string(statistic)
	}
	return text
}

// statedStatistics are what an unregistered outcome itself offers.
func statedStatistics(o Outcome) []lens.Statistic {
	switch o.Kind {
	case lens.Samples, lens.Histogram:
		return []lens.Statistic{lens.P50, lens.P90, lens.P99, lens.Mean}
	case lens.Spells:
		return []lens.Statistic{lens.P50, lens.P95}
	case lens.Summary:
		var stated []lens.Statistic
		for _, statistic := range []lens.Statistic{lens.P50, lens.P90, lens.P95, lens.P99, lens.Mean, lens.Value} {
			if _, ok := o.Statistics[string(statistic)]; ok {
				stated = append(stated, statistic)
			}
		}
		return stated
	}
	return []lens.Statistic{lens.Value}
}

// quantiles of the statistics that are quantiles.
var quantiles = map[lens.Statistic]float64{lens.P50: 0.50, lens.P90: 0.90, lens.P95: 0.95, lens.P99: 0.99}

// QuantileOf returns the quantile that a statistic is; ok is false for means
// and single values.
func QuantileOf(statistic lens.Statistic) (q float64, ok bool) {
	q, ok = quantiles[statistic]
	return q, ok
}

// Enough reports whether so many effective samples give the statistic a finite
// two-sided 95 % interval.
func Enough(statistic lens.Statistic, effective float64) bool {
	q, ok := quantiles[statistic]
	return !ok || effective >= float64(stats.MinimumSamples(q, measureLevel))
}
