package lens

var latencyStatistics = []Statistic{P50, P90, P99, Mean}

// latencyThresholds: p50 and mean 5 %, p90 and p99 10 %.
var latencyThresholds = map[Statistic]float64{P50: 0.05, Mean: 0.05, P90: 0.10, P99: 0.10}

func latency(name, label, meaning string, headline bool) Outcome {
	return Outcome{Name: name, Label: label, Meaning: meaning, Version: 1, Unit: "ms", Accepts: times, Direction: Lower, Effect: Ratio, Statistics: latencyStatistics, Thresholds: latencyThresholds, Kinds: []Kind{Samples, Summary, Histogram}, OfGoodRequests: true, Headline: headline}
}

func throughput(name, label, meaning, unit string, headline bool) Outcome {
	return Outcome{Name: name, Label: label, Meaning: meaning, Version: 1, Unit: unit, Accepts: []string{unit}, Direction: Higher, Effect: Ratio, Statistics: []Statistic{Value}, Thresholds: map[Statistic]float64{Value: 0.03}, Kinds: []Kind{Total, Summary, RatioKind}, OfGoodRequests: true, Headline: headline}
}

var inference = Lens{
	ID: Inference, Label: "Inference", Question: "Is serving faster, or does it carry more load within its limits?",
	Outcomes: join([]Outcome{
		latency("ttft", "time to first token", "first content of the answer − request start, at the client", true),
		latency("tpot", "time per output token", "(end to end − first token) ÷ (output tokens − 1), per request", true),
		latency("itl", "inter-token latency", "each gap between chunks of an answer, pooled", false),
		latency("e2el", "end-to-end latency", "last content of the answer − request start, at the client", true),
		{Name: "step_time", Label: "model run time", Meaning: "duration of one annotated model run in a trace", Version: 1, Unit: "ms", Accepts: times, Direction: Lower, Effect: Ratio, Statistics: []Statistic{P50, Mean}, Thresholds: map[Statistic]float64{P50: 0.05, Mean: 0.05}, Kinds: []Kind{Samples, Summary}, WorkOnly: true, Headline: true},
		{Name: "phase_time", Label: "phase time", Meaning: "time a request spends in a phase of serving", Version: 1, Unit: "ms", Accepts: times, Direction: Lower, Effect: Ratio, Statistics: latencyStatistics, Thresholds: latencyThresholds, Kinds: []Kind{Samples, Summary, Histogram}, OfGoodRequests: true},
		throughput("request_throughput", "request throughput", "good requests ÷ (last content of a good request − first start of a good request)", "{request}/s", false),
		throughput("output_token_throughput", "output token throughput", "output tokens of good requests ÷ (last content − first start)", "{token}/s", true),
		throughput("goodput", "goodput", "requests inside every service level ÷ (last content − first start)", "{request}/s", false),
		{Name: "slo_attainment", Label: "SLO attainment", Meaning: "requests inside every service level ÷ all requests, failed ones included", Version: 1, Unit: "1", Accepts: []string{"1", "%"}, Direction: Higher, Effect: Points, Statistics: []Statistic{Value}, Thresholds: map[Statistic]float64{Value: 0.01}, Kinds: []Kind{RatioKind}, Counted: true},
		{Name: "error_rate", Label: "error rate", Meaning: "failed requests ÷ (good + failed); cancelled ones are apart", Version: 1, Unit: "1", Accepts: []string{"1", "%"}, Direction: Lower, Effect: Points, Statistics: []Statistic{Value}, Thresholds: map[Statistic]float64{Value: 0.01}, Kinds: []Kind{RatioKind}, Counted: true},
		{Name: "kv_cache_peak", Label: "KV cache peak", Meaning: "most KV cache memory used in the window", Version: 1, Unit: "By", Accepts: []string{"By", "KiBy", "MiBy", "GiBy"}, Direction: Lower, Effect: Ratio, Statistics: []Statistic{Value}, Thresholds: map[Statistic]float64{Value: 0.05}, Kinds: []Kind{Total}},
		vramPeak,
		{Name: "startup_time", Label: "start-up time", Meaning: "cold start to first correct answer", Version: 1, Unit: "s", Accepts: times, Direction: Lower, Effect: Ratio, Statistics: []Statistic{Value}, Thresholds: map[Statistic]float64{Value: 0.10}, Kinds: []Kind{Total}},
		{Name: "energy_per_output_token", Label: "energy per output token", Meaning: "GPU energy in the window ÷ output tokens", Version: 1, Unit: "J", Accepts: []string{"J", "kJ"}, Direction: Lower, Effect: Ratio, Statistics: []Statistic{Value}, Thresholds: map[Statistic]float64{Value: 0.05}, Kinds: []Kind{Total, RatioKind}},
		quality,
	}, traceOutcomes),
	Rows: join(sharedRows, []Row{
		{Key: "model", Label: "model", Class: Gate, Declarable: true, Fields: []string{"model"}, Rule: Exact, RuleVersion: 1, Means: "normalised model id equal; an equal work signature stands for it in traces", Remedy: "put both runs into one workload, or give --dim model=ID"},
		{Key: "hardware", Label: "hardware", Class: Gate, Declarable: true, Fields: []string{"gpu_model", "gpu_memory", "gpu_count"}, Rule: GPUs, RuleVersion: 1, Means: "GPU by alias table, memory, and the number of GPUs used", Remedy: "attach a setup written by `graphsignal-server env` on the server's machine, or give --dim gpu_model=NAME --dim gpu_count=N --dim gpu_memory=BYTES"},
		{Key: "request_mix", Label: "request mix", Class: Gate, Fields: []string{"request_bodies_sha256", "dataset", "tokenizer", "random_seed", "prompt_order_sha256", "isl", "osl", "arrival", "concurrency_or_rate", "streaming", "sampling", "prefix_sharing", "turns", "measured_at"}, Rule: RequestMix, RuleVersion: 1, Means: "equal request bodies; else equal data set, seed, order and asked lengths; else ISL and OSL p50, p90 and mean within 5 %; load exact", Remedy: "record both sides with the same prompts and load"},
		{Key: "model_revision", Label: "model revision", Class: Context, Declarable: true, Fields: []string{"model_revision"}, Rule: Exact, RuleVersion: 1, Means: "revision or weights digest equal", Remedy: "give --dim model_revision=COMMIT, or attach a setup"},
		{Key: "precision", Label: "precision", Class: Context, Declarable: true, Fields: []string{"weights_precision", "kv_dtype"}, Rule: FieldByField, RuleVersion: 1, Means: "weights and KV cache element types equal", Remedy: "attach a setup naming weights_precision and kv_dtype"},
		{Key: "serving_stack", Label: "serving stack", Class: Context, Declarable: true, Fields: []string{"engine", "engine_version", "engine_args", "image_digest"}, Rule: FieldByField, RuleVersion: 1, Means: "engine, version, arguments (as a normalised map) and image equal", Remedy: "attach a setup naming the engine, its version and arguments"},
		{Key: "parallelism", Label: "parallelism", Class: Context, Declarable: true, Fields: []string{"parallelism"}, Rule: Exact, RuleVersion: 1, Means: "TP, PP, EP and DP equal", Remedy: "attach a setup naming parallelism"},
		{Key: "cache_state", Label: "cache state", Class: Context, Declarable: true, Fields: []string{"cache_state"}, Rule: Tolerances, RuleVersion: 1, Means: "prefix cache on or off, cold or warm, hit rate within 2 points", Remedy: "attach a setup naming cache_state, or record server metrics"},
		{Key: "speculation", Label: "speculation", Class: Context, Declarable: true, Fields: []string{"speculation"}, Rule: Tolerances, RuleVersion: 1, Means: "method and draft equal, acceptance length within 3 %", Remedy: "attach a setup naming speculation"},
		hardwareState(),
		{Key: "window", Label: "window", Class: Context, Fields: []string{"window"}, Rule: LoadWindow, RuleVersion: 1, Means: "at least 60 s measured and steady on both sides", Remedy: "record at least 60 s of steady load on both sides"},
		{Key: "client", Label: "load client", Class: Context, Declarable: true, Fields: []string{"load_tool"}, Rule: Exact, RuleVersion: 1, Means: "load tool and version equal", Remedy: "record both with the same load tool version"},
	}),
	Fields: join(sharedFields, hardwareFields(true), []Field{
		{Key: "model", Label: "model", Row: "model", Required: true, Example: "Qwen/Qwen3-8B"},
		{Key: "model_revision", Label: "model revision", Row: "model_revision", Required: true, Example: "0123456789abcdef0123456789abcdef01234567"},
		{Key: "weights_precision", Label: "weights precision", Row: "precision", Example: "bf16"},
		{Key: "kv_dtype", Label: "KV cache type", Row: "precision", Example: "fp8"},
		{Key: "engine", Label: "engine", Row: "serving_stack", Example: "vllm"},
		{Key: "engine_version", Label: "engine version", Row: "serving_stack", Example: "0.31.0"},
		{Key: "engine_args", Label: "engine arguments", Row: "serving_stack", Example: `["--max-num-seqs=64"]`},
		{Key: "image_digest", Label: "image digest", Row: "serving_stack", Example: "sha256:…"},
		{Key: "parallelism", Label: "parallelism", Row: "parallelism", Example: `{"tp":1}`},
		{Key: "dataset", Label: "data set", Row: "request_mix", Required: true, Example: "random seed=7 n=1000"},
		{Key: "tokenizer", Label: "tokenizer", Row: "request_mix", Required: true, Example: "Qwen/Qwen3-8B"},
		{Key: "isl", Label: "input length", Row: "request_mix", Required: true, Unit: "{token}", Tolerance: 0.05, Example: `{"p50":1024,"p90":1024,"mean":1024}`, Varies: true},
		{Key: "osl", Label: "output length", Row: "request_mix", Required: true, Unit: "{token}", Tolerance: 0.05, Example: `{"p50":128,"p90":128,"mean":128}`, Varies: true},
		{Key: "arrival", Label: "arrival", Row: "request_mix", Required: true, Example: "closed"},
		{Key: "concurrency_or_rate", Label: "load", Row: "request_mix", Required: true, Example: "16", Numeric: true},
		{Key: "prefix_sharing", Label: "prefix sharing", Row: "request_mix", Required: true, Example: "0", Numeric: true},
		{Key: "turns", Label: "turns", Row: "request_mix", Example: "1", Numeric: true},
		{Key: "streaming", Label: "streaming", Row: "request_mix", Required: true, Example: "true"},
		{Key: "sampling", Label: "sampling", Row: "request_mix", Required: true, Example: `{"temperature":0}`},
		{Key: "measured_at", Label: "measured at", Row: "request_mix", Required: true, Example: "client"},
		{Key: "request_bodies_sha256", Label: "request bodies", Row: "request_mix"},
		{Key: "random_seed", Label: "seed", Row: "request_mix", Numeric: true},
		{Key: "prompt_order_sha256", Label: "prompt order", Row: "request_mix", Varies: true},
		{Key: "cache_state", Label: "cache state", Row: "cache_state", Required: true, Example: "cold", Varies: true},
		{Key: "speculation", Label: "speculation", Row: "speculation", Example: "off", Varies: true},
		{Key: "window", Label: "window", Row: "window", Varies: true},
		{Key: "load_tool", Label: "load tool", Row: "client", Example: "aiperf 0.13.0"},
	}),
}

var vramPeak = Outcome{Name: "vram_peak", Label: "VRAM peak", Meaning: "most GPU memory used in the window", Version: 1, Unit: "By", Accepts: []string{"By", "KiBy", "MiBy", "GiBy"}, Direction: Lower, Effect: Ratio, Statistics: []Statistic{Value}, Thresholds: map[Statistic]float64{Value: 0.05}, Kinds: []Kind{Total}}

// vramPeakOfWork is what the same work needs, whatever its objective.
var vramPeakOfWork = func() Outcome { o := vramPeak; o.WorkOnly = true; return o }()

// quality has no default threshold: a person must set one, absolute. Its unit
// is its own, since a loss of 3.28 is no share.
var quality = Outcome{Name: "quality", Label: "quality", Meaning: "last value of the quality metric; its direction is the target's", Version: 1, Unit: "{score}", Accepts: []string{"{score}", "1", "%"}, Direction: NoDirection, Effect: Difference, Statistics: []Statistic{Value}, Thresholds: map[Statistic]float64{}, Kinds: []Kind{Series, Summary, Total}, AbsoluteThreshold: true}
