package kwcap

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"

	"kernelwake/internal/fault"
	"kernelwake/internal/unit"
)

func problemUnequal(pointer, name string, length int, first string, want int) fault.Problem {
	return fault.Problem{
		Code: codeUnequal, Pointer: pointer, Limit: strconv.Itoa(want), Got: strconv.Itoa(length),
		Message: fmt.Sprintf("%q has %d values and %q has %d: columns of one outcome are of equal length", name, length, first, want),
	}
}

// checkSpells holds spells against the window, unless they run on the run's
// own clock. A spell may begin before the window: it enters late.
func (d *document) checkSpells(p *problems, at string, o *outcome) {
	start, end, censored, after := o.Columns["start"], o.Columns["end"], o.Columns["censored"], o.Columns["end_after"]
	checkEach(p, pointerTo(at, "censored"), censored, func(v float64) bool { return v == 0 || v == 1 }, "is 0 or 1")
	length := d.Window.seconds()
	for i := range start {
		switch {
		case end[i] < start[i]:
			p.at(pointerTo(at, "end", i), codeRange, "the spell ends at %g, before it begins at %g", end[i], start[i])
		case o.Clock != "run" && length > 0 && (end[i] > length || end[i] < 0 || start[i] >= length):
			p.limit(pointerTo(at, "end", i), codeOutside, strconv.FormatFloat(length, 'g', -1, 64), fmt.Sprintf("%g to %g", start[i], end[i]), "the spell lies outside the window of %g s: one that goes on is censored at the window's end", length)
		case after != nil && (after[i] > end[i] || after[i] < start[i]):
			p.at(pointerTo(at, "end_after", i), codeRange, "%g is not between the start %g and the end %g", after[i], start[i], end[i])
		}
	}
	if of := o.Unit; unit.Compatible(of, "s") && of != "s" {
		p.got(pointerTo(at, "unit"), codeUnit, of, `the times of spells are in seconds: the unit is "s"`)
	}
}

// poolStates are the states of devices that eligibility intervals can have.
var poolStates = []string{"eligible", "ineligible", "not_in_pool", "eligible_idle", "held_idle", "active", "allocated"}

func (d *document) checkIntervals(p *problems, at string, o *outcome) {
	from, to := o.Columns["from"], o.Columns["to"]
	if len(from) > mostIntervals {
		p.limit(pointerTo(at, "from"), codeTooMany, strconv.Itoa(mostIntervals), strconv.Itoa(len(from)), "more than %d intervals in one outcome", mostIntervals)
		return
	}
	length := d.Window.seconds()
	for i := range from {
		switch {
		case to[i] <= from[i]:
			p.at(pointerTo(at, "to", i), codeRange, "the interval ends at %g, not after its begin %g", to[i], from[i])
		case length > 0 && (from[i] >= length || to[i] <= 0):
			p.limit(pointerTo(at, "from", i), codeOutside, strconv.FormatFloat(length, 'g', -1, 64), fmt.Sprintf("%g to %g", from[i], to[i]), "the interval lies outside the window of %g s", length)
		}
	}
	if o.Unit != "s" && unit.Compatible(o.Unit, "s") {
		p.got(pointerTo(at, "unit"), codeUnit, o.Unit, `the times of intervals are in seconds: the unit is "s"`)
	}
	if o.Name != "eligibility" {
		return
	}
	for code, word := range o.Words["state"].Dictionary {
		if !slices.Contains(poolStates, word) {
			i := slices.Index(o.Words["state"].Codes, uint32(code))
			p.got(pointerTo(at, "state", i), codeValue, word, "one of %s is expected%s", quotedList(poolStates), meant(word, poolStates))
		}
	}
}

