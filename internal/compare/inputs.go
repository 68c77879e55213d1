package compare

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"kernelwake/internal/evidence"
	"kernelwake/internal/fault"
	"kernelwake/internal/lens"
	"kernelwake/internal/stats"
)

// digestedRun is a run as far as a result depends on it.
type digestedRun struct {
	ID       string                        `json:"id"`
	Captures [][3]string                   `json:"captures"`
	Launch   evidence.LaunchID             `json:"launch"`
	Workload string                        `json:"workload"`
	Declared map[string]evidence.Dimension `json:"declared"`
	Setups   []digestedSetup               `json:"setups"`
	Given    map[string]evidence.Dimension `json:"workload_declared"`
}

type digestedSetup struct {
	Name    string         `json:"name"`
	Version int64          `json:"version"`
	Values  map[string]any `json:"values"`
}

// inputsDigest is over all that the result depends on: parsed digests, values
// given and setups of both sides and the history, the declaration, and the
// versions of the rules and the statistics.
func inputsDigest(in Input) (string, error) {
	digested := func(runs []evidence.RunEvidence) []digestedRun {
		all := []digestedRun{}
		for _, run := range inOrder(runs) {
			d := digestedRun{ID: run.ID, Launch: run.Launch, Workload: run.WorkloadID + " " + run.Workload, Declared: run.Declared, Given: run.WorkloadDeclared}
			for _, c := range run.Captures {
				d.Captures = append(d.Captures, [3]string{c.SHA256, c.Selector, c.ParsedSHA256})
			}
			for _, s := range run.Setups {
				d.Setups = append(d.Setups, digestedSetup{s.Name, s.Version, s.Values})
			}
			all = append(all, d)
		}
		return all
	}
	encoded, err := json.Marshal(struct {
		Method      string        `json:"method"`
		Stats       string        `json:"stats"`
		Baseline    []digestedRun `json:"baseline"`
		Candidate   []digestedRun `json:"candidate"`
		History     []digestedRun `json:"history"`
		Declaration Declaration   `json:"declaration"`
	}{Method, stats.Version, digested(in.Baseline.Runs), digested(in.Candidate.Runs), digested(in.History), in.Declaration})
	if err != nil {
		return "", fmt.Errorf("digesting the inputs of a comparison: %w", err)
	}
	return evidence.Digest(encoded), nil
}

func summaryOf(side Side, format string) SideSummary {
	summary := SideSummary{Runs: []RunSummary{}, Launches: len(side.Runs)}
	for _, run := range inOrder(side.Runs) {
		s := RunSummary{ID: run.ID, Name: nameOf(run), Captures: []CaptureSummary{}}
		for _, c := range run.Captures {
			if format != "" && c.Format != format {
				continue
			}
			s.Captures = append(s.Captures, CaptureSummary{ID: c.ID, Format: c.Format, SHA256: c.SHA256, ParsedSHA256: c.ParsedSHA256, Selector: c.Selector, Origin: c.Origin, MeasuredOn: c.MeasuredOn})
		}
		for _, setup := range run.Setups {
			s.Setups = append(s.Setups, fmt.Sprintf("%s@%d", setup.Name, setup.Version))
		}
		summary.Runs = append(summary.Runs, s)
	}
	return summary
}

// checkDeclaration refuses a declaration that names no row or metric of the
// lens, or says two things of one row.
func checkDeclaration(d Declaration, l lens.Lens, format string) error {
	for _, given := range []map[string]string{d.Changes, d.Attested} {
		for _, key := range slices.Sorted(maps.Keys(given)) {
			row, ok := l.Row(key)
			if !ok {
				return fault.New(fault.Invalid, "unknown_dimension", "%q is no dimension of the %s lens", key, l.ID).WithHint("%s", rowHint(key, l))
			}
			if len(row.Formats) > 0 && !slices.Contains(row.Formats, format) {
				return fault.New(fault.Invalid, "dimension_not_of_format", "%s says nothing of %s captures", key, format).WithHint("leave it out: it applies to %s only", strings.Join(row.Formats, ", "))
			}
		}
	}
	for _, given := range []map[string]string{d.Changes, d.Attested} {
		for _, key := range slices.Sorted(maps.Keys(given)) {
			if strings.TrimSpace(given[key]) == "" {
				return fault.New(fault.Invalid, "reason_missing", "what is said of %s has no reason", key).WithHint("say why in a few words: it stays part of the comparison")
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(d.Attested)) {
		if _, ok := d.Changes[key]; ok {
			return fault.New(fault.Invalid, "declared_and_attested", "%s is declared as the change and vouched for as equal", key).WithHint("say one of the two")
		}
	}
	for _, metric := range slices.Sorted(maps.Keys(d.Thresholds)) {
		name, _, _ := strings.Cut(metric, ".")
		if _, ok := l.Outcome(name); !ok {
			return fault.New(fault.Invalid, "unknown_metric", "%q is no outcome of the %s lens", metric, l.ID).WithHint("metrics are named like ttft.p99 or elapsed_time; outcomes: %s", outcomeNames(l))
		}
		if !(d.Thresholds[metric] > 0) {
			return fault.New(fault.Invalid, "threshold_not_positive", "the threshold of %s is %g", metric, d.Thresholds[metric]).WithHint("a threshold is the smallest effect that matters, above 0")
		}
	}
	return nil
}

// rowHint names the row that a field belongs to, else all rows.
func rowHint(key string, l lens.Lens) string {
	if field, ok := l.Field(key); ok && field.Row != "" {
		return fmt.Sprintf("%s is a field of the row %s: name that", key, field.Row)
	}
	var keys []string
	for _, row := range l.Rows {
		if row.Declarable {
			keys = append(keys, row.Key)
		}
	}
	return "declarable rows: " + strings.Join(keys, ", ")
}

func outcomeNames(l lens.Lens) string {
	var names []string
	for _, o := range l.Outcomes {
		names = append(names, o.Name)
	}
	return strings.Join(names, ", ")
}
