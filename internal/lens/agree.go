package lens

import (
	"maps"
	"math"
	"slices"
	"strings"
)

// Agreement is what two values of one field say about each other.
type Agreement int

// The agreements.
const (
	Undecided Agreement = iota // known on both sides, yet neither equal nor unequal
	Equal
	Unequal
)

// member tolerances: differences still called equal, of members of an object.
type within struct{ relative, absolute float64 }

var memberTolerances = map[string]map[string]within{
	"cache_state":    {"hit_rate": {absolute: 0.02}},
	"speculation":    {"acceptance_length": {relative: 0.03}, "acceptance_rate": {relative: 0.03}},
	"outcome_states": {"": {absolute: 0.02}},
	"offered_load":   {"": {relative: 0.10}},
	"clocks":         {"": {relative: 0.03}},
}

// scalarMeans names the member that a bare value stands for.
var scalarMeans = map[string]string{"cache_state": "state", "speculation": "method", "comms": "library", "offered_load": "gpu_hours", "turns": "mean"}

// Agree tells whether two known values of the field are equal, by the field's
// tolerance and spellings.
func (f Field) Agree(a, b any) Agreement {
	switch f.Key {
	case "gpu_model":
		return agreeGPU(plain(a), plain(b))
	case "effective_batch", "micro_batch":
		return agreeQuantity(QuantityOf(a), QuantityOf(b))
	case "input":
		return agreeWorkers(LoaderWorkers(a), LoaderWorkers(b))
	case "engine_args":
		return equalText(f.Normalise(a), f.Normalise(b))
	}
	left, right, objects := f.objects(a, b)
	if f.Key == "dataset" {
		left, right = identity(left), identity(right)
	}
	if objects {
		return f.agreeObjects(left, right)
	}
	x, okX := Number(a)
	y, okY := Number(b)
	if okX && okY && (f.Tolerance > 0 || memberTolerances[f.Key] != nil) {
		return near(x, y, within{relative: max(f.Tolerance, memberTolerances[f.Key][""].relative)})
	}
	return equalText(f.Normalise(a), f.Normalise(b))
}

// objects returns both values as objects where at least one is one.
func (f Field) objects(a, b any) (left, right map[string]any, ok bool) {
	left, isLeft := a.(map[string]any)
	right, isRight := b.(map[string]any)
	if isLeft && isRight {
		return left, right, f.Key != "sequence_length" && f.Key != "model" && f.Key != "tokenizer"
	}
	if !isLeft && !isRight || f.Key == "sequence_length" || f.Key == "model" || f.Key == "tokenizer" {
		return nil, nil, false
	}
	if isRight {
		return f.asObject(a), right, true
	}
	return left, f.asObject(b), true
}

// identity is what a data set is known by: not how many entries were drawn
// from it, nor the lengths asked for, which are told apart by themselves.
func identity(dataset map[string]any) map[string]any {
	named := maps.Clone(dataset)
	for _, key := range []string{"entries", "isl", "osl"} {
		delete(named, key)
	}
	return named
}

// asObject reads "tp=1, pp=2" or a bare value as the object it stands for.
func (f Field) asObject(value any) map[string]any {
	text := plain(value)
	object := map[string]any{}
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ',' || r == ' ' || r == ';' }) {
		key, member, ok := strings.Cut(part, "=")
		if !ok {
			object = map[string]any{}
			break
		}
		object[key] = member
	}
	if len(object) > 0 {
		return object
	}
	if member := scalarMeans[f.Key]; member != "" {
		return map[string]any{member: text}
	}
	return map[string]any{"": text}
}

// agreeObjects compares what both sides state. A member that only one side
// states leaves the field open.
func (f Field) agreeObjects(a, b map[string]any) Agreement {
	agreement := Equal
	for _, key := range slices.Sorted(maps.Keys(a)) {
		other, ok := b[key]
		if !ok {
			agreement = Undecided
			continue
		}
		switch f.agreeMember(key, a[key], other) {
		case Unequal:
			return Unequal
		case Undecided:
			agreement = Undecided
		}
	}
	for key := range b {
		if _, ok := a[key]; !ok {
			agreement = Undecided
		}
	}
	return agreement
}

func (f Field) agreeMember(key string, a, b any) Agreement {
	tolerance, ok := memberTolerances[f.Key][key]
	if !ok {
		tolerance, ok = memberTolerances[f.Key][""]
	}
	x, okX := Number(a)
	y, okY := Number(b)
	if okX && okY {
		if !ok {
			tolerance = within{relative: f.Tolerance}
		}
		return near(x, y, tolerance)
	}
	return equalText(switchedOrPlain(a), switchedOrPlain(b))
}

// switchedOrPlain reads true and "on" alike.
func switchedOrPlain(value any) string {
	if on, ok := value.(bool); ok {
		return switched(on)
	}
	switch text := plain(value); text {
	case "true", "false":
		return switched(text)
	default:
		return text
	}
}

func near(x, y float64, tolerance within) Agreement {
	difference := math.Abs(x - y)
	// A hair is allowed for decimal fractions: 3 % of 100 is 103.
	if difference <= tolerance.absolute+1e-9 || difference <= (tolerance.relative+1e-9)*min(math.Abs(x), math.Abs(y)) || x == y {
		return Equal
	}
	return Unequal
}

// NearlyEqual reports whether two numbers differ by at most a fraction of the
// smaller one.
func NearlyEqual(x, y, fraction float64) bool { return near(x, y, within{relative: fraction}) == Equal }

func equalText(a, b string) Agreement {
	if a == b {
		return Equal
	}
	return Unequal
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
