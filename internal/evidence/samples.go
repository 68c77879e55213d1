package evidence

import (
	"math"
	"slices"
	"sort"

	"kernelwake/internal/stats"
)

// Good returns the outcome's samples that count, ordered by request or step
// start: finite values of requests that succeeded. Where several ranks are in
// one capture, a step is as long as its slowest rank takes.
func (o Outcome) Good() []float64 {
	values := o.Data.Floats("v")
	status, hasStatus := o.Data.Column("status")
	at := o.Data.Floats("at")
	clean := !hasStatus
	for i := 0; clean && i < len(values); i++ {
		clean = !math.IsNaN(values[i])
	}
	inOrder := len(at) != len(values) || slices.IsSorted(at)
	if clean && inOrder && !o.severalRanks() {
		return values
	}
	rows := make([]int, 0, len(values))
	for i, v := range values {
		if !math.IsNaN(v) && (!hasStatus || goodStatus(status.Text(i))) {
			rows = append(rows, i)
		}
	}
	if !inOrder {
		sort.SliceStable(rows, func(a, b int) bool { return at[rows[a]] < at[rows[b]] })
	}
	if o.severalRanks() {
		return o.slowestRank(rows)
	}
	good := make([]float64, len(rows))
	for i, row := range rows {
		good[i] = values[row]
	}
	return good
}

// goodStatus tells success; a row without a status counts.
func goodStatus(status string) bool { return status == "" || status == "ok" }

// severalRanks reports whether the samples can be put together by step from
// more than one rank.
func (o Outcome) severalRanks() bool {
	ranks, hasRanks := o.Data.Column("rank")
	_, hasSteps := o.Data.Column("step")
	if !hasRanks || !hasSteps {
		return false
	}
	for i := 1; i < ranks.Len(); i++ {
		if ranks.number(i) != ranks.number(0) {
			return true
		}
	}
	return false
}

// slowestRank is one value a step, in order of the steps.
func (o Outcome) slowestRank(rows []int) []float64 {
	values := o.Data.Floats("v")
	steps, _ := o.Data.Column("step")
	slowest := map[float64]float64{}
	var order []float64
	for _, row := range rows {
		step := steps.number(row)
		if value, ok := slowest[step]; !ok {
			order = append(order, step)
			slowest[step] = values[row]
		} else {
			slowest[step] = max(value, values[row])
		}
	}
	slices.Sort(order)
	good := make([]float64, len(order))
	for i, step := range order {
		good[i] = slowest[step]
	}
	return good
}

// number returns the value at row i as a number, whatever its column's type.
func (c Column) number(i int) float64 {
	switch {
	case c.Floats != nil:
		return c.Floats[i]
	case c.Ints != nil && c.Ints[i] != MissingInt:
		return float64(c.Ints[i])
	case c.Codes != nil:
		return float64(c.Codes[i])
	}
	return math.NaN()
}

// Waits returns the spells of an outcome: how long each was followed, whether
// it had ended, and how old it was when the window began.
func (o Outcome) Waits() []stats.Spell {
	start, end := o.Data.Floats("start"), o.Data.Floats("end")
	censored, hasCensored := o.Data.Column("censored")
	var spells []stats.Spell
	for i := range min(len(start), len(end)) {
		duration := end[i] - start[i]
		if math.IsNaN(duration) || duration < 0 {
			continue
		}
		spell := stats.Spell{Duration: duration, Entry: max(0, -start[i])}
		spell.Censored = hasCensored && censored.number(i) != 0
		spells = append(spells, spell)
	}
	return spells
}
