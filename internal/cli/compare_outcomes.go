package cli

import (
	"fmt"
	"slices"
	"strings"

	"kernelwake/internal/absent"
	"kernelwake/internal/compare"
	"kernelwake/internal/lens"
)

func printOutcomes(c *call, outcomes []compare.Outcome) {
	if len(outcomes) == 0 {
		return
	}
	c.printf("\noutcomes\n")
	rows := table{indent: "  "}
	within := slices.ContainsFunc(outcomes, func(o compare.Outcome) bool { return withinText(o) != "" })
	header := []string{"METRIC (↓ ↑ BETTER)", "BASELINE", "CANDIDATE", "EFFECT [95 %]"}
	if within {
		header = append(header, "WITHIN LAUNCHES")
	}
	rows.row(append(header, "FINDING", "VERDICT", "WHY")...)
	for _, o := range outcomes {
		cells := []string{o.Metric + arrow(o.Direction), outcomeValue(o, o.Baseline), outcomeValue(o, o.Candidate), effectText(o)}
		if within {
			cells = append(cells, orDash(withinText(o)))
		}
		rows.row(append(cells, findingText(o), string(o.Verdict), whyText(o))...)
	}
	rows.print(c.out)
	printMarks(c, outcomes)
	printSettling(c, outcomes)
}

// arrow points where an outcome is better.
func arrow(direction lens.Direction) string {
	switch direction {
	case lens.Lower:
		return " ↓"
	case lens.Higher:
		return " ↑"
	}
	return ""
}

func betterText(direction lens.Direction) string {
	switch direction {
	case lens.Lower:
		return "lower"
	case lens.Higher:
		return "higher"
	}
	return dash
}

func outcomeValue(o compare.Outcome, value absent.Value[float64]) string {
	v, known := value.Get()
	if !known {
		return dash + " (" + spaced(string(value.Reason())) + ")"
	}
	return quantity(v, o.Unit)
}

// effectText is the effect with the interval that the verdict rests on:
// "−53.4 % [−58.1, −48.9]".
func effectText(o compare.Outcome) string {
	effect, known := o.Effect.Get()
	if !known {
		return dash + " (" + spaced(string(o.Effect.Reason())) + ")"
	}
	values := []float64{effect.Value}
	if effect.Interval != nil {
		values = append(values, effect.Interval[:]...)
	}
	texts, of := onScale(effect.Kind, values, o.Unit)
	if len(texts) == 1 {
		return texts[0] + of
	}
	return fmt.Sprintf("%s%s [%s, %s]", texts[0], of, texts[1], texts[2])
}

// withinText is the interval that speaks of single launches alone and that the
// finding rests on, where there is one.
func withinText(o compare.Outcome) string {
	effect, known := o.Effect.Get()
	if !known || effect.WithinLaunches == nil {
		return ""
	}
	texts, _ := onScale(effect.Kind, []float64{effect.Value, effect.WithinLaunches[0], effect.WithinLaunches[1]}, o.Unit)
	return fmt.Sprintf("[%s, %s]", texts[1], texts[2])
}

// A ratio beyond these bounds is read as a factor, not as a change in percent.
const (
	leastPercent = 0.05
	mostPercent  = 10
)

// onScale writes values of an effect on the scale people read: a ratio as a
// change in percent or, where that says little, a factor; a share's change in
// points; a difference in its unit.
func onScale(kind lens.Effect, values []float64, unit string) (texts []string, of string) {
	write, of := func(v float64) string { return signed(v, 3) }, ""
	switch {
	case kind == lens.Ratio && (values[0] < leastPercent || values[0] > mostPercent):
		write = factorText
	case kind == lens.Ratio:
		write, of = func(v float64) string { return signed((v-1)*100, 3) }, " %"
	case kind == lens.Points:
		write, of = func(v float64) string { return signed(v*100, 3) }, " pp"
	case unit != "1":
		of = unitBeside(unit)
	}
	for _, value := range values {
		texts = append(texts, write(value))
	}
	return texts, of
}

// factorText is "×12.5", or "÷40" for a ratio below one.
func factorText(ratio float64) string {
	if ratio > 0 && ratio < 1 {
		return "÷" + digits(1/ratio, 3)
	}
	return "×" + digits(ratio, 3)
}

func findingText(o compare.Outcome) string {
	finding, known := o.Finding.Get()
	if !known {
		return dash + " (" + spaced(string(o.Finding.Reason())) + ")"
	}
	return string(finding)
}

func whyText(o compare.Outcome) string { return spaced(strings.Join(o.Reasons, ", ")) }

// printMarks says of which outcomes something is to be known, mark by mark.
func printMarks(c *call, outcomes []compare.Outcome) {
	var marks []string
	metrics := map[string][]string{}
	for _, o := range outcomes {
		for _, mark := range o.Marks {
			if metrics[mark] == nil {
				marks = append(marks, mark)
			}
			metrics[mark] = append(metrics[mark], o.Metric)
		}
	}
	for _, mark := range marks {
		of := strings.Join(metrics[mark], ", ")
		if len(metrics[mark]) == len(outcomes) && len(outcomes) > 1 {
			of = "all"
		}
		c.paragraph("  "+spaced(mark)+": ", of)
	}
}

// printSettling says what each outcome that its numbers leave open could have
// shown and what would settle it. What a cap holds open is settled by its
// remedy, but for the cap of single launches.
func printSettling(c *call, outcomes []compare.Outcome) {
	rows := table{indent: "  "}
	for _, o := range outcomes {
		smallest, known := o.Smallest.Get()
		open := o.Verdict == compare.VerdictInconclusive && !slices.Contains(o.Reasons, compare.WithinMargin)
		if !known || !open || slices.Contains(o.Reasons, compare.CappedReason) && o.Tier != compare.SingleRun {
			continue
		}
		text := dash
		if needed, known := o.Needed.Get(); known {
			text = plural(needed, "launch", "launches") + " a side"
		} else if note := o.Needed.Note(); note != "" {
			_, words, coded := strings.Cut(note, ": ")
			if text = note; coded {
				text = words
			}
		}
		rows.row(o.Metric, smallestText(o, smallest), text)
	}
	if len(rows.rows) > 0 {
		c.printf("\nwhat would settle the open ones, and the smallest effect each could have shown\n")
		rows.print(c.out)
	}
}

func smallestText(o compare.Outcome, smallest float64) string {
	effect, _ := o.Effect.Get()
	switch effect.Kind {
	case lens.Ratio:
		return digits(smallest*100, 3) + " %"
	case lens.Points:
		return digits(smallest*100, 3) + " pp"
	}
	return quantity(smallest, o.Unit)
}
