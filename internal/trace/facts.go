package trace

import (
	"cmp"
	"slices"
	"strings"
)

// Facts say how the work of a trace was run: what a comparison must hold
// against the other side's. A field is empty or Missing where the trace doesn't
// tell, with the reason in its neighbour where there are several.
type Facts struct {
	// OnGPU is true where GPU events were recorded.
	OnGPU bool
	// GPUs are the devices that ran kernels, in order of their id, with what
	// the trace says of each (empty where it lists no such device).
	GPUs []GPU
	// WorldSize is the stated number of ranks, or 1 where one process without
	// communication was recorded (WorldSizeDerived); else Missing.
	WorldSize        int64
	WorldSizeDerived bool
	// Communicates is true where communication was recorded.
	Communicates bool
	// Precision is the element types of the innermost products, joined by "+"
	// ("bf16", "fp16+fp32").
	Precision string
	// Optimizer is the name after "Optimizer.step#" ("AdamW"); several are
	// joined by "+" in order of first use.
	Optimizer string
	// BatchPerRank is the sum of the leading dimensions of the outermost loss
	// operators of a step, where more than half of the steps agree; else
	// Missing.
	BatchPerRank int64
	// Compiled is true where torch.compile ran; known with any operator.
	Compiled      bool
	CompiledKnown bool
	// LoaderInProcess and LoaderWorkers tell who loads the input.
	LoaderInProcess, LoaderWorkers bool
	// Profiler says which costly profiler options were on.
	Profiler map[string]bool
	// ModelRuns is true where an inference engine annotated model runs,
	// Trains where profiler steps or optimizer steps were recorded.
	ModelRuns, Trains bool
	// ExcludedSteps counts the steps left out, by reason.
	ExcludedSteps map[string]int64
}

// facts finds how the work was run.
func (r *analysis) facts() Facts {
	f := Facts{OnGPU: len(r.device) > 0, GPUs: r.usedGPUs(), WorldSize: r.t.Environment.WorldSize, BatchPerRank: r.batch(), Precision: r.precision(), ExcludedSteps: map[string]int64{}}
	f.Profiler = r.profilerOptions()
	f.CompiledKnown = len(r.tree.span) > 0
	processes := map[string]bool{}
	for i := range r.s.Start {
		category, means := r.s.Kind(i), r.means(uint32(i))
		if category == Operator || category == Annotation || category == Runtime || category == PythonFunction {
			processes[r.t.Tracks[r.s.Track[i]].Process] = true
		}
		f.read(r.t.Names[r.s.Name[i]], category, means)
	}
	if f.WorldSize == Missing && !f.Communicates && len(processes) == 1 {
		f.WorldSize, f.WorldSizeDerived = 1, true
	}
	for _, step := range r.steps {
		if step.Excluded != "" {
			f.ExcludedSteps[step.Excluded]++
		}
	}
	return f
}

// read takes what one event tells.
func (f *Facts) read(name string, category Category, means meaning) {
	switch {
	case category == Kernel:
		f.Communicates = f.Communicates || means&communicationKernel != 0
		return
	case category == Operator || category == Annotation:
		f.Communicates = f.Communicates || communicates(name)
	case category.OnDevice() || category == DeviceAnnotation:
		return
	}
	f.Compiled = f.Compiled || means&compiled != 0
	f.LoaderInProcess = f.LoaderInProcess || means&processLoader != 0
	f.LoaderWorkers = f.LoaderWorkers || means&workerLoader != 0
	f.ModelRuns = f.ModelRuns || means&modelRun != 0
	f.Trains = f.Trains || means&(profilerStep|optimizerStep) != 0
	if means&optimizerStep != 0 {
		optimizer, _, _ := strings.Cut(strings.TrimPrefix(name, "Optimizer.step#"), ".")
		if !slices.Contains(strings.Split(f.Optimizer, "+"), optimizer) {
			f.Optimizer = strings.TrimPrefix(f.Optimizer+"+"+optimizer, "+")
		}
	}
}

// communicates reports whether an operator or annotation by its name talks to
// other ranks.
func communicates(name string) bool {
	return isExcluded(name) && !strings.HasPrefix(name, "torch") || strings.HasPrefix(name, "torch.distributed")
}

