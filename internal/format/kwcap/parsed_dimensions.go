package kwcap

import (
	"encoding/json"
	"fmt"
	"slices"

	"kernelwake/internal/absent"
	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
)

var sources = map[string]evidence.Source{"declared": evidence.Declared, "observed": evidence.Observed, "derived": evidence.Derived, "default": evidence.DefaultTool}

// readDimensions takes over the dimensions, then what the environment and the
// workload say of the same facts.
func (r *reading) readDimensions() {
	r.out.Dimensions = map[string]evidence.Dimension{}
	for _, key := range sorted(r.Dimensions) {
		r.out.Dimensions[key] = r.dimension(key, r.Dimensions[key])
	}
	for _, said := range r.saidElsewhere() {
		r.hold(said)
	}
	if r.lens.ID == lens.Fleet && !r.out.Dimensions["window_hours"].Known() {
		r.derive("window_hours", r.Window.seconds()/3600, "window")
	}
	if steps := r.excludedSteps(); steps != nil {
		r.derive("excluded_steps", steps, "/excluded")
	}
}

func (r *reading) dimension(key string, d dimension) evidence.Dimension {
	at := pointerTo("/dimensions", key)
	if d.Gap.Reason != "" {
		return evidence.Dimension{Absent: d.Gap.Reason, Note: r.text(pointerTo(at, "note"), d.Gap.Note)}
	}
	return evidence.Dimension{
		Value: r.secrets.Value(pointerTo(at, "v"), "", d.Value), Source: sources[d.Source],
		From: r.text(pointerTo(at, "from"), d.From),
	}
}

// derive gives a dimension that the file leaves open a value that follows from
// the rest of it.
func (r *reading) derive(key string, value any, from string) {
	if _, ok := r.lens.Field(key); ok && !r.out.Dimensions[key].Known() {
		r.out.Dimensions[key] = evidence.Dimension{Value: value, Source: evidence.Derived, From: from}
	}
}

// manyWords are dimensions that people describe in ways that can't be held
// against the environment's members: those only fill a gap.
var manyWords = []string{"interconnect", "clocks", "host_id", "comms"}

// saying is a dimension's value that stands elsewhere in the file.
type saying struct {
	key    string
	value  any
	source evidence.Source
	at     string
}

// hold takes a value said elsewhere where the dimension is open. Where both
// are known and unequal, neither is believed.
func (r *reading) hold(said saying) {
	field, ok := r.lens.Field(said.key)
	if !ok {
		return
	}
	given := r.out.Dimensions[said.key]
	if !given.Known() {
		r.out.Dimensions[said.key] = evidence.Dimension{Value: said.value, Source: said.source, From: said.at}
		return
	}
	if slices.Contains(manyWords, said.key) || field.Agree(given.Value, said.value) != lens.Unequal {
		return
	}
	note := fmt.Sprintf("%s %s in dimensions, %s %s in %s", inWords(given.Value), given.Source, inWords(said.value), said.source, said.at)
	r.out.Dimensions[said.key] = evidence.Dimension{Absent: absent.Conflict, Note: note}
	r.find("environment_disagrees", 1, pointerTo("/dimensions", said.key), "correct the wrong one of the two in the file", "%s: %s", field.Label, note)
}

func inWords(value any) string {
	if text, ok := value.(string); ok {
		return text
	}
	encoded, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return shortened(string(encoded))
}

// excludedSteps counts the steps left out by reason, nil if none are named.
func (r *reading) excludedSteps() any {
	counts := map[string]any{}
	for _, one := range r.Excluded {
		if one.What == "step_time" {
			before, _ := counts[one.Reason].(float64)
			counts[one.Reason] = before + float64(one.Count)
		}
	}
	if len(counts) == 0 {
		return nil
	}
	return counts
}
