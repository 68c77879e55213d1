package lens

func share(name, label, meaning string, threshold float64) Outcome {
	return Outcome{Name: name, Label: label, Meaning: meaning, Version: 1, Unit: "1", Accepts: []string{"1", "%"}, Direction: Higher, Effect: Points, Statistics: []Statistic{Value}, Thresholds: map[Statistic]float64{Value: threshold}, Kinds: []Kind{RatioKind}}
}

var fleet = Lens{
	ID: Fleet, Label: "GPU fleet", Question: "Does the pool deliver more work within its capacity, or are waits shorter?",
	Outcomes: []Outcome{
		{Name: "queue_wait", Label: "queue wait", Meaning: "start − eligible; jobs that never started are censored (Kaplan–Meier)", Version: 1, Unit: "s", Accepts: times, Direction: Lower, Effect: Difference, Statistics: []Statistic{P50, P95}, Thresholds: map[Statistic]float64{P50: 0.10, P95: 0.15}, Kinds: []Kind{Spells}, Headline: true},
		share("wait_attainment", "wait attainment", "share of spells whose eligible wait is within the target", 0.02),
		share("quota_attainment", "quota attainment", "allocated within quota ÷ asked for within quota", 0.02),
		share("deadline_attainment", "deadline attainment", "share of jobs ended by their deadline", 0.02),
		share("capacity_attainment", "capacity attainment", "eligible ÷ promised GPU time", 0.02),
		share("allocation", "allocation", "allocated ÷ eligible GPU time (A ÷ E)", 0.02),
		share("availability", "availability", "eligible ÷ inventory GPU time (E ÷ I)", 0.02),
		share("productive", "productive share", "productive ÷ allocated GPU time (P ÷ A)", 0.02),
		share("delivered", "delivered within capacity", "productive ÷ eligible GPU time (P ÷ E)", 0.02),
		{Name: "held_idle", Label: "held idle", Meaning: "allocated GPU time without work", Version: 1, Unit: "{GPU}.h", Accepts: []string{"{GPU}.h", "{GPU}.s"}, Direction: Lower, Effect: Ratio, Statistics: []Statistic{Value}, Thresholds: map[Statistic]float64{Value: 0.03}, Kinds: []Kind{Total}},
		{Name: "idle_with_demand", Label: "idle with demand", Meaning: "∫ min(eligible − allocated, asked for) dt", Version: 1, Unit: "{GPU}.h", Accepts: []string{"{GPU}.h", "{GPU}.s"}, Direction: Lower, Effect: Difference, Statistics: []Statistic{Value}, Thresholds: map[Statistic]float64{Value: 0.03}, Kinds: []Kind{Total}},
		{Name: "delivered_gpu_hours", Label: "delivered GPU hours", Meaning: "productive GPU time in fixed capacity", Version: 1, Unit: "{GPU}.h", Accepts: []string{"{GPU}.h", "{GPU}.s"}, Direction: Higher, Effect: Ratio, Statistics: []Statistic{Value}, Thresholds: map[Statistic]float64{Value: 0.03}, Kinds: []Kind{Total}},
		{Name: "eligibility", Label: "eligibility", Meaning: "who could run, when, and why not", Version: 1, Unit: "s", Accepts: times, Direction: NoDirection, Effect: Difference, Statistics: []Statistic{}, Thresholds: map[Statistic]float64{}, Kinds: []Kind{Intervals}},
		quality,
	},
	Rows: join(sharedRows, []Row{
		{Key: "pool", Label: "pool", Class: Gate, Declarable: true, Fields: []string{"pool"}, Rule: Exact, RuleVersion: 1, Means: "pool id equal", Remedy: "give --dim pool=ID"},
		{Key: "device_types", Label: "device types", Class: Gate, Declarable: true, Fields: []string{"device_types"}, Rule: DeviceHours, RuleVersion: 1, Means: "the multiset of devices within 2 % of device-hours", Remedy: "give --dim device_types=…"},
		{Key: "scheduler_policy", Label: "scheduler policy", Class: Gate, Declarable: true, Fields: []string{"policy_sha256", "policy"}, Rule: History, RuleVersion: 1, Means: "the policy is equal at all times of both windows", Remedy: "give --dim policy_sha256=DIGEST, the digest of the scheduler's configuration"},
		{Key: "eligibility_history", Label: "eligibility history", Class: Gate, Fields: []string{"eligibility"}, Rule: History, RuleVersion: 1, Means: "eligible GPUs per hour and device type within 1 %, no reason above 0.5 % of inventory on one side only; coverage at least 95 %", Remedy: "record eligibility intervals for the whole window"},
		{Key: "counting", Label: "counting rules", Class: Must, Fields: []string{"wait_rule", "share_rule", "population", "attainment_target"}, Rule: FieldByField, RuleVersion: 1, Means: "wait rule, share rule, population and attainment target equal", Remedy: "count both sides by the same rules"},
		{Key: "window", Label: "window", Class: Context, Fields: []string{"window_hours"}, Rule: Tolerances, RuleVersion: 1, Means: "whole weeks, the same weekdays, downtime within 2 %", Remedy: "choose windows of equal length and weekdays"},
		{Key: "offered_load", Label: "offered load", Class: Context, Declarable: true, Fields: []string{"offered_load"}, Rule: Tolerances, RuleVersion: 1, Means: "GPU-hours asked for within 10 %", Remedy: "give --dim offered_load=…"},
		{Key: "outcome_states", Label: "job end states", Class: Context, Fields: []string{"outcome_states"}, Rule: Tolerances, RuleVersion: 1, Means: "shares of end states within 2 points", Remedy: "record the end state of every job"},
		{Key: "scheduler", Label: "scheduler", Class: Context, Declarable: true, Fields: []string{"scheduler", "scheduler_version"}, Rule: FieldByField, RuleVersion: 1, Means: "scheduler and version equal", Remedy: "give --dim scheduler=NAME --dim scheduler_version=V"},
	}),
	Fields: join(sharedFields, []Field{
		{Key: "pool", Label: "pool", Row: "pool", Required: true, Example: "slurm:gpu-a"},
		{Key: "device_types", Label: "device types", Row: "device_types", Required: true, Tolerance: 0.02, Example: `[{"model":"NVIDIA A100-SXM4-80GB","gpus":208,"mig":"off"}]`},
		{Key: "policy_sha256", Label: "policy digest", Row: "scheduler_policy", Required: true},
		{Key: "policy", Label: "policy", Row: "scheduler_policy", Example: "backfill, fair-share half-life 14 d"},
		{Key: "eligibility", Label: "eligibility", Row: "eligibility_history", Required: true, Example: "/outcomes/1"},
		{Key: "population", Label: "population", Row: "counting", Required: true, Example: "complete"},
		{Key: "share_rule", Label: "share rule", Row: "counting", Required: true, Example: "whole GPUs"},
		{Key: "wait_rule", Label: "wait rule", Row: "counting", Required: true, Example: "eligible_to_start"},
		{Key: "attainment_target", Label: "attainment target", Row: "counting", Required: true, Example: `{"wait_s":900}`},
		{Key: "window_hours", Label: "window length", Row: "window", Unit: "h", Example: "168", Tolerance: 0.02, Numeric: true},
		{Key: "offered_load", Label: "offered load", Row: "offered_load", Tolerance: 0.10, Varies: true},
		{Key: "outcome_states", Label: "job end states", Row: "outcome_states", Varies: true},
		{Key: "scheduler", Label: "scheduler", Row: "scheduler", Example: "slurm"},
		{Key: "scheduler_version", Label: "scheduler version", Row: "scheduler", Example: "24.05"},
		{Key: "host_id", Label: "host", Row: "host", Varies: true},
	}),
}
