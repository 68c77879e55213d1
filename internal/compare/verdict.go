package compare

import (
	"math"

	"kernelwake/internal/lens"
	"kernelwake/internal/stats"
)

// Reasons beside a verdict.
const (
	NotAnObjective      = "not_an_objective"
	WithinMargin        = "equivalent_within_margin"
	BelowThreshold      = "below_threshold"
	NotSignificant      = "not_significant"
	Underpowered        = "underpowered"
	CappedReason        = "capped"
	QualityGuardMissing = "quality_guardrail_missing"
	ConvergenceDiffers  = "convergence_differs"
)

// harmOf turns an effect so that more is worse.
func harmOf(i stats.Interval, direction lens.Direction) stats.Interval {
	if direction == lens.Higher {
		return i.Negate()
	}
	return i
}

// thresholdOn puts a threshold on the effect's scale.
func thresholdOn(p pair, threshold float64) float64 {
	switch {
	case p.outcome.Effect == lens.Ratio:
		return stats.LogThreshold(threshold)
	case p.outcome.Effect == lens.Difference && !p.outcome.AbsoluteThreshold:
		return threshold * math.Abs(medianOf(p.sides[0].values()))
	}
	return threshold
}

// findingOf judges an interval of harm: support needs both an interval that
// excludes zero and a size that matters.
func findingOf(harm stats.Interval, delta float64) Finding {
	switch {
	case harm.Low > 0 && harm.Point >= delta:
		return Regressed
	case harm.High < 0 && harm.Point <= -delta:
		return Improved
	case harm.Low > -delta && harm.High < delta:
		return Equivalent
	}
	return Unresolved
}

// whyInconclusive gives the reasons for a finding that decides nothing.
func whyInconclusive(harm stats.Interval, delta float64) []string {
	if findingOf(harm, delta) == Equivalent {
		return []string{WithinMargin}
	}
	var reasons []string
	if harm.Low > 0 || harm.High < 0 {
		reasons = append(reasons, BelowThreshold)
	} else {
		reasons = append(reasons, NotSignificant)
	}
	if harm.HalfWidth() > delta {
		reasons = append(reasons, Underpowered)
	}
	return reasons
}

// verdictOf concludes from a finding.
func verdictOf(f Finding) Verdict {
	switch f {
	case Improved:
		return VerdictImproved
	case Regressed:
		return VerdictRegressed
	}
	return VerdictInconclusive
}
