package kwcap

import (
	"math"

	"kernelwake/internal/absent"
	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
	"kernelwake/internal/stats"
	"kernelwake/internal/unit"
)

// gpuHours is the unit that a pool's accounts are kept in.
const gpuHours = "{GPU}.h"

// capacity is the chain of a pool's GPU-hours over the window: inventory ≥
// eligible ≥ allocated ≥ productive (docs/guide/lenses.md).
type capacity struct {
	Inventory  absent.Value[float64] `json:"inventory_gpu_hours"`
	Eligible   absent.Value[float64] `json:"eligible_gpu_hours"`
	Allocated  absent.Value[float64] `json:"allocated_gpu_hours"`
	Productive absent.Value[float64] `json:"productive_gpu_hours"`
	HeldIdle   absent.Value[float64] `json:"held_idle_gpu_hours"`
	// IdleWithDemand is capacity that stood idle while somebody waited.
	IdleWithDemand absent.Value[float64] `json:"idle_with_demand_gpu_hours"`
	// Pending is what was asked for and not given yet.
	Pending absent.Value[float64] `json:"pending_gpu_hours"`
	// Coverage is the share of the window that eligibility intervals cover.
	Coverage absent.Value[float64] `json:"coverage"`
}

// waits sum up the queue: Kaplan–Meier quantiles, each job counted once and
// each GPU that a job asked for counted once.
type waits struct {
	Spells      int                   `json:"spells"`
	Ended       int                   `json:"ended"`
	Censored    int                   `json:"censored"`
	P50         absent.Value[float64] `json:"p50_s"`
	P95         absent.Value[float64] `json:"p95_s"`
	P50OfGPUs   absent.Value[float64] `json:"p50_s_by_gpus"`
	P95OfGPUs   absent.Value[float64] `json:"p95_s_by_gpus"`
	Target      absent.Value[float64] `json:"target_s"`
	Undecided   int                   `json:"undecided"`
	WithinLeast absent.Value[float64] `json:"attainment_at_least"`
	WithinMost  absent.Value[float64] `json:"attainment_at_most"`
}

// readFleet adds up the pool and its queue, derives what they tell, and
// withholds what they can't.
func (r *reading) readFleet() {
	queue, eligibility := r.withData("queue_wait"), r.withData("eligibility")
	p := poolOf(r.Window.seconds(), eligibility, queue)
	r.readWaits(queue)
	r.readCapacity(p, queue)
	r.deriveRatios(p)
	r.holdSources(p)
	r.withholdRatios(p)
	if queue != nil || eligibility != nil {
		r.out.Tables = append(r.out.Tables, p.table())
	}
}

func (r *reading) withData(name string) *evidence.Outcome {
	if o := r.outcome(name); o != nil && o.Absent == "" {
		return o
	}
	return nil
}

func (r *reading) readWaits(queue *evidence.Outcome) {
	if queue == nil {
		return
	}
	spells := queue.Waits()
	byJob := stats.KaplanMeier(spells)
	w := &waits{Spells: byJob.Spells, Ended: byJob.Events, Censored: byJob.Spells - byJob.Events, P50: quantile(byJob, 0.5), P95: quantile(byJob, 0.95)}
	gpus := queue.Data.Floats("gpus")
	if len(gpus) == len(spells) {
		weighted := make([]stats.Spell, 0, len(spells))
		for i, spell := range spells {
			if spell.Weight = gpus[i]; spell.Weight > 0 {
				weighted = append(weighted, spell)
			}
		}
		byGPU := stats.KaplanMeier(weighted)
		w.P50OfGPUs, w.P95OfGPUs = quantile(byGPU, 0.5), quantile(byGPU, 0.95)
	}
	r.waits = w
	if w.Censored > 0 {
		r.find("censored_spells", int64(w.Censored), r.place("queue_wait"), "", "%d of %d waits had not ended: they count as at least so long (Kaplan–Meier)", w.Censored, w.Spells)
	}
	r.attainment(w, spells)
}

func quantile(s stats.Survival, q float64) absent.Value[float64] {
	if value, ok := s.Quantile(q); ok {
		return absent.Of(value)
	}
	return absent.Because[float64](absent.NotReached, "too many waits had not ended")
}

