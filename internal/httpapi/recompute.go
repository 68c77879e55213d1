package httpapi

import (
	"context"
	"encoding/json"
	"maps"
	"reflect"
	"slices"

	"kernelwake/internal/compare"
	"kernelwake/internal/evidence"
)

// Recomputed says whether a saved comparison comes out the same again.
type Recomputed struct {
	// Equal is true where every digit, code and value is the same.
	Equal bool `json:"equal"`
	// Differs names the members that differ in more than their words.
	Differs []string `json:"differs"`
	// Reworded names the members that a later build says in other words.
	Reworded []string `json:"reworded"`
	// ResultSHA256 is the digest of the result computed now.
	ResultSHA256 string         `json:"result_sha256"`
	Result       compare.Result `json:"result"`
}

func recomputeComparison(a *API, ctx context.Context, input *ByID) (*struct{ Body Recomputed }, error) {
	saved, err := a.Records.Comparison(ctx, scopeOf(ctx).workspaceID, input.ID)
	if err != nil {
		return nil, err
	}
	frozen, err := thaw(saved)
	if err != nil {
		return nil, err
	}
	_, result, err := a.compute(ctx, frozen)
	if err != nil {
		return nil, err
	}
	data, err := marshal(result)
	if err != nil {
		return nil, err
	}
	answer := Recomputed{Result: *result, ResultSHA256: evidence.Digest(data), Differs: []string{}, Reworded: []string{}}
	if answer.ResultSHA256 != saved.ResultSHA256 {
		answer.hold(saved.Result, data)
	}
	answer.Equal = len(answer.Differs) == 0
	return &struct{ Body Recomputed }{answer}, nil
}

// words are the members of a result that speak to people: another build may
// word them anew, which changes no digit.
var words = []string{"sentence", "message", "remedy", "means", "label", "note", "reason", "actions"}

// hold tells the members of two results that differ from those that are only
// worded anew.
func (r *Recomputed) hold(saved, now []byte) {
	var before, after map[string]any
	if json.Unmarshal(saved, &before) != nil || json.Unmarshal(now, &after) != nil {
		r.Differs = []string{"/"}
		return
	}
	names := maps.Clone(after)
	maps.Copy(names, before)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		switch {
		case reflect.DeepEqual(before[name], after[name]):
		case slices.Contains(words, name), reflect.DeepEqual(withoutWords(before[name]), withoutWords(after[name])):
			r.Reworded = append(r.Reworded, "/"+name)
		default:
			r.Differs = append(r.Differs, "/"+name)
		}
	}
}

func withoutWords(value any) any {
	switch value := value.(type) {
	case []any:
		kept := make([]any, len(value))
		for i, one := range value {
			kept[i] = withoutWords(one)
		}
		return kept
	case map[string]any:
		kept := make(map[string]any, len(value))
		for name, one := range value {
			if !slices.Contains(words, name) {
				kept[name] = withoutWords(one)
			}
		}
		return kept
	}
	return value
}
