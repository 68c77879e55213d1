package cli

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"kernelwake/internal/compare"
)

// printResult shows a comparison to a person: the answer, what stands in its
// way and what lifts it, the dimensions, the outcomes. remedy puts the remedies
// into words that can be typed here.
func printResult(c *call, r *compare.Result, all bool, remedy func(string) string) {
	c.printf("%s\n", headlineOf(r))
	c.paragraph("", r.Sentence)
	for _, mark := range marksOf(r) {
		c.paragraph("", mark)
	}
	printRefusals(c, r.Refusals, remedy)
	printCaps(c, r.Caps, remedy)
	printRows(c, r, all)
	printOutcomes(c, r.Outcomes)
	printNotCompared(c, r.NotCompared)
	printNotes(c, r.Findings, all, remedy)
}

// headlineOf is "CAPPED · training · chrome-trace · 5 launches against 5".
func headlineOf(r *compare.Result) string {
	parts := []string{strings.ToUpper(string(r.Answer)), string(r.Lens)}
	if r.Format != "" {
		parts = append(parts, r.Format)
	}
	parts = append(parts, plural(r.Baseline.Launches, "launch", "launches")+" against "+count(r.Candidate.Launches))
	return strings.Join(parts, " · ")
}

func marksOf(r *compare.Result) []string {
	var marks []string
	if r.Synthetic {
		marks = append(marks, "SYNTHETIC: it rests on captures that were generated, not measured.")
	}
	if r.Attested {
		var vouched []string
		for _, row := range r.Dimensions {
			if row.Basis == compare.BasisAttested {
				vouched = append(vouched, fmt.Sprintf("%s (%s)", row.Label, row.Reason))
			}
		}
		marks = append(marks, "ATTESTED: "+strings.Join(vouched, "; ")+".")
	}
	if r.Confounded {
		marks = append(marks, "CONFOUNDED: more than one change was declared; the effects can't be told apart.")
	}
	return marks
}

// buttons are what remedies say to people at a screen.
var buttons = regexp.MustCompile(` ?\((?:repeat --baseline and --candidate; )?button “[^”]*”\)|; button “[^”]*”`)

// remedyForFiles is a remedy as one types it beside compare FILE… --against.
func remedyForFiles(remedy string) string { return buttons.ReplaceAllString(remedy, "") }

// dims are flags that give values to files, one after the other.
var dims = regexp.MustCompile(`--(?:(baseline|candidate)-)?dim (\S+=[^\s,;)]+)(?: --(?:baseline-|candidate-)?dim \S+=[^\s,;)]+)*`)

var oneDim = regexp.MustCompile(`--(?:baseline-|candidate-)?dim `)

// remedyForRuns is a remedy for runs that a server keeps: their values are
// declared once, for the run.
func remedyForRuns(remedy string) string {
	return dims.ReplaceAllStringFunc(remedyForFiles(remedy), func(flags string) string {
		run := "RUN"
		if side := dims.FindStringSubmatch(flags)[1]; side != "" {
			run = strings.ToUpper(side) + "-RUN"
		}
		return "`run declare " + run + " " + oneDim.ReplaceAllString(flags, "") + "`"
	})
}

func printRefusals(c *call, refusals []compare.Refusal, remedy func(string) string) {
	for i, refusal := range refusals {
		if i == 0 {
			c.printf("\nwhy it is refused\n")
		}
		c.paragraph("  ✗ ", strings.TrimSpace(refusal.Message)+" ["+refusal.Code+"]")
		if refusal.Baseline != refusal.Candidate {
			c.paragraph("    baseline:  ", orDash(refusal.Baseline))
			c.paragraph("    candidate: ", orDash(refusal.Candidate))
		}
		c.paragraph("    → ", remedy(refusal.Remedy))
	}
}

func printCaps(c *call, caps []compare.Cap, remedy func(string) string) {
	for i, one := range caps {
		if i == 0 {
			c.printf("\nwhat keeps the verdict open\n")
		}
		c.paragraph("  ! ", one.Message+" ["+one.Code+"]")
		c.paragraph("    → ", remedy(one.Remedy))
	}
}

// stateWords are the four states as a table shows them.
var stateWords = map[compare.State]string{
	compare.Same: "same", compare.IntentionallyChanged: "changed on purpose", compare.Different: "DIFFERENT", compare.Unknown: "UNKNOWN",
}

