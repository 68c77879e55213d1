package expected

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"kernelwake/internal/absent"
	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
)

// made writes captures from samples that are none: "made=nanogpt-steps" and so
// on. The path names what to take.
func made(root string, wanted sample) ([]evidence.RunEvidence, error) {
	writers := map[string]func(root string, wanted sample) ([]*evidence.Parsed, error){
		"nanogpt-steps":   nanoGPT(addStepAverage),
		"nanogpt-target":  nanoGPT(addTimeToTarget),
		"nanogpt-both":    nanoGPT(addBoth),
		"nanogpt-elapsed": nanoGPT(addElapsed),
		"nanogpt-retimed": retimed,
		"hugging-face":    huggingFace,
		"helios":          helios,
		"openb":           openb,
	}
	write, ok := writers[wanted.made]
	if !ok {
		return nil, fmt.Errorf("nothing writes a capture %q", wanted.made)
	}
	parsed, err := write(root, wanted)
	if err != nil {
		return nil, err
	}
	var runs []evidence.RunEvidence
	for _, p := range parsed {
		run, err := runOf(p.Name, p)
		if err != nil {
			return nil, err
		}
		runs = append(runs, run)
	}
	return runs, nil
}

// table reads a CSV file as rows by column name.
func table(path string) ([]map[string]string, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", path, err)
	}
	var named []map[string]string
	for _, row := range rows[1:] {
		one := map[string]string{}
		for i, name := range rows[0] {
			one[name] = row[i]
		}
		named = append(named, one)
	}
	return named, nil
}

func number(text string) float64 {
	value, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(fmt.Sprintf("a sample holds %q where a number is wanted", text))
	}
	return value
}

func observed(value any) evidence.Dimension {
	return evidence.Dimension{Value: value, Source: evidence.Observed, From: "log head"}
}

func stated(value any) evidence.Dimension {
	return evidence.Dimension{Value: value, Source: evidence.Declared, From: "converter"}
}

// speedrun is what all runs of the nanoGPT speedrun share.
func speedrun(name, driver, optimizer string, steps float64) *evidence.Parsed {
	return &evidence.Parsed{
		Format: evidence.FormatKernelwake, FormatVersion: "1.0", Importer: "test@1", Name: name, Lens: lens.Training, Origin: evidence.Recorded, MeasuredOn: evidence.GPU,
		Launch: evidence.LaunchID{Kind: evidence.Launch},
		Rank:   evidence.Rank{Rank: absent.Because[int64](absent.NotRecorded, ""), WorldSize: absent.Of(int64(8))},
		Dimensions: map[string]evidence.Dimension{
			"model": stated("modded-nanogpt/124M"), "init": stated("random"), "dataset": stated("fineweb10B"), "objective": stated("next-token cross entropy"),
			"target": stated(map[string]any{"metric": "val_loss", "direction": "lower", "value": 3.28}), "sequence_length": observed(map[string]any{"max": 2048.0}), "clock_rule": stated("stops during validation"),
			"gpu_model": observed("NVIDIA H100 80GB HBM3"), "gpu_count": observed(8.0), "world_size": observed(8.0), "precision": stated("bf16+fp8"), "optimizer": stated(optimizer),
			"effective_batch": observed(map[string]any{"count": 393216.0, "unit": "{token}"}), "accumulation": stated(1.0), "layout": stated(map[string]any{"dp": 8.0, "tp": 1.0, "pp": 1.0, "cp": 1.0}),
			"driver": observed(driver), "cuda": observed("12.6"), "framework": observed("pytorch"), "framework_version": observed("2.10.0.dev20250926+cu126"),
			"progress_window": stated(map[string]any{"from": 0.0, "to": steps}),
		},
	}
}

// nanoGPT writes one capture a run of a record of finals.csv.
func nanoGPT(add func(p *evidence.Parsed, row map[string]string)) func(string, sample) ([]*evidence.Parsed, error) {
	return func(root string, wanted sample) ([]*evidence.Parsed, error) {
		rows, err := table(filepath.Join(root, "training", "modded-nanogpt", "finals.csv"))
		if err != nil {
			return nil, err
		}
		optimizer := "muon (newton-schulz) + adam"
		if strings.Contains(wanted.path, "PolarExpress") {
			optimizer = "muon (polar express) + adam"
		}
		var parsed []*evidence.Parsed
		for _, row := range rows {
			if row["record"] != wanted.path {
				continue
			}
			p := speedrun(wanted.path+" "+row["run"], row["driver"], optimizer, number(row["steps"]))
			add(p, row)
			parsed = append(parsed, p)
		}
		return parsed, nil
	}
}

