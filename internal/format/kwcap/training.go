package kwcap

import (
	"kernelwake/internal/absent"
	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
	"kernelwake/internal/unit"
)

// readTraining adds what a training run's outcomes say about each other.
func (r *reading) readTraining() {
	r.timeToTarget()
	r.partsAndWhole()
	r.sharesAboveOne()
}

// timeToTarget holds the time to target against the quality series, or derives
// it: the first evaluation that meets the target, known only to lie after the
// one before (interval-censored), censored at the last one where none does.
func (r *reading) timeToTarget() {
	reached, last, ok := r.firstMeeting()
	given := r.outcome("time_to_target")
	if ok && given == nil {
		r.out.Outcomes = append(r.out.Outcomes, reached.outcome(last))
	}
	if o := r.outcome("time_to_target"); o != nil && o.Absent == "" {
		censored := o.Data.Floats("censored")
		missed := count(censored, 1)
		if missed > 0 {
			r.find("target_not_reached", missed, r.place("time_to_target"), "train for longer, or compare quality at equal tokens", "%d of %d ways to the target did not reach it", missed, len(censored))
		}
		if ok && given != nil && len(censored) == 1 && (missed == 1) == reached.met {
			r.find("target_disagrees", 1, r.place("time_to_target"), "check the target's direction and value, and the series", "time_to_target and the quality series disagree on whether the target was reached")
		}
	}
}

func count(values []float64, value float64) (n int64) {
	for _, one := range values {
		if one == value {
			n++
		}
	}
	return n
}

// meeting is the first evaluation of a quality series that meets the target.
type meeting struct {
	met           bool
	at, afterLast float64
}

// firstMeeting reads the quality series by the target; ok is false without
// either, or without times.
func (r *reading) firstMeeting() (found meeting, last float64, ok bool) {
	target, isObject := r.out.Dimensions["target"].Value.(map[string]any)
	quality := r.outcome("quality")
	if !isObject || quality == nil || quality.Absent != "" || quality.Kind != lens.Series {
		return meeting{}, 0, false
	}
	at, values := quality.Data.Floats("at"), quality.Data.Floats("v")
	value, _ := target["value"].(float64)
	if quality.SourceUnit != "" { // the target is written in the file's unit
		value, _ = unit.Convert(value, quality.SourceUnit, quality.Unit)
	}
	if len(at) == 0 {
		return meeting{}, 0, false
	}
	for i, v := range values {
		if target["direction"] == "lower" && v <= value || target["direction"] == "higher" && v >= value {
			return meeting{true, at[i], found.afterLast}, at[len(at)-1], true
		}
		found.afterLast = at[i]
	}
	return found, at[len(at)-1], true
}

func (m meeting) outcome(last float64) evidence.Outcome {
	end, censored := last, 1.0
	if m.met {
		end, censored = m.at, 0
	}
	return evidence.Outcome{
		Name: "time_to_target", Unit: "s", Kind: lens.Spells, Definition: evidence.Definition{Metric: "time_to_target/1"},
		N: absent.Of[int64](1), Note: "derived from the quality series and the target",
		Data: evidence.Table{Name: "time_to_target", Columns: []evidence.Column{
			{Name: "start", Floats: []float64{0}},
			{Name: "end", Floats: []float64{end}},
			{Name: "censored", Floats: []float64{censored}},
			{Name: "end_after", Floats: []float64{min(m.afterLast, end)}},
		}},
	}
}

// partsAndWhole withholds rates of a run whose parts take longer than the
// whole: a resumed run divides all its work by its last session's time.
func (r *reading) partsAndWhole() {
	whole, where := r.Window.seconds(), "the window"
	if elapsed := r.outcome("elapsed_time"); elapsed != nil && elapsed.Absent == "" {
		whole, where = elapsed.Statistics["value"], "the elapsed time"
	}
	for _, part := range []struct {
		name    string
		seconds float64
	}{{"step_time", r.stepSeconds()}, {"badput", r.badputSeconds()}} {
		const slack = 1.01 // clocks read at different places
		if part.seconds <= whole*slack {
			continue
		}
		r.find("parts_exceed_whole", 1, r.place(part.name), "give the elapsed time of all sessions, or the parts of one", "%s adds up to %.6g s, more than %s of %.6g s", part.name, part.seconds, where, whole)
		for _, rate := range []string{"throughput_per_gpu", "goodput", "mfu"} {
			r.withhold(rate, "parts_exceed_whole: its parts take longer than the whole")
		}
		return
	}
}

// stepSeconds is the time of all steps, the slowest rank's where there are
// several.
func (r *reading) stepSeconds() (total float64) {
	steps := r.outcome("step_time")
	if steps == nil || steps.Absent != "" || steps.Kind != lens.Samples {
		return 0
	}
	for _, milliseconds := range steps.Good() {
		total += milliseconds / 1e3
	}
	return total * float64(max(steps.Definition.Aggregation, 1))
}

func (r *reading) badputSeconds() (total float64) {
	badput := r.outcome("badput")
	if badput == nil || badput.Absent != "" {
		return 0
	}
	from, to := badput.Data.Floats("from"), badput.Data.Floats("to")
	for i := range from {
		total += to[i] - from[i]
	}
	return total
}
