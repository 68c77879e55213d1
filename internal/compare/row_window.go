package compare

import (
	"fmt"
	"math"
	"strings"

	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
	"kernelwake/internal/stats"
)

// Limits of a load run's window.
const (
	leastSeconds = 60
	// steadyFrom is the number of ordered samples from which steadiness is
	// tested.
	steadyFrom = 100
)

// Codes of caps that a window has of its own.
const (
	WindowShort = "window_short"
	NotSteady   = "not_steady"
)

// readWindow asks for at least 60 s and a steady load on both sides. Traces
// have no such window.
func (t *table) readWindow(row lens.Row) reading {
	r := t.fieldByField(row, row.Fields)
	if t.format == evidence.FormatChromeTrace {
		r.state, r.basis, r.baseline, r.candidate = Same, string(evidence.Derived), "not applicable", "not applicable"
		r.reason, r.oneSided, r.conflict, r.differing = "a trace is no load run", false, false, nil
		return r
	}
	b, c := secondsOf(t.sides[0]), secondsOf(t.sides[1])
	r = reading{fields: r.fields, state: Same, basis: string(evidence.Observed), baseline: secondsWords(b), candidate: secondsWords(c)}
	unsteady := t.unsteady()
	switch {
	case math.IsNaN(b) || math.IsNaN(c):
		r.state, r.basis, r.code, r.reason = Unknown, "", WindowShort, "the seconds measured are not recorded on both sides"
	case b < leastSeconds || c < leastSeconds:
		r.state, r.code, r.fixed, r.reason = Unknown, WindowShort, true, fmt.Sprintf("under %d s were measured (%.1f s against %.1f s)", leastSeconds, b, c)
	case len(unsteady) > 0:
		r.state, r.code, r.fixed, r.reason = Unknown, NotSteady, true, "not steady: "+strings.Join(unsteady, ", ")
	}
	return r
}

// secondsOf is the shortest window of a side's captures, NaN where one is not
// recorded.
func secondsOf(side []launch) float64 {
	shortest := math.Inf(1)
	for _, c := range capturesOf(side) {
		seconds := math.NaN()
		started, okStart := c.Started.Get()
		ended, okEnd := c.Ended.Get()
		if okStart && okEnd {
			seconds = ended.Sub(started).Seconds()
		}
		if object, ok := c.Dimensions["window"].Value.(map[string]any); ok {
			if stated, ok := lens.Number(object["seconds"]); ok {
				seconds = stated
			}
		}
		if math.IsNaN(seconds) {
			return math.NaN()
		}
		shortest = min(shortest, seconds)
	}
	if math.IsInf(shortest, 1) {
		return math.NaN()
	}
	return shortest
}

func secondsWords(seconds float64) string {
	if math.IsNaN(seconds) {
		return ""
	}
	return fmt.Sprintf("%.1f s", seconds)
}

// unsteady lists the outcomes of which a capture's samples never settle. It is
// one answer for all statistics of an outcome.
func (t *table) unsteady() []string {
	if t.settled {
		return t.restless
	}
	t.settled = true
	asked := map[string]bool{}
	for _, p := range t.pairs {
		name := metricName(p)
		if !asked[name] && p.notSteady() {
			t.restless = append(t.restless, name)
		}
		asked[name] = true
	}
	return t.restless
}

// notSteady reports whether any series of samples behind a pair has no steady
// part.
func (p pair) notSteady() bool {
	for _, side := range p.sides {
		for _, v := range side.launches {
			for _, samples := range v.samples {
				if len(samples) >= steadyFrom && stats.MSER5(samples).NotSteady {
					return true
				}
			}
		}
	}
	return false
}

// readOverlap asks whether both sides cover the same steps or tokens.
func (t *table) readOverlap(row lens.Row) reading {
	r := t.fieldByField(row, row.Fields)
	field, _ := t.lens.Field(row.Fields[0])
	_, values := readField(field, t.sides)
	if r.conflict || !values[0].known || !values[1].known {
		return r
	}
	r.differing, r.reason, r.oneSided = nil, "", false
	r.state, r.basis = Same, weakest(r.fields, func(Field) bool { return true })
	for _, b := range values[0].values {
		for _, c := range values[1].values {
			share, ok := overlap(b, c)
			switch {
			case !ok:
				r.state, r.basis, r.reason = Unknown, "", "a range with from and to is needed"
			case share < 0.95:
				r.state, r.differing, r.reason = Different, row.Fields, fmt.Sprintf("the ranges overlap by %.1f %%", 100*share)
			}
		}
	}
	for i := range r.fields {
		r.fields[i].State = r.state
	}
	return r
}

// overlap is the part of the longer range that both share.
func overlap(a, b any) (share float64, ok bool) {
	fromA, toA, okA := rangeOf(a)
	fromB, toB, okB := rangeOf(b)
	longer := max(toA-fromA, toB-fromB)
	if !okA || !okB || longer <= 0 {
		return 0, false
	}
	return max(0, min(toA, toB)-max(fromA, fromB)) / longer, true
}

func rangeOf(value any) (from, to float64, ok bool) {
	object, isObject := value.(map[string]any)
	if !isObject {
		return 0, 0, false
	}
	from, okFrom := lens.Number(object["from"])
	to, okTo := lens.Number(object["to"])
	return from, to, okFrom && okTo
}
