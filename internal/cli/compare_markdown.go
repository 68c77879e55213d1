package cli

import (
	"fmt"
	"slices"
	"strings"

	"kernelwake/internal/compare"
)

// printMarkdown writes a comparison for a pull request or an issue.
func printMarkdown(c *call, r *compare.Result, remedy func(string) string) {
	c.printf("### %s\n\n%s\n", headlineOf(r), r.Sentence)
	for _, mark := range marksOf(r) {
		c.printf("\n> %s\n", mark)
	}
	if len(r.Refusals) > 0 {
		c.printf("\n**Why it is refused**\n\n")
	}
	for _, refusal := range r.Refusals {
		c.printf("- `%s` %s", refusal.Code, refusal.Message)
		if refusal.Baseline != refusal.Candidate {
			c.printf(" Baseline: %s; candidate: %s.", cell(refusal.Baseline), cell(refusal.Candidate))
		}
		c.printf(" → %s\n", remedy(refusal.Remedy))
	}
	if len(r.Caps) > 0 {
		c.printf("\n**What keeps the verdict open**\n\n")
	}
	for _, one := range r.Caps {
		c.printf("- `%s` %s → %s\n", one.Code, one.Message, remedy(one.Remedy))
	}
	markdownOutcomes(c, r.Outcomes)
	markdownRows(c, r.Dimensions)
	for _, group := range byReason(r.NotCompared) {
		c.printf("\nNot compared: %s (%s).\n", strings.Join(group.metrics, ", "), group.message)
	}
	c.printf("\n<sub>%s · %s · inputs `%s`</sub>\n", r.Method, r.StatsVersion, clip(r.InputsSHA256, 16))
}

func markdownOutcomes(c *call, outcomes []compare.Outcome) {
	if len(outcomes) == 0 {
		return
	}
	c.printf("\n| metric | better | baseline | candidate | effect [95 %%] | finding | verdict | why |\n|---|---|---:|---:|---:|---|---|---|\n")
	for _, o := range outcomes {
		c.printf("| `%s` | %s | %s | %s | %s | %s | **%s** | %s |\n", o.Metric, betterText(o.Direction), outcomeValue(o, o.Baseline), outcomeValue(o, o.Candidate), markdownEffect(o), findingText(o), o.Verdict, spaced(strings.Join(slices.Compact(slices.Concat(o.Reasons, o.Marks)), ", ")))
	}
}

// markdownEffect is the effect with its intervals.
func markdownEffect(o compare.Outcome) string {
	if within := withinText(o); within != "" {
		return effectText(o) + ", within launches " + within
	}
	return effectText(o)
}

func markdownRows(c *call, rows []compare.Row) {
	if len(rows) == 0 {
		return
	}
	states := map[compare.State]int{}
	for _, row := range rows {
		states[row.State]++
	}
	var counts []string
	for _, state := range []compare.State{compare.Different, compare.IntentionallyChanged, compare.Unknown, compare.Same} {
		if states[state] > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", states[state], strings.ToLower(stateWords[state])))
		}
	}
	c.printf("\n<details><summary>Dimensions: %s</summary>\n\n| state | dimension | baseline | candidate | known by |\n|---|---|---|---|---|\n", strings.Join(counts, ", "))
	for _, row := range rows {
		c.printf("| %s | %s | %s | %s | %s |\n", strings.ToLower(stateWords[row.State]), row.Label, cell(row.Baseline), cell(row.Candidate), cell(spaced(row.Basis)))
	}
	c.printf("\n</details>\n")
}

// cell keeps a value from a capture text inside a table.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;", "`", "'").Replace(orDash(text))
}
