package kwcap

import (
	"encoding/json"
	"math"
	"testing"

	"kernelwake/internal/absent"
	"kernelwake/internal/evidence"
)

// capacityOf reads a capture's chain of GPU-hours.
func capacityOf(t *testing.T, p *evidence.Parsed) map[string]any {
	t.Helper()
	var figures struct{ Capacity, Waits map[string]any }
	if err := json.Unmarshal(p.Figures, &figures); err != nil {
		t.Fatal(err)
	}
	for name, value := range figures.Waits {
		figures.Capacity["waits."+name] = value
	}
	return figures.Capacity
}

// The sample's pool: 208 GPUs all day, 8 of them drained for 4 h, 144 held all
// day, of which 24 stood idle in the second half. Queue: 8 GPUs for 2 s, 1 for
// 305 s, 64 from 80,000 s to the end, 16 until 1,200 s.
func TestThePoolAddsUpToHandComputedGPUHours(t *testing.T) {
	p := changed(t, "fleet")
	pending := (8*2 + 1*305 + 64*6400 + 16*1200) / 3600.0
	idle := (8*2 + 1*305 + 64*6400 + 16*1200) / 3600.0 // 56 to 64 GPUs were free whenever somebody waited: all of it
	for name, want := range map[string]float64{
		"inventory_gpu_hours": 208 * 24, "eligible_gpu_hours": 208*24 - 8*4, "allocated_gpu_hours": 144 * 24, "held_idle_gpu_hours": 24 * 12,
		"productive_gpu_hours": 3000, "pending_gpu_hours": pending, "idle_with_demand_gpu_hours": idle, "coverage": 1,
		"waits.spells": 4, "waits.ended": 3, "waits.censored": 1, "waits.p50_s": 305, "waits.attainment_at_least": 0.5,
	} {
		got, ok := capacityOf(t, p)[name].(float64)
		if !ok || math.Abs(got-want) > 1e-9*math.Max(1, want) {
			t.Errorf("%s is %v, want %v", name, capacityOf(t, p)[name], want)
		}
	}
	for name, want := range map[string]float64{"availability": 4960.0 / 4992, "allocation": 3456.0 / 4960, "productive": 3000.0 / 3456, "delivered": 3000.0 / 4960} {
		if o := outcomeOf(t, p, name); o.Absent != "" || math.Abs(o.Statistics["value"]-want) > 1e-12 {
			t.Errorf("%s is %+v, want %v", name, o, want)
		}
	}
}

func TestIdleWithDemandStopsAtTheFreeGPUs(t *testing.T) {
	p := changed(t, "fleet", `"gpus": [8, 1, 64, 16]`, `"gpus": [8, 1, 200, 16]`) // 64 are free, 200 are asked for
	want := (8*2 + 1*305 + 64*6400 + 16*1200) / 3600.0
	if got := capacityOf(t, p)["idle_with_demand_gpu_hours"].(float64); math.Abs(got-want) > 1e-9 {
		t.Errorf("idle with demand is %v, want %v", got, want)
	}
}

