package kwcap

import (
	"fmt"
	"math"

	"kernelwake/internal/absent"
	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
	"kernelwake/internal/unit"
)

// readOutcomes takes over the outcomes in the order of the file, converted to
// the registry's units.
func (r *reading) readOutcomes() {
	for i := range r.Outcomes {
		r.out.Outcomes = append(r.out.Outcomes, r.readOutcome(pointerTo("/outcomes", i), &r.Outcomes[i]))
	}
}

func (r *reading) readOutcome(at string, o *outcome) evidence.Outcome {
	def, known := r.lens.Outcome(o.Name)
	if !known {
		def = lens.Outcome{Name: o.Name, Version: 1, Unit: o.Unit}
	}
	out := evidence.Outcome{
		Name: o.Name, Phase: r.text(pointerTo(at, "phase"), o.Phase), Unit: def.Unit, Kind: lens.Kind(o.Kind),
		Definition: evidence.Definition{Metric: fmt.Sprintf("%s/%d", def.Name, def.Version), Aggregation: int(o.Agg)},
		N:          absent.Because[int64](absent.NotApplicable, ""),
	}
	if o.Unit != def.Unit {
		out.SourceUnit = o.Unit
	}
	if o.Gap.Reason != "" {
		out.Absent, out.Note = o.Gap.Reason, r.text(pointerTo(at, "note"), o.Gap.Note)
		out.N = absent.Because[int64](o.Gap.Reason, "")
		return out
	}
	factor, err := unit.Factor(o.Unit, def.Unit)
	if err != nil {
		// An accepted unit of another sort ({sample}/s beside {token}/s) stays,
		// and makes another definition.
		factor, out.Unit, out.SourceUnit = 1, o.Unit, ""
		out.Definition.Denominator = o.Unit
	}
	o.fill(&out, factor)
	if out.Definition.Aggregation > 1 {
		r.find("aggregated_samples", int64(len(o.V.List)), pointerTo(at, "agg"), "write one value a step or request (agg 1) where they are known",
			"each value of %s is a mean of %d: percentiles are those of means", o.Name, o.Agg)
	}
	return out
}

// fill takes over the data, each value times factor.
func (o *outcome) fill(out *evidence.Outcome, factor float64) {
	switch out.Kind {
	case lens.Samples, lens.Series:
		out.Data = o.table([]string{"v", "at", "step", "rank", "status", "weight"}, map[string]float64{"v": factor})
		out.N = absent.Of(int64(len(o.V.List)))
		if out.Kind == lens.Series {
			out.Data.SortBy("at", "step")
		}
	case lens.Spells:
		times := map[string]float64{"start": factor, "end": factor, "end_after": factor}
		out.Data = o.table([]string{"start", "end", "censored", "gpus", "end_after", "class", "cause"}, times)
		out.N = absent.Of(int64(len(o.Columns["start"])))
	case lens.Intervals:
		out.Data = o.table([]string{"from", "to", "state", "reason", "subject", "gpus"}, map[string]float64{"from": factor, "to": factor})
		out.N = absent.Of(int64(len(o.Columns["from"])))
	case lens.Histogram:
		o.fillHistogram(out, factor)
	case lens.Summary:
		o.fillSummary(out, factor)
	case lens.RatioKind:
		o.fillRatio(out)
	case lens.Total:
		out.Statistics = map[string]float64{"value": o.V.List[0] * factor}
		out.N = absent.Of[int64](1)
	}
}

// table builds the columns that are there, all numbers as floats.
func (o *outcome) table(names []string, factors map[string]float64) evidence.Table {
	table := evidence.Table{Name: o.Name}
	for _, name := range names {
		values, given := o.Columns[name]
		if name == "v" {
			values, given = o.V.List, true
		}
		if given {
			if factor, ok := factors[name]; ok && factor != 1 {
				for i := range values {
					values[i] *= factor
				}
			}
			table.Columns = append(table.Columns, evidence.Column{Name: name, Floats: values})
		} else if column, ok := o.Words[name]; ok {
			table.Columns = append(table.Columns, column)
		}
	}
	return table
}

func (o *outcome) fillHistogram(out *evidence.Outcome, factor float64) {
	var total int64
	for _, bound := range o.Bounds {
		out.Bounds = append(out.Bounds, bound*factor)
	}
	for _, count := range o.Counts {
		out.Counts = append(out.Counts, int64(count))
		total += int64(count)
	}
	out.N = absent.Of(total)
	if total > 0 {
		out.Statistics = map[string]float64{"mean": o.Sum * factor / float64(total)}
	}
}

// fillSummary takes over the statistics. Where the registry knows an outcome
// by a single value, the mean of a summary is that value.
func (o *outcome) fillSummary(out *evidence.Outcome, factor float64) {
	out.Statistics = map[string]float64{}
	for name, value := range o.Stats {
		out.Statistics[name] = value * factor
	}
	mean, hasMean := out.Statistics["mean"]
	if _, hasValue := out.Statistics["value"]; !hasValue && hasMean {
		out.Statistics["value"] = mean
	}
	out.N = o.N
	if method, ok := o.QuantileMethod.Get(); ok {
		out.Definition.Quantiles = method
	}
}

func (o *outcome) fillRatio(out *evidence.Outcome) {
	num, den := o.Num, o.Den
	out.Numerator, out.Denominator, out.Basis = &num, &den, o.Basis
	out.Statistics = share(num, den)
	if o.Basis == "{request}" || o.Basis == "{sample}" || o.Basis == "{step}" {
		out.N = absent.Of(int64(den))
	}
}

// share is the value of a ratio, none where the whole is nothing.
func share(num, den float64) map[string]float64 {
	if value := num / den; den > 0 && !math.IsInf(value, 0) {
		return map[string]float64{"value": value}
	}
	return nil
}
