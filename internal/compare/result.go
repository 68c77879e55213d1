package compare

import (
	"kernelwake/internal/absent"
	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
)

// Answer is what a comparison comes to.
type Answer string

// The three answers.
const (
	Refused Answer = "refused" // not comparable: reasons, no numbers
	Capped  Answer = "capped"  // numbers and a finding; the verdict stays inconclusive
	Clear   Answer = "clear"   // numbers and a verdict
)

// State is how a dimension row stands.
type State string

// The four states.
const (
	Same                 State = "same"
	IntentionallyChanged State = "intentionally_changed"
	Different            State = "different"
	Unknown              State = "unknown"
)

// Finding is what the numbers of an outcome support.
type Finding string

// The findings.
const (
	Improved   Finding = "improved"
	Regressed  Finding = "regressed"
	Equivalent Finding = "equivalent"
	Unresolved Finding = "unresolved"
)

// Verdict is what may be concluded of an outcome.
type Verdict string

// The verdicts.
const (
	VerdictImproved     Verdict = "improved"
	VerdictRegressed    Verdict = "regressed"
	VerdictInconclusive Verdict = "inconclusive"
	VerdictInvalid      Verdict = "invalid"
)

// Tier says how well launches are replicated.
type Tier string

// The tiers.
const (
	Replicated Tier = "replicated" // at least 4 launches on both sides
	FewRuns    Tier = "few_runs"   // 2 or 3 on the smaller side
	SingleRun  Tier = "single_run" // 1 on the smaller side
)

// Declaration is what a person says before the result is computed.
type Declaration struct {
	// Changes names the rows that were changed on purpose, with the reason.
	Changes map[string]string `json:"changes,omitempty"`
	// Attested names unknown rows that the person vouches to be equal, with
	// the reason; By is who.
	Attested map[string]string `json:"attested,omitempty"`
	By       string            `json:"by,omitempty"`
	// Thresholds replaces the registry's threshold of a metric.
	Thresholds map[string]float64 `json:"thresholds,omitempty"`
	// Lens both sides are read under; empty is the captures' own.
	Lens lens.ID `json:"lens,omitempty"`
}

// Side is the runs of one configuration that stand together.
type Side struct {
	Runs []evidence.RunEvidence
}

// Input is all that a comparison depends on.
type Input struct {
	Baseline, Candidate Side
	Declaration         Declaration
	// History holds earlier launches that may tell how launches vary: runs
	// outside both sides; groups form by fingerprint.
	History []evidence.RunEvidence
}

// Result is a comparison. Its JSON form is stable and documented.
type Result struct {
	Answer       Answer        `json:"answer"`
	Lens         lens.ID       `json:"lens"`
	Format       string        `json:"capture_format,omitempty"`
	Refusals     []Refusal     `json:"refusals"`
	Caps         []Cap         `json:"caps"`
	Dimensions   []Row         `json:"dimensions"`
	Outcomes     []Outcome     `json:"outcomes"`
	NotCompared  []NotCompared `json:"not_compared"`
	Findings     []Note        `json:"findings"`
	Synthetic    bool          `json:"synthetic"`
	Confounded   bool          `json:"confounded"`
	Attested     bool          `json:"attested"`
	Declaration  Declaration   `json:"declaration"`
	Baseline     SideSummary   `json:"baseline"`
	Candidate    SideSummary   `json:"candidate"`
	Method       string        `json:"method"`
	StatsVersion string        `json:"stats_version"`
	// Sentence is the whole answer in one line of words.
	Sentence string `json:"sentence"`
	// InputsSHA256 is over the sides' parsed digests, the values declared,
	// setups used, the declaration and the method's version.
	InputsSHA256 string `json:"inputs_sha256"`
}

// SideSummary names the runs and captures of a side.
type SideSummary struct {
	Runs     []RunSummary `json:"runs"`
	Launches int          `json:"launches"`
}

// RunSummary names a run of a side and the evidence it rests on.
type RunSummary struct {
	ID       string           `json:"id,omitempty"`
	Name     string           `json:"name"`
	Captures []CaptureSummary `json:"captures"`
	// Setups used, as "name@version".
	Setups []string `json:"setups,omitempty"`
}

// CaptureSummary names a capture and its digests.
type CaptureSummary struct {
	ID           string          `json:"id,omitempty"`
	Format       string          `json:"format"`
	SHA256       string          `json:"sha256"`
	ParsedSHA256 string          `json:"parsed_sha256"`
	Selector     string          `json:"selector,omitempty"`
	Origin       evidence.Origin `json:"origin"`
	MeasuredOn   evidence.Device `json:"measured_on"`
}

// Refusal is one reason why the sides can't be compared.
type Refusal struct {
	Code      string `json:"code"`
	Dimension string `json:"dimension,omitempty"`
	Baseline  string `json:"baseline,omitempty"`
	Candidate string `json:"candidate,omitempty"`
	Message   string `json:"message"`
	Remedy    string `json:"remedy"`
}

