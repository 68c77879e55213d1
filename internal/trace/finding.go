package trace

import (
	"fmt"
	"slices"
	"strings"

	"kernelwake/internal/evidence"
)

// Finding is what an importer noticed about a trace.
type Finding = evidence.Finding

// FewestSteps is how many kept steps a step time needs to be more than one
// launch's chance.
const FewestSteps = 3

// KnownEventLimit is where JAX stops writing events by default: a file with
// just as many was cut by its writer.
const KnownEventLimit = 1_000_000

// findings says what a reader of the figures must know about the trace.
func (r *analysis) findings(f *Figures, sig *Signature) []Finding {
	var out []Finding
	add := func(code string, count int64, remedy, format string, args ...any) {
		if count > 0 {
			out = append(out, Finding{Code: code, Count: count, Message: fmt.Sprintf(format, args...), Remedy: remedy})
		}
	}
	r.launchFindings(f, add)
	r.timeFindings(f, add)
	r.stepFindings(f, add)
	if sig.State != SignatureKnown {
		add(string(sig.State), 1, signatureRemedy[sig.State], "the work signature is unknown: %s", r.signatureReason(sig))
	}
	if on := r.costlyOptions(); len(on) > 0 {
		add("profiler_costs_time", 1, "compare CPU times only with traces recorded with the same options", "profiler options that slow the CPU down were on: %s", strings.Join(on, ", "))
	}
	if world := r.t.Environment.WorldSize; world > 1 {
		add("other_ranks_not_included", world-1, "import the traces of all ranks together", "this file is one of %d ranks", world)
	}
	if r.t.Events == KnownEventLimit {
		add("events_at_known_limit", r.t.Events, "raise the recorder's limit or record a shorter window", "the file holds exactly %d events, where some recorders stop: it may be cut", r.t.Events)
	}
	return out
}

type adder func(code string, count int64, remedy, format string, args ...any)

func (r *analysis) launchFindings(f *Figures, add adder) {
	l := &f.Launches
	add("gpu_events_without_launch", l.WithoutLaunch, "record some steps of warm-up before the window", "%d of %d GPU events have no captured launch call: they were launched before the capture, or their launch was lost; they count in busy and idle time, in no launch delay and in no step", l.WithoutLaunch, f.GPUEvents)
	add("launches_without_gpu_event", l.CallsWithoutWork, "synchronise the device before the profiler stops", "%d launch calls have no GPU event in the trace", l.CallsWithoutWork)
	if l.Calls > 0 && 2*l.CallsWithoutWork > l.Calls {
		add("kernels_missing", l.CallsWithoutWork, "check that the profiler may trace the GPU (CUPTI, roctracer), then record again", "few or no GPU events for %d launch calls: nothing can be said about an idle GPU", l.Calls)
	}
	add("graph_launches", l.ManyEvents, "", "%d launch calls caused several GPU events each, at most %d: graph launches", l.ManyEvents, l.MaxFanOut)
	add("repeated_correlations", l.RepeatedCorrelations, "", "%d launch calls reuse a correlation; the last of each counts", l.RepeatedCorrelations)
	var like, likeNS int64
	for _, i := range r.device {
		if r.s.Kind(int(i)) == Kernel && r.means(i)&collectiveLike != 0 {
			like++
			likeNS += r.s.Duration[i]
		}
	}
	add("collective_like_kernels", like, "", "%d kernels (%d ns) bear the name of a collective but are of no library that is known: they count as compute", like, likeNS)
}

func (r *analysis) timeFindings(f *Figures, add adder) {
	var overlaps, partial, sum int64
	for _, stream := range f.Streams {
		overlaps += stream.Overlaps
		partial += stream.PartialOverlaps
		sum += stream.SumNS
	}
	busy, _ := f.BusyNS.Get()
	add("same_stream_overlaps", overlaps, "", "%d GPU events begin before an earlier one on their stream ended, %d of them outlast it; all are kept, busy time is a union (sum of durations ÷ union %.4f)", overlaps, partial, share(sum, busy))
	add("zero_duration_gpu_events", f.ZeroDuration, "", "%d GPU events have no duration; they count, and take no time", f.ZeroDuration)
	if r.t.Observed.WholeMicroseconds && r.s.Len() > 0 {
		add("whole_microsecond_clock", 1, "record with a newer profiler to see nanoseconds", "times are whole microseconds: short events are rounded")
	}
	if f.GPUEvents == 0 {
		add("no_gpu_events", 1, "", "the trace holds no GPU event: GPU figures are absent")
	}
}

func (r *analysis) stepFindings(f *Figures, add adder) {
	var cut, filling int64
	for _, step := range f.Steps {
		switch step.Excluded {
		case CutStep:
			cut++
		case QueueFillingStep:
			filling++
		}
	}
	add("steps_cut", cut, "", "%d steps hold no operator: the capture begins or ends in them; they are in no step time", cut)
	add("steps_queue_filling", filling, "profile more steps after a warm-up", "%d steps only fill the GPU's queue (their GPU work spans more than 1.1 times their CPU time); they are in no step time", filling)
	if f.StepKind != WholeWindow && f.StepsKept < FewestSteps {
		add("few_steps", 1, "profile at least 3 steps", "%d steps are left for step times", f.StepsKept)
	}
}

var signatureRemedy = map[SignatureState]string{
	NoShapes:      "record with record_shapes=True",
	ShapesVary:    "profile more steps of equal shapes, or declare the model",
	GraphLaunched: "record without graphs, or declare the model",
	NoOperators:   "record CPU activities too, or declare the model",
}

func (r *analysis) signatureReason(sig *Signature) string {
	switch sig.State {
	case NoShapes:
		return "no input shapes were recorded"
	case ShapesVary:
		return fmt.Sprintf("only %d of %d steps do the same operators at the same shapes", sig.Alike, sig.Steps)
	case GraphLaunched:
		coverage, _ := sig.Coverage.Get()
		return fmt.Sprintf("only %.1f %% of compute-kernel time was launched under an operator (90 %% are needed); graphs hide the rest", 100*coverage)
	}
	return "no operator was recorded in a complete step"
}

func (r *analysis) costlyOptions() []string {
	var on []string
	for option, is := range r.profilerOptions() {
		if is {
			on = append(on, option)
		}
	}
	slices.Sort(on)
	return on
}
