package evidence

import (
	"fmt"
	"maps"
	"slices"

	"kernelwake/internal/fault"
	"kernelwake/internal/lens"
)

// DeclaredLimit is the most values one declaration or setup may hold.
const DeclaredLimit = 200

// CheckDeclared refuses declared values whose keys no field of the lenses has,
// naming the nearest one, and values that say nothing.
func CheckDeclared(values map[string]any, lenses ...lens.Lens) error {
	var problems []fault.Problem
	for _, key := range slices.Sorted(maps.Keys(values)) {
		switch {
		case !known(key, lenses):
			problem := fault.Problem{Code: "unknown_dimension", Pointer: "/" + key, Message: fmt.Sprintf("%q is no dimension", key), Got: key}
			if near := nearestKey(key, lenses); near != "" {
				problem.Message += fmt.Sprintf("; did you mean %q?", near)
			}
			problems = append(problems, problem)
		case values[key] == nil:
			problems = append(problems, fault.Problem{Code: "value_missing", Pointer: "/" + key, Message: fmt.Sprintf("%q has no value; say {\"absent\": reason} where it doesn't apply", key)})
		}
	}
	if len(values) > DeclaredLimit {
		problems = append(problems, fault.Problem{Code: "too_many_values", Message: "too many values", Limit: fmt.Sprint(DeclaredLimit), Got: fmt.Sprint(len(values))})
	}
	if len(problems) == 0 {
		return nil
	}
	return fault.New(fault.Invalid, "declaration_invalid", "the declared values can't be used").
		WithProblems(problems...).WithHint("GET /api/v1/lenses lists the dimensions of each lens with an example")
}

func known(key string, lenses []lens.Lens) bool {
	return slices.ContainsFunc(lenses, func(l lens.Lens) bool {
		_, ok := l.Field(key)
		return ok
	})
}

// nearestKey is the field key a typing error or two away, or empty.
func nearestKey(key string, lenses []lens.Lens) string {
	var keys []string
	for _, l := range lenses {
		for _, field := range l.Fields {
			keys = append(keys, field.Key)
		}
	}
	return Nearest(key, keys)
}
