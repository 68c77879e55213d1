package compare

import (
	"slices"
	"strings"
)

// CheckOptions are a CI job's choices.
type CheckOptions struct {
	// Objective is the metric that decides ("ttft.p99"); empty takes the
	// headline outcome.
	Objective string
	// AllowSynthetic lets synthetic captures decide, as a demonstration.
	AllowSynthetic bool
	// RequireObserved ignores attestations: what was vouched for is unknown.
	RequireObserved bool
}

// CheckResult is the advisory answer to a CI job.
type CheckResult struct {
	Verdict  Verdict  `json:"verdict"`
	Reasons  []string `json:"reasons"`
	ExitCode int      `json:"exit_code"`
}

// checkCodes are the exit codes of check by verdict.
var checkCodes = map[Verdict]int{VerdictImproved: 0, VerdictRegressed: 10, VerdictInconclusive: 11, VerdictInvalid: 12}

// Check concludes from a comparison for a CI job. It changes nothing. What
// compare shows with a mark may be invalid here: a refused pair, a run stopped
// early, synthetic captures, an objective that is missing on a side.
func Check(r *Result, options CheckOptions) CheckResult {
	conclude := func(v Verdict, reasons ...string) CheckResult {
		return CheckResult{Verdict: v, Reasons: reasons, ExitCode: checkCodes[v]}
	}
	if r.Answer == Refused {
		codes := make([]string, len(r.Refusals))
		for i, refusal := range r.Refusals {
			codes[i] = refusal.Code
		}
		return conclude(VerdictInvalid, codes...)
	}
	if r.Synthetic && !options.AllowSynthetic {
		return conclude(VerdictInvalid, "synthetic_capture")
	}
	if slices.ContainsFunc(r.Findings, func(n Note) bool { return n.Code == "run_stopped_early" }) {
		return conclude(VerdictInvalid, "run_stopped_early")
	}
	o, ok := headline(r)
	if options.Objective != "" {
		at := slices.IndexFunc(r.Outcomes, func(o Outcome) bool { return o.Metric == options.Objective })
		if ok = at >= 0; ok {
			o = r.Outcomes[at]
		}
	}
	if !ok {
		return conclude(VerdictInvalid, whyMissing(r, options.Objective)...)
	}
	if r.Attested && options.RequireObserved {
		return conclude(VerdictInconclusive, "attested")
	}
	return conclude(o.Verdict, o.Reasons...)
}

// whyMissing names why the objective was not compared.
func whyMissing(r *Result, objective string) []string {
	for _, n := range r.NotCompared {
		if n.Metric == objective || strings.HasPrefix(n.Metric, objective+" ") {
			return []string{n.Reason}
		}
	}
	return []string{"nothing_compared"}
}
