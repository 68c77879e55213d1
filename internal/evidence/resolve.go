package evidence

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"kernelwake/internal/absent"
	"kernelwake/internal/lens"
)

// Value is a field of a run as it stands after all that was said about it: the
// strongest source's word, and the others beside it.
type Value struct {
	Dimension
	// Normalised is the value in the form its equal spellings share.
	Normalised string `json:"normalised,omitempty"`
	// Conflict is true where a weaker source disagrees, or captures of one
	// launch do: the value then counts as unknown.
	Conflict bool `json:"conflict,omitempty"`
	// Implied is true for a model that a workload stands for without naming it.
	Implied bool `json:"implied,omitempty"`
	// Sources are all values and inapplicabilities given, strongest first.
	Sources []Dimension `json:"sources,omitempty"`
	// Several are the distinct values of captures whose field varies by nature.
	Several []any `json:"several,omitempty"`
}

// NotApplicable reports whether the field is known not to apply.
func (v Value) NotApplicable() bool { return v.Value == nil && v.Absent == absent.NotApplicable }

// Usable reports whether there is a value without a conflict.
func (v Value) Usable() bool { return v.Known() && !v.Conflict }

// strengths orders the sources; larger is weaker.
var strengths = map[Source]int{Observed: 0, "": 0, Derived: 1, Declared: 2, FromSetup: 3, ByWorkload: 4, DefaultTool: 5}

// Resolve returns every field of the lens as it stands for the run.
func Resolve(run RunEvidence, l lens.Lens) map[string]Value {
	return ResolveCaptures(run, l, run.Captures)
}

// ResolveCaptures is Resolve from some of the run's captures: those of one
// format, or of one cell of a sweep.
func ResolveCaptures(run RunEvidence, l lens.Lens, captures []CaptureEvidence) map[string]Value {
	values := make(map[string]Value, len(l.Fields))
	for _, field := range l.Fields {
		values[field.Key] = resolveField(run, field, captures)
	}
	checkBatch(values, l)
	return values
}

func resolveField(run RunEvidence, field lens.Field, captures []CaptureEvidence) Value {
	said, several, conflict := saidByCaptures(field, captures)
	said = append(said, saidByPeople(run, field.Key)...)
	value := strongest(field, said)
	value.Several = several
	value.Conflict = value.Conflict || conflict
	if field.Key == "model" && !value.Known() && !value.NotApplicable() {
		value = impliedModel(run, value)
	}
	if value.Known() {
		value.Normalised = field.Normalise(value.Value)
	}
	return value
}

// impliedModel lets the workload stand for the model that nobody named. It
// says only that two runs of the workload have the same one.
func impliedModel(run RunEvidence, unknown Value) Value {
	name := cmp.Or(run.Workload, run.WorkloadID)
	if name == "" {
		return unknown
	}
	d := Dimension{Value: "workload " + name, Source: ByWorkload, From: "workload " + name + ", which names no model"}
	return Value{Dimension: d, Implied: true, Sources: append(unknown.Sources, d)}
}

// saidByPeople collects what was declared for the run, by its setups (the
// latest attached that speaks of the key), and by its workload.
func saidByPeople(run RunEvidence, key string) []Dimension {
	var said []Dimension
	if d, ok := run.Declared[key]; ok {
		said = append(said, sourced(d, Declared, "declared for the run"))
	}
	for _, setup := range slices.Backward(run.Setups) {
		if value, ok := setup.Values[key]; ok {
			said = append(said, sourced(dimensionOf(value), FromSetup, fmt.Sprintf("setup %s v%d", setup.Name, setup.Version)))
			break
		}
	}
	if d, ok := run.WorkloadDeclared[key]; ok {
		said = append(said, sourced(d, ByWorkload, "workload "+cmp.Or(run.Workload, run.WorkloadID)))
	}
	for i, d := range said {
		if object, ok := d.Value.(map[string]any); ok {
			given := dimensionOf(object)
			said[i].Value, said[i].Absent, said[i].Note = given.Value, given.Absent, given.Note
		}
	}
	return said
}

func sourced(d Dimension, source Source, from string) Dimension {
	d.Source = source
	d.From = cmp.Or(d.From, from)
	return d
}

// dimensionOf reads a value that may be {"absent": reason, "note": text}.
func dimensionOf(value any) Dimension {
	object, ok := value.(map[string]any)
	if !ok {
		return Dimension{Value: value}
	}
	reason, isText := object["absent"].(string)
	if !isText {
		return Dimension{Value: value}
	}
	note, _ := object["note"].(string)
	return Dimension{Absent: absent.Reason(reason), Note: note}
}

// strongest picks the strongest source with a word on the field. Defaults
// yield without contradicting; so does an absence.
func strongest(field lens.Field, said []Dimension) Value {
	slices.SortStableFunc(said, func(a, b Dimension) int { return cmp.Compare(strengths[a.Source], strengths[b.Source]) })
	value := Value{Dimension: Dimension{Absent: absent.NotRecorded}}
	found := false
	for _, d := range said {
		switch {
		case !d.Known() && d.Absent != absent.NotApplicable:
			if !found && value.Note == "" && len(value.Sources) == 0 {
				value.Dimension = d
			}
			continue
		case !found:
			value.Dimension, found = d, true
		case value.Known() && d.Known():
			value.weigh(field, d)
		}
		value.Sources = append(value.Sources, d)
	}
	return value
}

// weigh holds a weaker source's value against the strongest one. A weaker
// source may say more precisely what a stronger one only bounds.
func (v *Value) weigh(field lens.Field, weaker Dimension) {
	switch field.Agree(v.Value, weaker.Value) {
	case lens.Unequal:
		v.Conflict = v.Conflict || weaker.Source != DefaultTool
	case lens.Undecided:
		if field.Key == "input" && lens.LoaderWorkers(v.Value).AtLeast && !lens.LoaderWorkers(weaker.Value).AtLeast {
			v.Dimension = weaker
			return
		}
		v.complete(weaker)
	}
}

// complete adds the members of an object that the stronger source leaves open.
func (v *Value) complete(weaker Dimension) {
	own, isObject := v.Value.(map[string]any)
	more, alsoObject := weaker.Value.(map[string]any)
	if !isObject || !alsoObject {
		return
	}
	whole := maps.Clone(more)
	maps.Copy(whole, own)
	if len(whole) > len(own) {
		v.Value = whole
		v.From += "; the rest " + weaker.From
	}
}
