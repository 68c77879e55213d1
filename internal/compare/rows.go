package compare

import (
	"fmt"
	"slices"
	"strings"

	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
)

// table reads every row of the lens for one stratum.
type table struct {
	lens     lens.Lens
	format   string
	sides    [2][]launch
	pairs    []pair
	left     []NotCompared
	declared map[string]string
	work     workReading
	// settled holds the outcomes that never settle, once they were looked for.
	settled  bool
	restless []string
}

// readRows reads the rows that apply to the format, in the registry's order.
func (t *table) readRows() []reading {
	var readings []reading
	for _, row := range t.lens.Rows {
		if len(row.Formats) > 0 && !slices.Contains(row.Formats, t.format) {
			continue
		}
		r := t.read(row)
		r.row = row
		if r.baseline == "" && r.candidate == "" {
			r.baseline, r.candidate = inWords(r.fields, false), inWords(r.fields, true)
		}
		r.outcomes = append(r.outcomes, t.present(row.Outcomes)...)
		readings = append(readings, r)
	}
	t.relate(readings)
	return readings
}

// present lists the metrics compared of the outcomes that a row is about.
func (t *table) present(names []string) []string {
	var metrics []string
	for _, p := range t.pairs {
		if slices.Contains(names, p.outcome.Name) {
			metrics = append(metrics, p.id())
		}
	}
	return metrics
}

// read dispatches on the row's rule; the explicit list of rules is here.
func (t *table) read(row lens.Row) reading {
	switch row.Rule {
	case lens.Work:
		return t.readWork(row)
	case lens.Batch:
		return t.readBatch(row)
	case lens.RequestMix:
		return t.readMix(row)
	case lens.LoadWindow:
		return t.readWindow(row)
	case lens.Overlap:
		return t.readOverlap(row)
	case lens.DeviceHours:
		return t.readDevices(row)
	case lens.History:
		return t.readHistory(row)
	case lens.GPUs:
		return t.readHardware(row)
	case lens.Definition:
		return t.readDefinitions(row)
	case lens.Survivorship:
		return t.readCompleteness(row)
	}
	switch row.Key {
	case "lens":
		return fixedReading(row, string(t.lens.ID), string(t.lens.ID))
	case "capture_format":
		return fixedReading(row, t.format, t.format)
	case "model":
		return t.readModel(row)
	case "window":
		return t.readFleetWindow(row)
	}
	return t.fieldByField(row, row.Fields)
}

// fixedReading is a row that holds by construction once it has been checked.
func fixedReading(row lens.Row, baseline, candidate string) reading {
	r := reading{state: Same, basis: string(evidence.Observed), baseline: baseline, candidate: candidate}
	if baseline != candidate {
		r.state, r.differing = Different, row.Fields
	}
	return r
}

// fieldByField reads the fields singly and puts them together: one that is
// known to differ decides; in a gate or must row every field must be known; in
// a context row those known on both sides decide, and one known on one side
// only leaves the row open.
func (t *table) fieldByField(row lens.Row, keys []string) reading {
	var r reading
	needAll := row.Class == lens.Gate || row.Class == lens.Must
	var missing []string
	same, told := 0, 0
	for _, key := range keys {
		field, _ := t.lens.Field(key)
		read, values := readField(field, t.sides)
		r.fields = append(r.fields, read)
		b, c := values[0], values[1]
		r.conflict = r.conflict || b.conflict || c.conflict
		if b.told() || c.told() {
			told++
		}
		switch {
		case read.State == Different:
			r.differing = append(r.differing, key)
		case read.State == Same:
			same++
		case b.told() != c.told() && !b.conflict && !c.conflict:
			r.oneSided = true
			missing = append(missing, missingWords(field, b.told()))
		case b.known && c.known && !b.conflict && !c.conflict && (needAll || isObject(b, c)):
			r.oneSided = r.oneSided || isObject(b, c)
			missing = append(missing, field.Label+", given as "+rawWords(read.Baseline)+" against "+rawWords(read.Candidate))
		case needAll && !b.conflict && !c.conflict:
			missing = append(missing, field.Label)
		}
	}
	r.state, r.reason = combined(r, needAll, same, told, missing)
	switch r.state {
	case Same:
		r.basis = weakest(r.fields, func(f Field) bool { return f.State == Same })
	case Different:
		r.basis = weakest(r.fields, func(f Field) bool { return f.State == Different })
		r.reason = t.differingWords(r)
	}
	return r
}

