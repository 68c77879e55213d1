package kwcap

import (
	"maps"
	"slices"

	"kernelwake/internal/absent"
	"kernelwake/internal/evidence"
)

// member is one named part of an object of the format.
type member[S any] struct {
	name string
	// about says what it means, for the schema.
	about    string
	need     bool
	read     func(s *scanner, into *S)
	describe schema
}

// must is a member that has to be there.
func must[S, T any](name, about string, place func(*S) *T, of shape[T]) member[S] {
	one := may(name, about, place, of)
	one.need = true
	return one
}

// may is a member that can be left out.
func may[S, T any](name, about string, place func(*S) *T, of shape[T]) member[S] {
	return member[S]{name: name, about: about, describe: of.describe, read: func(s *scanner, into *S) { of.read(s, place(into)) }}
}

// object is an object of the named members and no others.
func object[S any](members ...member[S]) shape[S] {
	names := make([]string, len(members))
	for i, one := range members {
		names[i] = one.name
	}
	return shape[S]{
		read: func(s *scanner, into *S) {
			if !s.expect('{', "an object") {
				return
			}
			var seen uint64 // no object of the format has 64 members
			s.object(func(key string) {
				i := slices.Index(names, key)
				if i < 0 {
					s.got(s.pointer(), codeUnknownField, key, "%q is no member of this object%s", key, meant(key, names))
					s.skip()
					return
				}
				seen |= 1 << i
				members[i].read(s, into)
			})
			for i, one := range members {
				if one.need && seen&(1<<i) == 0 && !s.stopped {
					s.problems.at(pointerTo(s.pointer(), one.name), codeMissing, "%q is missing: %s", one.name, one.about)
				}
			}
		},
		describe: describeObject(members),
	}
}

func describeObject[S any](members []member[S]) schema {
	properties, needed := schema{}, []string{}
	for _, one := range members {
		described := maps.Clone(one.describe)
		if one.about != "" {
			described["description"] = one.about
		}
		properties[one.name] = described
		if one.need {
			needed = append(needed, one.name)
		}
	}
	out := schema{"type": "object", "properties": properties, "additionalProperties": false}
	if len(needed) > 0 {
		out["required"] = needed
	}
	return out
}

// gap is an absence with its reason, as a file gives it.
type gap struct {
	Reason absent.Reason
	Note   string
}

var gapShape = object(
	must("absent", "why there is no value", func(g *gap) *absent.Reason { return &g.Reason }, reason),
	may("note", "words beside the reason", func(g *gap) *string { return &g.Note }, text(mostText)),
)

var reason = func() shape[absent.Reason] {
	words := make([]string, len(absent.FileReasons))
	for i, one := range absent.FileReasons {
		words[i] = string(one)
	}
	plain := choice(words...)
	return shape[absent.Reason]{
		read: func(s *scanner, into *absent.Reason) {
			var word string
			plain.read(s, &word)
			*into = absent.Reason(word)
		},
		describe: plain.describe,
	}
}()

// objectOrAbsent is an object that may stand as an absence instead.
func objectOrAbsent[S any](of shape[S]) shape[absent.Value[S]] {
	return shape[absent.Value[S]]{
		read: func(s *scanner, into *absent.Value[S]) {
			if s.next() == '{' && s.holdsAbsent() {
				var none gap
				gapShape.read(s, &none)
				*into = absent.Because[S](none.Reason, none.Note)
				return
			}
			var value S
			of.read(s, &value)
			*into = absent.Of(value)
		},
		describe: schema{"anyOf": []schema{of.describe, {"$ref": "#/$defs/absent"}}},
	}
}

// holdsAbsent looks ahead whether the object that begins here has a member
// "absent". Nothing is noted: what is wrong is said when it is read.
func (s *scanner) holdsAbsent() bool {
	ahead := &scanner{data: s.data, at: s.at, depth: s.depth, valid: s.valid, problems: new(problems)}
	found := false
	ahead.object(func(key string) {
		found = found || key == "absent"
		ahead.skip()
	})
	return found
}

// meant asks for the nearest known name, empty where none is near.
func meant(word string, known []string) string {
	if near := evidence.Nearest(word, known); near != "" {
		return `; did you mean "` + near + `"?`
	}
	return ""
}
