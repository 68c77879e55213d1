package chrometrace

import (
	"slices"

	"kernelwake/internal/absent"
	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
	"kernelwake/internal/trace"
)

// dimensions states every field of the lens: what the trace says of it, or why
// it says nothing.
func (r *reader) dimensions(a *trace.Analysis, id lens.ID) map[string]evidence.Dimension {
	out := map[string]evidence.Dimension{}
	definition, _ := lens.Find(id)
	for _, field := range definition.Fields {
		out[field.Key] = evidence.Dimension{Absent: absent.NotRecorded, Note: "no trace tells it: declare it or attach a setup"}
	}
	said := r.said(a)
	for key, dimension := range said {
		if _, ok := out[key]; ok {
			out[key] = dimension
		}
	}
	return out
}

func observed(value any, from string) evidence.Dimension {
	return evidence.Dimension{Value: value, Source: evidence.Observed, From: from}
}

func derived(value any, from string) evidence.Dimension {
	return evidence.Dimension{Value: value, Source: evidence.Derived, From: from}
}

func missingBecause(reason absent.Reason, note string) evidence.Dimension {
	return evidence.Dimension{Absent: reason, Note: note}
}

// said is what a trace can say, for the fields of all lenses.
func (r *reader) said(a *trace.Analysis) map[string]evidence.Dimension {
	f := &a.Facts
	out := map[string]evidence.Dimension{
		"measured_on":     derived(string(measuredOn(f)), "GPU events in the trace or none"),
		"completeness":    missingBecause(absent.NotApplicable, "a trace counts no requests"),
		"window":          missingBecause(absent.NotApplicable, "a trace is no load run"),
		"load_tool":       missingBecause(absent.NotApplicable, "a trace is no load run"),
		"profiler":        r.profiler(f),
		"world_size":      worldSize(f),
		"effective_batch": batch(f),
		"precision":       textOr(f.Precision, "element types of the innermost products", "no products with element types were recorded (record_shapes)"),
		"optimizer":       textOr(f.Optimizer, "Optimizer.step#NAME", "no optimizer step was recorded"),
		"comms":           r.comms(f),
		"compile":         compiled(f),
		"input":           loader(f),
		"excluded_steps":  excluded(a),
		"cuda":            r.toolkit(f),
		"host_id":         r.host(),
	}
	if f.CompiledKnown {
		out["framework"] = derived("pytorch", "operators and profiler of PyTorch")
	}
	if f.ModelRuns {
		out["engine"] = derived(engine(a), "annotations of model runs")
	}
	hardware(out, f)
	return out
}

func measuredOn(f *trace.Facts) evidence.Device {
	if f.OnGPU {
		return evidence.GPU
	}
	return evidence.CPU
}

func (r *reader) profiler(f *trace.Facts) evidence.Dimension {
	options := map[string]any{}
	for option, on := range f.Profiler {
		options[option] = on
	}
	if r.t.Environment.OptionsComplete {
		return observed(options, "the profiler's flags (a missing one is off); observer from record function ids")
	}
	return derived(options, "flags where given, else what events show: shapes, stacks, memory, record function ids")
}

func worldSize(f *trace.Facts) evidence.Dimension {
	switch {
	case f.WorldSizeDerived:
		return derived(1.0, "one process and no communication events")
	case f.WorldSize > 0:
		return observed(float64(f.WorldSize), "distributedInfo.world_size")
	}
	return missingBecause(absent.NotRecorded, "the trace has no distributedInfo, but communication or several processes")
}

// batch is the batch of one step, of one rank where there are several or it
// isn't known how many.
func batch(f *trace.Facts) evidence.Dimension {
	if f.BatchPerRank == trace.Missing {
		return missingBecause(absent.NotRecorded, "no loss operator with a shape in most steps")
	}
	value := map[string]any{"count": float64(f.BatchPerRank), "unit": "{sample}"}
	if f.WorldSize != 1 {
		value["per"] = "rank"
	}
	return derived(value, "sum of the leading dimensions of the step's loss operators")
}

func textOr(value, from, otherwise string) evidence.Dimension {
	if value == "" {
		return missingBecause(absent.NotRecorded, otherwise)
	}
	return derived(value, from)
}

func (r *reader) comms(f *trace.Facts) evidence.Dimension {
	e := &r.t.Environment
	value := map[string]any{}
	if e.Backend != "" {
		value["backend"] = e.Backend
	}
	if e.CollectivesVersion != "" {
		value["version"] = e.CollectivesVersion
	}
	switch {
	case len(value) > 0:
		return observed(value, "distributedInfo")
	case !f.Communicates && f.WorldSize == 1:
		return missingBecause(absent.NotApplicable, "one rank communicates with nobody")
	}
	return missingBecause(absent.NotRecorded, "the trace names no communication library")
}

