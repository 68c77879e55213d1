package compare

import (
	"cmp"
	"fmt"
	"slices"

	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
	"kernelwake/internal/trace"
)

// readWork reads model_and_objective. Time outcomes need the same work only:
// an equal model, or an equal work signature. Quality and ways to a target
// need every field.
func (t *table) readWork(row lens.Row) reading {
	all := t.fieldByField(row, row.Fields)
	work := t.readSameWork(all.fields)
	work.fields = all.fields
	work.baseline, work.candidate = t.workWords(all.fields, 0), t.workWords(all.fields, 1)
	times, objectives := t.needs()
	differing := all.differing
	if work.state == Same {
		differing = slices.DeleteFunc(slices.Clone(differing), func(key string) bool { return key == "model" || key == "sequence_length" })
	}
	switch {
	case len(objectives) == 0:
	case len(times) == 0:
		return t.wholeObjective(all, work)
	case len(differing) > 0:
		work.blocked = objectives
		work.reason = cmp.Or(work.reason, "for times and rates") + "; known to differ: " + t.differingWords(all)
	case all.state != Same:
		work.open, work.openFor = objectives, all.reason
	}
	if _, declared := t.declared[row.Key]; declared && len(all.differing) > 0 && work.state != Different {
		// What was changed on purpose may be no part of the work itself.
		all.reason = t.differingWords(all)
		all.blocked = nil
		return all
	}
	return work
}

// workWords names the model of a side, or its work where no model is named.
func (t *table) workWords(fields []Field, side int) string {
	text := inWords(fields, side == 1)
	if text == "" && t.work.digests[side] != "" {
		text = "work " + t.work.digests[side][:8]
	}
	return text
}

// wholeObjective is the row where only quality or ways to a target are
// compared. Work that is known to differ, or to be the same, speaks for the
// model.
func (t *table) wholeObjective(all, work reading) reading {
	if work.state == Different {
		return work
	}
	if work.state == Same && len(all.differing) == 0 && !all.conflict {
		open := slices.DeleteFunc(slices.Clone(all.fields), func(f Field) bool { return f.State != Unknown || f.Key == "model" })
		if len(open) == 0 {
			all.state, all.basis, all.reason = Same, work.basis, work.reason
		}
	}
	return all
}

// needs lists the metrics that need the same work only and those that need the
// whole objective.
func (t *table) needs() (times, objectives []string) {
	for _, p := range t.pairs {
		if p.outcome.WorkOnly {
			times = append(times, p.id())
		} else {
			objectives = append(objectives, p.id())
		}
	}
	return times, objectives
}

// readSameWork tells whether both sides did the same work, by signature and by
// the model's name.
func (t *table) readSameWork(fields []Field) reading {
	model, length := fieldOf(fields, "model"), fieldOf(fields, "sequence_length")
	named := reading{state: model.State, basis: weakest([]Field{model}, func(Field) bool { return true })}
	switch {
	case model.State == Same && length.State == Different:
		named.state, named.differing, named.reason = Different, []string{"sequence_length"}, "the sequence length differs"
	case model.State == Different:
		named.differing, named.reason = []string{"model"}, fmt.Sprintf("model %s against %s", rawWords(model.Baseline), rawWords(model.Candidate))
	case model.State == Unknown:
		named.basis, named.reason = "", "the model is not named on both sides, and no work signature shows that the work is the same"
		named.conflict = model.Baseline.Absent == "conflict" || model.Candidate.Absent == "conflict"
	}
	return t.byWork(named)
}

