package compare

import (
	"encoding/json"
	"fmt"
	"slices"
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

// askedAlike reports whether all launches were asked for the same lengths,
// which stand beside the measured ones or in the data set.
func askedAlike(sides [2][]launch, key string) bool {
	first := ""
	for i, l := range append(append([]launch(nil), sides[0]...), sides[1]...) {
		text := askedOf(l, key)
		if i == 0 {
			first = text
		}
		if text != first {
			return false
		}
	}
	return first != ""
}

func askedOf(l launch, key string) string {
	if object, ok := l.values[key].Value.(map[string]any); ok && object["asked"] != nil {
		return lens.Field{}.Normalise(object["asked"])
	}
	if object, ok := l.values["dataset"].Value.(map[string]any); ok && object[key] != nil {
		return lens.Field{}.Normalise(object[key])
	}
	return ""
}

// promptOrder is the order in which a capture's prompts came: their ids, a
// digest over all of them, or both.
type promptOrder struct {
	ids    []string
	digest string
}

func (o promptOrder) known() bool { return len(o.ids) > 0 || o.digest != "" }

// warmUps is how many prompts a capture drew before it measured; −1 where it
// doesn't tell. Captures of the same prompts begin at different entries where
// it differs.
func warmUps(c measuredCapture) int {
	figures := struct {
		Window struct {
			WarmUps *int `json:"warmup_requests"`
		} `json:"window"`
	}{}
	if len(c.Figures) == 0 || json.Unmarshal(c.Figures, &figures) != nil || figures.Window.WarmUps == nil {
		return -1
	}
	return *figures.Window.WarmUps
}

// startsLike reports whether one order is the other, or the beginning of it.
func (o promptOrder) startsLike(other promptOrder) bool {
	if o.digest != "" && o.digest == other.digest {
		return true
	}
	n := min(len(o.ids), len(other.ids))
	return n > 0 && slices.Equal(o.ids[:n], other.ids[:n])
}

// orderOf reads a list of ids, a digest, or {"ids", "sha256"}; else the
// conversations of the capture's requests.
func orderOf(c measuredCapture) promptOrder {
	switch value := c.Dimensions["prompt_order_sha256"].Value.(type) {
	case string:
		return promptOrder{digest: value}
	case []any:
		return promptOrder{ids: texts(value)}
	case map[string]any:
		digest, _ := value["sha256"].(string)
		ids, _ := value["ids"].([]any)
		return promptOrder{ids: texts(ids), digest: digest}
	}
	requests, ok := c.Table("requests")
	if !ok {
		return promptOrder{}
	}
	for _, name := range []string{"conversation", "conversation_id"} {
		if column, ok := requests.Column(name); ok && column.Codes != nil {
			ids := make([]string, column.Len())
			for i := range ids {
				ids[i] = column.Text(i)
			}
			return promptOrder{ids: ids}
		}
	}
	return promptOrder{}
}

func texts(values []any) []string {
	ids := make([]string, len(values))
	for i, value := range values {
		ids[i] = fmt.Sprint(value)
	}
	return ids
}
