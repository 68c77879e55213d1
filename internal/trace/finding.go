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
	add("gpu_events_without_launch", l.WithoutLaunch, "record some steps of warm-up before the window", "no launch call was captured for %d of %s: launched before the capture, or the call was lost; that work counts in busy and idle time, in no launch delay and in no step", l.WithoutLaunch, Counted(f.GPUEvents, "GPU event"))
	add("launches_without_gpu_event", l.CallsWithoutWork, "synchronise the device before the profiler stops", "no GPU event was captured for %s", Counted(l.CallsWithoutWork, "launch call"))
	if l.Calls > 0 && 2*l.CallsWithoutWork > l.Calls {
		add("kernels_missing", l.CallsWithoutWork, "check that the profiler may trace the GPU (CUPTI, roctracer), then record again", "few or no GPU events for %s: nothing can be said about an idle GPU", Counted(l.Calls, "launch call"))
	}
	add("graph_launches", l.ManyEvents, "", "%s caused several GPU events, at most %d: graph launches", Counted(l.ManyEvents, "launch call"), l.MaxFanOut)
	add("repeated_correlations", l.RepeatedCorrelations, "", "%s reused a correlation; the last of each counts", Counted(l.RepeatedCorrelations, "launch call"))
	var like, likeNS int64
	for _, i := range r.device {
		if r.s.Kind(int(i)) == Kernel && r.means(i)&collectiveLike != 0 {
			like++
			likeNS = plus(likeNS, r.s.Duration[i])
		}
	}
	add("collective_like_kernels", like, "", "%s of %d ns in all named like a collective, of no library that is known: counted as compute", Counted(like, "kernel"), likeNS)
}

func (r *analysis) timeFindings(f *Figures, add adder) {
	var overlaps, partial, sum int64
	for _, stream := range f.Streams {
		overlaps += stream.Overlaps
		partial += stream.PartialOverlaps
		sum = plus(sum, stream.SumNS)
	}
	busy, _ := f.BusyNS.Get()
	add("same_stream_overlaps", overlaps, "", "%s began before an earlier one on the same stream ended, %d outlasted it; all are kept, busy time is a union (sum of durations ÷ union %.4f)", Counted(overlaps, "GPU event"), partial, share(sum, busy))
	add("zero_duration_gpu_events", f.ZeroDuration, "", "%s without duration: counted, and no time taken", Counted(f.ZeroDuration, "GPU event"))
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
	add("steps_cut", cut, "", "%s without an operator, where the capture begins or ends: in no step time", Counted(cut, "step"))
	add("steps_queue_filling", filling, "profile more steps after a warm-up", "%s only filled the GPU's queue (GPU work spanning more than 1.1 times the CPU time): in no step time", Counted(filling, "step"))
	if f.StepKind != WholeWindow && f.StepsKept < FewestSteps {
		add("few_steps", 1, "profile at least 3 steps", "%s left for step times", Counted(f.StepsKept, "step"))
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
		return fmt.Sprintf("only %d of %s run the same operators at the same shapes", sig.Alike, Counted(sig.Steps, "step"))
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

// Counted writes a number with its noun: "1 event", "2 events".
func Counted(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
