package httpapi_test

import (
	"fmt"
	"testing"

	"kernelwake/internal/evidence"
	"kernelwake/internal/httpapi/apitest"
	"kernelwake/internal/lens"
	"kernelwake/internal/sqlstore"
)

// A page of 500 runs, the most there is, with what is known of each.
func BenchmarkPageOf500Runs(b *testing.B) {
	w := apitest.Start(b)
	var runs []sqlstore.NewRun
	for i := range 500 {
		value := float64(i)
		runs = append(runs, sqlstore.NewRun{Workload: "w", Name: fmt.Sprint("run ", i), Lens: lens.Training, Captures: []sqlstore.NewCapture{{
			Capture: evidence.Capture{
				Format: evidence.FormatKernelwake, Lens: lens.Training, Origin: evidence.Recorded, MeasuredOn: evidence.CPU,
				Provenance: evidence.Provenance{SHA256: fmt.Sprint("d", i), ParsedSHA256: fmt.Sprint("p", i), Importer: "x@1"}, Findings: []evidence.Finding{},
			},
			Dimensions: map[string]evidence.Dimension{
				"gpu_model": {Value: "NVIDIA H200", Source: evidence.Observed, From: "nvidia-smi"}, "gpu_count": {Value: 8.0, Source: evidence.Observed},
				"model": {Value: "llama", Source: evidence.Observed}, "driver": {Value: "570", Source: evidence.Observed}, "world_size": {Value: 8.0, Source: evidence.Derived},
				"effective_batch": {Value: map[string]any{"count": 512.0, "unit": "{sample}"}, Source: evidence.Derived, From: "sum of the leading dimensions"},
			},
			Measurements: []evidence.Measurement{{Metric: "step_time.p50", Name: "step_time", Statistic: lens.P50, Unit: "ms", Direction: lens.Lower, Value: &value, Basis: evidence.FromSamples}},
		}}})
	}
	if _, err := w.Records.Keep(b.Context(), apitest.Actor, w.Workspace, sqlstore.Batch{Runs: runs}); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		w.Want(200, apitest.Request{Method: "GET", Path: "runs?limit=500"}, nil)
	}
}
