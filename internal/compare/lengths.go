package compare

import (
	"fmt"
	"strings"

	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
)

// lengthStatistics are what the lengths of two loads are held against each
// other by.
var lengthStatistics = []string{"p50", "p90", "mean"}

// lengthsAlike compares the measured lengths of every launch of one side with
// every launch of the other.
func lengthsAlike(sides [2][]launch, key string) (state State, detail string) {
	state = Same
	for _, b := range sides[0] {
		for _, c := range sides[1] {
			x, okX := lengthsOf(b.values[key])
			y, okY := lengthsOf(c.values[key])
			if !okX || !okY {
				return Unknown, ""
			}
			for _, name := range lengthStatistics {
				if !lens.NearlyEqual(x[name], y[name], lengthTolerance) {
					return Different, fmt.Sprintf("%s %s %g against %g, over 5 %% apart", strings.ToUpper(key), name, x[name], y[name])
				}
			}
		}
	}
	return state, ""
}

// lengthsOf reads {"p50", "p90", "mean"}, or one number that stands for all.
func lengthsOf(value evidence.Value) (map[string]float64, bool) {
	if !value.Known() {
		return nil, false
	}
	lengths := map[string]float64{}
	if number, ok := lens.Number(value.Value); ok {
		for _, name := range lengthStatistics {
			lengths[name] = number
		}
		return lengths, true
	}
	object, ok := value.Value.(map[string]any)
	if !ok {
		return nil, false
	}
	for _, name := range lengthStatistics {
		number, ok := lens.Number(object[name])
		if !ok {
			return nil, false
		}
		lengths[name] = number
	}
	return lengths, true
}

// askedAlike reports whether all launches were asked for the same lengths.
func askedAlike(sides [2][]launch, key string) bool {
	first := ""
	for i, l := range append(append([]launch(nil), sides[0]...), sides[1]...) {
		object, ok := l.values[key].Value.(map[string]any)
		if !ok || object["asked"] == nil {
			return false
		}
		text := lens.Field{}.Normalise(object["asked"])
		if i == 0 {
			first = text
		}
		if text != first {
			return false
		}
	}
	return first != ""
}

// orderOf is the order of prompts of a side's first capture: the list itself,
// or the conversations of its requests.
func orderOf(side []launch) []string {
	for _, c := range capturesOf(side) {
		if list, ok := c.Dimensions["prompt_order_sha256"].Value.([]any); ok {
			order := make([]string, len(list))
			for i, id := range list {
				order[i] = fmt.Sprint(id)
			}
			return order
		}
		requests, ok := c.Table("requests")
		if !ok {
			return nil
		}
		for _, name := range []string{"conversation", "conversation_id"} {
			if column, ok := requests.Column(name); ok && column.Codes != nil {
				order := make([]string, column.Len())
				for i := range order {
					order[i] = column.Text(i)
				}
				return order
			}
		}
		return nil
	}
	return nil
}