// Each device or node a subject of its own, in the states of the accounting
// identity: inventory and eligible follow from the sum.
func TestDevicesInOneStateEachAddUp(t *testing.T) {
	p := changed(t, "fleet",
		`"from": [0, 36000, 0, 43200, 43200], "to": [86400, 50400, 43200, 86400, 86400], "state": ["eligible", "ineligible", "allocated", "active", "held_idle"],
   "reason": ["none", "drain", "none", "none", "none"], "subject": ["pool", "node17", "pool", "pool", "pool"], "gpus": [208, 8, 144, 120, 24]`,
		`"from": [0, 0, 43200, 0], "to": [86400, 43200, 86400, 86400], "state": ["active", "eligible_idle", "held_idle", "ineligible"], "reason": ["none", "none", "none", "down"], "subject": ["a", "b", "b", "c"], "gpus": [8, 8, 8, 4]`,
		`"gpus": 208, "mig"`, `"gpus": 20, "mig"`, `"num": 3000, "den": 3456`, `"num": 200, "den": 288`)
	for name, want := range map[string]float64{"inventory_gpu_hours": 20 * 24, "eligible_gpu_hours": 16 * 24, "allocated_gpu_hours": 8*24 + 8*12, "held_idle_gpu_hours": 8 * 12} {
		if got := capacityOf(t, p)[name]; got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	if o := outcomeOf(t, p, "allocation"); o.Absent != "" {
		t.Errorf("allocation is %+v: %+v", o, p.Findings)
	}
}

func TestRatiosAreWithheldWithTheirReason(t *testing.T) {
	ratios := []string{"allocation", "productive", "delivered"}
	for name, c := range map[string]struct {
		pairs   []string
		finding string
	}{
		"more allocated than eligible":  {[]string{`"gpus": [208, 8, 144, 120, 24]`, `"gpus": [100, 8, 144, 120, 24]`, `"gpus": 208, "mig"`, `"gpus": 100, "mig"`}, "allocated_exceeds_eligible"},
		"more allocated for some hours": {[]string{`"to": [86400, 50400, 43200`, `"to": [86400, 86400, 43200`, `"gpus": [208, 8, 144, 120, 24]`, `"gpus": [208, 100, 144, 120, 24]`}, "allocated_exceeds_eligible"},
		"half the day uncovered": {[]string{
			`"from": [0, 36000, 0, 43200, 43200], "to": [86400, 50400, 43200, 86400, 86400]`, `"from": [0, 36000, 0, 100, 100], "to": [43200, 43200, 100, 43200, 43200]`,
			`"num": 3000, "den": 3456`, `"num": 1000, "den": 1728`,
		}, "coverage_low"},
		"a sampled job list": {[]string{`{"v": "complete"`, `{"v": "sampled"`}, "population_incomplete"},
	} {
		t.Run(name, func(t *testing.T) {
			p := changed(t, "fleet", c.pairs...)
			if codes(p)[c.finding] == 0 {
				t.Errorf("findings %+v", p.Findings)
			}
			for _, ratio := range ratios {
				if o := outcomeOf(t, p, ratio); o.Absent != absent.Withheld || o.Note == "" {
					t.Errorf("%s is %+v", ratio, o)
				}
			}
			if o := outcomeOf(t, p, "queue_wait"); o.Absent != "" {
				t.Error("the waits are withheld, too")
			}
		})
	}
}

func TestSourcesThatDisagreeAreFoundAndNotShown(t *testing.T) {
	p := changed(t, "fleet", `{"name": "productive"`, `{"name": "allocation", "unit": "1", "kind": "ratio", "num": 3456, "den": 4000, "basis": "{GPU}.h"}, {"name": "productive"`)
	if o := outcomeOf(t, p, "allocation"); o.Absent != absent.Withheld || codes(p)["capacity_sources_disagree"] != 1 {
		t.Errorf("allocation is %+v, findings %v", o, codes(p))
	}
	devices := changed(t, "fleet", `"gpus": 208, "mig"`, `"gpus": 256, "mig"`)
	if codes(devices)["device_types_disagree"] != 1 {
		t.Errorf("findings %v", codes(devices))
	}
}

func TestWaitsCutShortBeforeTheTargetLeaveAttainmentBetweenBounds(t *testing.T) {
	p := changed(t, "fleet", `[120, 4000, 80000, -600]`, `[120, 4000, 86000, -600]`)
	waits := capacityOf(t, p)
	if waits["waits.attainment_at_least"] != 0.5 || waits["waits.attainment_at_most"] != 0.75 || codes(p)["attainment_undecided"] != 1 {
		t.Errorf("attainment %v to %v, findings %v", waits["waits.attainment_at_least"], waits["waits.attainment_at_most"], codes(p))
	}
	if _, ok := p.Outcome("wait_attainment", ""); ok {
		t.Error("one number is given for it")
	}
}