// byWork lets the work signatures speak before what was named.
func (t *table) byWork(named reading) reading {
	w := t.work
	switch {
	case w.conflict:
		return reading{state: Unknown, conflict: true, reason: w.why()}
	case w.state == trace.WorkEqual:
		return reading{state: Same, basis: string(evidence.Derived), source: workSource, reason: "equal work signature"}
	case w.state == trace.WorkPerSample:
		return reading{state: Same, basis: BasisPerSample, source: workSource, reason: "the same work a sample, by work signature"}
	case w.state == trace.WorkDifferent:
		return reading{state: Different, basis: string(evidence.Derived), source: workSource, differing: []string{"model"}, reason: fmt.Sprintf("the work differs: %.0f %% of the products are shared", 100*w.shared)}
	case w.state == trace.OperatorsDiffer && named.state == Unknown:
		named.reason = "the operators differ, and no model is named on both sides"
	case w.state == trace.WorkUnknown && named.state == Unknown:
		named.reason = cmp.Or(w.why(), named.reason)
	}
	return named
}

func fieldOf(fields []Field, key string) Field {
	for _, f := range fields {
		if f.Key == key {
			return f
		}
	}
	return Field{Key: key, State: Unknown}
}

// readModel is the inference lens' model row: the id, for which an equal work
// signature of two traces stands.
func (t *table) readModel(row lens.Row) reading {
	r := t.fieldByField(row, row.Fields)
	fields := r.fields
	if t.format == evidence.FormatChromeTrace && (r.state == Unknown || t.work.state != "" && t.work.state != trace.WorkUnknown && t.work.state != trace.OperatorsDiffer) {
		r = t.byWork(r)
	}
	r.fields = fields
	return r
}

// readBatch reads the effective batch: an equal work signature shows that it
// is the same a rank, a multiple shows by how much it differs.
func (t *table) readBatch(row lens.Row) reading {
	r := t.fieldByField(row, row.Fields)
	equalRanks := t.sameRanks()
	switch w := t.work; {
	case w.conflict, !equalRanks:
		return r
	case w.state == trace.WorkEqual && r.state != Different:
		return reading{state: Same, basis: string(evidence.Derived), reason: "equal work signature", fields: r.fields}
	case w.state != trace.WorkPerSample:
		return r
	case w.uncounted:
		return reading{state: Unknown, reason: "a side has no steps, so its batch a step is not known", fields: r.fields}
	case w.factor.IsOne():
		return reading{state: Same, basis: string(evidence.Derived), reason: "the same work in another number of micro-batches", fields: r.fields}
	default:
		r = reading{state: Different, basis: string(evidence.Derived), differing: row.Fields, fields: r.fields, reason: fmt.Sprintf("the candidate's work is %s × the baseline's", w.factor)}
		return r
	}
}

// sameRanks reports whether the world sizes don't differ: work a rank speaks
// for the whole batch only then.
func (t *table) sameRanks() bool {
	field, _ := t.lens.Field("world_size")
	read, _ := readField(field, t.sides)
	return read.State != Different
}

// relate lets rows explain each other: a micro-batch that grew with the
// effective batch is not a second difference, and accumulation seen in the
// work is one of layout.
func (t *table) relate(readings []reading) {
	at := func(key string) *reading {
		for i := range readings {
			if readings[i].row.Key == key {
				return &readings[i]
			}
		}
		return &reading{}
	}
	layout, batch := at("layout"), at("effective_batch")
	if layout.row.Key == "" {
		return
	}
	if layout.state == Different && len(layout.differing) == 1 && layout.differing[0] == "micro_batch" && batch.state == Different && grownAlike(fieldOf(layout.fields, "micro_batch"), fieldOf(batch.fields, "effective_batch")) {
		layout.state, layout.differing, layout.reason = Same, nil, "the micro-batch grew with the effective batch"
	}
	if t.work.accumulation && layout.state != Different {
		layout.state, layout.basis, layout.differing, layout.reason = Different, string(evidence.Derived), []string{"accumulation"}, "the work is the same in another number of micro-batches"
	}
}

func grownAlike(micro, batch Field) bool {
	ratio := func(f Field) float64 {
		return lens.QuantityOf(f.Candidate.Raw).Count / lens.QuantityOf(f.Baseline.Raw).Count
	}
	return lens.NearlyEqual(ratio(micro), ratio(batch), 1e-9)
}
