package lens

// sharedRows stand first in every lens.
var sharedRows = []Row{
	{Key: "lens", Label: "lens", Class: Must, Fields: []string{"lens"}, Rule: Exact, RuleVersion: 1, Means: "both sides are judged by one lens", Remedy: "import both captures under the same lens"},
	{Key: "capture_format", Label: "capture format", Class: Must, Fields: []string{"capture_format"}, Rule: Exact, RuleVersion: 1, Means: "both sides draw from one capture format", Remedy: "record both sides with the same tool"},
	{Key: "measured_on", Label: "measured on", Class: Must, Fields: []string{"measured_on"}, Rule: Exact, RuleVersion: 1, Means: "GPU, CPU, simulator or none, equal on both sides", Remedy: "give measured_on by a setup, or with --dim measured_on=gpu"},
	{Key: "metric_definition", Label: "metric definition", Class: PerOutcome, Fields: []string{"metric_definition"}, Rule: Definition, RuleVersion: 1, Means: "an outcome is compared only where its definition is equal", Remedy: "record both sides with the same tool version and settings"},
	{Key: "completeness", Label: "completeness", Class: PerOutcome, Fields: []string{"completeness"}, Rule: Survivorship, RuleVersion: 1, Means: "failed share at most 5 % and within one point between sides", Remedy: "find why requests fail, then record again"},
	{Key: "profiler", Label: "profiler options", Class: Context, Declarable: true, Fields: []string{"profiler"}, Rule: FieldByField, RuleVersion: 1, Means: "the profiler options that cost time are equal", Remedy: "record both with the same profiler options", Formats: []string{"chrome-trace"}},
	{Key: "host", Label: "host and devices", Class: Noise, Fields: []string{"host_id"}, Rule: Exact, RuleVersion: 1, Means: "says which earlier launches count as history", Remedy: "give host_id by a setup"},
}

// hardwareStateFields make up the hardware_state row of two lenses.
var hardwareStateFields = []string{"form_factor", "mig", "interconnect", "driver", "cuda", "power_limit", "clocks", "throttling"}

func hardwareState() Row {
	return Row{Key: "hardware_state", Label: "hardware state", Class: Context, Declarable: true, Fields: hardwareStateFields, Rule: Tolerances, RuleVersion: 1, Means: "form factor, MIG, interconnect, driver, CUDA or ROCm, power cap, clocks (within 3 %) and throttling, field by field", Remedy: "attach a setup written by `graphsignal-server env` on each machine"}
}

// hardwareFields are the machine's fields. A load run must say more than a
// trace, whose memory size is shown but not judged.
func hardwareFields(load bool) []Field {
	memoryRow := ""
	if load {
		memoryRow = "hardware"
	}
	return []Field{
		{Key: "gpu_model", Label: "GPU model", Row: "hardware", Required: true, Example: "NVIDIA H200"},
		{Key: "gpu_count", Label: "GPUs used", Row: "hardware", Required: true, Example: "8", Numeric: true},
		{Key: "gpu_memory", Label: "GPU memory", Row: memoryRow, Required: load, Unit: "By", Tolerance: 0.05, Example: "150754820096", Numeric: true},
		{Key: "form_factor", Label: "form factor", Row: "hardware_state", Example: "SXM"},
		{Key: "mig", Label: "MIG", Row: "hardware_state", Required: load, Example: "off"},
		{Key: "interconnect", Label: "interconnect", Row: "hardware_state", Example: "NVLink"},
		{Key: "driver", Label: "driver", Row: "hardware_state", Example: "570.86.15"},
		{Key: "cuda", Label: "CUDA or ROCm", Row: "hardware_state", Example: "12.8"},
		{Key: "power_limit", Label: "power cap", Row: "hardware_state", Unit: "W", Example: "700", Numeric: true},
		{Key: "clocks", Label: "clocks", Row: "hardware_state", Unit: "MHz", Tolerance: 0.03, Example: "1980", Numeric: true},
		{Key: "throttling", Label: "throttling", Row: "hardware_state", Example: "none", Varies: true},
		{Key: "host_id", Label: "host", Row: "host", Example: "gpu-7", Varies: true},
	}
}

var sharedFields = []Field{
	{Key: "measured_on", Label: "measured on", Row: "measured_on", Example: "gpu"},
	{Key: "completeness", Label: "completeness", Row: "completeness", Varies: true},
	{Key: "profiler", Label: "profiler options", Row: "profiler"},
}

// milliseconds, seconds and the like are the units an outcome converts from.
var times = []string{"s", "ms", "us", "ns"}

// traceOutcomes are given by traces, under the training and inference lens.
var traceOutcomes = []Outcome{
	{Name: "gpu_idle_share", Label: "GPU idle share", Meaning: "1 − union of all GPU events ÷ GPU window", Version: 1, Unit: "1", Accepts: []string{"1", "%"}, Direction: Lower, Effect: Points, Statistics: []Statistic{Value}, Thresholds: map[Statistic]float64{Value: 0.02}, Kinds: []Kind{RatioKind, Summary}, WorkOnly: true},
	{Name: "exposed_communication_share", Label: "exposed communication share", Meaning: "communication time not covered by compute ÷ GPU window", Version: 1, Unit: "1", Accepts: []string{"1", "%"}, Direction: Lower, Effect: Points, Statistics: []Statistic{Value}, Thresholds: map[Statistic]float64{Value: 0.02}, Kinds: []Kind{RatioKind, Summary}, WorkOnly: true},
	{Name: "exposed_memory_share", Label: "exposed memory share", Meaning: "copy and set time not covered by compute or communication ÷ GPU window", Version: 1, Unit: "1", Accepts: []string{"1", "%"}, Direction: Lower, Effect: Points, Statistics: []Statistic{Value}, Thresholds: map[Statistic]float64{Value: 0.02}, Kinds: []Kind{RatioKind, Summary}, WorkOnly: true},
	{Name: "kernel_time_per_step", Label: "kernel time per step", Meaning: "kernel time launched in kept steps ÷ their number", Version: 1, Unit: "ms", Accepts: times, Direction: Lower, Effect: Ratio, Statistics: []Statistic{Value}, Thresholds: map[Statistic]float64{Value: 0.05}, Kinds: []Kind{Total}, WorkOnly: true},
}

func join[T any](parts ...[]T) []T {
	var all []T
	for _, part := range parts {
		all = append(all, part...)
	}
	return all
}
