package apitest

import (
	"encoding/json"
	"maps"
	"testing"

	"kernelwake/internal/lens"
)

// Training is a small Kernelwake capture of the training lens: step times, and
// the dimensions given, every other required one absent.
func Training(t testing.TB, run string, dimensions map[string]any, stepTimes ...float64) File {
	t.Helper()
	training, ok := lens.Find(lens.Training)
	if !ok {
		t.Fatal("there is no training lens")
	}
	all := map[string]any{}
	for _, field := range training.Fields {
		if field.Required {
			all[field.Key] = map[string]any{"absent": "not_recorded"}
		}
	}
	for key, value := range dimensions {
		all[key] = map[string]any{"v": value, "src": "observed"}
	}
	steps := make([]int, len(stepTimes))
	for i := range steps {
		steps[i] = i
	}
	unknown := map[string]any{"absent": "not_recorded"}
	capture := map[string]any{
		"schema": "kernelwake.capture", "version": "1.0", "lens": "training", "created": "2026-01-01T00:00:00Z",
		"producer": map[string]any{"name": "apitest", "version": "1"}, "synthetic": false, "measured_on": "cpu",
		"window":   map[string]any{"start": "2026-01-01T00:00:00Z", "end": "2026-01-01T00:10:00Z"},
		"workload": map[string]any{"name": "small-model"},
		"run":      map[string]any{"id": run, "state": "completed", "attempt": 1},
		"environment": map[string]any{
			"nodes": 1, "gpus": unknown, "driver": unknown, "cuda": unknown, "interconnect": unknown, "software": unknown,
		},
		"dimensions": all,
		"outcomes":   []any{map[string]any{"name": "step_time", "unit": "ms", "kind": "samples", "agg": 1, "step": steps, "v": stepTimes}},
	}
	data, err := json.Marshal(capture)
	if err != nil {
		t.Fatal(err)
	}
	return File{Name: run + ".kwcap.json", Content: data}
}

// Known are dimensions that leave nothing needed unknown between two such
// captures.
func Known(more map[string]any) map[string]any {
	known := map[string]any{
		"model": "small", "init": "random", "dataset": "made", "objective": "cross entropy", "target": map[string]any{"metric": "val_loss", "direction": "lower", "value": 3}, "sequence_length": 128, "clock_rule": "all",
		"gpu_model": "none", "gpu_count": 0, "world_size": 1, "effective_batch": map[string]any{"count": 8, "unit": "{sample}"},
	}
	maps.Copy(known, more)
	return known
}
