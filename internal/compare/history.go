package compare

import (
	"encoding/json"
	"slices"
	"strings"

	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
)

// leastHistory is how many recorded launches of one fingerprint make history.
const leastHistory = 5

// notInFingerprint are rows that say how much was recorded, not of what.
var notInFingerprint = []string{"window", "progress_window", "excluded_steps", "completeness", "metric_definition"}

// fingerprint identifies launches that are repeats of each other: the lens,
// the format, and the normalised values of every row that must match, weighs
// or makes noise. An absent value is a value of its own.
func fingerprint(l launch, definition lens.Lens, format string) string {
	var text strings.Builder
	write := func(parts ...string) {
		for _, part := range parts {
			text.WriteString(part)
			text.WriteByte(0)
		}
	}
	write(string(definition.ID), format)
	if captures := l.captures(); len(captures) > 0 {
		write(string(captures[0].Lens))
	}
	for _, row := range definition.Rows {
		if row.Class == lens.Note || row.Class == lens.PerOutcome || slices.Contains(notInFingerprint, row.Key) {
			continue
		}
		write(row.Key)
		for _, key := range row.Fields {
			write(key, l.fingerprintOf(key))
		}
	}
	return text.String()
}

// fingerprintOf is a field's part of a fingerprint. Requests that are the same
// by their bodies, or by data set and seed, are so whatever lengths were
// measured; equal work stands for the model's name.
func (l launch) fingerprintOf(key string) string {
	if slices.Contains([]string{"isl", "osl", "prompt_order_sha256"}, key) {
		if l.values["request_bodies_sha256"].Known() || l.values["dataset"].Known() && l.values["random_seed"].Known() {
			return ""
		}
	}
	v := l.values[key]
	switch {
	case key == "model" && v.Implied, key == "model" && !v.Known():
		return "work " + l.workDigest() + " " + v.Normalised
	case v.Known():
		return v.Normalised
	}
	return "absent " + string(v.Absent)
}

// workDigest joins the signatures of the launch's captures.
func (l launch) workDigest() string {
	var digests []string
	for _, c := range l.captures() {
		var signature struct {
			Digest string `json:"digest"`
		}
		if len(c.Work) > 0 && json.Unmarshal(c.Work, &signature) == nil {
			digests = append(digests, signature.Digest)
		}
	}
	slices.Sort(digests)
	return strings.Join(slices.Compact(digests), " ")
}

// past are the recorded launches outside both sides that share a fingerprint
// with one of them.
type past struct {
	groups [][]launch
}

// pastOf groups the history of a stratum. Launches of a side are never counted
// twice: those that share a run, a launch or bytes with one are left out.
func pastOf(in Input, s stratum, definition lens.Lens, format string) past {
	own := map[string]bool{}
	prints := map[string]bool{}
	for _, side := range s.sides {
		for _, l := range side {
			own[l.key] = true
			own["run "+l.run.ID] = l.run.ID != ""
			prints[fingerprint(l, definition, format)] = true
			for _, c := range l.captures() {
				own[c.ParsedSHA256] = c.ParsedSHA256 != ""
			}
		}
	}
	grouped := map[string][]launch{}
	var order []string
	for _, l := range launchesOf(selected(inOrder(in.History), format, s.cell, s.cell != "", definition), definition) {
		print := fingerprint(l, definition, format)
		if !prints[print] || own[l.key] || own["run "+l.run.ID] || !recorded(l, own) {
			continue
		}
		if grouped[print] == nil {
			order = append(order, print)
		}
		grouped[print] = append(grouped[print], l)
	}
	var p past
	for _, print := range order {
		p.groups = append(p.groups, grouped[print])
	}
	return p
}

// recorded reports whether a launch was measured, and is no side's own.
func recorded(l launch, own map[string]bool) bool {
	for _, c := range l.captures() {
		if c.Origin != evidence.Recorded || own[c.ParsedSHA256] {
			return false
		}
	}
	return true
}

// valuesOf are a pair's statistic over each group of the past that has at
// least five launches of it under the same definition.
func (h past) valuesOf(p pair) [][]float64 {
	var groups [][]float64
	for _, group := range h.groups {
		form := formOf(group, p.outcome, p.phase)
		if !form.given || form.mixed || form.definition != p.sides[0].definition {
			continue
		}
		values := sideValues{launches: launchValues(group, p)}.values()
		if len(values) >= leastHistory {
			groups = append(groups, values)
		}
	}
	return groups
}
