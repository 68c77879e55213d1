package compare

import (
	"errors"
	"fmt"
	"slices"

	"kernelwake/internal/absent"
	"kernelwake/internal/lens"
	"kernelwake/internal/stats"
)

// judging is what the verdict of an outcome depends on beside its numbers.
type judging struct {
	declaration Declaration
	rows        []Row
	caps        []Cap
	past        past
	sides       [2][]launch
	// target gives quality its direction.
	target lens.Direction
	// convergence: the candidate converges otherwise than the baseline.
	convergence bool
	// qualityHeld: a quality outcome shows that a change of precision did no
	// harm.
	qualityHeld bool
}

func (j judging) state(row string) State {
	for _, r := range j.rows {
		if r.Key == row {
			return r.State
		}
	}
	return ""
}

// thresholdFor is the threshold set for this comparison, else the registry's.
func (j judging) thresholdFor(p pair) (threshold float64, set bool) {
	for _, key := range []string{p.id(), p.metric, lens.Metric(p.outcome.Name, p.statistic), p.outcome.Name} {
		if threshold, ok := j.declaration.Thresholds[key]; ok {
			return threshold, true
		}
	}
	threshold, set = p.outcome.Thresholds[p.statistic]
	return threshold, set
}

// outcomeOf computes one outcome; singleRun asks for the cap of one launch.
func (j judging) outcomeOf(p pair) (o Outcome, singleRun bool) {
	o = j.described(p)
	if candidateMissed(p) {
		return missedOutcome(o, p), false
	}
	b, c := p.sides[0].known(), p.sides[1].known()
	if len(b) == 0 || len(c) == 0 {
		return unmeasured(o, absent.TooFewSamples, "no good sample is left on a side", TooFewSamples), false
	}
	e, err := estimateOf(p, j.past.valuesOf(p), seedOf(j.sides, p.metric))
	if err != nil {
		note := "no effect can be formed: " + err.Error()
		if errors.Is(err, stats.ErrNotPositive) {
			note = "a ratio needs positive values on both sides"
		}
		return unmeasured(o, absent.NotApplicable, note, NotSignificant), false
	}
	if e.assumed && o.Tier == SingleRun {
		o.Marks = append(o.Marks, "launch_noise_assumed")
	}
	o.Effect = absent.Of(effectIn(p.outcome.Effect, e))
	o.PValue = &e.p
	smallest := stats.SmallestDetectable(e.interval)
	if p.outcome.Effect == lens.Ratio {
		smallest = stats.RelativeChange(smallest)
	}
	o.Smallest = absent.Of(smallest)
	return j.judged(o, p, e)
}

// described fills in what needs no estimate.
func (j judging) described(p pair) Outcome {
	b, c := p.sides[0].known(), p.sides[1].known()
	threshold, _ := j.thresholdFor(p)
	o := Outcome{
		Metric: p.id(), Name: p.outcome.Name, Statistic: p.statistic, Label: labelOf(p), Phase: p.phase, Unit: p.outcome.Unit,
		Direction: j.directionOf(p), Threshold: threshold, Tier: tierOf(len(b), len(c)), Runs: [2]int{len(b), len(c)},
		Samples: [2]int64{p.sides[0].samplesOf(), p.sides[1].samplesOf()}, Verdict: VerdictInconclusive, Reasons: []string{}, Marks: p.marksOf(), Strata: p.cell,
	}
	for i, side := range p.sides {
		o.Defined[i], o.Reported[i] = side.definition, side.reported
		o.Launches[i] = []Launches{}
		for _, v := range side.launches {
			o.Launches[i] = append(o.Launches[i], Launches{Run: v.run, Value: v.value, N: v.n, Absent: string(v.absence())})
		}
	}
	o.Baseline, o.Candidate = valueOf(p.sides[0]), valueOf(p.sides[1])
	if fewSteps(p) {
		o.Marks = append(o.Marks, TooFewSamples)
		slices.Sort(o.Marks)
		o.Marks = slices.Compact(o.Marks)
	}
	return o
}

func (v launchValue) absence() absent.Reason {
	if v.known {
		return ""
	}
	if v.reason == "" {
		return absent.NotRecorded
	}
	return v.reason
}

// directionOf is the registry's, and for quality the target's.
func (j judging) directionOf(p pair) lens.Direction {
	if p.outcome.Direction == lens.NoDirection && j.target != "" {
		return j.target
	}
	return p.outcome.Direction
}

// valueOf is a side's value: the median of its launches.
func valueOf(side sideValues) absent.Value[float64] {
	values := side.values()
	if len(values) > 0 {
		return absent.Of(medianOf(values))
	}
	for _, v := range side.launches {
		return absent.Because[float64](v.absence(), v.note)
	}
	return absent.Because[float64](absent.NotRecorded, "")
}

// effectIn puts an estimate on the scale that is shown.
func effectIn(kind lens.Effect, e estimate) Effect {
	shown, level := e.interval, level
	var within *Interval
	if kind == lens.Ratio {
		shown = shown.Exp()
	}
	if e.within != nil {
		w := *e.within
		if kind == lens.Ratio {
			w = w.Exp()
		}
		within = &Interval{w.Low, w.High}
	}
	return Effect{Kind: kind, Value: shown.Point, Interval: &Interval{shown.Low, shown.High}, Level: level, WithinLaunches: within, Method: e.method}
}

// unmeasured is an outcome without an effect.
func unmeasured(o Outcome, reason absent.Reason, note, why string) Outcome {
	o.Effect = absent.Because[Effect](reason, note)
	o.Finding = absent.Because[Finding](reason, note)
	o.Smallest = absent.Because[float64](reason, "")
	o.Needed = absent.Because[int](reason, "")
	o.Reasons = append(o.Reasons, why)
	return o
}

// missedOutcome is a way to a target that candidate launches missed although
// they ran past the baseline: worse, by an amount that nobody saw.
func missedOutcome(o Outcome, p pair) Outcome {
	missed := len(p.sides[1].launches) - len(p.sides[1].known())
	note := fmt.Sprintf("%d of %d candidate launches ran past the baseline without reaching the target", missed, len(p.sides[1].launches))
	o.Candidate = absent.Because[float64](absent.NotReached, note)
	o.Effect = absent.Because[Effect](absent.NotReached, note)
	o.Smallest = absent.Because[float64](absent.NotApplicable, "")
	o.Needed = absent.Because[int](absent.NotApplicable, "")
	o.Finding, o.Verdict = absent.Of(Regressed), VerdictRegressed
	o.Reasons = append(o.Reasons, TargetNotReached)
	return o
}