func combined(r reading, needAll bool, same, told int, missing []string) (State, string) {
	switch {
	case len(r.differing) > 0:
		return Different, ""
	case r.conflict:
		return Unknown, "sources or launches inside a side disagree"
	case needAll && len(missing) > 0:
		return Unknown, "not known: " + strings.Join(missing, ", ")
	case r.oneSided:
		return Unknown, "known on one side only: " + strings.Join(missing, ", ")
	case told == 0:
		return Unknown, "not recorded on either side"
	case same == 0:
		return Unknown, "known on both sides, yet neither equal nor different"
	case same < told:
		return Unknown, "not told apart by what is known"
	}
	return Same, ""
}

// isObject reports whether an undecided field is one of several members, of
// which a side leaves some out.
func isObject(b, c sideValue) bool {
	for _, v := range append(slices.Clone(b.values), c.values...) {
		if _, ok := v.(map[string]any); ok {
			if _, bound := v.(map[string]any)["at_least"]; !bound {
				return true
			}
		}
	}
	return false
}

func missingWords(field lens.Field, baselineTold bool) string {
	if baselineTold {
		return field.Label + " of the candidate"
	}
	return field.Label + " of the baseline"
}

// differingWords lists what differs, engine arguments singly.
func (t *table) differingWords(r reading) string {
	var parts []string
	for _, f := range r.fields {
		if f.State != Different {
			continue
		}
		if f.Key == "engine_args" {
			parts = append(parts, lens.DifferingArguments(f.Baseline.Raw, f.Candidate.Raw)...)
			continue
		}
		parts = append(parts, fmt.Sprintf("%s %s against %s", f.Label, orNotStated(rawWords(f.Baseline)), orNotStated(rawWords(f.Candidate))))
	}
	return strings.Join(parts, "; ")
}

// readHardware needs the GPU memory of load runs only: a trace names the GPUs
// that ran kernels. Memory that is known to differ counts in both.
func (t *table) readHardware(row lens.Row) reading {
	keys := row.Fields
	if field, ok := t.lens.Field("gpu_memory"); ok && t.format == evidence.FormatChromeTrace {
		if read, _ := readField(field, t.sides); read.State != Different {
			keys = slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return key == field.Key })
		}
	}
	r := t.fieldByField(row, keys)
	if without(t.sides[0]) && without(t.sides[1]) {
		// Where no GPU is used, neither their number nor memory applies.
		r.state, r.oneSided, r.conflict, r.differing, r.reason = Same, false, false, nil, "no GPU on either side"
		r.basis = weakest(r.fields, func(f Field) bool { return f.Key == "gpu_model" })
	}
	r.baseline = hardwareWords(r.fields, false) + listedWords(t.sides[0])
	r.candidate = hardwareWords(r.fields, true) + listedWords(t.sides[1])
	return r
}

// without reports whether every launch of a side is known to use no GPU.
func without(side []launch) bool {
	for _, l := range side {
		if v := l.values["gpu_model"]; !v.NotApplicable() || v.Conflict {
			return false
		}
	}
	return len(side) > 0
}

// readDefinitions tells whether any outcome was left out for its definition.
func (t *table) readDefinitions(lens.Row) reading {
	r := reading{state: Same, basis: string(evidence.Observed)}
	var names []string
	for _, left := range t.left {
		if left.Reason == DefinitionDiffers || left.Reason == SummaryAgainstSamples {
			names = append(names, left.Metric)
		}
	}
	if len(names) > 0 {
		r.state, r.differing, r.reason = Different, []string{"metric_definition"}, "not compared: "+strings.Join(names, ", ")
	}
	return r
}

func (t *table) readCompleteness(lens.Row) reading {
	b, c := countsOf(t.sides[0]), countsOf(t.sides[1])
	r := reading{state: Same, basis: string(evidence.Observed), baseline: b.words(), candidate: c.words()}
	switch broken := survivorshipOf(stratum{sides: t.sides}); {
	case broken != "":
		r.state, r.differing, r.reason = Different, []string{"completeness"}, broken
	case t.format == evidence.FormatChromeTrace || t.lens.ID != lens.Inference:
		r.reason = "no requests are counted"
	case !b.known || !c.known:
		r.state, r.basis, r.reason = Unknown, "", "how many requests failed is not recorded on both sides"
	}
	return r
}
