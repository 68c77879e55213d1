package compare

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"kernelwake/internal/lens"
)

// Actions that a screen can offer to lift a cap.
const (
	ActionDeclare = "declare" // name the row as the intended change
	ActionAttest  = "attest"  // vouch that the sides are equal
	ActionSetup   = "setup"   // attach a setup that names the values
	ActionDim     = "dim"     // give the values by hand
	ActionRecord  = "record"  // record again
	ActionCorrect = "correct" // correct a declared value
)

// unknownCap is a row of which something needed is not known.
func unknownCap(code string, row Row, r reading) Cap {
	given := giveValues(row, r)
	attest := fmt.Sprintf("or vouch for it: --same %s=\"reason\" (button “Attest as equal”)", row.Key)
	return Cap{
		Code: code, Dimension: row.Key, Message: sentenceOf(row.Label, "is not known on both sides", r.reason),
		Remedy: given + ", " + attest + ".", Actions: []string{ActionSetup, ActionDim, ActionAttest}, Outcomes: r.outcomes,
	}
}

// giveValues says which flags give the values that are missing.
func giveValues(row Row, r reading) string {
	var both, baseline, candidate []string
	for _, f := range r.fields {
		if f.State != Unknown || !asksFor(row, f) {
			continue
		}
		switch b, c := rawWords(f.Baseline) != "", rawWords(f.Candidate) != ""; {
		case b && !c:
			candidate = append(candidate, "--candidate-dim "+f.Key+"=…")
		case c && !b:
			baseline = append(baseline, "--baseline-dim "+f.Key+"=…")
		case lacks(f.Baseline.Raw, f.Candidate.Raw) != "" || lacks(f.Candidate.Raw, f.Baseline.Raw) != "":
			baseline = appendForm(baseline, "--baseline-dim "+f.Key, lacks(f.Baseline.Raw, f.Candidate.Raw))
			candidate = appendForm(candidate, "--candidate-dim "+f.Key, lacks(f.Candidate.Raw, f.Baseline.Raw))
		default:
			both = append(both, "--dim "+f.Key+"=…")
		}
	}
	flags := slices.Concat(both, baseline, candidate)
	if len(flags) == 0 {
		return strings.ToUpper(r.row.Remedy[:1]) + r.row.Remedy[1:]
	}
	return "Give " + strings.Join(flags, " ") + " (or attach a setup that names them)"
}

func appendForm(flags []string, flag, form string) []string {
	if form == "" {
		return flags
	}
	return append(flags, flag+"='"+form+"'")
}

