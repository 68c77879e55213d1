package compare

import (
	"fmt"
	"slices"

	"kernelwake/internal/evidence"
	"kernelwake/internal/fault"
	"kernelwake/internal/lens"
	"kernelwake/internal/stats"
)

// Method names the rules by which results are made; it changes with them.
const Method = "comparability/1"

// Compare holds the baseline against the candidate. The error is about the
// question itself (an unknown row, an empty side); what the evidence doesn't
// allow is a refusal inside the result.
func Compare(in Input) (*Result, error) {
	if err := checkSides(in); err != nil {
		return nil, err
	}
	r := &Result{
		Refusals: []Refusal{}, Caps: []Cap{}, Dimensions: []Row{}, Outcomes: []Outcome{}, NotCompared: []NotCompared{}, Findings: []Note{},
		Declaration: in.Declaration, Method: Method, StatsVersion: stats.Version, Synthetic: anySynthetic(in),
	}
	var err error
	if r.InputsSHA256, err = inputsDigest(in); err != nil {
		return nil, err
	}
	lenses := [2][]lens.ID{lensesOf(in.Baseline, in.Declaration.Lens), lensesOf(in.Candidate, in.Declaration.Lens)}
	format := chooseFormat(in.Baseline, in.Candidate)
	if refuseMix(r, in, lenses, format) {
		return r.finished(), nil
	}
	definition, _ := lens.Find(lenses[0][0])
	if err := checkDeclaration(in.Declaration, definition, format); err != nil {
		return nil, err
	}
	r.Lens, r.Format = definition.ID, format
	r.Baseline, r.Candidate = summaryOf(in.Baseline, format), summaryOf(in.Candidate, format)
	if name, same := sharedBytes(in.Baseline, in.Candidate); same {
		r.Refusals = append(r.Refusals, sameBytes(name))
	}
	c := &comparison{in: in, definition: definition, format: format, result: r}
	if err := c.run(); err != nil {
		return nil, err
	}
	return r.finished(), nil
}

// refuseMix ends the check where the sides have no lens or format in common:
// nothing else can be asked of them then.
func refuseMix(r *Result, in Input, lenses [2][]lens.ID, format string) bool {
	mixed := len(lenses[0]) != 1 || len(lenses[1]) != 1 || lenses[0][0] != lenses[1][0]
	chosen := in.Declaration.Lens
	mixed = mixed || chosen != "" && lenses[0][0] != chosen
	definition, known := lens.Find(lenses[0][0])
	if mixed {
		r.Refusals = append(r.Refusals, lensMismatch(lenses[0], lenses[1], chosen))
	}
	if format == "" {
		r.Refusals = append(r.Refusals, formatMixed(formatsOf(in.Baseline), formatsOf(in.Candidate)))
	}
	if len(r.Refusals) == 0 && known {
		return false
	}
	r.Lens = lenses[0][0]
	r.Baseline, r.Candidate = summaryOf(in.Baseline, ""), summaryOf(in.Candidate, "")
	var readings []reading
	for _, row := range definition.Rows {
		switch row.Key {
		case "lens":
			one := fixedReading(row, joined(lenses[0]), joined(lenses[1]))
			one.row = row
			readings = append(readings, one)
		case "capture_format":
			one := reading{row: row, state: Same, basis: string(evidence.Observed), baseline: format, candidate: format}
			if format == "" {
				one.state, one.baseline, one.candidate = Different, list(formatsOf(in.Baseline)), list(formatsOf(in.Candidate))
			}
			readings = append(readings, one)
		}
	}
	r.Dimensions = settle(readings, Declaration{}).rows
	return true
}

// comparison is one run through the rules.
type comparison struct {
	in         Input
	definition lens.Lens
	format     string
	result     *Result
}

// cell is a stratum with its pairs and table.
type cell struct {
	stratum
	pairs  []pair
	table  *table
	target lens.Direction
}

