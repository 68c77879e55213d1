package evidence

import (
	"testing"

	"kernelwake/internal/absent"
	"kernelwake/internal/lens"
)

func captureWith(dimensions map[string]Dimension) CaptureEvidence {
	return CaptureEvidence{Parsed: &Parsed{Format: FormatKernelwake, Lens: lens.Training, MeasuredOn: GPU, Dimensions: dimensions}}
}

func TestTheStrongestSourceSpeaksAndWeakerOnesStandBesideIt(t *testing.T) {
	run := RunEvidence{
		WorkloadID: "wl_1", Workload: "speedrun",
		Captures: []CaptureEvidence{captureWith(map[string]Dimension{
			"driver":     {Value: "550.127.08", Source: Observed, From: "nvidia-smi"},
			"world_size": {Value: 8.0, Source: Derived},
			"cuda":       {Absent: absent.NotRecorded},
			"comms":      {Value: "2.20", Source: DefaultTool},
		})},
		Declared:         map[string]Dimension{"dataset": {Value: "fineweb10B"}, "comms": {Value: "2.21"}, "world_size": {Value: "8"}},
		Setups:           []Setup{{Name: "box", Version: 1, Values: map[string]any{"cuda": "12.4", "form_factor": "PCIe"}}, {Name: "box", Version: 2, Values: map[string]any{"cuda": "12.6", "power_limit": map[string]any{"absent": "not_applicable"}}}},
		WorkloadDeclared: map[string]Dimension{"objective": {Value: "cross entropy"}},
	}
	values := Resolve(run, lensOf(t, lens.Training))
	for key, want := range map[string]struct {
		value  any
		source Source
	}{
		"driver": {"550.127.08", Observed}, "dataset": {"fineweb10B", Declared}, "cuda": {"12.6", FromSetup}, "form_factor": {"PCIe", FromSetup},
		"objective": {"cross entropy", ByWorkload}, "model": {"workload speedrun", ByWorkload}, "comms": {"2.21", Declared}, "measured_on": {"gpu", Observed},
	} {
		if got := values[key]; got.Value != want.value || got.Source != want.source || got.Conflict {
			t.Errorf("%s is %v from %q (conflict %v), want %v from %q", key, got.Value, got.Source, got.Conflict, want.value, want.source)
		}
	}
	if !values["model"].Implied {
		t.Errorf("the workload stands for the model without a mark")
	}
	if got := values["cuda"].From; got != "setup box v2" {
		t.Errorf("cuda is from %q", got)
	}
	if len(values["world_size"].Sources) != 2 || values["world_size"].Conflict {
		t.Errorf("equal words of two sources: %+v", values["world_size"])
	}
	if !values["power_limit"].NotApplicable() {
		t.Errorf("an inapplicable value of a setup is %+v", values["power_limit"])
	}
	if got := values["target"]; got.Known() || got.Absent != absent.NotRecorded {
		t.Errorf("nobody spoke of the target, yet it is %+v", got)
	}
}

func TestAWeakerSourceThatDisagreesMakesAConflict(t *testing.T) {
	run := RunEvidence{Captures: []CaptureEvidence{captureWith(map[string]Dimension{"driver": {Value: "550", Source: Observed}})}, Declared: map[string]Dimension{"driver": {Value: "560"}}}
	got := Resolve(run, lensOf(t, lens.Training))["driver"]
	if !got.Conflict || got.Value != "550" || len(got.Sources) != 2 {
		t.Errorf("got %+v", got)
	}
}

func TestAModelNamedAnywhereIsNotReplacedByItsWorkload(t *testing.T) {
	run := RunEvidence{WorkloadID: "wl_1", Captures: []CaptureEvidence{captureWith(map[string]Dimension{"model": {Value: "resnet50", Source: Observed}})}}
	if got := Resolve(run, lensOf(t, lens.Training))["model"]; got.Implied || got.Conflict || got.Value != "resnet50" {
		t.Errorf("got %+v", got)
	}
}

func TestADeclaredNumberOfWorkersSaysMoreThanALowerBound(t *testing.T) {
	run := RunEvidence{Captures: []CaptureEvidence{captureWith(map[string]Dimension{"input": {Value: map[string]any{"at_least": 1.0}, Source: Derived}})}, Declared: map[string]Dimension{"input": {Value: 4.0}}}
	if got := Resolve(run, lensOf(t, lens.Training))["input"]; got.Normalised != "4" || got.Conflict {
		t.Errorf("got %+v", got)
	}
	run.Declared["input"] = Dimension{Value: 0.0}
	if got := Resolve(run, lensOf(t, lens.Training))["input"]; !got.Conflict {
		t.Errorf("no worker at all contradicts at least one: %+v", got)
	}
}

func TestTheEffectiveBatchIsComputedAndCheckedAgainstWhatWasGiven(t *testing.T) {
	factors := map[string]Dimension{
		"micro_batch":  {Value: map[string]any{"count": 49152.0, "unit": "{token}"}, Source: Derived},
		"accumulation": {Value: 1.0, Source: Derived},
		"layout":       {Value: map[string]any{"tp": 1.0, "pp": 1.0, "cp": 1.0}, Source: Declared},
		"world_size":   {Value: 8.0, Source: Observed},
	}
	run := RunEvidence{Captures: []CaptureEvidence{captureWith(factors)}}
	if got := Resolve(run, lensOf(t, lens.Training))["effective_batch"]; got.Normalised != "393216 {token}" || got.Source != Derived {
		t.Errorf("computed %+v", got)
	}
	run.Declared = map[string]Dimension{"effective_batch": {Value: map[string]any{"count": 512.0, "unit": "{token}"}}}
	if got := Resolve(run, lensOf(t, lens.Training))["effective_batch"]; !got.Conflict {
		t.Errorf("512 against 8 × 49152 is no conflict: %+v", got)
	}
}

func TestRanksAddUpTheirGPUsAndCellsMayDiffer(t *testing.T) {
	rank := func(n int64) CaptureEvidence {
		c := captureWith(map[string]Dimension{"gpu_count": {Value: 1.0, Source: Derived}})
		c.Rank.Rank = absent.Of(n)
		return c
	}
	run := RunEvidence{Captures: []CaptureEvidence{rank(0), rank(1)}}
	if got := Resolve(run, lensOf(t, lens.Training))["gpu_count"]; got.Normalised != "2" {
		t.Errorf("two ranks use %+v", got)
	}
	cell := func(name string, load float64) CaptureEvidence {
		c := captureWith(map[string]Dimension{"concurrency_or_rate": {Value: load, Source: Observed}})
		c.Lens, c.Cell = lens.Inference, name
		return c
	}
	run.Captures = []CaptureEvidence{cell("concurrency=1", 1), cell("concurrency=4", 4)}
	if got := Resolve(run, lensOf(t, lens.Inference))["concurrency_or_rate"]; got.Conflict || len(got.Several) != 2 {
		t.Errorf("cells of a sweep: %+v", got)
	}
	run.Captures[1].Cell = "concurrency=1"
	if got := Resolve(run, lensOf(t, lens.Inference))["concurrency_or_rate"]; !got.Conflict {
		t.Errorf("one cell with two loads is no conflict: %+v", got)
	}
}
