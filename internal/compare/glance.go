package compare

import (
	"strings"

	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
)

// Glance says in one line what is the same and what differs between two runs,
// before anyone declares a change.
func Glance(a, b evidence.RunEvidence) string {
	in := Input{Baseline: Side{Runs: []evidence.RunEvidence{a}}, Candidate: Side{Runs: []evidence.RunEvidence{b}}}
	if err := checkSides(in); err != nil {
		return "a run has no capture: nothing to compare"
	}
	lenses := [2][]lens.ID{lensesOf(in.Baseline, ""), lensesOf(in.Candidate, "")}
	format := chooseFormat(in.Baseline, in.Candidate)
	switch {
	case len(lenses[0]) != 1 || len(lenses[1]) != 1 || lenses[0][0] != lenses[1][0]:
		return "another lens (" + joined(lenses[0]) + ", " + joined(lenses[1]) + "): can't be compared"
	case format == "":
		return "no capture format in common: can't be compared"
	}
	if _, same := sharedBytes(in.Baseline, in.Candidate); same {
		return "the same bytes: nothing to compare"
	}
	definition, known := lens.Find(lenses[0][0])
	if !known {
		return "an unknown lens: can't be compared"
	}
	c := &comparison{in: in, definition: definition, format: format, result: &Result{}}
	strata, _ := strataOf(in, format, definition)
	var merged []reading
	for _, s := range strata {
		work, err := readSignatures(s.sides)
		if err != nil {
			return "a work signature can't be read"
		}
		paired := pairsOf(s, definition)
		t := &table{lens: c.definition, format: format, sides: s.sides, pairs: paired.pairs, left: paired.notCompared, work: work}
		merged = merge(merged, t.readRows(), s.cell)
	}
	return glanceWords(merged)
}

// glanceWords groups the rows that weigh by their state.
func glanceWords(readings []reading) string {
	var same, gates, contexts, open []string
	for _, r := range readings {
		if r.row.Outcomes != nil && len(r.outcomes) == 0 {
			continue
		}
		weighs := r.row.Class == lens.Gate || r.row.Class == lens.Must && r.row.Key == "measured_on"
		switch {
		case weighs && r.state == Same && r.row.Key != "measured_on":
			same = append(same, glanceLabel(r))
		case weighs && r.state == Different:
			gates = append(gates, r.row.Label)
		case weighs && r.state == Unknown:
			open = append(open, r.row.Label)
		case r.row.Class == lens.Context && r.state == Different:
			contexts = append(contexts, r.row.Label)
		}
	}
	var parts []string
	if len(same) > 0 {
		parts = append(parts, "same "+list(same))
	}
	differ := append(gates, contexts...)
	if len(differ) == 1 {
		parts = append(parts, differ[0]+" differs")
	} else if len(differ) > 1 {
		parts = append(parts, list(differ)+" differ")
	}
	if len(open) > 0 {
		parts = append(parts, list(open)+" not known")
	}
	text := strings.Join(parts, ", ")
	switch {
	case len(gates) == 1 && len(differ) == 1:
		text += ": refused unless it is the change you are testing"
	case len(gates) > 0:
		text += ": refused unless these are the change you are testing"
	case len(differ) == 1:
		text += ": looks like the change you are testing"
	case len(differ) == 0 && len(open) == 0:
		text += ": repeats of each other"
	}
	return text
}

// glanceLabel says "work" where the work itself was seen to be equal.
func glanceLabel(r reading) string {
	if strings.HasPrefix(r.reason, "equal work") && r.row.Key != "effective_batch" {
		return "work"
	}
	return r.row.Label
}