func compiled(f *trace.Facts) evidence.Dimension {
	switch {
	case !f.CompiledKnown:
		return missingBecause(absent.NotRecorded, "no operators were recorded")
	case f.Compiled:
		return derived("on", "a Torch-Compiled Region or CompiledFunction")
	}
	return derived("off", "no Torch-Compiled Region or CompiledFunction")
}

func loader(f *trace.Facts) evidence.Dimension {
	switch {
	case f.LoaderWorkers:
		return derived(map[string]any{"at_least": 1.0}, "_MultiProcessingDataLoaderIter")
	case f.LoaderInProcess:
		return derived(0.0, "_SingleProcessDataLoaderIter")
	}
	return missingBecause(absent.NotRecorded, "no data loader was recorded")
}

func excluded(a *trace.Analysis) evidence.Dimension {
	if a.Figures.StepKind == trace.WholeWindow {
		return missingBecause(absent.NotApplicable, "the trace has no steps")
	}
	value := map[string]any{trace.CutStep: 0.0, trace.QueueFillingStep: 0.0}
	for reason, count := range a.Facts.ExcludedSteps {
		value[reason] = float64(count)
	}
	return derived(value, "cut: no operator starts in it; queue_filling: before the first step whose GPU work spans at most 1.1 × its CPU time")
}

// toolkit is the CUDA version that the driver supports, as nvidia-smi shows
// it, or the ROCm version.
func (r *reader) toolkit(f *trace.Facts) evidence.Dimension {
	switch {
	case r.meta.kept["cuda_driver_version"] != "":
		if version := cudaVersion(r.meta.kept["cuda_driver_version"]); version != "" {
			return observed(version, "cuda_driver_version")
		}
	case r.meta.kept["hip_runtime_version"] != "":
		if version := hipVersion(r.meta.kept["hip_runtime_version"]); version != "" {
			return observed("ROCm "+version, "hip_runtime_version")
		}
	}
	if !f.OnGPU {
		return missingBecause(absent.NotApplicable, "no GPU was used")
	}
	return missingBecause(absent.NotRecorded, "the trace states no CUDA or ROCm version")
}

func (r *reader) host() evidence.Dimension {
	if r.meta.seen["host_name"] {
		return missingBecause(absent.Withheld, "the host's name stays in the exact bytes; give host_id by a setup")
	}
	return missingBecause(absent.NotRecorded, "the trace names no host")
}

func engine(a *trace.Analysis) string {
	for _, step := range a.Figures.Steps {
		if len(step.Name) > 5 && step.Name[:5] == "step[" {
			return "sglang"
		}
	}
	return "vllm"
}

// hardware states the GPUs that ran kernels, not those that are listed.
func hardware(out map[string]evidence.Dimension, f *trace.Facts) {
	keys := []string{"gpu_model", "gpu_memory", "gpu_count"}
	switch {
	case !f.OnGPU:
		for _, key := range keys {
			out[key] = missingBecause(absent.NotApplicable, "the trace holds no GPU event")
		}
		return
	case len(f.GPUs) == 0:
		for _, key := range keys {
			out[key] = missingBecause(absent.NotRecorded, "no kernel was recorded")
		}
		return
	}
	out["gpu_count"] = derived(float64(len(f.GPUs)), "devices with kernels")
	var models []string
	memory := f.GPUs[0].Memory
	for _, gpu := range f.GPUs {
		if gpu.Name != "" && !slices.Contains(models, gpu.Name) {
			models = append(models, gpu.Name)
		}
		if gpu.Memory != memory {
			memory = min(memory, gpu.Memory)
		}
	}
	out["gpu_model"] = missingBecause(absent.NotRecorded, "deviceProperties names no device that ran kernels")
	switch {
	case len(models) == 1:
		out["gpu_model"] = observed(models[0], "deviceProperties")
	case len(models) > 1:
		slices.Sort(models)
		list := make([]any, len(models))
		for i, model := range models {
			list[i] = model
		}
		out["gpu_model"] = observed(list, "deviceProperties")
	}
	out["gpu_memory"] = missingBecause(absent.NotRecorded, "deviceProperties states no memory")
	if memory > 0 {
		out["gpu_memory"] = observed(float64(memory), "deviceProperties.totalGlobalMem")
	}
}
