package kwcap

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"kernelwake/internal/lens"
	"kernelwake/internal/unit"
)

// ownName is an outcome of the writer's own: shown, never compared.
var ownName = regexp.MustCompile(`^x_[a-z0-9_]{1,60}$`)

func (d *document) checkOutcomes(p *problems, l lens.Lens) {
	if d.Outcomes != nil && len(d.Outcomes) == 0 {
		p.at("/outcomes", codeMissing, "a capture has at least one outcome; one that couldn't be measured is given as an absence")
	}
	first := map[string]int{}
	for i := range d.Outcomes {
		o, at := &d.Outcomes[i], pointerTo("/outcomes", i)
		if o.Name == "" {
			continue // noted when it was read
		}
		key := o.Name + "\x00" + o.Phase
		if earlier, twice := first[key]; twice {
			p.at(at, codeDuplicate, "%s stands already at /outcomes/%d; several of one name need a different \"phase\" each", o.Name, earlier)
		} else {
			first[key] = i
		}
		d.checkOutcome(p, at, l, o)
	}
}

func (d *document) checkOutcome(p *problems, at string, l lens.Lens, o *outcome) {
	def, known := l.Outcome(o.Name)
	switch {
	case known:
		checkDefinition(p, at, def, o)
	case ownName.MatchString(o.Name):
		if !unit.Known(o.Unit) && o.Unit != "" {
			p.got(pointerTo(at, "unit"), codeUnit, o.Unit, "the unit isn't known%s", meantUnit(o.Unit, nil))
		}
	default:
		p.got(pointerTo(at, "name"), codeOutcome, o.Name, "%q is no outcome of the %s lens%s; one of your own is called x_…", o.Name, l.ID, meant(o.Name, outcomeNames(l)))
	}
	if o.checkMembers(p, at, l.ID) && o.Gap.Reason == "" {
		d.checkData(p, at, o, def)
	}
}

func outcomeNames(l lens.Lens) (names []string) {
	for _, one := range l.Outcomes {
		names = append(names, one.Name)
	}
	return names
}

func checkDefinition(p *problems, at string, def lens.Outcome, o *outcome) {
	if !slices.Contains(def.Accepts, o.Unit) && o.Unit != "" {
		p.got(pointerTo(at, "unit"), codeUnit, o.Unit, "%s is given in %s%s", o.Name, strings.Join(def.Accepts, ", "), meantUnit(o.Unit, def.Accepts))
	}
	if o.Kind != "" && !slices.Contains(def.Kinds, lens.Kind(o.Kind)) {
		var kinds []string
		for _, kind := range def.Kinds {
			kinds = append(kinds, string(kind))
		}
		p.got(pointerTo(at, "kind"), codeKind, o.Kind, "%s is given as %s", o.Name, strings.Join(kinds, ", "))
	}
	if o.Name == "phase_time" && o.Phase == "" {
		p.at(pointerTo(at, "phase"), codeMissing, `phase_time needs "phase": client_delay, network_up, queue, prefill, decode or network_down`)
	}
}

// checkData holds the values of an outcome against their kind, their meaning
// and the window.
func (d *document) checkData(p *problems, at string, o *outcome, def lens.Outcome) {
	rule, _ := ruleOf(o.Kind)
	if !o.checkLengths(p, at, rule) {
		return
	}
	if def.Name != "" && def.Name != "quality" {
		checkFrom(p, pointerTo(at, "v"), o.V.List, 0, "can't be negative")
		for _, name := range sorted(o.Stats) {
			if o.Stats[name] < 0 && name != "sd" {
				p.got(pointerTo(at, "stats", name), codeRange, strconv.FormatFloat(o.Stats[name], 'g', -1, 64), "a value here can't be negative")
			}
		}
	}
	for _, name := range []string{"step", "rank"} {
		checkEach(p, pointerTo(at, name), o.Columns[name], func(v float64) bool { return v >= 0 && v == math.Trunc(v) }, "is a whole number of at least 0")
	}
	for _, name := range []string{"gpus", "weight"} {
		checkFrom(p, pointerTo(at, name), o.Columns[name], 0, "can't be negative")
	}
	switch lens.Kind(o.Kind) {
	case lens.Samples:
		o.checkStatus(p, at)
		d.checkInside(p, pointerTo(at, "at"), o.Columns["at"])
	case lens.Series:
		if o.Clock != "run" {
			d.checkInside(p, pointerTo(at, "at"), o.Columns["at"])
		}
	case lens.Spells:
		d.checkSpells(p, at, o)
	case lens.Intervals:
		d.checkIntervals(p, at, o)
	case lens.Histogram:
		o.checkHistogram(p, at)
	case lens.Summary:
		o.checkSummary(p, at)
	case lens.RatioKind:
		o.checkRatio(p, at)
	}
}

// checkLengths notes columns of other lengths than the first.
func (o *outcome) checkLengths(p *problems, at string, rule kindRule) bool {
	want, first, equal := -1, "", true
	for _, name := range rule.columns {
		length, given := o.length(name)
		switch {
		case !given:
		case want < 0:
			want, first = length, name
		case length != want:
			equal = false
			p.add(problemUnequal(pointerTo(at, name), name, length, first, want))
		}
	}
	if want == 0 {
		p.at(pointerTo(at, first), codeMissing, `there is no value; an outcome without any is given as {"name", "unit", "absent", "note"}`)
		return false
	}
	return equal
}

// checkFrom notes the first value under the least one, and how many there are.
func checkFrom(p *problems, at string, values []float64, least float64, rule string) {
	checkEach(p, at, values, func(v float64) bool { return v >= least }, rule)
}

func checkEach(p *problems, at string, values []float64, holds func(float64) bool, rule string) {
	first, count := -1, 0
	for i, value := range values {
		if !holds(value) {
			if first < 0 {
				first = i
			}
			count++
		}
	}
	if first < 0 {
		return
	}
	where := pointerTo(at, first)
	if len(values) == 1 && strings.HasSuffix(at, "/v") {
		where = at // the one value of a total is no array
	}
	p.got(where, codeRange, strconv.FormatFloat(values[first], 'g', -1, 64), "a value here %s%s", rule, andMore(count-1))
}

func andMore(count int) string {
	if count <= 0 {
		return ""
	}
	return " (and " + strconv.Itoa(count) + " more)"
}

// checkInside notes times outside the window.
func (d *document) checkInside(p *problems, at string, times []float64) {
	length := d.Window.seconds()
	if length <= 0 {
		return // noted
	}
	first, count := -1, 0
	for i, t := range times {
		if t < 0 || t >= length {
			if first < 0 {
				first = i
			}
			count++
		}
	}
	if first >= 0 {
		p.limit(pointerTo(at, first), codeOutside, strconv.FormatFloat(length, 'g', -1, 64), strconv.FormatFloat(times[first], 'g', -1, 64), "it lies outside the window of %g s%s", length, andMore(count-1))
	}
}

var statuses = []string{"ok", "error", "timeout", "cancelled"}

func (o *outcome) checkStatus(p *problems, at string) {
	column, given := o.Words["status"]
	if !given {
		return
	}
	for code, word := range column.Dictionary {
		if !slices.Contains(statuses, word) {
			i := slices.Index(column.Codes, uint32(code))
			p.got(pointerTo(at, "status", i), codeValue, word, "one of %s is expected%s", strings.Join(statuses, ", "), meant(word, statuses))
		}
	}
}
