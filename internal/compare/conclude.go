package compare

import (
	"slices"
)

// judge computes every outcome and the caps that depend on them, and draws
// the answer.
func (c *comparison) judge(cells []cell, s settled) {
	c.capUnsteady(cells)
	var single, empty []string
	needed := 0
	for _, one := range cells {
		j := judging{
			declaration: c.in.Declaration, rows: s.rows, caps: c.result.Caps, past: pastOf(c.in, one.stratum, c.definition, c.format),
			sides: one.sides, target: one.target, convergence: convergenceDiffers(one.pairs, s.rows),
		}
		j.qualityHeld = j.holdsQuality(one.pairs)
		for _, p := range one.pairs {
			o, isSingle := j.outcomeOf(p)
			if isSingle {
				single = append(single, o.Metric)
				if n, ok := o.Needed.Get(); ok && needed == 0 {
					needed = n // of the outcome that leads
				}
			}
			if slices.Contains(o.Reasons, TooFewSamples) && !o.Effect.Known() {
				empty = append(empty, o.Metric)
			}
			c.result.Outcomes = append(c.result.Outcomes, o)
		}
		if j.convergence {
			c.note([]Note{{
				Code: ConvergenceDiffers, Message: "The candidate needs fewer samples to the target than the baseline's repeats, although no change of the recipe was declared: it may converge otherwise.",
				Remedy: "Declare what was changed in the recipe, or find why it converges faster.",
			}})
		}
	}
	if len(single) > 0 {
		c.result.Caps = append(c.result.Caps, singleRunCap(single, needed))
	}
	if len(empty) > 0 {
		c.result.Caps = append(c.result.Caps, tooFewSamplesCap(empty))
	}
	c.result.Answer = c.answer()
}

// capUnsteady caps outcomes that never settle, where no window row has said so.
func (c *comparison) capUnsteady(cells []cell) {
	for _, row := range c.result.Dimensions {
		if row.Key == "window" && row.State == Unknown {
			return
		}
	}
	var metrics []string
	for _, one := range cells {
		unsteady := one.table.unsteady()
		for _, p := range one.pairs {
			if slices.Contains(unsteady, metricName(p)) {
				metrics = append(metrics, p.id())
			}
		}
	}
	if len(metrics) > 0 {
		c.result.Caps = append(c.result.Caps, notSteadyCap(metrics))
	}
}

// answer is capped as soon as one compared outcome is.
func (c *comparison) answer() Answer {
	for _, o := range c.result.Outcomes {
		if capsOn(c.result.Caps, o.Metric) {
			return Capped
		}
	}
	return Clear
}
