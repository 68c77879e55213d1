package compare

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
)

// Tolerances of the fleet rows.
const (
	deviceHoursApart = 0.02
	eligibleApart    = 0.01
	reasonOneSided   = 0.005
)

// readDevices compares the multiset of devices by device-hours.
func (t *table) readDevices(row lens.Row) reading {
	r := t.fieldByField(row, row.Fields)
	field, _ := t.lens.Field(row.Fields[0])
	_, values := readField(field, t.sides)
	if r.conflict || !values[0].known || !values[1].known {
		return r
	}
	r.state, r.differing, r.reason, r.oneSided = Same, nil, "", false
	r.basis = weakest(r.fields, func(Field) bool { return true })
	for _, b := range t.sides[0] {
		for _, c := range t.sides[1] {
			x, y := deviceHours(b.values), deviceHours(c.values)
			if detail := devicesApart(x, y); detail != "" {
				r.state, r.differing, r.reason = Different, row.Fields, detail
			}
		}
	}
	for i := range r.fields {
		r.fields[i].State = r.state
	}
	return r
}

// deviceHours adds up GPU-hours by SKU and MIG profile: those stated, or the
// number of GPUs over the window.
func deviceHours(values map[string]evidence.Value) map[string]float64 {
	hours := map[string]float64{}
	window, ok := lens.Number(values["window_hours"].Value)
	if !ok || window <= 0 {
		window = 1
	}
	groups, _ := values["device_types"].Value.([]any)
	if one, ok := values["device_types"].Value.(map[string]any); ok {
		groups = []any{one}
	}
	for _, group := range groups {
		device, ok := group.(map[string]any)
		if !ok {
			continue
		}
		model, _ := device["model"].(string)
		mig, _ := device["mig"].(string)
		name := lens.GPU(model)
		if mig != "" && mig != "off" {
			name += " MIG " + mig
		}
		stated, ok := lens.Number(device["gpu_hours"])
		if !ok {
			gpus, _ := lens.Number(device["gpus"])
			stated = gpus * window
		}
		hours[name] += stated
	}
	return hours
}

// devicesApart names the first device type that differs by more than 2 % of
// all device-hours.
func devicesApart(a, b map[string]float64) string {
	var totalA, totalB float64
	names := map[string]bool{}
	for name, hours := range a {
		totalA += hours
		names[name] = true
	}
	for name, hours := range b {
		totalB += hours
		names[name] = true
	}
	total := max(totalA, totalB)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if math.Abs(a[name]-b[name]) > deviceHoursApart*total+1e-9 {
			return fmt.Sprintf("%s: %g against %g device-hours", name, a[name], b[name])
		}
	}
	return ""
}

// readFleetWindow asks for windows of one length that begin on the same
// weekdays.
func (t *table) readFleetWindow(row lens.Row) reading {
	r := t.fieldByField(row, row.Fields)
	if r.state != Same {
		return r
	}
	b, c := weekdays(t.sides[0]), weekdays(t.sides[1])
	if b != "" && c != "" && b != c {
		r.state, r.differing, r.reason = Different, row.Fields, "the windows begin on "+b+" against "+c
	}
	return r
}

// weekdays lists the days on which a side's windows begin; empty where one is
// not known.
func weekdays(side []launch) string {
	var days []string
	for _, l := range side {
		if l.started.IsZero() {
			return ""
		}
		days = append(days, l.started.Weekday().String())
	}
	slices.Sort(days)
	return strings.Join(slices.Compact(days), ", ")
}

// readHistory reads what must be equal at all times: the policy by its digest,
// eligibility by its intervals.
func (t *table) readHistory(row lens.Row) reading {
	if row.Key != "eligibility_history" {
		r := t.fieldByField(row, row.Fields[:1])
		shown := t.fieldByField(row, row.Fields[1:])
		r.fields = append(r.fields, shown.fields...)
		return r
	}
	r := t.fieldByField(row, row.Fields)
	if r.state == Unknown && (r.conflict || r.oneSided) {
		return r
	}
	return t.eligibility(row, r)
}

