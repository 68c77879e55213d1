package kwcap

import (
	"cmp"
	"slices"

	"kernelwake/internal/evidence"
)

// pool is what is known of a pool's GPUs over the window, as steps: each level
// holds from its time to the next one's. GPU counts may be fractions, as
// shares of a device are.
type pool struct {
	window float64 // seconds
	// times begin at 0; levels[i] holds in [times[i], times[i+1]).
	times  []float64
	levels []level
	// capacity says that intervals tell who was eligible; use that they tell
	// who held the GPUs.
	capacity, use bool
}

// level is the pool at one time, in GPUs.
type level struct {
	inventory, eligible, allocated, heldIdle, pending float64
}

// change adds to the levels from a time on.
type change struct {
	at    float64
	apply func(*level)
}

// poolOf reads the pool from its eligibility intervals and its queue.
//
// The states "eligible", "ineligible" and "not_in_pool" tell capacity;
// "allocated", "held_idle" and "active" tell use. A subject "pool" is the whole
// pool, and the ineligible intervals of other subjects are parts taken from
// it; without it the subjects stand beside each other. Where every device has
// one state at a time ("eligible_idle", "held_idle", "active") and none is
// called "eligible", capacity is the sum of them.
func poolOf(window float64, eligibility, queue *evidence.Outcome) *pool {
	p := &pool{window: window}
	var changes []change
	if eligibility != nil {
		changes = p.intervals(eligibility.Data)
	}
	if queue != nil {
		changes = append(changes, p.waiting(queue.Data)...)
	}
	p.build(changes)
	return p
}

func (p *pool) intervals(data evidence.Table) (changes []change) {
	state, _ := data.Column("state")
	subject, _ := data.Column("subject")
	from, to, gpus := data.Floats("from"), data.Floats("to"), data.Floats("gpus")
	wholePool, stated := false, false
	for i := range from {
		wholePool = wholePool || subject.Text(i) == "pool"
		stated = stated || state.Text(i) == "eligible"
	}
	for i := range from {
		part := wholePool && subject.Text(i) != "pool"
		apply := p.effect(state.Text(i), part, stated)
		if apply == nil {
			continue
		}
		n := gpus[i]
		changes = append(changes,
			change{max(from[i], 0), func(l *level) { apply(l, n) }},
			change{min(to[i], p.window), func(l *level) { apply(l, -n) }})
	}
	return changes
}

// effect is what n GPUs in a state add to the levels, nil for nothing.
func (p *pool) effect(state string, part, stated bool) func(l *level, n float64) {
	switch state {
	case "eligible":
		p.capacity = true
		if part {
			return nil // the whole pool has it already
		}
		return func(l *level, n float64) { l.inventory += n; l.eligible += n }
	case "ineligible":
		p.capacity = true
		if part {
			return func(l *level, n float64) { l.eligible -= n }
		}
		return func(l *level, n float64) { l.inventory += n }
	case "not_in_pool":
		p.capacity = true
		if part {
			return func(l *level, n float64) { l.inventory -= n; l.eligible -= n }
		}
		return nil
	}
	p.use = true
	p.capacity = p.capacity || !stated
	return func(l *level, n float64) {
		if !stated {
			l.inventory += n
			l.eligible += n
		}
		if state != "eligible_idle" {
			l.allocated += n
		}
		if state == "held_idle" {
			l.heldIdle += n
		}
	}
}

// waiting adds the GPUs asked for by jobs in the queue.
func (p *pool) waiting(data evidence.Table) (changes []change) {
	start, end, gpus := data.Floats("start"), data.Floats("end"), data.Floats("gpus")
	for i := range start {
		from, to := max(start[i], 0), min(end[i], p.window)
		if to <= from || i >= len(gpus) {
			continue
		}
		n := gpus[i]
		changes = append(changes, change{from, func(l *level) { l.pending += n }}, change{to, func(l *level) { l.pending -= n }})
	}
	return changes
}

// build sums the changes up in order of time.
func (p *pool) build(changes []change) {
	slices.SortStableFunc(changes, func(a, b change) int { return cmp.Compare(a.at, b.at) })
	var now level
	p.times, p.levels = []float64{0}, []level{{}}
	for _, c := range changes {
		if c.at >= p.window {
			break
		}
		c.apply(&now)
		if last := len(p.times) - 1; p.times[last] == c.at {
			p.levels[last] = now
			continue
		}
		p.times, p.levels = append(p.times, c.at), append(p.levels, now)
	}
}

// hours integrates a reading of the levels over the window, in GPU-hours.
func (p *pool) hours(of func(level) float64) float64 {
	var total float64
	for i, from := range p.times {
		to := p.window
		if i+1 < len(p.times) {
			to = p.times[i+1]
		}
		if to > from {
			total += of(p.levels[i]) * (to - from)
		}
	}
	return total / 3600
}

// table is the pool over time, for a plot.
func (p *pool) table() evidence.Table {
	columns := []evidence.Column{{Name: "at_s", Floats: p.times}}
	add := func(name string, of func(level) float64) {
		values := make([]float64, len(p.levels))
		for i, l := range p.levels {
			values[i] = of(l)
		}
		columns = append(columns, evidence.Column{Name: name, Floats: values})
	}
	if p.capacity {
		add("inventory", func(l level) float64 { return l.inventory })
		add("eligible", func(l level) float64 { return l.eligible })
	}
	if p.use {
		add("allocated", func(l level) float64 { return l.allocated })
	}
	add("pending", func(l level) float64 { return l.pending })
	return evidence.Table{Name: "capacity", Columns: columns}
}
