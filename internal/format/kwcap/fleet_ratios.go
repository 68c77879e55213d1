package kwcap

import (
	"math"

	"kernelwake/internal/absent"
	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
)

// deriveRatios adds the ratios and totals that the pool tells and the file
// leaves out.
func (r *reading) deriveRatios(p *pool) {
	c := r.capacity
	for _, ratio := range []struct {
		name     string
		num, den absent.Value[float64]
	}{{"availability", c.Eligible, c.Inventory}, {"allocation", c.Allocated, c.Eligible}, {"productive", c.Productive, c.Allocated}, {"delivered", c.Productive, c.Eligible}} {
		num, known := ratio.num.Get()
		den, both := ratio.den.Get()
		if known && both && r.outcome(ratio.name) == nil {
			r.addRatio(ratio.name, num, den, gpuHours)
		}
	}
	for _, total := range []struct {
		name  string
		value absent.Value[float64]
		told  bool
	}{{"held_idle", c.HeldIdle, p.use}, {"idle_with_demand", c.IdleWithDemand, p.use && p.capacity}} {
		if value, known := total.value.Get(); known && total.told && r.outcome(total.name) == nil {
			r.out.Outcomes = append(r.out.Outcomes, evidence.Outcome{
				Name: total.name, Unit: gpuHours, Kind: lens.Total, Definition: evidence.Definition{Metric: total.name + "/1"},
				Statistics: map[string]float64{"value": value}, N: absent.Of[int64](1), Note: "derived from the intervals and spells of the capture",
			})
		}
	}
}

// sourcesApart is the relative difference at which two accounts of one
// quantity contradict each other.
const sourcesApart = 0.01

// holdSources holds the accounts of one quantity against each other: intervals,
// the parts of ratios, and the devices named.
func (r *reading) holdSources(p *pool) {
	c := r.capacity
	for _, account := range []struct {
		name     string
		value    absent.Value[float64]
		other    absent.Value[float64]
		ofRatio  string
		fromPool bool
	}{
		{"eligible GPU-hours", c.Eligible, r.part("allocation", false), "allocation", p.capacity},
		{"eligible GPU-hours", c.Eligible, r.part("delivered", false), "delivered", p.capacity},
		{"inventory GPU-hours", c.Inventory, r.part("availability", false), "availability", p.capacity},
		{"allocated GPU-hours", c.Allocated, r.part("allocation", true), "allocation", p.use},
		{"productive GPU-hours", c.Productive, r.part("delivered", true), "delivered", true},
	} {
		value, known := account.value.Get()
		other, both := account.other.Get()
		if known && both && account.fromPool && math.Abs(value-other) > sourcesApart*math.Max(value, other) {
			r.find("capacity_sources_disagree", 1, r.place(account.ofRatio), "find which of the two is right, and record again", "%s are %.1f by one account and %.1f by %s: it is not shown", account.name, value, other, account.ofRatio)
			r.withhold(account.ofRatio, "the sources of "+account.name+" contradict each other")
		}
	}
	devices, _ := r.out.Dimensions["device_types"].Value.([]any)
	var named float64
	for _, one := range devices {
		device, _ := one.(map[string]any)
		gpus, _ := device["gpus"].(float64)
		named += gpus * r.Window.seconds() / 3600
	}
	if inventory, known := c.Inventory.Get(); known && p.capacity && named > 0 && math.Abs(named-inventory) > 0.02*named {
		r.find("device_types_disagree", 1, "/dimensions/device_types", "name the devices of the pool over the whole window", "device_types come to %.1f GPU-hours, the intervals to %.1f", named, inventory)
	}
}

// withholdRatios says which ratios are not shown and why, and takes back the
// totals that need a complete job list.
func (r *reading) withholdRatios(p *pool) {
	c := r.capacity
	eligible, known := c.Eligible.Get()
	allocated, both := c.Allocated.Get()
	over := p.hours(func(l level) float64 { return math.Max(0, l.allocated-l.eligible) })
	switch {
	case known && both && allocated > eligible*(1+1e-9):
		r.contradicted("allocated_exceeds_eligible", "allocated GPU time (%.1f h) exceeds eligible (%.1f h): the sources contradict each other, no ratio is shown", allocated, eligible)
	case p.use && p.capacity && over > sourcesApart*eligible:
		r.contradicted("allocated_exceeds_eligible", "for %.1f GPU-hours more GPUs were allocated than eligible (%.1f h in all): no ratio is shown", over, eligible)
	}
	if inventory, given := c.Inventory.Get(); given && known && eligible > inventory*(1+1e-9) {
		r.contradicted("eligible_exceeds_inventory", "eligible GPU time (%.1f h) exceeds the inventory (%.1f h): no ratio is shown", eligible, inventory)
	}
	if coverage, given := c.Coverage.Get(); given && coverage < evidence.LeastCoverage {
		r.find("coverage_low", 1, r.place("eligibility"), "record eligibility for the whole window", "eligibility intervals cover %.1f %% of the window, under %.0f %%: ratios are withheld", 100*coverage, 100*evidence.LeastCoverage)
	}
	if population := r.out.Dimensions["population"]; population.Value != "complete" {
		r.find("population_incomplete", 1, "/dimensions/population", "record every job of the pool", "the job list is not known to be complete: allocation and delivered work are withheld, the waits stand")
		for _, name := range []string{"held_idle", "idle_with_demand", "delivered_gpu_hours"} {
			r.withhold(name, "the job list is not known to be complete")
		}
	}
	for _, o := range r.out.Outcomes {
		if reason, note := evidence.Withheld(r.out, o); reason != "" {
			r.withhold(o.Name, note)
		}
	}
}

// contradicted withholds every ratio of the pool.
func (r *reading) contradicted(code, format string, args ...any) {
	r.find(code, 1, "/outcomes", "find which source is right: a pool that changed hands, or a job list of other days", format, args...)
	for _, name := range []string{"allocation", "availability", "productive", "delivered", "capacity_attainment", "idle_with_demand"} {
		r.withhold(name, "allocated, eligible and inventory GPU time contradict each other")
	}
}
