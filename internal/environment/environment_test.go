package environment

import (
	"context"
	"errors"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func machineFiles(vendor string) fstest.MapFS {
	files := fstest.MapFS{
		"etc/machine-id":                          {Data: []byte("0123456789abcdef\n")},
		"sys/bus/pci/devices/0000:00:02.0/class":  {Data: []byte("0x020000\n")},
		"sys/bus/pci/devices/0000:00:02.0/vendor": {Data: []byte("0x8086\n")},
	}
	if vendor != "" {
		files["sys/bus/pci/devices/0000:01:00.0/class"] = &fstest.MapFile{Data: []byte("0x030200\n")}
		files["sys/bus/pci/devices/0000:01:00.0/vendor"] = &fstest.MapFile{Data: []byte(vendor + "\n")}
	}
	return files
}

func answering(query, version string) func(context.Context, string, ...string) ([]byte, error) {
	return func(_ context.Context, _ string, args ...string) ([]byte, error) {
		if args[0] == "--version" {
			return []byte(version), nil
		}
		if query == "" {
			return nil, errors.New("executable file not found")
		}
		return []byte(query), nil
	}
}

func TestTheSetupSaysWhatTheMachineIsAndWhyAValueIsMissing(t *testing.T) {
	h200 := "NVIDIA H200, 143771, 570.86.15, 700.00, 1980, Disabled, GPU-0\n"
	for name, tt := range map[string]struct {
		vendor, query, version string
		want                   map[string]any
	}{
		"two equal GPUs": {
			"0x10de", h200 + h200, "CUDA Version        : 12.8\n",
			map[string]any{"gpu_model": "NVIDIA H200", "gpu_count": 2, "gpu_memory": float64(143771 << 20), "driver": "570.86.15", "power_limit": 700.0, "mig": "off", "cuda": "12.8", "measured_on": "gpu"},
		},
		"GPUs that differ": {
			"0x10de", h200 + "NVIDIA L4, 23034, 570.86.15, 72.00, 2040, [N/A], GPU-1\n", "",
			map[string]any{"gpu_model": "conflict", "gpu_count": 2, "driver": "570.86.15", "cuda": "not_recorded"},
		},
		"no GPU":            {"", "", "", map[string]any{"gpu_model": "not_applicable", "gpu_count": "not_applicable", "measured_on": "cpu"}},
		"an AMD GPU":        {"0x1002", "", "", map[string]any{"gpu_model": "not_supported"}},
		"a broken driver":   {"0x10de", "", "", map[string]any{"gpu_model": "failed"}},
		"an unknown answer": {"0x10de", "what\n", "", map[string]any{"gpu_model": "failed"}},
	} {
		t.Run(name, func(t *testing.T) {
			setup, err := Read(t.Context(), Machine{Files: machineFiles(tt.vendor), Run: answering(tt.query, tt.version)}, Given{})
			if err != nil {
				t.Fatal(err)
			}
			for key, want := range tt.want {
				got := setup.Values[key]
				if gap, ok := got.(map[string]any); ok {
					got = gap["absent"]
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s: %s", key, diff)
				}
			}
		})
	}
}

func TestTheSetupCarriesTheEngineArgumentsThatAPersonGives(t *testing.T) {
	given := Given{Name: "box", Engine: "vllm", EngineVersion: "0.31.0", EngineArgs: []string{"--max-num-seqs=64"}}
	setup, err := Read(t.Context(), Machine{Files: machineFiles(""), Run: answering("", "")}, given)
	if err != nil {
		t.Fatal(err)
	}
	if setup.Name != "box" || setup.Values["engine"] != "vllm" || setup.Values["host_id"] == nil {
		t.Errorf("got %+v", setup)
	}
	if diff := cmp.Diff([]string{"--max-num-seqs=64"}, setup.Values["engine_args"]); diff != "" {
		t.Error(diff)
	}
}