// usedGPUs lists the devices with kernels.
func (r *analysis) usedGPUs() []GPU {
	used := map[string]bool{}
	for _, i := range r.device {
		if r.s.Kind(int(i)) == Kernel {
			used[r.t.Lanes[r.lane(i)].Device] = true
		}
	}
	var out []GPU
	for id := range used {
		gpu := r.t.Environment.onlyKind(id)
		for _, listed := range r.t.Environment.GPUs {
			if listed.ID == id {
				gpu = listed
			}
		}
		out = append(out, gpu)
	}
	slices.SortFunc(out, func(a, b GPU) int { return cmp.Or(cmp.Compare(len(a.ID), len(b.ID)), cmp.Compare(a.ID, b.ID)) })
	return out
}

// onlyKind describes a device that isn't listed by its id: ROCm numbers devices
// otherwise in events than in the list. Where all that are listed are of one
// kind, it is of that kind.
func (e Environment) onlyKind(id string) GPU {
	if len(e.GPUs) == 0 {
		return GPU{ID: id, Memory: Missing}
	}
	kind := e.GPUs[0]
	for _, other := range e.GPUs {
		if other.Name != kind.Name || other.Memory != kind.Memory || other.SMs != kind.SMs {
			return GPU{ID: id, Memory: Missing}
		}
	}
	kind.ID = id
	return kind
}

// precisions names element types as the profiler spells them in C++.
var precisions = map[string]string{
	"float": "fp32", "double": "fp64", "c10::Half": "fp16", "c10::BFloat16": "bf16",
	"c10::Float8_e4m3fn": "fp8_e4m3", "c10::Float8_e5m2": "fp8_e5m2", "c10::Float8_e4m3fnuz": "fp8_e4m3fnuz", "c10::Float8_e5m2fnuz": "fp8_e5m2fnuz",
	"signed char": "int8", "unsigned char": "uint8", "c10::complex<float>": "complex64", "c10::complex<double>": "complex128",
}

// precision finds the element types of the innermost products.
func (r *analysis) precision() string {
	holdsProduct := make([]bool, len(r.tree.span))
	types := map[string]bool{}
	for node := len(r.tree.span) - 1; node >= 0; node-- {
		span := r.tree.span[node]
		is := r.means(span)&product != 0
		if parent := r.tree.parent[node]; parent >= 0 && (is || holdsProduct[node]) {
			holdsProduct[parent] = true
		}
		if !is || holdsProduct[node] || r.tree.apart[node] || r.s.Detail[span] == MissingCode {
			continue
		}
		for _, tensor := range r.t.Arguments[r.s.Detail[span]] {
			if name, ok := precisions[tensor.Type]; ok && len(tensor.Dims) > 1 { // factors, not the bias
				types[name] = true
			}
		}
	}
	var names []string
	for name := range types {
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, "+")
}

// batch sums the leading dimensions of the outermost loss operators of each
// complete step and returns what more than half of the steps agree on.
func (r *analysis) batch() int64 {
	if r.stepKind == WholeWindow {
		return Missing
	}
	sums := make([]int64, len(r.steps))
	for node, span := range r.tree.span {
		if r.means(span)&loss == 0 || r.tree.inside[node]&loss != 0 || r.s.Detail[span] == MissingCode {
			continue
		}
		arguments, step := r.t.Arguments[r.s.Detail[span]], r.stepAt(r.s.Start[span])
		if step >= 0 && len(arguments) > 0 {
			sums[step] = plus(sums[step], arguments[0].Dims[0])
		}
	}
	counts := map[int64]int{}
	complete := 0
	for i, sum := range sums {
		if r.steps[i].Excluded != CutStep {
			counts[sum]++
			complete++
		}
	}
	for sum, n := range counts {
		if sum > 0 && 2*n > complete {
			return sum
		}
	}
	return Missing
}

// Profiler options that cost time, as the keys of Facts.Profiler.
const (
	RecordShapes  = "record_shapes"
	WithStack     = "with_stack"
	ProfileMemory = "profile_memory"
	Observer      = "observer"
)

// profilerOptions tells the options from the file's flags, else from what the
// events show. The observer has no flag.
func (r *analysis) profilerOptions() map[string]bool {
	stated := r.t.Environment
	options := map[string]bool{Observer: r.t.Observed.Observer}
	for option, shown := range map[string]bool{RecordShapes: r.t.Observed.Shapes, WithStack: r.t.Observed.Stacks, ProfileMemory: r.t.Observed.Memory} {
		options[option] = stated.Options[option] || shown
		if _, given := stated.Options[option]; !given && stated.OptionsComplete {
			options[option] = false
		}
	}
	return options
}
