package compare

import (
	"fmt"
	"slices"

	"kernelwake/internal/absent"
	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
	"kernelwake/internal/stats"
)

// judged gives an outcome its finding and verdict. singleRun is true where one
// launch a side is what keeps it inconclusive.
func (j judging) judged(o Outcome, p pair, e estimate) (judged Outcome, singleRun bool) {
	threshold, set := j.thresholdFor(p)
	if o.Direction == lens.NoDirection || o.Direction == "" || !set {
		o.Finding = absent.Because[Finding](absent.NotApplicable, "no direction or threshold is set for it")
		o.Needed = absent.Because[int](absent.NotApplicable, "")
		o.Reasons = append(o.Reasons, NotAnObjective)
		return o, false
	}
	delta := thresholdOn(p, threshold)
	harm := harmOf(e.interval, o.Direction)
	found := findingOf(harm, delta)
	o.Finding = absent.Of(found)
	if o.Tier == SingleRun {
		o.Finding = absent.Because[Finding](absent.TooFewSamples, "one value a launch: nothing tells how it varies within one")
		if e.within != nil {
			o.Finding = absent.Of(findingOf(harmOf(*e.within, o.Direction), delta))
		}
	}
	o.Verdict = verdictOf(found)
	if o.Tier == SingleRun && o.Verdict == VerdictImproved {
		o.Verdict = VerdictInconclusive
	}
	switch {
	case j.notAnObjective(p):
		o.Verdict, o.Reasons = VerdictInconclusive, append(o.Reasons, NotAnObjective)
	case o.Tier == SingleRun:
		finding, _ := o.Finding.Get()
		singleRun = finding == Improved || finding == Regressed && o.Verdict != VerdictRegressed
		why := whyInconclusive(harm, delta)
		if found == Improved {
			why = []string{TooFewSamples} // one value a launch never shows an improvement
		}
		o = j.withheld(o, singleRun, why)
	default:
		o = j.withheld(o, false, whyInconclusive(harm, delta))
	}
	o.Needed = j.needed(o, e, delta)
	return o, singleRun
}

// withheld applies what keeps a verdict back: caps, a missing guardrail,
// another convergence. why stands where the numbers themselves decide nothing.
func (j judging) withheld(o Outcome, singleRun bool, why []string) Outcome {
	if singleRun || capsOn(j.caps, o.Metric) {
		o.Verdict, o.Reasons = VerdictInconclusive, append(o.Reasons, CappedReason)
		return o
	}
	if o.Verdict == VerdictImproved {
		if j.state("precision") == IntentionallyChanged && !j.qualityHeld {
			o.Reasons = append(o.Reasons, QualityGuardMissing)
		}
		if j.convergence && (o.Name == "time_to_target" || o.Name == "samples_to_target") {
			o.Reasons = append(o.Reasons, ConvergenceDiffers)
		}
		if len(o.Reasons) > 0 {
			o.Verdict = VerdictInconclusive
			return o
		}
	}
	if o.Verdict == VerdictInconclusive {
		o.Reasons = append(o.Reasons, why...)
	}
	return o
}

// notAnObjective reports whether a declared change of the effective batch
// leaves an outcome no objective: only quality and time to target are then.
func (j judging) notAnObjective(p pair) bool {
	return j.state("effective_batch") == IntentionallyChanged && p.outcome.Name != "quality" && p.outcome.Name != "time_to_target"
}

// needed is how many launches a side would decide an outcome that is not
// decided yet.
func (j judging) needed(o Outcome, e estimate, delta float64) absent.Value[int] {
	switch {
	case o.Verdict != VerdictInconclusive:
		return absent.Because[int](absent.NotApplicable, "it is decided")
	case slices.Contains(o.Reasons, NotAnObjective):
		return absent.Because[int](absent.NotApplicable, "it is no objective of this change")
	case slices.Contains(o.Reasons, WithinMargin):
		return absent.Because[int](absent.NotApplicable, "it is shown to be within the margin")
	case e.sd == 0:
		return absent.Because[int](absent.NotApplicable, "launches don't vary")
	}
	plan := stats.Planning{Effect: e.interval.Point, Threshold: delta, SD: e.sd, HistoryFreedom: e.history, Level: level, LeastRunsToClaim: fewFrom}
	switch n := plan.NeededRuns(); n.Outlook {
	case stats.RunsDecide:
		return absent.Of(n.Runs)
	case stats.RunsBelowThreshold:
		return absent.Because[int](absent.NotApplicable, "below_threshold: the effect is smaller than what matters, however many launches")
	default:
		return absent.Because[int](absent.NotApplicable, "out_of_reach: more launches than anyone records")
	}
}

// convergenceDiffers reports whether the candidate needs fewer samples to the
// target than the baseline's repeats do (one-sided t, p < 0.05) although no
// change of the recipe was declared: it may have converged otherwise.
func convergenceDiffers(pairs []pair, rows []Row) bool {
	for _, row := range rows {
		if row.State == IntentionallyChanged && slices.Contains([]string{"precision_optimizer", "effective_batch", "model_and_objective", "layout"}, row.Key) {
			return false
		}
	}
	for _, p := range pairs {
		if p.outcome.Name != "samples_to_target" {
			continue
		}
		test, ok := stats.Welch(p.sides[0].values(), p.sides[1].values())
		return ok && test.P.Less < 0.05
	}
	return false
}

// qualityHeld reports whether a quality outcome with a threshold shows that
// the candidate is not worse by more than it.
func (j judging) holdsQuality(pairs []pair) bool {
	for _, p := range pairs {
		threshold, set := j.thresholdFor(p)
		direction := j.directionOf(p)
		if p.outcome.Name != "quality" || !set || direction == lens.NoDirection || len(p.sides[0].known()) == 0 || len(p.sides[1].known()) == 0 {
			continue
		}
		e, err := estimateOf(p, j.past.valuesOf(p), seedOf(j.sides, p.metric))
		if err == nil && harmOf(e.interval, direction).High < thresholdOn(p, threshold) {
			return true
		}
	}
	return false
}

// targetDirection is which way the quality metric is better, as both sides'
// targets say.
func targetDirection(side []launch) lens.Direction {
	for _, l := range side {
		if direction := directionIn(l.values["target"]); direction != "" {
			return direction
		}
	}
	return ""
}

func directionIn(target evidence.Value) lens.Direction {
	object, ok := target.Value.(map[string]any)
	if !ok {
		return ""
	}
	switch fmt.Sprint(object["direction"]) {
	case string(lens.Lower):
		return lens.Lower
	case string(lens.Higher):
		return lens.Higher
	}
	return ""
}
