package compare

import (
	"slices"

	"kernelwake/internal/absent"
	"kernelwake/internal/lens"
	"kernelwake/internal/stats"
)

// launchValue is a statistic's value of one launch: the median over its
// invocations.
type launchValue struct {
	run    string
	known  bool
	value  float64
	reason absent.Reason
	note   string
	n      int64
	marks  []string
	// samples are the ordered good samples of each invocation, where the value
	// was computed from some.
	samples [][]float64
	// spells are the waits of each invocation, censored ones among them.
	spells [][]stats.Spell
	// part and whole are summed over the invocations of a counted share.
	part, whole float64
	counted     bool
	// followed is how long a way to a target was watched without an end.
	followed float64
}

func launchValues(side []launch, p pair) []launchValue {
	values := make([]launchValue, len(side))
	for i, l := range side {
		values[i] = launchValueOf(l, p)
	}
	return values
}

func launchValueOf(l launch, p pair) launchValue {
	result := launchValue{run: nameOf(l.run), reason: absent.NotRecorded}
	var values []float64
	for _, invocation := range l.invocations {
		one := invocationValue(invocation, p)
		if !one.known {
			if one.reason != "" {
				result.reason, result.note = one.reason, one.note
			}
			result.followed = max(result.followed, one.followed)
			continue
		}
		values = append(values, one.value)
		result.n += one.n
		result.part += one.part
		result.whole += one.whole
		result.counted = one.counted
		result.samples = append(result.samples, one.samples...)
		result.spells = append(result.spells, one.spells...)
		for _, mark := range one.marks {
			if !slices.Contains(result.marks, mark) {
				result.marks = append(result.marks, mark)
			}
		}
	}
	if len(values) == 0 {
		return result
	}
	result.known, result.value = true, stats.Median(values)
	if len(result.samples) != len(values) {
		result.samples = nil
	}
	return result
}

// invocationValue is a capture's value; of a rank set the slowest rank's, and
// of shares the mean over the ranks.
func invocationValue(ranks []measuredCapture, p pair) launchValue {
	var best launchValue
	var sum float64
	var known int
	for _, c := range ranks {
		one := captureValue(c, p)
		if !one.known {
			if known == 0 {
				best = one
			}
			continue
		}
		known++
		sum += one.value
		worse := one.value > best.value
		if p.outcome.Direction == lens.Higher {
			worse = one.value < best.value
		}
		if known == 1 || worse {
			best = one
		}
	}
	if known > 1 && p.outcome.Effect == lens.Points {
		best.value = sum / float64(known)
	}
	return best
}

func captureValue(c measuredCapture, p pair) launchValue {
	m, ok := c.measurement(p.metric)
	if !ok {
		return launchValue{}
	}
	o, _ := c.Outcome(p.outcome.Name, p.phase)
	result := launchValue{reason: m.Absent, note: m.Note, marks: m.Marks}
	var waits []stats.Spell
	if o.Kind == lens.Spells {
		waits = o.Waits()
		for _, spell := range waits {
			result.followed = max(result.followed, spell.Duration)
		}
	}
	value, ok := m.Known()
	if !ok {
		return result
	}
	result.known, result.value = true, value
	result.n, _ = m.N.Get()
	switch o.Kind {
	case lens.Samples:
		result.samples = [][]float64{c.samplesOf(o)}
	case lens.Spells:
		result.spells = [][]stats.Spell{waits}
	}
	if p.outcome.Counted && o.Numerator != nil && o.Denominator != nil && whole(*o.Numerator) && whole(*o.Denominator) {
		result.part, result.whole, result.counted = *o.Numerator, *o.Denominator, true
	}
	return result
}

func whole(x float64) bool { return x == float64(int64(x)) && x >= 0 }

// marksOf are the marks of all launches of both sides, each once, in order.
func (p pair) marksOf() []string {
	var marks []string
	for _, side := range p.sides {
		for _, v := range side.launches {
			marks = append(marks, v.marks...)
		}
	}
	slices.Sort(marks)
	return slices.Compact(marks)
}

// samplesOf counts the good samples on each side.
func (s sideValues) samplesOf() int64 {
	var n int64
	for _, v := range s.known() {
		n += v.n
	}
	return n
}

// fewSteps marks a side with fewer than three step times.
func fewSteps(p pair) bool {
	if p.outcome.Name != "step_time" {
		return false
	}
	for _, side := range p.sides {
		for _, v := range side.known() {
			if v.samples != nil && v.n < leastSteps {
				return true
			}
		}
	}
	return false
}

const leastSteps = 3
