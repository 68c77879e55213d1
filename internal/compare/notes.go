package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"kernelwake/internal/evidence"
	"kernelwake/internal/trace"
)

// notesOf lists what was noticed in a stratum beside refusals and caps.
func notesOf(t *table) []Note {
	var notes []Note
	add := func(n Note, is bool) {
		if is {
			notes = append(notes, n)
		}
	}
	add(Note{
		Code: "sequential", Message: "All launches of one side precede all of the other's: slow drift of the machine can't be told from the change.",
		Remedy: "Start launches of both sides in turns (b c b c …).",
	}, sequential(t.sides))
	notes = append(notes, workNotes(t.work, workRow(t))...)
	for i, side := range t.sides {
		notes = append(notes, launchNotes(side, sideName(i == 1))...)
	}
	for i, side := range t.sides {
		notes = append(notes, requestNotes(side, sideName(i == 1))...)
	}
	add(Note{
		Code: "prompt_order_differs", Dimension: "request_mix", Message: "The prompts came in another order: " + strings.Join(otherOrder(t.sides), ", ") + ".",
		Remedy: "Give every run the same warm-up, so that prompts start at the same entry.",
	}, len(otherOrder(t.sides)) > 0)
	return notes
}

// workRow is the row that the work signature speaks for.
func workRow(t *table) string {
	if _, ok := t.lens.Row("model_and_objective"); ok {
		return "model_and_objective"
	}
	return "model"
}

// sequential reports whether all launches of one side started before all of
// the other's.
func sequential(sides [2][]launch) bool {
	for i := range sides {
		if len(sides[i]) == 0 || slices.ContainsFunc(sides[i], func(l launch) bool { return l.started.IsZero() }) {
			return false
		}
	}
	last := func(side []launch) (first, last launch) {
		first, last = side[0], side[0]
		for _, l := range side {
			if l.started.Before(first.started) {
				first = l
			}
			if l.started.After(last.started) {
				last = l
			}
		}
		return first, last
	}
	firstB, lastB := last(sides[0])
	firstC, lastC := last(sides[1])
	return lastB.started.Before(firstC.started) || lastC.started.Before(firstB.started)
}

// workNotes says what the work signatures left open.
func workNotes(w workReading, dimension string) []Note {
	var notes []Note
	codes := map[trace.SignatureState]string{trace.ShapesVary: "shapes_vary", trace.NoShapes: "no_shapes", trace.GraphLaunched: "graph_launched"}
	remedies := map[trace.SignatureState]string{
		trace.ShapesVary:    "Profile steps of one shape, or put both runs into one workload.",
		trace.NoShapes:      "Record with record_shapes.",
		trace.GraphLaunched: "Profile without CUDA or HIP graphs, or put both runs into one workload.",
	}
	for _, state := range []trace.SignatureState{trace.ShapesVary, trace.NoShapes, trace.GraphLaunched} {
		if w.state != "" && (slices.Contains(w.states[0], state) || slices.Contains(w.states[1], state)) {
			notes = append(notes, Note{Code: codes[state], Dimension: dimension, Message: "The work signature is not known: " + w.why() + ".", Remedy: remedies[state]})
		}
	}
	if w.state == trace.OperatorsDiffer {
		notes = append(notes, Note{
			Code: "operators_differ", Dimension: dimension, Message: fmt.Sprintf("The operators differ, though %.0f %% of the products are shared: another compiler or version may split the same work otherwise.", 100*w.shared),
			Remedy: "Put both runs into one workload if the model is the same.",
		})
	}
	if w.state == trace.WorkUnknown && w.namesDiffer {
		notes = append(notes, Note{Code: "operator_names_differ", Dimension: dimension, Message: "The operators' names differ, which hints at other work; without shapes it shows nothing.", Remedy: "Record with record_shapes."})
	}
	return notes
}

// launchNotes says where it is not known whether runs are launches.
func launchNotes(side []launch, name string) []Note {
	var unknown []string
	for _, l := range side {
		if l.kind == evidence.UnknownLaunch {
			unknown = append(unknown, nameOf(l.run))
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	return []Note{{
		Code: "launch_unknown", Message: fmt.Sprintf("Whether the server was started anew for %s (%s) is not recorded; each is counted as a launch.", list(unknown), name),
		Remedy: "Say for each run on a server whether it is a launch or an invocation of one: run declare RUN --launch launch (or invocation).",
	}}
}

// requestNotes says what became of requests that are in no figure.
func requestNotes(side []launch, name string) []Note {
	c := countsOf(side)
	var notes []Note
	if c.stopped {
		notes = append(notes, Note{Code: "run_stopped_early", Dimension: "completeness", Message: "A run of the " + name + " was stopped early; it is compared on what it completed.", Remedy: "Record it again to the end."})
	}
	switch {
	case c.cancelledKnown && c.cancelled > 0:
		notes = append(notes, Note{Code: "cancelled", Dimension: "completeness", Message: fmt.Sprintf("%d requests of the %s were in flight when the load ended: they count neither as good nor as failed.", c.cancelled, name)})
	case !c.cancelledKnown && c.everCounts:
		notes = append(notes, Note{Code: "cancelled_unknown", Dimension: "completeness", Message: "How many requests of the " + name + " were in flight when the load ended is not known.", Remedy: "Keep the load tool's log beside its export."})
	}
	return notes
}

// otherOrder names the captures whose prompts came in another order than the
// first one's: by their ids, or where those weren't kept, because another number
// of prompts was drawn to warm up.
func otherOrder(sides [2][]launch) []string {
	var first promptOrder
	firstWarmUps := -1
	var names []string
	for _, side := range sides {
		for _, c := range capturesOf(side) {
			order, drawn := orderOf(c), warmUps(c)
			switch {
			case order.known() && first.known():
				if !order.startsLike(first) {
					names = append(names, nameOrSelector(c))
				}
			case firstWarmUps >= 0 && drawn >= 0 && drawn != firstWarmUps:
				names = append(names, nameOrSelector(c))
			}
			if !first.known() {
				first = order
			}
			if firstWarmUps < 0 {
				firstWarmUps = drawn
			}
		}
	}
	return names
}

func nameOrSelector(c measuredCapture) string { return cmp.Or(c.Selector, c.Name, c.ID) }

// attestationUnused says that a person vouched for a row in vain: vouching is
// for rows that are not known.
func attestationUnused(row Row, r reading) Note {
	n := Note{Code: "attestation_unused", Dimension: row.Key, Remedy: fmt.Sprintf("Leave --same %s out.", row.Key)}
	switch {
	case row.State == Same:
		n.Message = "Vouching for " + row.Label + " changes nothing: it is known to be the same."
	case row.State == Different:
		n.Message = "Vouching for " + row.Label + " changes nothing: it is known to differ, and what is known is never overridden."
	case r.conflict:
		n.Message = "Vouching for " + row.Label + " changes nothing: values inside a side are in conflict."
	default:
		n.Message = "Vouching for " + row.Label + " changes nothing: what was recorded of it is known, and only a new recording changes that."
	}
	return n
}