func (t *table) eligibility(row lens.Row, r reading) reading {
	histories := [2][]eligibility{}
	for i, side := range t.sides {
		for _, c := range capturesOf(side) {
			h, problem := eligibilityOf(c)
			if problem != "" {
				return reading{state: Unknown, fields: r.fields, reason: sideName(i == 1) + ": " + problem}
			}
			histories[i] = append(histories[i], h)
		}
	}
	result := reading{state: Same, basis: weakest(r.fields, func(Field) bool { return true }), fields: r.fields}
	result.baseline, result.candidate = histories[0][0].words(), histories[1][0].words()
	for _, b := range histories[0] {
		for _, c := range histories[1] {
			if detail := b.apart(c); detail != "" {
				result.state, result.differing, result.reason = Different, row.Fields, detail
			}
		}
	}
	for i := range result.fields {
		result.fields[i].State = result.state
	}
	return result
}

// eligibility is who could run when, an hour at a time.
type eligibility struct {
	perHour   []float64 // eligible GPU-hours
	inventory float64   // GPU-hours in the pool
	reasons   map[string]float64
}

// eligibilityOf reads a capture's intervals; problem says why it can't.
func eligibilityOf(c measuredCapture) (e eligibility, problem string) {
	coverage, known := evidence.EligibilityCoverage(c.Parsed)
	switch {
	case !known:
		return e, "no eligibility intervals were recorded"
	case coverage < evidence.LeastCoverage:
		return e, fmt.Sprintf("eligibility covers %.1f %% of the window, under 95 %%", 100*coverage)
	}
	o, _ := c.Outcome("eligibility", "")
	started, _ := c.Started.Get()
	ended, _ := c.Ended.Get()
	window := ended.Sub(started).Seconds()
	from, to, gpus := o.Data.Floats("from"), o.Data.Floats("to"), o.Data.Floats("gpus")
	state, hasState := o.Data.Column("state")
	reason, hasReason := o.Data.Column("reason")
	subject, hasSubject := o.Data.Column("subject")
	if !hasState || len(gpus) != len(from) {
		return e, "the eligibility intervals lack state or gpus"
	}
	e = eligibility{perHour: make([]float64, int(math.Ceil(window/3600))), reasons: map[string]float64{}}
	hasOwn := map[string]bool{}
	for i := range from {
		if hasSubject && state.Text(i) == "eligible" {
			hasOwn[subject.Text(i)] = true
		}
	}
	for i := range from {
		begin, end := max(0, from[i]), min(window, to[i])
		if end <= begin {
			continue
		}
		hours := gpus[i] * (end - begin) / 3600
		switch {
		case state.Text(i) == "eligible":
			e.inventory += hours
			e.add(begin, end, gpus[i])
			continue
		case hasSubject && hasOwn[subject.Text(i)]:
			e.inventory += hours // apart from the subject's own eligible time
		default:
			e.add(begin, end, -gpus[i]) // part of what the pool states as eligible
		}
		if hasReason {
			e.reasons[reason.Text(i)] += hours
		}
	}
	return e, ""
}

// add spreads GPUs over the hours of a stretch of seconds.
func (e eligibility) add(begin, end, gpus float64) {
	for hour := int(begin / 3600); hour < len(e.perHour); hour++ {
		low, high := max(begin, 3600*float64(hour)), min(end, 3600*float64(hour+1))
		if high <= low {
			return
		}
		e.perHour[hour] += gpus * (high - low) / 3600
	}
}

func (e eligibility) words() string {
	var total float64
	for _, hours := range e.perHour {
		total += hours
	}
	return fmt.Sprintf("%.4g of %.4g GPU-hours eligible", total, e.inventory)
}

// apart names the first hour in which eligible GPUs differ, or a reason that
// only one side has.
func (e eligibility) apart(other eligibility) string {
	for hour := range max(len(e.perHour), len(other.perHour)) {
		if hour >= len(e.perHour) || hour >= len(other.perHour) {
			return "the windows differ in length"
		}
		a, b := e.perHour[hour], other.perHour[hour]
		if math.Abs(a-b) > eligibleApart*max(a, b)+1e-9 {
			return fmt.Sprintf("hour %d: %.4g against %.4g GPUs eligible", hour+1, a, b)
		}
	}
	for _, pair := range [][2]eligibility{{e, other}, {other, e}} {
		for _, reason := range slices.Sorted(maps.Keys(pair[0].reasons)) {
			if pair[0].reasons[reason] > reasonOneSided*pair[0].inventory && pair[1].reasons[reason] == 0 {
				return "ineligible for " + reason + " on one side only"
			}
		}
	}
	return ""
}
