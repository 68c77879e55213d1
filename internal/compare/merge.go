package compare

import (
	"kernelwake/internal/evidence"
)

func metricName(p pair) string { return evidence.MetricID(p.outcome.Name, p.phase, "") }

// severity orders states: one cell that differs decides the row of a sweep.
var severity = map[State]int{Same: 0, Unknown: 1, Different: 2}

// merge puts the tables of a sweep's cells together: of each row the worst
// reading stands, with its cell named, and the outcomes it is about add up.
func merge(rows, more []reading, cell string) []reading {
	if rows == nil {
		for i := range more {
			more[i] = more[i].inCell(cell)
		}
		return more
	}
	for i := range rows {
		next := more[i].inCell(cell)
		outcomes := append(rows[i].outcomes, next.outcomes...)
		blocked := append(rows[i].blocked, next.blocked...)
		open := append(rows[i].open, next.open...)
		if severity[next.state] > severity[rows[i].state] {
			rows[i] = next
		} else if rows[i].state == Same && rows[i].row.Key == "request_mix" {
			rows[i].baseline += " · " + next.baseline
			rows[i].candidate += " · " + next.candidate
		}
		rows[i].outcomes, rows[i].blocked, rows[i].open = outcomes, blocked, open
	}
	return rows
}

func (r reading) inCell(cell string) reading {
	if cell != "" && r.state != Same && r.reason != "" {
		r.reason += " (at " + cell + ")"
	}
	return r
}