func (o *outcome) checkHistogram(p *problems, at string) {
	if len(o.Counts) != len(o.Bounds)+1 {
		p.add(fault.Problem{Code: codeUnequal, Pointer: pointerTo(at, "counts"), Limit: strconv.Itoa(len(o.Bounds) + 1), Got: strconv.Itoa(len(o.Counts)), Message: "there is one count for each bound, and one more for what lies above the last"})
		return
	}
	for i := 1; i < len(o.Bounds); i++ {
		if o.Bounds[i] <= o.Bounds[i-1] {
			p.at(pointerTo(at, "bounds", i), codeRange, "bounds ascend: %g follows %g", o.Bounds[i], o.Bounds[i-1])
			return
		}
	}
	before := p.count
	checkEach(p, pointerTo(at, "counts"), o.Counts, func(v float64) bool { return v >= 0 && v == math.Trunc(v) }, "is a whole number of at least 0")
	if p.count > before {
		return
	}
	var sum float64
	for _, count := range o.Counts {
		sum += count
	}
	if n, known := o.N.Get(); known && float64(n) != sum {
		p.at(pointerTo(at, "n"), codeContradiction, "n is %d, the counts add up to %g", n, sum)
	}
}

var statisticName = regexp.MustCompile(`^(mean|sd|min|max|value|p[0-9]{1,2}(\.[0-9]{1,3})?)$`)

func (o *outcome) checkSummary(p *problems, at string) {
	if len(o.Stats) == 0 {
		p.at(pointerTo(at, "stats"), codeMissing, "there is no statistic")
		return
	}
	quantile := ""
	for _, name := range sorted(o.Stats) {
		if !statisticName.MatchString(name) {
			p.got(pointerTo(at, "stats", name), codeUnknownField, name, "a statistic is mean, sd, min, max, value or a percentile such as p50 or p99.9%s", meant(name, []string{"mean", "sd", "min", "max", "value", "p50"}))
			return
		}
		if name[0] == 'p' {
			quantile = name
		}
	}
	if quantile != "" && !o.given["quantile_method"] {
		p.at(pointerTo(at, "quantile_method"), codeMissing, `%q is a quantile: say how it was taken ("linear", "nearest_rank" …), or {"absent": "unknown"}`, quantile)
	}
	if o.Stats["sd"] < 0 {
		p.at(pointerTo(at, "stats", "sd"), codeRange, "a standard deviation can't be negative")
	}
	o.checkOrder(p, at)
}

// checkOrder notes percentiles that fall, and a mean outside its range.
func (o *outcome) checkOrder(p *problems, at string) {
	type ranked struct {
		name  string
		level float64
	}
	var order []ranked
	for name := range o.Stats {
		switch {
		case name == "min":
			order = append(order, ranked{name, -1})
		case name == "max":
			order = append(order, ranked{name, 101})
		case name[0] == 'p':
			level, _ := strconv.ParseFloat(name[1:], 64)
			order = append(order, ranked{name, level})
		}
	}
	slices.SortFunc(order, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(a.level, b.level), cmp.Compare(o.Stats[a.name], o.Stats[b.name]))
	})
	for i := 1; i < len(order); i++ {
		low, high := order[i-1].name, order[i].name
		if o.Stats[low] > o.Stats[high] {
			p.at(pointerTo(at, "stats", high), codeContradiction, "%s is %g, less than %s with %g", high, o.Stats[high], low, o.Stats[low])
			return
		}
	}
	mean, ok := o.Stats["mean"]
	least, low := o.Stats["min"]
	most, high := o.Stats["max"]
	if ok && (low && mean < least || high && mean > most) {
		p.at(pointerTo(at, "stats", "mean"), codeContradiction, "the mean %g lies outside min and max", mean)
	}
}

func (o *outcome) checkRatio(p *problems, at string) {
	if o.Num < 0 {
		p.at(pointerTo(at, "num"), codeRange, "a numerator can't be negative")
	}
	if o.Den < 0 {
		p.at(pointerTo(at, "den"), codeRange, "a denominator can't be negative")
	}
	if o.Basis != "" && !unit.Known(o.Basis) {
		p.got(pointerTo(at, "basis"), codeUnit, o.Basis, "the unit isn't known%s", meantUnit(o.Basis, nil))
	}
}
