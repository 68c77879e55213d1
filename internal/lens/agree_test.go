package lens

import "testing"

func field(t *testing.T, id ID, key string) Field {
	t.Helper()
	l, _ := Find(id)
	f, ok := l.Field(key)
	if !ok {
		t.Fatalf("%s has no field %q", id, key)
	}
	return f
}

func TestFieldsAgreeByTheirSpellingsAndTolerances(t *testing.T) {
	object := func(pairs ...any) map[string]any {
		o := map[string]any{}
		for i := 0; i < len(pairs); i += 2 {
			o[pairs[i].(string)] = pairs[i+1]
		}
		return o
	}
	for _, c := range []struct {
		key  string
		a, b any
		want Agreement
	}{
		{"gpu_model", "NVIDIA H100 80GB HBM3", "H100 SXM5 80GB", Equal},
		{"gpu_model", "NVIDIA H100 NVL", "NVIDIA H100 PCIe", Unequal},
		{"gpu_model", "H100", "NVIDIA H100 80GB HBM3", Undecided},
		{"gpu_model", "H100", "H100", Equal},
		{"gpu_model", "A100", "NVIDIA H100 80GB HBM3", Unequal},
		{"gpu_model", "Tesla V100-SXM2-16GB", "V100-SXM2-32GB", Unequal},
		{"gpu_model", "V100M32", "Tesla V100-SXM2-32GB", Equal},
		{"gpu_model", "A100-SXM4", "NVIDIA A100-SXM4-80GB", Undecided},
		{"gpu_model", "AMD Instinct MI300X OAM", "MI300X", Equal},
		{"gpu_count", "8", 8.0, Equal},
		{"gpu_memory", 150754820096.0, 150000000000.0, Equal},
		{"gpu_memory", 42949672960.0, 85899345920.0, Unequal},
		{"model", "Qwen/Qwen3-8B", "https://huggingface.co/qwen/qwen3-8b/", Equal},
		{"weights_precision", "torch.bfloat16", "BF16", Equal},
		{"weights_precision", "fp8+bf16", "bf16, fp8", Equal},
		{"engine_args", []any{"--max-num-seqs=64", "--enable-prefix-caching"}, "--enable_prefix_caching --max-num-seqs 64", Equal},
		{"engine_args", []any{"--no-enable-prefix-caching"}, object("enable_prefix_caching", false), Equal},
		{"engine_args", []any{"--max-num-seqs=64"}, []any{"--max-num-seqs=128"}, Unequal},
		{"engine_version", "v0.31.0", "0.31.0", Equal},
		{"cuda", "CUDA 12.4", "12.4", Equal},
		{"cuda", "CUDA 12.4", "ROCm 6.2", Unequal},
		{"streaming", true, "on", Equal},
		{"clocks", 1980.0, 1950.0, Equal},
		{"clocks", 1980.0, 1580.0, Unequal},
		{"cache_state", object("state", "cold", "hit_rate", 0.10), object("state", "cold", "hit_rate", 0.12), Equal},
		{"cache_state", object("state", "cold", "hit_rate", 0.10), object("state", "cold", "hit_rate", 0.121), Unequal},
		{"cache_state", object("state", "cold", "hit_rate", 0.10), "cold", Undecided},
		{"cache_state", "warm", "cold", Unequal},
		{"turns", 1.0, object("mean", 3.0, "stddev", 1.0), Unequal},
		{"turns", 3.0, object("mean", 3.0, "stddev", 1.0), Undecided},
		{"speculation", object("method", "eagle", "acceptance_length", 3.0), object("method", "eagle", "acceptance_length", 3.08), Equal},
		{"speculation", object("method", "eagle", "acceptance_length", 3.0), object("method", "eagle", "acceptance_length", 3.2), Unequal},
		{"parallelism", "tp=1, pp=2", object("tp", 1.0, "pp", 2.0), Equal},
		{"parallelism", object("tp", 1.0), object("tp", 2.0), Unequal},
		{"throttling", []any{}, "none", Equal},
		{"mig", "Disabled", "off", Equal},
	} {
		if got := field(t, Inference, c.key).Agree(c.a, c.b); got != c.want {
			t.Errorf("%s: %v and %v: %d, want %d", c.key, c.a, c.b, got, c.want)
		}
		if got := field(t, Inference, c.key).Agree(c.b, c.a); got != c.want {
			t.Errorf("%s: %v and %v the other way round: %d, want %d", c.key, c.b, c.a, got, c.want)
		}
	}
}

func TestTrainingFieldsLeaveOpenWhatTheirValuesDoNotSay(t *testing.T) {
	for _, c := range []struct {
		key  string
		a, b any
		want Agreement
	}{
		{"input", 0.0, map[string]any{"at_least": 1.0}, Unequal},
		{"input", "at least 1", ">=1", Undecided},
		{"input", 4.0, "at least 1", Undecided},
		{"input", 4.0, map[string]any{"workers": 4.0}, Equal},
		{"effective_batch", map[string]any{"count": 512.0, "unit": "{sample}"}, map[string]any{"count": 512.0, "unit": "{token}"}, Undecided},
		{"effective_batch", map[string]any{"count": 512.0, "unit": "{sample}"}, map[string]any{"count": 256.0, "unit": "{sample}"}, Unequal},
		{"effective_batch", map[string]any{"count": 8.0, "unit": "{sample}", "per": "rank"}, map[string]any{"count": 8.0, "unit": "{sample}"}, Undecided},
		{"sequence_length", map[string]any{"max": 2048.0}, "2048", Equal},
		{"compile", false, "off", Equal},
		{"comms", map[string]any{"nccl": "2.21.5"}, map[string]any{"nccl": "2.22.0"}, Unequal},
		{"profiler", map[string]any{"record_shapes": true, "observer": false}, map[string]any{"record_shapes": true, "observer": true}, Unequal},
		{"profiler", map[string]any{"record_shapes": true}, map[string]any{"record_shapes": "on", "observer": true}, Undecided},
	} {
		if got := field(t, Training, c.key).Agree(c.a, c.b); got != c.want {
			t.Errorf("%s: %v and %v: %d, want %d", c.key, c.a, c.b, got, c.want)
		}
	}
}

func TestDifferingArgumentsAreListedSinglyInOrder(t *testing.T) {
	got := DifferingArguments([]any{"--max-num-seqs=64", "--dtype=bf16"}, "--max-num-seqs 128 --enforce-eager --dtype bf16")
	want := []string{"enforce-eager (not set) → on", "max-num-seqs 64 → 128"}
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("got %q, want %q", got, want)
	}
}
