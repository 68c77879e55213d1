package compare

import (
	"fmt"
	"slices"

	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
)

// stratum is a pair of sides under one load: a cell of a sweep, or all.
type stratum struct {
	cell  string
	sides [2][]launch
}

// strataOf matches the cells of both sides and groups each side's captures
// into launches. Without sweeps there is one stratum. left names the cells
// that only one side has.
func strataOf(in Input, format string, l lens.Lens) (strata []stratum, left []string) {
	sides := [2][]evidence.RunEvidence{inOrder(in.Baseline.Runs), inOrder(in.Candidate.Runs)}
	cells := [2][]string{cellsOf(sides[0], format), cellsOf(sides[1], format)}
	build := func(name string, wanted [2]string, filter bool) stratum {
		s := stratum{cell: name}
		for i, runs := range sides {
			s.sides[i] = launchesOf(selected(runs, format, wanted[i], filter, l), l)
		}
		return s
	}
	if len(cells[0]) <= 1 && len(cells[1]) <= 1 {
		return []stratum{build("", [2]string{}, false)}, nil
	}
	for _, cell := range cells[0] {
		if slices.Contains(cells[1], cell) {
			strata = append(strata, build(cell, [2]string{cell, cell}, true))
			continue
		}
		left = append(left, fmt.Sprintf("%s (baseline)", cell))
	}
	for _, cell := range cells[1] {
		if !slices.Contains(cells[0], cell) {
			left = append(left, fmt.Sprintf("%s (candidate)", cell))
		}
	}
	if len(strata) == 0 {
		// No load in common: the first cells stand for the table, which refuses.
		return []stratum{build("", [2]string{cells[0][0], cells[1][0]}, true)}, nil
	}
	return strata, left
}

// cellsOf lists the cells of a side's captures in order of first use.
func cellsOf(runs []evidence.RunEvidence, format string) []string {
	var cells []string
	for _, run := range runs {
		for _, c := range run.Captures {
			if c.Format == format && !slices.Contains(cells, c.Cell) {
				cells = append(cells, c.Cell)
			}
		}
	}
	return cells
}

// selected takes the runs' captures of a format and, in a sweep, of a cell.
// Bytes that a side holds twice are taken once: they are one measurement.
func selected(runs []evidence.RunEvidence, format, cell string, filter bool, l lens.Lens) []runCaptures {
	var parts []runCaptures
	seen := map[string]bool{}
	for _, run := range runs {
		part := runCaptures{run: run}
		for _, c := range run.Captures {
			if c.Format != format || filter && c.Cell != cell || c.ParsedSHA256 != "" && seen[c.ParsedSHA256] {
				continue
			}
			seen[c.ParsedSHA256] = true
			part.captures = append(part.captures, measure(c, l))
		}
		if len(part.captures) > 0 {
			parts = append(parts, part)
		}
	}
	return parts
}
