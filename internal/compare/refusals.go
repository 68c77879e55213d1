package compare

import (
	"fmt"
	"strings"

	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
)

func mustDiffers(row Row) Refusal {
	return Refusal{
		Code: MustDiffers, Dimension: row.Key, Baseline: row.Baseline, Candidate: row.Candidate,
		Message: sentenceOf(row.Label, "differs and must not", row.Reason),
		Remedy:  "Compare two runs of which this is equal; it can't be declared as the change.",
	}
}

func gateDiffers(row Row, r reading) Refusal {
	remedy := fmt.Sprintf("If this is the change you are testing, declare it: --change %s=\"reason\" (button “Declare as the intended change”). Otherwise choose two runs in which it is equal.", row.Key)
	if !mayDeclare(r) {
		remedy = "Record both sides with the same " + row.Label + "; it can't be declared as the change."
	}
	return Refusal{
		Code: GateDiffers, Dimension: row.Key, Baseline: row.Baseline, Candidate: row.Candidate,
		Message: sentenceOf(row.Label, "is known to differ and was not declared as the change", reasonWithBasis(row)), Remedy: remedy,
	}
}

// reasonWithBasis adds how a difference is known where it isn't plainly read.
func reasonWithBasis(row Row) string {
	if row.Basis == string(evidence.Derived) {
		return strings.TrimSpace(row.Reason + " (different, derived)")
	}
	return row.Reason
}

func notDeclarable(row Row, r reading) Refusal {
	what := row.Label + " can't be declared as the intended change"
	if r.row.Declarable {
		what = fmt.Sprintf("%s was declared as the change, but %s can't be", row.Label, list(r.row.NotDeclarable))
	}
	return Refusal{
		Code: NotDeclarable, Dimension: row.Key, Baseline: row.Baseline, Candidate: row.Candidate,
		Message: sentenceOf(what, "", row.Reason), Remedy: fmt.Sprintf("Leave out --change %s, and compare runs in which it is equal.", row.Key),
	}
}

// declaredChangeAbsent is a change that isn't there. It may lie in a field that
// neither side tells: then those are named.
func declaredChangeAbsent(row Row, r reading) Refusal {
	var untold, given []string
	for _, f := range r.fields {
		if rawWords(f.Baseline) == "" && rawWords(f.Candidate) == "" {
			untold = append(untold, f.Label)
			given = append(given, fmt.Sprintf("--baseline-dim %s=… --candidate-dim %s=…", f.Key, f.Key))
		}
	}
	refusal := Refusal{
		Code: DeclaredChangeAbsent, Dimension: row.Key, Baseline: row.Baseline, Candidate: row.Candidate,
		Message: sentenceOf(row.Label, "was declared as the change, but is the same on both sides", row.Reason),
		Remedy:  fmt.Sprintf("Leave out --change %s, or choose the run that has the change.", row.Key),
	}
	if len(untold) > 0 {
		refusal.Message = sentenceOf(row.Label, "was declared as the change, but is the same in all that is recorded", "")
		refusal.Remedy = fmt.Sprintf("If the change is in %s, which neither side records, give it: %s, or a setup on each side. Otherwise leave out --change %s.", list(untold), strings.Join(given, " "), row.Key)
	}
	return refusal
}

// lensMismatch is about lenses that differ, between the sides or from the one
// that was asked for.
func lensMismatch(baseline, candidate []lens.ID, chosen lens.ID) Refusal {
	b, c := joined(baseline), joined(candidate)
	message := fmt.Sprintf("The baseline is judged under the %s lens, the candidate under %s.", b, c)
	if b == c && chosen != "" {
		message = fmt.Sprintf("Both sides are captures of the %s lens; they can't be read under %s.", b, chosen)
	}
	return Refusal{
		Code: LensMismatch, Dimension: "lens", Baseline: b, Candidate: c, Message: message,
		Remedy: "Import both captures under the same lens (--lens), or choose two runs of one lens.",
	}
}

func formatMixed(baseline, candidate []string) Refusal {
	b, c := strings.Join(baseline, ", "), strings.Join(candidate, ", ")
	return Refusal{
		Code: FormatMixed, Dimension: "capture_format", Baseline: b, Candidate: c,
		Message: fmt.Sprintf("The sides share no capture format: the baseline is %s, the candidate %s.", orNotStated(b), orNotStated(c)),
		Remedy:  "Record or import one of them again with the other's tool.",
	}
}

func joined(ids []lens.ID) string {
	words := make([]string, len(ids))
	for i, id := range ids {
		words[i] = string(id)
	}
	return strings.Join(words, ", ")
}

func sameBytes(name string) Refusal {
	return Refusal{
		Code: SameBytes, Baseline: name, Candidate: name,
		Message: fmt.Sprintf("Both sides rest on the same bytes (%s): there is nothing to compare.", name),
		Remedy:  "Choose another run for one side, or record the same thing again to see how launches vary.",
	}
}

// nothingLeft is the refusal where no outcome can be compared: by the reason
// they all share if it has a code of its own.
func nothingLeft(left []NotCompared) Refusal {
	shared := ""
	for i, n := range left {
		if i == 0 {
			shared = n.Reason
		}
		if n.Reason != shared {
			shared = ""
		}
	}
	switch shared {
	case TargetNotReached:
		return Refusal{Code: TargetNotReached, Message: "No outcome is left: " + left[0].Message + ".", Remedy: "Record runs that reach the target, or compare quality at equal tokens."}
	case SurvivorshipReason:
		return Refusal{Code: SurvivorshipReason, Dimension: "completeness", Message: "No outcome is left: " + left[0].Message + ".", Remedy: "Find why requests fail, then record both sides again."}
	}
	var reasons []string
	for _, n := range left {
		reasons = append(reasons, n.Metric+": "+n.Reason)
	}
	message := "The sides have no outcome in common."
	if len(reasons) > 0 {
		message = "The sides have no outcome in common: " + strings.Join(reasons, ", ") + "."
	}
	return Refusal{Code: NoCommonOutcome, Message: message, Remedy: "Record both sides with the same tool, version and settings, so that they define the same outcomes."}
}

// sentenceOf is "Subject predicate: reason."
func sentenceOf(subject, predicate, reason string) string {
	text := strings.TrimSpace(subject + " " + predicate)
	text = strings.ToUpper(text[:1]) + text[1:]
	if reason != "" {
		text += ": " + reason
	}
	return text + "."
}