func addStepAverage(p *evidence.Parsed, row map[string]string) {
	p.Outcomes = append(p.Outcomes, evidence.Outcome{
		Name: "step_time", Unit: "ms", Kind: lens.Summary, Statistics: map[string]float64{"mean": number(row["step_avg_ms"])}, N: absent.Of(int64(number(row["steps"]))),
	})
}

func addTimeToTarget(p *evidence.Parsed, row map[string]string) {
	missed := 0.0
	if number(row["val_loss"]) > 3.28 {
		missed = 1
	}
	p.Outcomes = append(p.Outcomes, evidence.Outcome{
		Name: "time_to_target", Unit: "s", Kind: lens.Spells, N: absent.Of(int64(1)),
		Data: evidence.Table{Name: "spells", Columns: []evidence.Column{{Name: "start", Floats: []float64{0}}, {Name: "end", Floats: []float64{number(row["train_time_ms"]) / 1000}}, {Name: "censored", Floats: []float64{missed}}}},
	})
}

func addBoth(p *evidence.Parsed, row map[string]string) {
	addStepAverage(p, row)
	addTimeToTarget(p, row)
}

func addElapsed(p *evidence.Parsed, row map[string]string) {
	p.Outcomes = append(p.Outcomes, elapsed(number(row["train_time_ms"])/1000))
}

func elapsed(seconds float64) evidence.Outcome {
	return evidence.Outcome{Name: "elapsed_time", Unit: "s", Kind: lens.Total, Statistics: map[string]float64{"value": seconds}, N: absent.Of(int64(1))}
}

// retimed are the baseline's runs on the candidate's machine, from the
// author's README.
func retimed(string, sample) ([]*evidence.Parsed, error) {
	var parsed []*evidence.Parsed
	for i, seconds := range []float64{149.714, 149.676, 149.659, 149.716, 149.649, 149.569, 149.521} {
		p := speedrun(fmt.Sprintf("re-timed %d", i+1), "550.127.08", "muon (newton-schulz) + adam", 1680)
		p.Outcomes = append(p.Outcomes, elapsed(seconds))
		parsed = append(parsed, p)
	}
	return parsed, nil
}

// huggingFace writes what a trainer's state tells, and withholds the rate that
// its parts contradict.
func huggingFace(root string, _ sample) ([]*evidence.Parsed, error) {
	folder := filepath.Join(root, "training", "hf-trainer-state")
	var state struct {
		LogHistory []map[string]float64 `json:"log_history"`
	}
	var results map[string]float64
	for name, into := range map[string]any{"trainer_state.json": &state, "all_results.json": &results} {
		data, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(data, into); err != nil {
			return nil, fmt.Errorf("reading %s: %w", name, err)
		}
	}
	var evaluating float64
	var steps, errorRates []float64
	for _, entry := range state.LogHistory {
		evaluating += entry["eval_runtime"]
		if rate, ok := entry["eval_wer"]; ok {
			steps, errorRates = append(steps, entry["step"]), append(errorRates, rate)
		}
	}
	p := &evidence.Parsed{
		Format: evidence.FormatKernelwake, FormatVersion: "1.0", Importer: "test@1", Name: "whisper", Lens: lens.Training, Origin: evidence.Recorded, MeasuredOn: evidence.UnknownDevice,
		Launch: evidence.LaunchID{Kind: evidence.Launch}, Dimensions: map[string]evidence.Dimension{"model": stated("whisper-large-v2")},
	}
	p.Outcomes = []evidence.Outcome{
		{Name: "step_time", Unit: "ms", Kind: lens.Samples, Absent: absent.NotRecorded, Note: "a trainer state logs no step times"},
		{Name: "throughput_per_gpu", Unit: "{token}/s", Kind: lens.Total, Statistics: map[string]float64{"value": results["train_samples_per_second"]}},
		{Name: "quality", Unit: "1", Kind: lens.Series, Data: evidence.Table{Name: "series", Columns: []evidence.Column{{Name: "step", Floats: steps}, {Name: "v", Floats: errorRates}}}},
	}
	if evaluating > results["train_runtime"] {
		p.Outcomes[1].Absent = absent.Withheld
		p.Outcomes[1].Note = fmt.Sprintf("parts_exceed_whole: evaluations alone took %.1f h of a run of %.1f h", evaluating/3600, results["train_runtime"]/3600)
	}
	return []*evidence.Parsed{p}, nil
}

