package chrometrace

import (
	"strconv"
	"strings"

	"kernelwake/internal/absent"
	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
	"kernelwake/internal/trace"
)

// outcomes are what a trace measures, under either lens.
func outcomes(a *trace.Analysis, id lens.ID) []evidence.Outcome {
	kept := keptSteps(a)
	f := &a.Figures
	return []evidence.Outcome{
		stepTime(a, kept),
		kernelTime(a, kept),
		windowShare("gpu_idle_share", f, f.IdleNS),
		windowShare("exposed_communication_share", f, f.ExposedCommunicationNS),
		windowShare("exposed_memory_share", f, f.ExposedMemoryNS),
	}
}

func keptSteps(a *trace.Analysis) []trace.Step {
	var kept []trace.Step
	for _, step := range a.Figures.Steps {
		if step.Excluded == "" {
			kept = append(kept, step)
		}
	}
	return kept
}

// noStep says why there is no value for a step.
func noStep(a *trace.Analysis) (absent.Reason, string) {
	if a.Figures.StepKind == trace.WholeWindow {
		return absent.NotRecorded, "the trace has neither profiler steps nor annotated model runs"
	}
	return absent.BelowMinimum, "every step was cut or only filled the GPU's queue"
}

// definition tells step times of profiler steps from those of model runs.
func definition(name string, kind trace.StepKind) evidence.Definition {
	return evidence.Definition{Metric: name + "/1", Denominator: string(kind), Aggregation: 1}
}

// stepTime is the CPU duration of each kept step.
func stepTime(a *trace.Analysis, kept []trace.Step) evidence.Outcome {
	o := evidence.Outcome{Name: "step_time", Unit: "ms", Kind: lens.Samples, Definition: definition("step_time", a.Figures.StepKind), N: absent.Of(int64(len(kept)))}
	if len(kept) == 0 {
		o.Absent, o.Note = noStep(a)
		o.N = absent.Because[int64](o.Absent, o.Note)
		return o
	}
	values, at, numbers := make([]float64, len(kept)), make([]float64, len(kept)), make([]int64, len(kept))
	for i, step := range kept {
		values[i], at[i], numbers[i] = milliseconds(step.CPUNS), float64(step.StartNS)/1e9, stepNumber(step.Name, i)
	}
	o.Data = evidence.Table{Name: "samples", Columns: []evidence.Column{{Name: "v", Floats: values}, {Name: "at", Floats: at}, {Name: "step", Ints: numbers}}}
	return o
}

func milliseconds(ns int64) float64 { return float64(ns) / 1e6 }

// stepNumber is N of ProfilerStep#N, or the step's place.
func stepNumber(name string, place int) int64 {
	if _, after, found := strings.Cut(name, "#"); found {
		if n, err := strconv.ParseInt(after, 10, 64); err == nil {
			return n
		}
	}
	return int64(place)
}

// kernelTime is kernel time launched in kept steps ÷ their number.
func kernelTime(a *trace.Analysis, kept []trace.Step) evidence.Outcome {
	o := evidence.Outcome{Name: "kernel_time_per_step", Unit: "ms", Kind: lens.Total, Definition: definition("kernel_time_per_step", a.Figures.StepKind), N: absent.Of(int64(len(kept)))}
	switch {
	case !a.Facts.OnGPU:
		o.Absent, o.Note = absent.NotApplicable, "the trace holds no GPU event"
	case len(kept) == 0:
		o.Absent, o.Note = noStep(a)
	}
	if o.Absent != "" {
		o.N = absent.Because[int64](o.Absent, o.Note)
		return o
	}
	var sum int64
	for _, step := range kept {
		sum += step.KernelNS
	}
	o.Statistics = map[string]float64{"value": milliseconds(sum) / float64(len(kept))}
	return o
}

// windowShare is a part of the window of all GPU events.
func windowShare(name string, f *trace.Figures, part absent.Value[int64]) evidence.Outcome {
	o := evidence.Outcome{Name: name, Unit: "1", Kind: lens.RatioKind, Definition: evidence.Definition{Metric: name + "/1", Denominator: "gpu_window"}, N: absent.Of(int64(1)), Basis: "ns"}
	numerator, known := part.Get()
	window, _ := f.WindowNS.Get()
	switch {
	case !known:
		o.Absent, o.Note = part.Reason(), part.Note()
	case window == 0:
		o.Absent, o.Note = absent.NotApplicable, "the GPU events take no time"
	case missingKernels(f):
		o.Absent, o.Note = absent.Lost, "few or no GPU events were captured for the launch calls: an idle GPU can't be told from a lost event"
	default:
		top, bottom := float64(numerator), float64(window)
		o.Numerator, o.Denominator = &top, &bottom
		o.Statistics = map[string]float64{"value": top / bottom}
		return o
	}
	o.N = absent.Because[int64](o.Absent, o.Note)
	o.Basis = ""
	return o
}

func missingKernels(f *trace.Figures) bool {
	return f.Launches.Calls > 0 && 2*f.Launches.CallsWithoutWork > f.Launches.Calls
}