// Cap is one reason why the verdict stays inconclusive, and the one action
// that lifts it.
type Cap struct {
	Code      string `json:"code"`
	Dimension string `json:"dimension,omitempty"`
	Message   string `json:"message"`
	Remedy    string `json:"remedy"`
	// Actions are the ways a screen can offer: declare, attest, setup, dim, record.
	Actions []string `json:"actions"`
	// Outcomes names the metrics capped; empty is all.
	Outcomes []string `json:"outcomes,omitempty"`
}

// Row is one dimension of the table.
type Row struct {
	Key    string     `json:"key"`
	Label  string     `json:"label"`
	Class  lens.Class `json:"class"`
	State  State      `json:"state"`
	Basis  string     `json:"basis,omitempty"`
	Reason string     `json:"reason,omitempty"`
	// Baseline and Candidate are the values in words; Fields has them singly.
	Baseline    string    `json:"baseline"`
	Candidate   string    `json:"candidate"`
	Sources     [2]string `json:"sources"`
	Fields      []Field   `json:"fields"`
	Rule        string    `json:"rule"`
	RuleVersion int       `json:"rule_version"`
	Means       string    `json:"means"`
	Declarable  bool      `json:"declarable"`
}

// Field is one field of a row, on both sides, raw and normalised.
type Field struct {
	Key       string     `json:"key"`
	Label     string     `json:"label"`
	State     State      `json:"state"`
	Baseline  FieldValue `json:"baseline"`
	Candidate FieldValue `json:"candidate"`
}

// FieldValue is a field's value on one side.
type FieldValue struct {
	Raw        any             `json:"raw,omitempty"`
	Normalised string          `json:"normalised,omitempty"`
	Absent     absent.Reason   `json:"absent,omitempty"`
	Note       string          `json:"note,omitempty"`
	Source     evidence.Source `json:"source,omitempty"`
	From       string          `json:"from,omitempty"`
}

// Interval is a two-sided interval on the effect's own scale.
type Interval [2]float64

// Effect is how far the candidate is from the baseline.
type Effect struct {
	Kind     lens.Effect `json:"kind"`
	Value    float64     `json:"value"`
	Interval *Interval   `json:"interval,omitempty"`
	Level    float64     `json:"level"`
	// WithinLaunches is the interval that speaks of these launches alone
	// (single_run only); Interval is then the verdict's.
	WithinLaunches *Interval `json:"within_launches,omitempty"`
	Method         string    `json:"method"`
}

// Launches holds one value a launch and the run it is from, for plots.
type Launches struct {
	Run    string  `json:"run"`
	Value  float64 `json:"value"`
	N      int64   `json:"n,omitempty"`
	Absent string  `json:"absent,omitempty"`
}

// Outcome is one metric compared.
type Outcome struct {
	Metric    string                 `json:"metric"`
	Name      string                 `json:"name"`
	Statistic lens.Statistic         `json:"statistic"`
	Label     string                 `json:"label"`
	Phase     string                 `json:"phase,omitempty"`
	Unit      string                 `json:"unit"`
	Direction lens.Direction         `json:"direction"`
	Threshold float64                `json:"threshold"`
	Baseline  absent.Value[float64]  `json:"baseline"`
	Candidate absent.Value[float64]  `json:"candidate"`
	Effect    absent.Value[Effect]   `json:"effect"`
	Tier      Tier                   `json:"tier"`
	Runs      [2]int                 `json:"runs"`
	Samples   [2]int64               `json:"samples"`
	Launches  [2][]Launches          `json:"launches"`
	PValue    *float64               `json:"p_value,omitempty"`
	Finding   absent.Value[Finding]  `json:"finding"`
	Verdict   Verdict                `json:"verdict"`
	Reasons   []string               `json:"reasons"`
	Marks     []string               `json:"marks,omitempty"`
	Smallest  absent.Value[float64]  `json:"smallest_detectable"`
	Needed    absent.Value[int]      `json:"needed_runs"`
	Strata    string                 `json:"cell,omitempty"`
	Defined   [2]evidence.Definition `json:"definitions"`
	Reported  [2]map[string]float64  `json:"reported,omitempty"`
}

// NotCompared is an outcome left out, and why.
type NotCompared struct {
	Metric  string `json:"metric"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

// Note is something noticed that is no cap.
type Note struct {
	Code      string   `json:"code"`
	Dimension string   `json:"dimension,omitempty"`
	Metrics   []string `json:"metrics,omitempty"`
	Message   string   `json:"message"`
	Remedy    string   `json:"remedy,omitempty"`
}

// ExitCode of the compare command: 0 compared, 12 refused.
func (r *Result) ExitCode() int {
	if r.Answer == Refused {
		return 12
	}
	return 0
}
