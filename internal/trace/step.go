package trace

import (
	"slices"
	"sort"

	"kernelwake/internal/absent"
)

// StepKind says what a step of a trace is.
type StepKind string

// The kinds of steps, the first that a trace has counting.
const (
	ProfilerSteps StepKind = "profiler_step"
	ModelRuns     StepKind = "model_run"
	WholeWindow   StepKind = "window"
)

// Reasons to leave a step out of the step times.
const (
	// CutStep marks a step in which no operator starts.
	CutStep = "cut"
	// QueueFillingStep marks a step before the first whose GPU work spans at
	// most 1.1 times its CPU time: until then the CPU only runs ahead.
	QueueFillingStep = "queue_filling"
)

// Step is one profiler step or annotated model run, seen from the CPU, with
// the device work that was launched in it.
type Step struct {
	Name string `json:"name"`
	// StartNS is the start on the CPU, from the trace's first event.
	StartNS int64 `json:"start_ns"`
	CPUNS   int64 `json:"cpu_ns"`
	// GPUNS spans the first start to the last end of the work launched in the
	// step, GPUBusyNS is the union of that work, KernelNS the sum of kernels.
	GPUNS     absent.Value[int64] `json:"gpu_ns"`
	GPUBusyNS absent.Value[int64] `json:"gpu_busy_ns"`
	KernelNS  int64               `json:"kernel_ns"`
	GPUEvents int64               `json:"gpu_events"`
	Operators int64               `json:"operators"`
	// Excluded is the reason why the step is in no step time; empty if kept.
	Excluded string `json:"excluded,omitempty"`

	start, end int64
}

// findSteps finds the steps on the CPU, what was launched in each, and which
// of them can't stand for a step's time.
func (r *analysis) findSteps() {
	r.stepKind = ProfilerSteps
	for _, wanted := range []struct {
		kind StepKind
		flag meaning
	}{{ProfilerSteps, profilerStep}, {ModelRuns, modelRun}} {
		for i := range r.s.Start {
			category := r.s.Kind(i)
			if r.means(uint32(i))&wanted.flag == 0 || category == DeviceAnnotation || category.OnDevice() {
				continue
			}
			r.steps = append(r.steps, Step{Name: r.t.Names[r.s.Name[i]], StartNS: r.s.Start[i] - r.t.FirstStart, CPUNS: r.s.Duration[i], start: r.s.Start[i], end: r.s.End(i)})
		}
		if len(r.steps) > 0 {
			r.stepKind = wanted.kind
			break
		}
	}
	if len(r.steps) == 0 {
		r.stepKind = WholeWindow
	}
	r.countOperators()
	r.placeDeviceWork()
	r.excludeSteps()
}

// stepAt returns the step that holds time t, -1 if none does.
func (r *analysis) stepAt(t int64) int32 {
	after := sort.Search(len(r.steps), func(i int) bool { return r.steps[i].start > t })
	if after > 0 && t < r.steps[after-1].end {
		return int32(after - 1)
	}
	return -1
}

func (r *analysis) countOperators() {
	for _, span := range r.tree.span {
		if step := r.stepAt(r.s.Start[span]); step >= 0 {
			r.steps[step].Operators++
		}
	}
}

func (r *analysis) placeDeviceWork() {
	r.stepOf = make([]int32, len(r.device))
	unions := make([][]Interval, len(r.steps))
	for k, i := range r.device {
		r.stepOf[k] = -1
		if r.launch[k] < 0 {
			continue
		}
		step := r.stepAt(r.s.Start[r.launch[k]])
		if r.stepOf[k] = step; step < 0 {
			continue
		}
		r.steps[step].GPUEvents++
		if r.s.Kind(int(i)) == Kernel {
			r.steps[step].KernelNS = plus(r.steps[step].KernelNS, r.s.Duration[i])
		}
		unions[step] = extend(unions[step], r.s.Start[i], r.s.End(int(i)))
	}
	for i, union := range unions {
		step := &r.steps[i]
		if len(union) == 0 {
			step.GPUNS = absent.Because[int64](absent.NotRecorded, "no GPU event was launched in it")
			if len(r.device) == 0 {
				step.GPUNS = absent.Because[int64](absent.NotApplicable, "the trace holds no GPU event")
			}
			step.GPUBusyNS = step.GPUNS
			continue
		}
		step.GPUNS = absent.Of(union[len(union)-1].End - union[0].Start)
		step.GPUBusyNS = absent.Of(length(union))
	}
}

func (r *analysis) excludeSteps() {
	for i := range r.steps {
		if r.steps[i].Operators == 0 {
			r.steps[i].Excluded = CutStep
		}
	}
	if len(r.device) == 0 {
		return
	}
	for i := range r.steps {
		step := &r.steps[i]
		if step.Excluded != "" {
			continue
		}
		if span, ok := step.GPUNS.Get(); !ok || 10*span <= 11*step.CPUNS {
			return
		}
		step.Excluded = QueueFillingStep
	}
}

// kept returns the steps that stand for step times.
func (r *analysis) kept() []Step {
	return slices.DeleteFunc(slices.Clone(r.steps), func(s Step) bool { return s.Excluded != "" })
}
