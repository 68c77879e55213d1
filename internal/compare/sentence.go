package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"kernelwake/internal/lens"
	"kernelwake/internal/unit"
)

// sentence is the whole answer in one line of plain words.
func sentence(r *Result) string {
	if r.Answer == Refused {
		return refusedSentence(r)
	}
	o, ok := headline(r)
	if !ok {
		return "Nothing was compared."
	}
	text := fmt.Sprintf("%s%s: %s", changeWords(o, leads(r, o)), whyWords(r, o), o.Verdict)
	var marks []string
	for _, m := range []struct {
		is   bool
		word string
	}{{r.Synthetic, "synthetic"}, {r.Attested, "attested"}, {r.Confounded, "confounded"}} {
		if m.is {
			marks = append(marks, m.word)
		}
	}
	if len(marks) > 0 {
		text += " (" + strings.Join(marks, ", ") + ")"
	}
	return text
}

// headline is the outcome that leads: the first that the lens puts first.
func headline(r *Result) (Outcome, bool) {
	if len(r.Outcomes) == 0 {
		return Outcome{}, false
	}
	definition, _ := lens.Find(r.Lens)
	for _, o := range r.Outcomes {
		if registered, ok := definition.Outcome(o.Name); ok && registered.Headline && o.Effect.Known() {
			return o, true
		}
	}
	return r.Outcomes[0], true
}

// leads reports whether a statistic is its outcome's first.
func leads(r *Result, o Outcome) bool {
	definition, _ := lens.Find(r.Lens)
	registered, ok := definition.Outcome(o.Name)
	return ok && len(registered.Statistics) > 0 && registered.Statistics[0] == o.Statistic
}

// changeWords is "Step time p50 28 % shorter"; the statistic that leads its
// outcome goes without saying.
func changeWords(o Outcome, lead bool) string {
	label := strings.ToUpper(o.Label[:1]) + o.Label[1:]
	if lead {
		label = strings.TrimSuffix(label, " "+string(o.Statistic))
	}
	if o.Strata != "" {
		label += " at " + o.Strata
	}
	e, ok := o.Effect.Get()
	if !ok {
		return label + " has no effect to show"
	}
	less, more := direction(o.Unit)
	size, sign := "", e.Value
	switch e.Kind {
	case lens.Ratio:
		sign = e.Value - 1
		size = percent(math.Abs(sign)) + " %"
	case lens.Points:
		size = percent(math.Abs(sign)) + " points"
	default:
		size = strings.TrimSpace(plainNumber(math.Abs(sign)) + " " + unit.Short(o.Unit))
	}
	switch {
	case sign < 0:
		return fmt.Sprintf("%s %s %s", label, size, less)
	case sign > 0:
		return fmt.Sprintf("%s %s %s", label, size, more)
	}
	return label + " unchanged"
}

// plainNumber has about three digits and never an exponent.
func plainNumber(x float64) string {
	switch {
	case x >= 100:
		return fmt.Sprintf("%.0f", x)
	case x >= 10:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.2f", x)
}

func percent(share float64) string {
	if share >= 0.0995 {
		return fmt.Sprintf("%.0f", 100*share)
	}
	if share >= 0.00995 {
		return fmt.Sprintf("%.1f", 100*share)
	}
	return fmt.Sprintf("%.2f", 100*share)
}

// direction names less and more of a unit.
func direction(unitName string) (less, more string) {
	switch unitName {
	case "ms", "s":
		return "shorter", "longer"
	case "By":
		return "less", "more"
	}
	return "lower", "higher"
}

// whyWords says what keeps the verdict back, or how sure it is.
func whyWords(r *Result, o Outcome) string {
	var reasons []string
	rows := map[string][]string{}
	for _, c := range r.Caps {
		if len(c.Outcomes) > 0 && !slices.Contains(c.Outcomes, o.Metric) {
			continue
		}
		if c.Code == SingleRunCap {
			reasons = append(reasons, launchWords(o))
			continue
		}
		code := c.Code
		if code == MeasuredOnUnknown {
			code = GateUnknown // one clause says both
		}
		rows[code] = append(rows[code], labelOfRow(r, c.Dimension))
	}
	for _, code := range []string{GateUnknown, ContextDiffers, ContextOneSided, ChangeUnobserved, ConflictCap, WindowShort, NotSteady, TooFewSamples} {
		if names := rows[code]; len(names) > 0 {
			reasons = append(reasons, capWords(code, names))
		}
	}
	if len(reasons) > 0 {
		return ", but " + strings.Join(reasons, ", and ")
	}
	for _, reason := range o.Reasons {
		if words := reasonWords[reason]; words != "" {
			return ", " + words
		}
	}
	if e, ok := o.Effect.Get(); ok && e.Kind == lens.Ratio && e.Interval != nil {
		return fmt.Sprintf(" (×%.3g [%.3g, %.3g])", e.Value, e.Interval[0], e.Interval[1])
	}
	return ""
}

// launchWords says how few launches there are.
func launchWords(o Outcome) string {
	if o.Runs[0] == 1 && o.Runs[1] == 1 {
		return "one launch each"
	}
	return "one launch on a side"
}

func labelOfRow(r *Result, key string) string {
	for _, row := range r.Dimensions {
		if row.Key == key {
			return row.Label
		}
	}
	return key
}

func capWords(code string, names []string) string {
	verb := " is "
	if len(names) > 1 {
		verb = " are "
	}
	switch code {
	case ContextDiffers:
		return list(names) + " is known to differ"
	case ContextOneSided:
		return list(names) + verb + "known on one side only"
	case ChangeUnobserved:
		return "the declared change (" + list(names) + ") is not seen"
	case ConflictCap:
		return list(names) + verb + "in conflict inside a side"
	case WindowShort:
		return fmt.Sprintf("under %d s were measured", leastSeconds)
	case NotSteady:
		return "it is not steady"
	case TooFewSamples:
		return "no good sample is left"
	}
	return list(names) + verb + "not known"
}

var reasonWords = map[string]string{
	NotAnObjective:      "which is no objective of this change",
	WithinMargin:        "within the margin",
	BelowThreshold:      "a real but small effect",
	NotSignificant:      "not told from noise",
	Underpowered:        "too few launches to tell",
	TooFewSamples:       "one value a launch shows no improvement",
	QualityGuardMissing: "but no quality outcome guards the change of precision",
	ConvergenceDiffers:  "but it converges otherwise",
	TargetNotReached:    "the target was missed",
}

// refusedSentence gives the reasons of a refusal, those alike together.
func refusedSentence(r *Result) string {
	var gates, rest []string
	for _, refusal := range r.Refusals {
		if refusal.Code == GateDiffers || refusal.Code == MustDiffers {
			gates = append(gates, labelOfRow(r, refusal.Dimension))
			continue
		}
		rest = append(rest, strings.ToLower(refusal.Message[:1])+strings.TrimSuffix(refusal.Message[1:], "."))
	}
	var parts []string
	switch len(gates) {
	case 0:
	case 1:
		parts = append(parts, gates[0]+" is known to differ and was not declared as the change")
	case 2:
		parts = append(parts, list(gates)+" are known to differ, and neither was declared as the change")
	default:
		parts = append(parts, list(gates)+" are known to differ, and none was declared as the change")
	}
	return "These can't be compared: " + strings.Join(append(parts, rest...), "; ") + "."
}
