package expected

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kernelwake/internal/compare"
)

// check holds one expect line against a result.
func check(t *testing.T, r *compare.Result, l line) {
	t.Helper()
	words := l.words[1:]
	fail := func(format string, args ...any) {
		t.Helper()
		t.Errorf("line %d: expect %s: %s", l.number, strings.Join(words, " "), fmt.Sprintf(format, args...))
	}
	switch words[0] {
	case "answer":
		same(fail, string(r.Answer), words[1])
	case "exit":
		same(fail, strconv.Itoa(r.ExitCode()), words[1])
	case "refusals":
		sameSet(fail, refusals(r), words[1:])
	case "caps":
		sameSet(fail, caps(r), words[1:])
	case "cap":
		hasCap(fail, r, words)
	case "note":
		if !slices.ContainsFunc(r.Findings, func(n compare.Note) bool { return n.Code == words[1] }) {
			fail("it is not among the findings %v", noteCodes(r))
		}
	case "no_note":
		if slices.Contains(noteCodes(r), words[1]) {
			fail("it is among the findings")
		}
	case "row":
		checkRow(fail, r, words)
	case "not_compared":
		if !slices.Contains(r.NotCompared, find(r.NotCompared, words[1], words[2])) {
			fail("not compared are %v", r.NotCompared)
		}
	case "launches":
		same(fail, fmt.Sprint(r.Baseline.Launches, " ", r.Candidate.Launches), strings.Join(words[1:], " "))
	case "mark":
		same(fail, fmt.Sprint(map[string]bool{"synthetic": r.Synthetic, "confounded": r.Confounded, "attested": r.Attested}[words[1]]), words[2])
	case "check":
		got := compare.Check(r, compare.CheckOptions{Objective: words[1], AllowSynthetic: slices.Contains(words, "allow-synthetic"), RequireObserved: slices.Contains(words, "require-observed")})
		same(fail, fmt.Sprint(got.Verdict, " ", got.ExitCode), words[2]+" "+words[3])
	case "sentence":
		same(fail, r.Sentence, words[1])
	case "findings_among":
		findingsAmong(fail, r, words)
	default:
		checkOutcome(fail, r, words)
	}
}

// findingsAmong reads "findings_among OUTCOME F F …": what all statistics of an
// outcome may find.
func findingsAmong(fail func(string, ...any), r *compare.Result, words []string) {
	seen := 0
	for _, o := range r.Outcomes {
		if o.Name != words[1] {
			continue
		}
		seen++
		f, ok := o.Finding.Get()
		if got := map[bool]string{true: string(f), false: string(o.Finding.Reason())}[ok]; !slices.Contains(words[2:], got) {
			fail("%s is %s", o.Metric, got)
		}
	}
	if seen == 0 {
		fail("it was not compared")
	}
}

func same(fail func(string, ...any), got, want string) {
	if got != want {
		fail("got %q", got)
	}
}

func sameSet(fail func(string, ...any), got, want []string) {
	want = slices.DeleteFunc(slices.Clone(want), func(w string) bool { return w == "none" })
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		fail("got %v", got)
	}
}

func refusals(r *compare.Result) []string {
	var codes []string
	for _, refusal := range r.Refusals {
		codes = append(codes, withDimension(refusal.Code, refusal.Dimension))
	}
	return codes
}

func caps(r *compare.Result) []string {
	var codes []string
	for _, c := range r.Caps {
		codes = append(codes, withDimension(c.Code, c.Dimension))
	}
	return codes
}

func withDimension(code, dimension string) string {
	if dimension == "" {
		return code
	}
	return code + ":" + dimension
}

// hasCap reads "cap CODE[:ROW] METRIC…": the cap, and the outcomes it covers.
func hasCap(fail func(string, ...any), r *compare.Result, words []string) {
	for _, c := range r.Caps {
		if withDimension(c.Code, c.Dimension) == words[1] {
			if c.Remedy == "" || len(c.Actions) == 0 {
				fail("it names no action")
			}
			sameSet(fail, slices.Clone(c.Outcomes), words[2:])
			return
		}
	}
	fail("caps are %v", caps(r))
}