// attainment counts the waits within the target. One that was censored before
// it is undecided, so that the share lies between two bounds.
func (r *reading) attainment(w *waits, spells []stats.Spell) {
	goal, _ := r.out.Dimensions["attainment_target"].Value.(map[string]any)
	target, ok := goal["wait_s"].(float64)
	if !ok || len(spells) == 0 {
		none := absent.Because[float64](absent.NotApplicable, "no target is given")
		w.Target, w.WithinLeast, w.WithinMost = none, none, none
		return
	}
	var within int
	for _, spell := range spells {
		switch {
		case spell.Duration > target:
		case spell.Censored:
			w.Undecided++
		default:
			within++
		}
	}
	total := float64(len(spells))
	w.Target = absent.Of(target)
	w.WithinLeast, w.WithinMost = absent.Of(float64(within)/total), absent.Of(float64(within+w.Undecided)/total)
	if r.outcome("wait_attainment") == nil && w.Undecided == 0 {
		r.addRatio("wait_attainment", float64(within), total, "1")
	}
	if w.Undecided > 0 {
		r.find("attainment_undecided", int64(w.Undecided), r.place("queue_wait"), "follow the queue until they have started", "%d waits were last seen before the target: attainment lies between %.2f %% and %.2f %%", w.Undecided, 100*float64(within)/total, 100*float64(within+w.Undecided)/total)
	}
}

func (r *reading) addRatio(name string, num, den float64, basis string) {
	def, _ := r.lens.Outcome(name)
	out := evidence.Outcome{
		Name: name, Unit: def.Unit, Kind: lens.RatioKind, Definition: evidence.Definition{Metric: name + "/1"},
		Numerator: &num, Denominator: &den, Basis: basis, N: absent.Because[int64](absent.NotApplicable, ""), Note: "derived from the intervals and spells of the capture",
	}
	out.Statistics = share(num, den)
	r.out.Outcomes = append(r.out.Outcomes, out)
}

// readCapacity fills the chain: from the intervals where they tell, else from
// the ratios' parts.
func (r *reading) readCapacity(p *pool, queue *evidence.Outcome) {
	c := &capacity{
		Inventory: r.part("availability", false), Eligible: r.part("allocation", false), Allocated: r.part("allocation", true),
		Productive: r.part("productive", true), HeldIdle: r.totalHours("held_idle"), IdleWithDemand: r.totalHours("idle_with_demand"),
		Pending: absent.Because[float64](absent.NotRecorded, "no queue"), Coverage: absent.Because[float64](absent.NotRecorded, "no eligibility intervals"),
	}
	for _, other := range []struct {
		value  *absent.Value[float64]
		second absent.Value[float64]
	}{{&c.Eligible, r.part("availability", true)}, {&c.Eligible, r.part("delivered", false)}, {&c.Allocated, r.part("productive", false)}, {&c.Productive, r.part("delivered", true)}, {&c.Productive, r.totalHours("delivered_gpu_hours")}} {
		if !other.value.Known() && other.second.Known() {
			*other.value = other.second
		}
	}
	if p.capacity {
		c.Inventory, c.Eligible = absent.Of(p.hours(func(l level) float64 { return l.inventory })), absent.Of(p.hours(func(l level) float64 { return l.eligible }))
	}
	if p.use {
		c.Allocated, c.HeldIdle = absent.Of(p.hours(func(l level) float64 { return l.allocated })), absent.Of(p.hours(func(l level) float64 { return l.heldIdle }))
	}
	if queue != nil && queue.Data.Floats("gpus") != nil {
		c.Pending = absent.Of(p.hours(func(l level) float64 { return l.pending }))
	}
	if p.capacity && p.use && queue != nil {
		c.IdleWithDemand = absent.Of(p.hours(func(l level) float64 { return math.Max(0, math.Min(l.eligible-l.allocated, l.pending)) }))
	}
	if coverage, known := evidence.EligibilityCoverage(r.out); known {
		c.Coverage = absent.Of(coverage)
	}
	r.capacity = c
}

// part is the numerator or denominator of a ratio in GPU-hours.
func (r *reading) part(name string, numerator bool) absent.Value[float64] {
	o := r.outcome(name)
	if o == nil || o.Absent != "" || o.Numerator == nil || !unit.Compatible(o.Basis, gpuHours) {
		return absent.Because[float64](absent.NotRecorded, "")
	}
	value := *o.Denominator
	if numerator {
		value = *o.Numerator
	}
	hours, err := unit.Convert(value, o.Basis, gpuHours)
	if err != nil {
		return absent.Because[float64](absent.Unknown, err.Error())
	}
	return absent.Of(hours)
}

func (r *reading) totalHours(name string) absent.Value[float64] {
	o := r.outcome(name)
	if o == nil || o.Absent != "" {
		return absent.Because[float64](absent.NotRecorded, "")
	}
	return absent.Of(o.Statistics["value"])
}
