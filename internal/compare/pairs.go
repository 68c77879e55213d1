package compare

import (
	"cmp"
	"maps"
	"slices"

	"kernelwake/internal/absent"
	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
)

// Reasons why an outcome is not compared.
const (
	DefinitionDiffers     = "definition_differs"
	AbsentOnOneSide       = "absent_on_one_side"
	TargetNotReached      = "target_not_reached"
	SurvivorshipReason    = "survivorship"
	SummaryAgainstSamples = "summary_against_samples"
	// RowDiffers: a row that this outcome alone needs is known to differ.
	RowDiffers = "gate_differs"
)

// pair is one statistic of one outcome on both sides of a stratum.
type pair struct {
	cell      string
	outcome   lens.Outcome
	phase     string
	statistic lens.Statistic
	metric    string
	sides     [2]sideValues
}

// sideValues are a statistic's values on one side, one a launch.
type sideValues struct {
	launches   []launchValue
	definition evidence.Definition
	reported   map[string]float64
}

// known are the launches with a value.
func (s sideValues) known() []launchValue {
	return slices.DeleteFunc(slices.Clone(s.launches), func(v launchValue) bool { return !v.known })
}

// values are the launches' values that are known.
func (s sideValues) values() []float64 {
	var values []float64
	for _, v := range s.known() {
		values = append(values, v.value)
	}
	return values
}

// pairing is what the outcomes of a stratum come to.
type pairing struct {
	pairs       []pair
	notCompared []NotCompared
}

// pairsOf pairs the outcomes of a stratum in the registry's order.
func pairsOf(s stratum, l lens.Lens) pairing {
	var result pairing
	broken := survivorshipOf(s)
	for _, outcome := range l.Outcomes {
		for _, phase := range phasesOf(s, outcome.Name) {
			result.add(s, outcome, phase, broken)
		}
	}
	return result
}

// phasesOf lists the phases in which either side gives an outcome.
func phasesOf(s stratum, name string) []string {
	phases := map[string]bool{}
	for _, side := range s.sides {
		for _, c := range capturesOf(side) {
			for _, o := range c.Outcomes {
				if o.Name == name {
					phases[o.Phase] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(phases))
}

func capturesOf(side []launch) []measuredCapture {
	var captures []measuredCapture
	for _, l := range side {
		captures = append(captures, l.captures()...)
	}
	return captures
}

func (p *pairing) add(s stratum, outcome lens.Outcome, phase, broken string) {
	forms := [2]form{formOf(s.sides[0], outcome, phase), formOf(s.sides[1], outcome, phase)}
	reason, message := "", ""
	switch {
	case !forms[0].given && !forms[1].given:
		return
	case !forms[0].given || !forms[1].given:
		reason, message = AbsentOnOneSide, "only the "+sideName(forms[1].given)+" has it"+forms[0].note+forms[1].note
	case forms[0].definition != forms[1].definition || forms[0].mixed || forms[1].mixed:
		reason, message = DefinitionDiffers, differingDefinition(forms[0], forms[1])
	case forms[0].summary != forms[1].summary:
		reason, message = SummaryAgainstSamples, "one side gives a summary, the other raw values; a summary is compared only with a summary"
	case broken != "" && outcome.OfGoodRequests:
		reason, message = SurvivorshipReason, broken
	}
	for _, statistic := range outcome.Statistics {
		one := pair{cell: s.cell, outcome: outcome, phase: phase, statistic: statistic, metric: evidence.MetricID(outcome.Name, phase, statistic)}
		for i := range one.sides {
			one.sides[i] = sideValues{launchValues(s.sides[i], one), forms[i].definition, forms[i].reported}
		}
		p.place(one, reason, message)
	}
}

// place takes a statistic in, or says why it is not compared.
func (p *pairing) place(one pair, reason, message string) {
	known := [2]bool{len(one.sides[0].known()) > 0, len(one.sides[1].known()) > 0}
	few := [2]bool{tooFew(one.sides[0]), tooFew(one.sides[1])}
	if reason == "" && toTarget(one.outcome) {
		reason, message = missedTarget(one)
		if reason == "" {
			p.pairs = append(p.pairs, one)
			return
		}
	}
	switch {
	case reason == "" && (known[0] || few[0]) && (known[1] || few[1]):
		p.pairs = append(p.pairs, one)
	case reason == "" && (known[0] || known[1]):
		p.leaveOut(one, AbsentOnOneSide, "only the "+sideName(known[1])+" has a value"+whyAbsent(one))
	case reason != "" && (known[0] || known[1] || reason == TargetNotReached):
		p.leaveOut(one, reason, message)
	}
}

func (p *pairing) leaveOut(one pair, reason, message string) {
	p.notCompared = append(p.notCompared, NotCompared{Metric: one.id(), Reason: reason, Message: message})
}

// id names the pair's metric, with its cell in a sweep.
func (p pair) id() string { return inCell(p.metric, p.cell) }

func inCell(metric, cell string) string {
	if cell == "" {
		return metric
	}
	return metric + " at " + cell
}

func sideName(candidate bool) string {
	if candidate {
		return "candidate"
	}
	return "baseline"
}

// tooFew reports whether a side gives the outcome but has no good value left.
func tooFew(s sideValues) bool {
	return len(s.known()) == 0 && slices.ContainsFunc(s.launches, func(v launchValue) bool {
		return v.reason == absent.TooFewSamples || v.reason == absent.BelowMinimum
	})
}

func whyAbsent(one pair) string {
	for _, side := range one.sides {
		for _, v := range side.launches {
			if !v.known && v.reason != "" {
				return ": " + cmp.Or(v.note, string(v.reason))
			}
		}
	}
	return ""
}