// helios writes one day of a pool from the capacity table and the minute
// record.
func helios(root string, wanted sample) ([]*evidence.Parsed, error) {
	folder := filepath.Join(root, "fleet", "helios-earth")
	capacity, err := table(filepath.Join(folder, "Earth_gpu_number.csv"))
	if err != nil {
		return nil, err
	}
	minutes, err := table(filepath.Join(folder, "vc6YE_cluster_sequence_2020-05-08_to_2020-05-11.csv"))
	if err != nil {
		return nil, err
	}
	day := wanted.path
	var gpus, running, idle float64
	for _, row := range capacity {
		if row["date"] == day {
			gpus = number(row["vc6YE"])
		}
	}
	for _, row := range minutes {
		if strings.HasPrefix(row["time"], day) {
			running += number(row["running_gpu_num"]) / 60
			idle += min(number(row["idle_gpu_num"]), number(row["pending_gpu_num"])) / 60
		}
	}
	began, err := time.Parse("2006-01-02", day)
	if err != nil {
		return nil, err
	}
	eligible := gpus * 24
	p := &evidence.Parsed{
		Format: evidence.FormatKernelwake, FormatVersion: "1.0", Importer: "test@1", Name: "vc6YE " + day, Lens: lens.Fleet, Origin: evidence.Recorded, MeasuredOn: evidence.NoDevice,
		Launch: evidence.LaunchID{Kind: evidence.Launch}, Started: absent.Of(began), Ended: absent.Of(began.Add(24 * time.Hour)),
		Dimensions: map[string]evidence.Dimension{
			"pool": stated("helios/Earth/vc6YE"), "device_types": stated([]any{map[string]any{"model": "Tesla V100-SXM2-32GB", "gpus": gpus}}), "policy_sha256": stated("unstated-but-equal"),
			"eligibility": {Value: "/outcomes/1", Source: evidence.Derived, From: "capacity table, a value a day"}, "population": stated("complete"), "share_rule": stated("whole GPUs"),
			"wait_rule": stated("submit_to_start"), "attainment_target": {Absent: absent.NotApplicable}, "window_hours": {Value: 24.0, Source: evidence.Derived},
		},
		Outcomes: []evidence.Outcome{
			{Name: "allocation", Unit: "1", Kind: lens.RatioKind, Numerator: &running, Denominator: &eligible, Basis: "{GPU}.h"},
			{Name: "idle_with_demand", Unit: "{GPU}.h", Kind: lens.Total, Statistics: map[string]float64{"value": idle}},
			{Name: "eligibility", Unit: "s", Kind: lens.Intervals, Data: evidence.Table{Name: "intervals", Columns: []evidence.Column{
				{Name: "from", Floats: []float64{0}},
				{Name: "to", Floats: []float64{86400}},
				{Name: "gpus", Floats: []float64{gpus}},
				evidence.Words("state", []string{"eligible"}), evidence.Words("reason", []string{"none"}), evidence.Words("subject", []string{"pool"}),
			}}},
		},
	}
	return []*evidence.Parsed{p}, nil
}

// openb writes the waits of all pods that ask for GPUs; those never scheduled
// are censored where they were deleted.
func openb(root string, _ sample) ([]*evidence.Parsed, error) {
	pods, err := table(filepath.Join(root, "fleet", "alibaba-openb-2023", "openb_pod_list_default.csv"))
	if err != nil {
		return nil, err
	}
	var start, end, censored []float64
	for _, pod := range pods {
		if pod["num_gpu"] == "0" {
			continue
		}
		created, finished, open := number(pod["creation_time"]), pod["scheduled_time"], 0.0
		if finished == "" {
			finished, open = pod["deletion_time"], 1
		}
		start, end, censored = append(start, created), append(end, number(finished)), append(censored, open)
	}
	p := &evidence.Parsed{
		Format: evidence.FormatKernelwake, FormatVersion: "1.0", Importer: "test@1", Name: "openb", Lens: lens.Fleet, Origin: evidence.Recorded, MeasuredOn: evidence.NoDevice,
		Launch: evidence.LaunchID{Kind: evidence.Launch}, Dimensions: map[string]evidence.Dimension{"pool": stated("openb"), "population": stated("sampled"), "wait_rule": stated("creation_to_scheduled")},
		Outcomes: []evidence.Outcome{{Name: "queue_wait", Unit: "s", Kind: lens.Spells, Data: evidence.Table{Name: "spells", Columns: []evidence.Column{{Name: "start", Floats: start}, {Name: "end", Floats: end}, {Name: "censored", Floats: censored}}}}},
	}
	return []*evidence.Parsed{p}, nil
}
