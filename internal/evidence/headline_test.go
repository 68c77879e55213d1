package evidence_test

import (
	"testing"

	"kernelwake/internal/absent"
	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
)

func measured(metric string, value float64, n absent.Value[int64]) []evidence.Measurement {
	return []evidence.Measurement{{Metric: metric, Value: &value, N: n, Unit: "ms", Direction: lens.Lower}}
}

func TestHeadline(t *testing.T) {
	five, unknown := absent.Of(int64(5)), absent.Because[int64](absent.NotRecorded, "")
	none := []evidence.Measurement{{Metric: "ttft.p50", Absent: absent.Failed}}
	tests := []struct {
		name     string
		cells    []string
		measured [][]evidence.Measurement
		value    float64
		n        int64
		absent   absent.Reason
	}{
		{"one capture", []string{""}, [][]evidence.Measurement{measured("ttft.p50", 40, five)}, 40, 5, ""},
		{"trials give the median and all samples", []string{"", "", ""}, [][]evidence.Measurement{measured("ttft.p50", 40, five), measured("ttft.p50", 90, five), measured("ttft.p50", 50, five)}, 50, 15, ""},
		{"an unknown count is not zero", []string{"", ""}, [][]evidence.Measurement{measured("ttft.p50", 40, five), measured("ttft.p50", 60, unknown)}, 50, -1, ""},
		{"several cells have no one value", []string{"concurrency=1", "concurrency=2"}, [][]evidence.Measurement{measured("ttft.p50", 40, five), measured("ttft.p50", 90, five)}, 0, 10, absent.NotApplicable},
		{"a capture without the value doesn't hide another's", []string{"", ""}, [][]evidence.Measurement{none, measured("ttft.p50", 40, five)}, 40, 5, ""},
		{"nothing measured", []string{""}, [][]evidence.Measurement{none}, 0, -1, absent.NotRecorded},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := evidence.Headline(lens.Inference, test.cells, test.measured)
			if got.Absent != test.absent || (got.Value == nil) != (test.absent != "") || (got.Value != nil && *got.Value != test.value) {
				t.Errorf("headline %v absent %q, want %v absent %q", got.Value, got.Absent, test.value, test.absent)
			}
			if n, known := got.N.Get(); known != (test.n >= 0) || (known && n != test.n) {
				t.Errorf("n %d known %v, want %d", n, known, test.n)
			}
		})
	}
}
