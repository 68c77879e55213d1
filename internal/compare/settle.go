package compare

import (
	"cmp"
	"fmt"
	"slices"

	"kernelwake/internal/lens"
)

// Refusal codes.
const (
	LensMismatch         = "lens_mismatch"
	FormatMixed          = "format_mixed"
	SameBytes            = "same_bytes"
	MustDiffers          = "must_differs"
	GateDiffers          = "gate_differs"
	NotDeclarable        = "not_declarable"
	DeclaredChangeAbsent = "declared_change_absent"
	NoCommonOutcome      = "no_common_outcome"
)

// Cap codes; WindowShort and NotSteady stand with the window.
const (
	GateUnknown       = "gate_unknown"
	ContextDiffers    = "context_differs"
	ContextOneSided   = "context_one_sided"
	ChangeUnobserved  = "change_unobserved"
	MeasuredOnUnknown = "measured_on_unknown"
	ConflictCap       = "conflict"
	SingleRunCap      = "single_run"
	TooFewSamples     = "too_few_samples"
)

// settled is the table after the declaration: what it refuses and caps.
type settled struct {
	rows     []Row
	refusals []Refusal
	caps     []Cap
	notes    []Note
	// blocked are metrics that a row leaves out, by the row's key.
	blocked map[string]string
	changed []string
	// attested are the rows that an attestation made equal.
	attested []string
}

// settle holds the readings against what was declared and attested.
func settle(readings []reading, d Declaration) settled {
	s := settled{blocked: map[string]string{}}
	for _, r := range readings {
		row := Row{
			Key: r.row.Key, Label: r.row.Label, Class: r.row.Class, State: r.state, Basis: r.basis, Reason: r.reason,
			Baseline: r.baseline, Candidate: r.candidate, Sources: [2]string{sourcesOf(r.fields, false), sourcesOf(r.fields, true)},
			Fields: r.fields, Rule: string(r.row.Rule), RuleVersion: r.row.RuleVersion, Means: r.row.Means, Declarable: r.row.Declarable,
		}
		if r.source != "" {
			row.Sources = [2]string{r.source, r.source}
		}
		if row.Fields == nil {
			row.Fields = []Field{}
		}
		s.judge(&row, r, d)
		if row.State != IntentionallyChanged {
			for _, metric := range r.blocked {
				s.blocked[metric] = row.Key
			}
		}
		s.rows = append(s.rows, row)
	}
	return s
}

// judge settles one row.
func (s *settled) judge(row *Row, r reading, d Declaration) {
	reason, declared := d.Changes[row.Key]
	vouched, attested := d.Attested[row.Key]
	if declared && !mayDeclare(r) {
		s.refusals = append(s.refusals, notDeclarable(*row, r))
		return
	}
	switch r.state {
	case Same:
		if declared {
			s.refusals = append(s.refusals, declaredChangeAbsent(*row, r))
		}
	case Different:
		if declared {
			row.State, row.Reason = IntentionallyChanged, declaredReason(r.reason, reason)
			s.changed = append(s.changed, row.Key)
			return
		}
		s.different(*row, r)
	case Unknown:
		switch {
		case r.conflict && r.row.Class != lens.Noise && r.row.Class != lens.Note:
			row.Basis = BasisConflict
			s.caps = append(s.caps, conflictCap(*row, r))
		case declared:
			s.changed = append(s.changed, row.Key)
			s.caps = append(s.caps, changeUnobserved(*row, r))
		case attested && !r.fixed && r.row.Class != lens.PerOutcome:
			row.State, row.Basis = Same, BasisAttested
			row.Reason = fmt.Sprintf("attested by %s: %s", cmp.Or(d.By, "the person who asked"), vouched)
			s.attested = append(s.attested, row.Key)
		default:
			s.unknown(*row, r)
		}
	}
	if attested && row.Basis != BasisAttested {
		s.notes = append(s.notes, attestationUnused(*row, r))
	}
	if row.State == Same && row.Basis != BasisAttested && len(r.open) > 0 {
		s.caps = append(s.caps, openCap(*row, r))
	}
}

func declaredReason(what, why string) string {
	if what == "" {
		return "declared: " + why
	}
	return what + "; declared: " + why
}

// mayDeclare reports whether the row, and what differs in it, can be named as
// the intended change.
func mayDeclare(r reading) bool {
	if !r.row.Declarable {
		return false
	}
	return !slices.ContainsFunc(r.differing, func(key string) bool { return slices.Contains(r.row.NotDeclarable, key) })
}

// different is a row known to differ that nobody declared.
func (s *settled) different(row Row, r reading) {
	switch r.row.Class {
	case lens.Must:
		s.refusals = append(s.refusals, mustDiffers(row))
	case lens.Gate:
		if r.row.Outcomes == nil {
			s.refusals = append(s.refusals, gateDiffers(row, r))
			return
		}
		for _, metric := range r.outcomes {
			s.blocked[metric] = row.Key
		}
	case lens.Context:
		s.caps = append(s.caps, contextDiffers(row, r, len(s.changed) > 0))
	}
}

// unknown is a row that nobody declared or vouched for.
func (s *settled) unknown(row Row, r reading) {
	if r.row.Outcomes != nil && len(r.outcomes) == 0 {
		return // it concerns no outcome that is compared
	}
	switch r.row.Class {
	case lens.Must:
		code := GateUnknown
		if row.Key == "measured_on" {
			code = MeasuredOnUnknown
		}
		s.caps = append(s.caps, unknownCap(code, row, r))
	case lens.Gate:
		s.caps = append(s.caps, unknownCap(GateUnknown, row, r))
	case lens.Context:
		switch {
		case r.code != "":
			s.caps = append(s.caps, windowCap(row, r))
		case r.oneSided:
			s.caps = append(s.caps, unknownCap(ContextOneSided, row, r))
		default:
			s.notes = append(s.notes, Note{
				Code: "context_unknown", Dimension: row.Key, Message: row.Label + ": " + cmp.Or(r.reason, "not recorded on either side"), Remedy: r.row.Remedy,
			})
		}
	}
}