func (c *comparison) run() error {
	strata, left := strataOf(c.in, c.format, c.definition)
	cells := make([]cell, len(strata))
	var merged []reading
	for i, s := range strata {
		paired := pairsOf(s, c.definition)
		c.result.NotCompared = append(c.result.NotCompared, paired.notCompared...)
		work, err := readSignatures(s.sides)
		if err != nil {
			return err
		}
		t := &table{lens: c.definition, format: c.format, sides: s.sides, pairs: paired.pairs, left: paired.notCompared, declared: c.in.Declaration.Changes, work: work}
		cells[i] = cell{stratum: s, pairs: paired.pairs, table: t, target: targetDirection(append(slices.Clone(s.sides[0]), s.sides[1]...))}
		merged = merge(merged, t.readRows(), s.cell)
		c.note(notesOf(t))
	}
	for _, name := range left {
		c.note([]Note{{Code: "cell_unmatched", Message: "Only one side has the load " + name + ": it is not compared.", Remedy: "Sweep both sides over the same loads."}})
	}
	c.result.Baseline.Launches, c.result.Candidate.Launches = launchCount(strata, 0), launchCount(strata, 1)
	table := settle(merged, c.in.Declaration)
	c.take(table)
	c.leaveOut(cells, table)
	if len(c.result.Refusals) > 0 {
		c.result.Caps = []Cap{}
		return nil
	}
	c.judge(cells, table)
	return nil
}

// take puts the settled table into the result.
func (c *comparison) take(s settled) {
	r := c.result
	r.Dimensions = s.rows
	r.Refusals = append(r.Refusals, s.refusals...)
	r.Caps = append(r.Caps, s.caps...)
	c.note(s.notes)
	r.Confounded = len(c.in.Declaration.Changes) > 1
	r.Attested = len(s.attested) > 0
}

// note adds findings, each once.
func (c *comparison) note(notes []Note) {
	for _, n := range notes {
		same := func(other Note) bool {
			return other.Code == n.Code && other.Dimension == n.Dimension && other.Message == n.Message
		}
		if !slices.ContainsFunc(c.result.Findings, same) {
			c.result.Findings = append(c.result.Findings, n)
		}
	}
}

// leaveOut takes out the pairs that a row blocks, and refuses where no pair is
// left.
func (c *comparison) leaveOut(cells []cell, s settled) {
	total := 0
	var blocked []string
	for i := range cells {
		kept := cells[i].pairs[:0]
		for _, p := range cells[i].pairs {
			row, isBlocked := s.blocked[p.id()]
			if !isBlocked {
				kept = append(kept, p)
				continue
			}
			blocked = append(blocked, row)
			c.result.NotCompared = append(c.result.NotCompared, NotCompared{Metric: p.id(), Reason: RowDiffers, Message: row + " is known to differ, which this outcome needs"})
		}
		cells[i].pairs = kept
		total += len(kept)
	}
	switch {
	case total > 0:
	case len(blocked) > 0:
		for _, row := range s.rows {
			if row.Key == blocked[0] {
				rule, _ := c.definition.Row(row.Key)
				c.result.Refusals = append(c.result.Refusals, gateDiffers(row, reading{row: rule}))
			}
		}
	default:
		c.result.Refusals = append(c.result.Refusals, nothingLeft(c.result.NotCompared))
	}
}

func launchCount(strata []stratum, side int) int {
	most := 0
	for _, s := range strata {
		most = max(most, len(s.sides[side]))
	}
	return most
}

func anySynthetic(in Input) bool {
	for _, side := range []Side{in.Baseline, in.Candidate} {
		for _, run := range side.Runs {
			for _, c := range run.Captures {
				if c.Origin == evidence.Synthetic {
					return true
				}
			}
		}
	}
	return false
}

func checkSides(in Input) error {
	for i, side := range []Side{in.Baseline, in.Candidate} {
		name := sideName(i == 1)
		if len(side.Runs) == 0 {
			return fault.New(fault.Invalid, "side_empty", "the %s names no run", name).WithHint("choose at least one run for each side")
		}
		for _, run := range side.Runs {
			if len(run.Captures) == 0 {
				return fault.New(fault.Invalid, "run_without_captures", "run %s of the %s has no capture", nameOf(run), name).WithHint("import a capture into it, or take it out of the side")
			}
			for _, c := range run.Captures {
				if c.Parsed == nil {
					return fmt.Errorf("comparing run %s: capture %s has no parsed form", nameOf(run), c.ID)
				}
			}
		}
	}
	return nil
}
