package evidence

import (
	"fmt"
	"slices"

	"kernelwake/internal/absent"
	"kernelwake/internal/lens"
)

// LeastCoverage is the part of a window that must have been observed for a
// fleet ratio to be shown.
const LeastCoverage = 0.95

// fleetRatios are the shares that need a complete job list and a covered
// window.
var fleetRatios = []string{"allocation", "productive", "delivered", "availability", "capacity_attainment"}

// Withheld says why a fleet ratio can't be shown: its sources contradict each
// other (allocated ≤ eligible ≤ inventory is broken), under 95 % of the window
// was observed, or the job list is not complete. The reason is empty where
// nothing speaks against it.
func Withheld(p *Parsed, o Outcome) (reason absent.Reason, note string) {
	if p.Lens != lens.Fleet || !slices.Contains(fleetRatios, o.Name) {
		return "", ""
	}
	if broken := brokenOrder(p); broken != "" {
		return absent.Withheld, broken
	}
	if coverage, known := EligibilityCoverage(p); known && coverage < LeastCoverage {
		return absent.Withheld, fmt.Sprintf("eligibility covers %.1f %% of the window, under 95 %%", 100*coverage)
	}
	if o.Name == "availability" || o.Name == "capacity_attainment" {
		return "", ""
	}
	population, ok := p.Dimensions["population"]
	if !ok || !population.Known() || population.Value != "complete" {
		return absent.Withheld, "the job list is not known to be complete"
	}
	return "", ""
}

// brokenOrder names the first breach of allocated ≤ eligible ≤ inventory and
// productive ≤ allocated.
func brokenOrder(p *Parsed) string {
	for _, c := range []struct{ name, broken string }{
		{"allocation", "allocated exceeds eligible GPU time"},
		{"availability", "eligible exceeds inventory GPU time"},
		{"productive", "productive exceeds allocated GPU time"},
		{"delivered", "productive exceeds eligible GPU time"},
	} {
		o, ok := p.Outcome(c.name, "")
		if ok && o.Numerator != nil && o.Denominator != nil && *o.Numerator > *o.Denominator*(1+1e-9) {
			return c.broken
		}
	}
	return ""
}

// EligibilityCoverage returns the part of the capture's window that the pool's
// eligibility intervals cover; known is false without intervals or a window.
func EligibilityCoverage(p *Parsed) (coverage float64, known bool) {
	o, ok := p.Outcome("eligibility", "")
	started, okStart := p.Started.Get()
	ended, okEnd := p.Ended.Get()
	if !ok || o.Absent != "" || !okStart || !okEnd || !ended.After(started) {
		return 0, false
	}
	window := ended.Sub(started).Seconds()
	from, to := o.Data.Floats("from"), o.Data.Floats("to")
	type stretch struct{ from, to float64 }
	var covered []stretch
	for i := range min(len(from), len(to)) {
		covered = append(covered, stretch{max(0, from[i]), min(window, to[i])})
	}
	slices.SortFunc(covered, func(a, b stretch) int {
		switch {
		case a.from < b.from:
			return -1
		case a.from > b.from:
			return 1
		}
		return 0
	})
	var total, until float64
	for _, s := range covered {
		if s.to > until {
			total += s.to - max(s.from, until)
			until = s.to
		}
	}
	return total / window, true
}
