package kwcap

import (
	"slices"

	"kernelwake/internal/lens"
)

// kindRule says which members an outcome of a kind has.
type kindRule struct {
	kind lens.Kind
	// needs are there always, fleet also in a fleet capture, may where known.
	needs, fleet, may []string
	// columns are of equal length where they are there.
	columns []string
}

var kindRules = []kindRule{
	{kind: lens.Samples, needs: []string{"v", "agg"}, may: []string{"at", "step", "rank", "status", "weight"}, columns: []string{"v", "at", "step", "rank", "status", "weight"}},
	{kind: lens.Series, needs: []string{"v"}, may: []string{"at", "step", "clock"}, columns: []string{"v", "at", "step"}},
	{kind: lens.Spells, needs: []string{"start", "end", "censored"}, fleet: []string{"gpus"}, may: []string{"end_after", "class", "cause", "clock"}, columns: []string{"start", "end", "censored", "gpus", "end_after", "class", "cause"}},
	{kind: lens.Intervals, needs: []string{"from", "to", "state"}, fleet: []string{"reason", "subject", "gpus"}, columns: []string{"from", "to", "state", "reason", "subject", "gpus"}},
	{kind: lens.Histogram, needs: []string{"n", "sum", "bounds", "counts"}},
	{kind: lens.Summary, needs: []string{"n", "stats"}, may: []string{"quantile_method"}},
	{kind: lens.RatioKind, needs: []string{"num", "den", "basis"}},
	{kind: lens.Total, needs: []string{"v"}},
}

var kindNames = func() (names []string) {
	for _, rule := range kindRules {
		names = append(names, string(rule.kind))
	}
	return names
}()

// everyKind are the members that any outcome with a value may have.
var everyKind = []string{"name", "unit", "phase", "kind"}

func ruleOf(kind string) (kindRule, bool) {
	i := slices.IndexFunc(kindRules, func(rule kindRule) bool { return string(rule.kind) == kind })
	if i < 0 {
		return kindRule{}, false
	}
	return kindRules[i], true
}

// needed are the members that have to be there under a lens.
func (r kindRule) needed(id lens.ID) []string {
	if id == lens.Fleet {
		return slices.Concat(r.needs, r.fleet)
	}
	return r.needs
}

// allowed are all members beside those of everyKind.
func (r kindRule) allowed() []string { return slices.Concat(r.needs, r.fleet, r.may) }

// checkMembers notes members that are missing or belong to another kind.
func (o *outcome) checkMembers(p *problems, at string, id lens.ID) bool {
	before := p.count
	if o.Gap.Reason != "" {
		for _, name := range sorted(o.given) {
			if !slices.Contains([]string{"phase", "absent", "note"}, name) {
				p.at(pointerTo(at, name), codeContradiction, "an absent outcome has no %q: give either data or the absence", name)
			}
		}
		return p.count == before
	}
	rule, ok := ruleOf(o.Kind)
	if !ok {
		if !o.given["kind"] && !o.given["absent"] {
			p.at(pointerTo(at, "kind"), codeMissing, `neither "kind" nor "absent" is there: say which form the data has, or why there is none`)
		}
		return false
	}
	for _, name := range rule.needed(id) {
		if !o.given[name] {
			p.at(pointerTo(at, name), codeMissing, "%q is missing: kind %q needs %s", name, o.Kind, quotedList(rule.needed(id)))
		}
	}
	for _, name := range sorted(o.given) {
		if !slices.Contains(everyKind, name) && !slices.Contains(rule.allowed(), name) {
			p.at(pointerTo(at, name), codeMisplaced, "kind %q has no member %q", o.Kind, name)
		}
	}
	if o.Kind == string(lens.Series) && !o.given["at"] && !o.given["step"] {
		p.at(pointerTo(at, "at"), codeMissing, `a series needs "at" or "step" beside its values`)
	}
	if o.given["v"] && o.V.Scalar != (o.Kind == string(lens.Total)) {
		want := "an array of numbers"
		if o.Kind == string(lens.Total) {
			want = "one number"
		}
		p.at(pointerTo(at, "v"), codeType, "%s is expected for kind %q", want, o.Kind)
	}
	return p.count == before
}
