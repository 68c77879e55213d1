package compare

import (
	"fmt"
	"math"

	"kernelwake/internal/absent"
	"kernelwake/internal/lens"
)

// Limits of survivorship: what failed requests may be before the good ones
// stop speaking for the load.
const (
	mostFailed      = 0.05
	mostFailedApart = 0.01
)

// counts are a side's requests.
type counts struct {
	ok, failed, cancelled             int64
	known, cancelledKnown, everCounts bool
	stopped                           bool
}

func countsOf(side []launch) counts {
	total := counts{known: true, cancelledKnown: true}
	for _, c := range capturesOf(side) {
		good, okKnown := c.Completeness.OK.Get()
		failed, failedKnown := c.Completeness.Failed.Get()
		cancelled, cancelledKnown := c.Completeness.Cancelled.Get()
		applies := c.Completeness.OK.Reason() != absent.NotApplicable
		total.ok += good
		total.failed += failed
		total.cancelled += cancelled
		total.known = total.known && okKnown && failedKnown
		total.cancelledKnown = total.cancelledKnown && (cancelledKnown || c.Completeness.Cancelled.Reason() == absent.NotApplicable)
		total.everCounts = total.everCounts || okKnown && applies
		total.stopped = total.stopped || c.Completeness.StoppedEarly
	}
	return total
}

// failedShare is the share of finished requests that failed.
func (c counts) failedShare() (float64, bool) {
	if !c.known || c.ok+c.failed == 0 {
		return 0, false
	}
	return float64(c.failed) / float64(c.ok+c.failed), true
}

func (c counts) words() string {
	if !c.everCounts {
		return ""
	}
	text := fmt.Sprintf("%d ok, %d failed", c.ok, c.failed)
	if c.cancelled > 0 {
		text += fmt.Sprintf(", %d cancelled", c.cancelled)
	}
	if c.stopped {
		text += ", stopped early"
	}
	return text
}

// survivorshipOf says why the good requests of the two sides don't speak for
// their loads; empty where they do, or nothing was counted.
func survivorshipOf(s stratum) string {
	b, okB := countsOf(s.sides[0]).failedShare()
	c, okC := countsOf(s.sides[1]).failedShare()
	switch {
	case okB && b > mostFailed || okC && c > mostFailed:
		return fmt.Sprintf("over 5 %% of requests failed (%.2f %% against %.2f %%): the rest don't speak for the load", 100*b, 100*c)
	case okB && okC && math.Abs(b-c) > mostFailedApart+1e-12:
		return fmt.Sprintf("failed shares are over one point apart (%.2f %% against %.2f %%)", 100*b, 100*c)
	}
	return ""
}

// toTarget reports whether an outcome is a way to a quality target, which a
// launch may miss.
func toTarget(outcome lens.Outcome) bool {
	return outcome.Name == "time_to_target" || outcome.Name == "samples_to_target"
}

// missedTarget says why ways to a target can't be compared: more than one
// baseline launch missed it, or its only one, or a candidate that missed was
// stopped before it had run past the baseline.
func missedTarget(p pair) (reason, message string) {
	missed := [2]int{}
	for i, side := range p.sides {
		for _, v := range side.launches {
			if !v.known {
				missed[i]++
			}
		}
	}
	b, c := p.sides[0], p.sides[1]
	reached := b.values()
	switch {
	case len(b.launches) == 0 || len(c.launches) == 0:
		return AbsentOnOneSide, "only one side has it"
	case missed[0] > 1 || len(reached) == 0:
		return TargetNotReached, fmt.Sprintf("%d of %d baseline launches missed the target", missed[0], len(b.launches))
	case missed[1] > 0 && !ranPast(p):
		return TargetNotReached, fmt.Sprintf("%d of %d candidate launches missed the target, and not all of them ran past the baseline", missed[1], len(c.launches))
	}
	return "", ""
}

// ranPast reports whether every candidate launch that missed the target was
// watched for longer than the baseline needed, by more than the threshold.
func ranPast(p pair) bool {
	baseline := medianOf(p.sides[0].values())
	limit := baseline * (1 + p.outcome.Thresholds[p.statistic])
	for _, v := range p.sides[1].launches {
		if !v.known && v.followed <= limit {
			return false
		}
	}
	return true
}

// candidateMissed reports whether a candidate launch missed the target.
func candidateMissed(p pair) bool {
	if !toTarget(p.outcome) {
		return false
	}
	for _, v := range p.sides[1].launches {
		if !v.known {
			return true
		}
	}
	return false
}