// lacks is the form in which a value would say what the other one says beside
// it: the members that only the other has, a unit as it stands there.
func lacks(own, other any) string {
	members, ok := other.(map[string]any)
	if _, bound := members["at_least"]; !ok || bound {
		return ""
	}
	has, _ := own.(map[string]any)
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if _, told := has[name]; told {
			continue
		}
		value := "…"
		if text, ok := members[name].(string); ok && (name == "unit" || name == "per") {
			value = strconv.Quote(text)
		}
		parts = append(parts, strconv.Quote(name)+":"+value)
	}
	if len(parts) == 0 {
		return ""
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// asksFor leaves out fields whose values no person gives by hand.
func asksFor(row Row, f Field) bool {
	if row.Key != "request_mix" && row.Key != "model_and_objective" {
		return true
	}
	if f.Key == "turns" { // asked for only where the other side tells it
		return rawWords(f.Baseline) != "" || rawWords(f.Candidate) != ""
	}
	return !slices.Contains([]string{"request_bodies_sha256", "prompt_order_sha256", "random_seed", "init", "dataset", "objective", "target", "sequence_length", "clock_rule"}, f.Key)
}

// openCap is a row that is equal for times, but open for quality.
func openCap(row Row, r reading) Cap {
	return Cap{
		Code: GateUnknown, Dimension: row.Key, Message: sentenceOf(row.Label, "is not known as a whole, which quality and time to target need", r.openFor),
		Remedy:  fmt.Sprintf("Give the values by --dim or a setup, or vouch for it: --same %s=\"reason\" (button “Attest as equal”).", row.Key),
		Actions: []string{ActionSetup, ActionDim, ActionAttest}, Outcomes: r.open,
	}
}

func conflictCap(row Row, r reading) Cap {
	return Cap{
		Code: ConflictCap, Dimension: row.Key, Message: sentenceOf(row.Label, "is in conflict inside a side", r.reason),
		Remedy:  "Correct the weaker value (the declared one, the setup's or the workload's), or take the odd launch out of the side.",
		Actions: []string{ActionCorrect}, Outcomes: r.outcomes,
	}
}

func changeUnobserved(row Row, r reading) Cap {
	return Cap{
		Code: ChangeUnobserved, Dimension: row.Key, Message: sentenceOf(row.Label, "was declared as the change, but is not known on both sides", r.reason),
		Remedy:  giveValues(row, r) + " for both sides.",
		Actions: []string{ActionSetup, ActionDim}, Outcomes: r.outcomes,
	}
}

func contextDiffers(row Row, r reading, alreadyChanged bool) Cap {
	c := Cap{
		Code: ContextDiffers, Dimension: row.Key, Message: sentenceOf(row.Label, "is known to differ and was not declared", r.reason),
		Remedy:  fmt.Sprintf("If it is the change you are testing, declare it: --change %s=\"reason\" (button “Declare as the intended change”).", row.Key),
		Actions: []string{ActionDeclare}, Outcomes: r.outcomes,
	}
	if alreadyChanged {
		c.Remedy += " With another change already declared, the result will say that the two can't be told apart (confounded)."
	}
	if !mayDeclare(r) {
		c.Remedy, c.Actions = "Record both sides with the same "+row.Label+"; it can't be declared.", []string{ActionRecord}
	}
	return c
}

// windowCap is about how the load was recorded: only a new recording lifts it,
// unless nothing is known and a person vouches.
func windowCap(row Row, r reading) Cap {
	c := Cap{Code: r.code, Dimension: row.Key, Message: sentenceOf(row.Label, "", r.reason), Remedy: fmt.Sprintf("Record at least %d s of steady load on both sides.", leastSeconds), Actions: []string{ActionRecord}}
	if !r.fixed {
		c.Remedy += fmt.Sprintf(" Or vouch for it: --same %s=\"reason\" (button “Attest as equal”).", row.Key)
		c.Actions = append(c.Actions, ActionAttest)
	}
	return c
}

// notSteadyCap is about outcomes whose samples never settle, where no window
// row speaks of it.
func notSteadyCap(metrics []string) Cap {
	return Cap{
		Code: NotSteady, Message: "The samples of " + list(metrics) + " never settle: half of them are still unlike the rest.",
		Remedy: "Record for longer, and mark the warm-up as such.", Actions: []string{ActionRecord}, Outcomes: metrics,
	}
}

// singleRunCap is one launch that can't show that a second would agree.
func singleRunCap(metrics []string, needed int) Cap {
	remedy := "Record more launches of both sides, started in turns (b c b c …), and add them (repeat --baseline and --candidate; button “Add launches”)."
	if needed > 1 {
		remedy = fmt.Sprintf("Record %d more launches a side, started in turns (b c b c …), and add them (repeat --baseline and --candidate; button “Add launches”).", needed-1)
	}
	return Cap{
		Code: SingleRunCap, Message: "One launch can't show that a second would agree: " + list(metrics) + ".",
		Remedy: remedy, Actions: []string{ActionRecord}, Outcomes: metrics,
	}
}

func tooFewSamplesCap(metrics []string) Cap {
	return Cap{
		Code: TooFewSamples, Message: "No good sample is left of " + list(metrics) + ".",
		Remedy: "Record more, or see why all samples were left out.", Actions: []string{ActionRecord}, Outcomes: metrics,
	}
}

// capsOn reports whether any cap covers a metric.
func capsOn(caps []Cap, metric string) bool {
	return slices.ContainsFunc(caps, func(c Cap) bool { return len(c.Outcomes) == 0 || slices.Contains(c.Outcomes, metric) })
}

// labelOf is a metric's name in words for a cap or a sentence.
func labelOf(p pair) string {
	label := p.outcome.Label
	if p.phase != "" {
		label += " " + p.phase
	}
	if p.statistic != lens.Value {
		label += " " + string(p.statistic)
	}
	return cmp.Or(label, p.metric)
}