// printRows shows the dimensions that are not the same as a table and folds
// the others into a line; all shows every one, with its values in full.
func printRows(c *call, r *compare.Result, all bool) {
	if len(r.Dimensions) == 0 {
		return
	}
	c.printf("\ndimensions\n")
	rows := table{indent: "  "}
	rows.row("STATE", "DIMENSION", "BASELINE", "CANDIDATE", "KNOWN BY")
	var same, unknown []string
	widest := max(24, (c.width-48)/2)
	for _, row := range r.Dimensions {
		switch {
		case row.State == compare.Same && !all:
			same = append(same, foldedRow(row))
		case row.State == compare.Unknown && !capped(r.Caps, row.Key) && !all:
			unknown = append(unknown, row.Label)
		default:
			rows.row(stateWords[row.State], row.Label, clip(orDash(row.Baseline), widest), clip(orDash(row.Candidate), widest), orDash(spaced(row.Basis)))
		}
	}
	if len(rows.rows) > 1 {
		rows.print(c.out)
	}
	for _, row := range r.Dimensions {
		printRowDetail(c, r, row, all, widest)
	}
	if len(same) > 0 {
		c.paragraph("  same: ", strings.Join(same, ", "))
	}
	if len(unknown) > 0 {
		prefix := "  not known, which caps nothing: "
		if r.Answer == compare.Refused {
			prefix = "  not known: "
		}
		c.paragraph(prefix, strings.Join(unknown, ", "))
	}
}

// printRowDetail says what a row's two values hide: what differs in them and
// why, and with all the values in full and where they come from.
func printRowDetail(c *call, r *compare.Result, row compare.Row, all bool, widest int) {
	told := capped(r.Caps, row.Key) || slices.ContainsFunc(r.Refusals, func(one compare.Refusal) bool { return one.Dimension == row.Key })
	if row.Reason != "" && (all || row.State != compare.Same && row.State != compare.Unknown && !told) {
		c.paragraph("  "+row.Label+": ", row.Reason)
	}
	if !all {
		return
	}
	for i, value := range []string{row.Baseline, row.Candidate} {
		if utf8.RuneCountInString(value) > widest || row.Sources[i] != "" && row.Sources[i] != row.Basis {
			c.paragraph("    "+[]string{"baseline:  ", "candidate: "}[i], orDash(value)+" ("+orDash(row.Sources[i])+")")
		}
	}
}

// capped reports whether a cap is about a row.
func capped(caps []compare.Cap, row string) bool {
	return slices.ContainsFunc(caps, func(one compare.Cap) bool { return one.Dimension == row })
}

func foldedRow(row compare.Row) string {
	value := row.Baseline
	if row.Candidate != value {
		value += " / " + row.Candidate
	}
	if utf8.RuneCountInString(value) > widestValue/2 {
		value = ""
	}
	var beside []string
	if value != "" {
		beside = append(beside, value)
	}
	if row.Basis != "" && row.Basis != "observed" {
		beside = append(beside, spaced(row.Basis))
	}
	if len(beside) == 0 {
		return row.Label
	}
	return row.Label + " (" + strings.Join(beside, "; ") + ")"
}

func printNotCompared(c *call, left []compare.NotCompared) {
	if len(left) == 0 {
		return
	}
	c.printf("\nnot compared\n")
	for _, group := range byReason(left) {
		c.paragraph("  "+strings.Join(group.metrics, ", ")+": ", group.message+" ["+group.reason+"]")
	}
}

type leftOut struct {
	reason, message string
	metrics         []string
}

// byReason gathers the outcomes left out for one and the same reason.
func byReason(left []compare.NotCompared) []leftOut {
	var groups []leftOut
	for _, one := range left {
		at := slices.IndexFunc(groups, func(g leftOut) bool { return g.reason == one.Reason && g.message == one.Message })
		if at < 0 {
			groups = append(groups, leftOut{reason: one.Reason, message: one.Message})
			at = len(groups) - 1
		}
		groups[at].metrics = append(groups[at].metrics, one.Metric)
	}
	return groups
}

// quiet are findings that a person asks for with --all.
var quiet = []string{"context_unknown"}

func printNotes(c *call, notes []compare.Note, all bool, remedy func(string) string) {
	first := true
	for _, note := range notes {
		if slices.Contains(quiet, note.Code) && !all {
			continue
		}
		if first {
			c.printf("\nnoticed\n")
			first = false
		}
		c.paragraph("  "+note.Code+": ", note.Message)
		if note.Remedy != "" {
			c.paragraph("    → ", remedy(note.Remedy))
		}
	}
}
