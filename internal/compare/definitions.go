package compare

import (
	"fmt"
	"strings"

	"kernelwake/internal/absent"
	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
)

// form is how a side gives an outcome: by which definition, as samples or as
// a summary.
type form struct {
	given      bool
	definition evidence.Definition
	// mixed is true where launches of the side define it differently, summary
	// where any of them gives a summary: the side is one then.
	mixed, summary bool
	// note says why it is absent, where a capture tells.
	note     string
	reported map[string]float64
}

// formOf reads how a side gives an outcome.
func formOf(side []launch, outcome lens.Outcome, phase string) form {
	var f form
	for _, c := range capturesOf(side) {
		o, ok := c.Outcome(outcome.Name, phase)
		switch {
		case !ok:
			continue
		case o.Absent != "" && !f.counts(o.Absent, outcome):
			f.note = fmt.Sprintf(" (%s)", strings.Join(strings.Fields(string(o.Absent)+" "+o.Note), " "))
			continue
		}
		definition := defaulted(o.Definition, outcome)
		summary := o.Kind == lens.Summary || o.Kind == lens.Histogram
		if !f.given {
			f = form{given: true, definition: definition, summary: summary, reported: o.Reported}
			continue
		}
		f.mixed = f.mixed || f.definition != definition
		f.summary = f.summary || summary
	}
	return f
}

// counts reports whether an absence is itself a result: a target that was
// missed, or samples of which none is left.
func (f form) counts(reason absent.Reason, outcome lens.Outcome) bool {
	switch reason {
	case absent.NotReached:
		return toTarget(outcome)
	case absent.TooFewSamples, absent.BelowMinimum:
		return true
	}
	return false
}

// defaulted states what a definition leaves out because it is usual.
func defaulted(d evidence.Definition, outcome lens.Outcome) evidence.Definition {
	if d.Metric == "" {
		d.Metric = fmt.Sprintf("%s/%d", outcome.Name, outcome.Version)
	}
	d.Aggregation = max(d.Aggregation, 1)
	return d
}

// differingDefinition names what differs.
func differingDefinition(a, b form) string {
	if a.mixed || b.mixed {
		return "launches of one side define it differently"
	}
	x, y := a.definition, b.definition
	var parts []string
	for _, c := range []struct{ name, baseline, candidate string }{
		{"metric", x.Metric, y.Metric},
		{"first token", x.FirstToken, y.FirstToken},
		{"denominator", x.Denominator, y.Denominator},
		{"token count", x.TokenSource, y.TokenSource},
		{"divisor", x.Divisor, y.Divisor},
		{"success", x.Success, y.Success},
		{"values in a sample", fmt.Sprint(x.Aggregation), fmt.Sprint(y.Aggregation)},
	} {
		if c.baseline != c.candidate {
			parts = append(parts, fmt.Sprintf("%s: %s against %s", c.name, orNotStated(c.baseline), orNotStated(c.candidate)))
		}
	}
	return strings.Join(parts, "; ")
}

func orNotStated(text string) string {
	if text == "" {
		return "not stated"
	}
	return text
}