func noteCodes(r *compare.Result) []string {
	var codes []string
	for _, n := range r.Findings {
		codes = append(codes, n.Code)
	}
	return codes
}

func find(all []compare.NotCompared, metric, reason string) compare.NotCompared {
	for _, n := range all {
		if n.Metric == metric && n.Reason == reason {
			return n
		}
	}
	return compare.NotCompared{}
}

// checkRow reads "row KEY STATE [BASIS] [holds TEXT]".
func checkRow(fail func(string, ...any), r *compare.Result, words []string) {
	for _, row := range r.Dimensions {
		if row.Key != words[1] {
			continue
		}
		if string(row.State) != words[2] || len(words) > 3 && words[3] != "holds" && row.Basis != words[3] {
			fail("it is %s (%s): %s", row.State, row.Basis, row.Reason)
		}
		if at := slices.Index(words, "holds"); at > 0 && !strings.Contains(row.Baseline+" "+row.Candidate+" "+row.Reason, words[at+1]) {
			fail("it says %q, %q, %q", row.Baseline, row.Candidate, row.Reason)
		}
		return
	}
	fail("there is no such row")
}

// checkOutcome reads what is expected of one metric.
func checkOutcome(fail func(string, ...any), r *compare.Result, words []string) {
	at := slices.IndexFunc(r.Outcomes, func(o compare.Outcome) bool { return o.Metric == words[1] })
	if words[0] == "no_outcome" {
		if at >= 0 {
			fail("it was compared")
		}
		return
	}
	if at < 0 {
		fail("it was not compared; refused: %v, not compared: %v", refusals(r), r.NotCompared)
		return
	}
	o := r.Outcomes[at]
	effect, hasEffect := o.Effect.Get()
	switch words[0] {
	case "values":
		b, okB := o.Baseline.Get()
		c, okC := o.Candidate.Get()
		if !okB || !okC {
			fail("a value is absent")
		}
		near(fail, b, words[2])
		near(fail, c, words[3])
	case "effect":
		if !hasEffect {
			fail("there is none: %s", o.Effect.Note())
			return
		}
		near(fail, effect.Value, words[2])
		interval(fail, effect.Interval, words[3:])
	case "within":
		interval(fail, effect.WithinLaunches, words[2:])
	case "finding":
		f, ok := o.Finding.Get()
		if got := string(f); ok && got != words[2] || !ok && string(o.Finding.Reason()) != words[2] {
			fail("it is %q (absent: %q)", f, o.Finding.Reason())
		}
	case "verdict":
		same(fail, string(o.Verdict), words[2])
		if len(words) > 3 {
			sameSet(fail, slices.Clone(o.Reasons), words[3:])
		}
	case "tier":
		same(fail, string(o.Tier), words[2])
	case "needed":
		n, ok := o.Needed.Get()
		same(fail, map[bool]string{true: strconv.Itoa(n), false: "absent"}[ok], words[2])
	case "p":
		near(fail, *o.PValue, words[2])
	case "marks":
		sameSet(fail, slices.Clone(o.Marks), words[2:])
	case "samples":
		same(fail, fmt.Sprint(o.Samples[0], " ", o.Samples[1]), strings.Join(words[2:], " "))
	default:
		fail("%q is nothing that can be expected", words[0])
	}
}

func interval(fail func(string, ...any), got *compare.Interval, words []string) {
	switch {
	case len(words) == 0:
	case words[0] == "none":
		if got != nil {
			fail("there is one: %v", *got)
		}
	case got == nil:
		fail("there is no interval")
	default:
		near(fail, got[0], words[0])
		near(fail, got[1], words[1])
	}
}

// near accepts what rounds to the number as it is written.
func near(fail func(string, ...any), got float64, want string) {
	expected, err := strconv.ParseFloat(want, 64)
	if err != nil {
		fail("%q is no number", want)
		return
	}
	decimals := 0
	if _, fraction, ok := strings.Cut(want, "."); ok {
		decimals = len(fraction)
	}
	if math.Abs(got-expected) > 0.5000001*math.Pow10(-decimals) {
		fail("got %v", got)
	}
}
