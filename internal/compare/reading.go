package compare

import (
	"cmp"
	"slices"
	"strings"

	"kernelwake/internal/absent"
	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
)

// reading is what the evidence says of a row, before any declaration.
type reading struct {
	row    lens.Row
	state  State // Same, Different or Unknown
	fields []Field
	// basis is the weakest source the state rests on.
	basis  string
	reason string
	// conflict: captures or sources inside a side disagree.
	conflict bool
	// oneSided: something is known on one side only.
	oneSided bool
	// code overrides the cap's code where the row has codes of its own.
	code string
	// fixed: no attestation lifts it, since the facts themselves are known.
	fixed bool
	// differing are the fields known to differ; explained ones are not judged.
	differing []string
	// words of both sides, and their source where no field tells it.
	baseline, candidate, source string
	// outcomes limits the row's weight to some outcomes.
	outcomes []string
	// open are metrics for which more of the row must be known than is, and
	// openFor says what.
	open    []string
	openFor string
	// blocked are outcomes that a difference leaves out of a comparison that
	// is otherwise possible.
	blocked []string
}

// Bases beside a source's own word.
const (
	BasisPerSample = "derived_per_sample"
	BasisAttested  = "attested"
	BasisConflict  = "conflict"
)

// sideValue is a field on one side: what all its launches say.
type sideValue struct {
	shown FieldValue
	// values are the distinct values of the launches; one unless the field
	// varies by nature.
	values       []any
	known        bool
	inapplicable bool
	conflict     bool
	implied      bool
}

func (v sideValue) told() bool { return (v.known || v.inapplicable) && !v.conflict }

// sideField collects a field over the launches of a side.
func sideField(field lens.Field, side []launch) sideValue {
	var result sideValue
	var missingRun string
	for i, l := range side {
		value := l.values[field.Key]
		if i == 0 {
			result.shown = FieldValue{Raw: value.Value, Normalised: value.Normalised, Absent: value.Absent, Note: value.Note, Source: value.Source, From: value.From}
			result.known, result.inapplicable, result.implied = value.Known(), value.NotApplicable(), value.Implied
			result.add(field, value)
			continue
		}
		switch told := value.Known() || value.NotApplicable(); {
		case !told && result.told():
			missingRun = cmp.Or(missingRun, nameOf(l.run))
		case told && !result.known && !result.inapplicable:
			missingRun = cmp.Or(missingRun, nameOf(side[0].run))
		case value.Implied != result.implied:
			missingRun = cmp.Or(missingRun, nameOf(l.run))
		case value.Known() != result.known:
			result.conflict = true
		default:
			result.add(field, value)
		}
	}
	if missingRun != "" {
		result.known, result.inapplicable = false, false
		result.shown = FieldValue{Absent: absent.NotRecorded, Note: "not known for " + missingRun}
	}
	if result.conflict {
		result.shown.Absent = absent.Conflict
	}
	return result
}

func (v *sideValue) add(field lens.Field, value evidence.Value) {
	v.conflict = v.conflict || value.Conflict
	if !value.Known() {
		return
	}
	all := value.Several
	if len(all) == 0 {
		all = []any{value.Value}
	}
	for _, one := range all {
		known := slices.ContainsFunc(v.values, func(other any) bool { return field.Agree(other, one) != lens.Unequal })
		if known {
			continue
		}
		v.conflict = v.conflict || len(v.values) > 0 && !field.Varies
		v.values = append(v.values, one)
	}
}

// readField holds a field of the two sides against each other.
func readField(field lens.Field, sides [2][]launch) (Field, [2]sideValue) {
	values := [2]sideValue{sideField(field, sides[0]), sideField(field, sides[1])}
	return Field{Key: field.Key, Label: field.Label, State: fieldState(field, values[0], values[1]), Baseline: values[0].shown, Candidate: values[1].shown}, values
}

func fieldState(field lens.Field, b, c sideValue) State {
	switch {
	case !b.told() || !c.told():
		return Unknown
	case b.inapplicable && c.inapplicable:
		return Same
	case b.inapplicable != c.inapplicable:
		return Different
	case b.implied != c.implied:
		return Unknown
	case b.implied:
		if b.shown.Raw == c.shown.Raw {
			return Same
		}
		return Unknown
	}
	return agreementOf(field, b.values, c.values)
}

// agreementOf compares every value of one side with every value of the other.
func agreementOf(field lens.Field, baseline, candidate []any) State {
	equal, unequal := 0, 0
	for _, b := range baseline {
		for _, c := range candidate {
			switch field.Agree(b, c) {
			case lens.Equal:
				equal++
			case lens.Unequal:
				unequal++
			}
		}
	}
	switch pairs := len(baseline) * len(candidate); {
	case equal == pairs, field.Varies && equal >= max(len(baseline), len(candidate)):
		return Same
	case unequal == pairs:
		return Different
	}
	return Unknown
}

// weakest is the weakest source among fields of a state.
func weakest(fields []Field, of func(Field) bool) string {
	order := []evidence.Source{evidence.Observed, evidence.Derived, evidence.Declared, evidence.FromSetup, evidence.ByWorkload, evidence.DefaultTool}
	worst := -1
	for _, f := range fields {
		if !of(f) {
			continue
		}
		for _, v := range []FieldValue{f.Baseline, f.Candidate} {
			if v.Raw == nil && v.Absent != absent.NotApplicable {
				continue
			}
			worst = max(worst, slices.Index(order, cmp.Or(v.Source, evidence.Derived)))
		}
	}
	if worst < 0 {
		return ""
	}
	return string(order[worst])
}

// sourcesOf names the sources of a side's values, each once.
func sourcesOf(fields []Field, candidate bool) string {
	var names []string
	for _, f := range fields {
		v := f.Baseline
		if candidate {
			v = f.Candidate
		}
		if v.Raw == nil && v.Absent != absent.NotApplicable {
			continue
		}
		name := string(v.Source)
		if v.Source == evidence.FromSetup || v.Source == evidence.ByWorkload {
			name = cmp.Or(v.From, name)
		}
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}
