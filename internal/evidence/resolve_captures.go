package evidence

import (
	"cmp"
	"slices"

	"kernelwake/internal/absent"
	"kernelwake/internal/lens"
)

// saidByCaptures collects what captures say of a field, one entry for each
// strength of source, with the distinct values where the field varies by
// nature or by cell. Captures that otherwise disagree are in conflict.
func saidByCaptures(field lens.Field, captures []CaptureEvidence) (said []Dimension, several []any, conflict bool) {
	cells := map[string]bool{}
	for _, c := range captures {
		cells[c.Cell] = true
		d := captureDimension(c, field.Key)
		at := slices.IndexFunc(said, func(s Dimension) bool {
			return strengths[s.Source] == strengths[d.Source] && s.Known() == d.Known()
		})
		switch {
		case at < 0:
			said = append(said, d)
			if d.Known() {
				several = append(several, d.Value)
			}
		case d.Known() && field.Agree(said[at].Value, d.Value) == lens.Unequal:
			if !slices.ContainsFunc(several, func(v any) bool { return field.Agree(v, d.Value) == lens.Equal }) {
				several = append(several, d.Value)
			}
			conflict = conflict || !field.Varies
		}
	}
	if field.Key == "gpu_count" {
		if total, ok := gpusOfRanks(captures); ok {
			return []Dimension{total}, nil, false
		}
	}
	if len(several) < 2 {
		several = nil
	}
	return said, several, conflict && len(cells) <= 1
}

// captureDimension returns a capture's word on a field. What the capture was
// measured on is a field like others.
func captureDimension(c CaptureEvidence, key string) Dimension {
	if d, ok := c.Dimensions[key]; ok {
		return d
	}
	if key == "measured_on" && c.MeasuredOn != "" && c.MeasuredOn != UnknownDevice {
		source := Observed
		if c.Format == FormatChromeTrace {
			source = Derived
		}
		return Dimension{Value: string(c.MeasuredOn), Source: source, From: c.Format + " capture"}
	}
	return Dimension{Absent: absent.NotRecorded, Source: Observed}
}

// gpusOfRanks adds up the GPUs that each rank of a launch used.
func gpusOfRanks(captures []CaptureEvidence) (Dimension, bool) {
	counts := map[int64]float64{}
	var like Dimension
	for _, c := range captures {
		rank, ok := c.Rank.Rank.Get()
		d := captureDimension(c, "gpu_count")
		count, isNumber := lens.Number(d.Value)
		if !ok || !d.Known() || !isNumber {
			return Dimension{}, false
		}
		counts[rank] = max(counts[rank], count)
		like = d
	}
	if len(counts) < 2 {
		return Dimension{}, false
	}
	var total float64
	for _, count := range counts {
		total += count
	}
	like.Value, like.From = total, "sum over the ranks recorded"
	return like, true
}

// checkBatch computes the effective batch from its factors where they are
// known: micro-batch × accumulation × data parallel. It stands where nothing
// was given, and contradicts what was given and is unequal.
func checkBatch(values map[string]Value, l lens.Lens) {
	field, ok := l.Field("effective_batch")
	if !ok {
		return
	}
	computed, ok := computedBatch(values)
	if !ok {
		return
	}
	given := values["effective_batch"]
	if !given.Known() {
		given.Dimension = computed
		given.Normalised = field.Normalise(computed.Value)
		given.Sources = append(given.Sources, computed)
		values["effective_batch"] = given
		return
	}
	if field.Agree(given.Value, computed.Value) == lens.Unequal {
		given.Conflict = true
		given.Sources = append(given.Sources, computed)
		slices.SortStableFunc(given.Sources, func(a, b Dimension) int { return cmp.Compare(strengths[a.Source], strengths[b.Source]) })
		values["effective_batch"] = given
	}
}

func computedBatch(values map[string]Value) (Dimension, bool) {
	micro := lens.QuantityOf(values["micro_batch"].Value)
	accumulation, known := lens.Number(values["accumulation"].Value)
	parallel, ok := dataParallel(values)
	if !values["micro_batch"].Usable() || !micro.Known || !known || !ok {
		return Dimension{}, false
	}
	count := map[string]any{"count": micro.Count * accumulation * parallel}
	if micro.Unit != "" {
		count["unit"] = micro.Unit
	}
	return Dimension{Value: count, Source: Derived, From: "micro-batch × accumulation × data parallel"}, true
}

// dataParallel is stated by the layout, or the world size divided by its other
// factors.
func dataParallel(values map[string]Value) (float64, bool) {
	layout, ok := values["layout"].Value.(map[string]any)
	if !ok {
		return 0, false
	}
	if dp, ok := lens.Number(layout["dp"]); ok {
		return dp, true
	}
	world, ok := lens.Number(values["world_size"].Value)
	if !ok {
		return 0, false
	}
	for _, factor := range []string{"tp", "pp", "cp"} {
		if n, ok := lens.Number(layout[factor]); ok && n > 0 {
			world /= n
		}
	}
	return world, true
}
