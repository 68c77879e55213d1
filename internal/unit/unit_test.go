package unit

import "testing"

func TestUnitsConvertWithinTheirFamilyOnly(t *testing.T) {
	for _, tt := range []struct {
		value    float64
		from, to string
		want     float64
	}{
		{1500, "us", "ms", 1.5}, {2, "s", "ms", 2000}, {5, "%", "1", 0.05}, {1, "GiBy", "By", 1 << 30}, {7200, "{GPU}.s", "{GPU}.h", 2}, {3, "ms", "ms", 3},
	} {
		got, err := Convert(tt.value, tt.from, tt.to)
		if err != nil || got < tt.want*(1-1e-12) || got > tt.want*(1+1e-12) {
			t.Errorf("%g %s is %g %s, %v; want %g", tt.value, tt.from, got, tt.to, err, tt.want)
		}
	}
	for _, pair := range [][2]string{{"ms", "By"}, {"{token}/s", "{request}/s"}, {"GB", "By"}, {"tokens/sec/user", "{token}/s"}} {
		if _, err := Convert(1, pair[0], pair[1]); err == nil {
			t.Errorf("%s was converted to %s", pair[0], pair[1])
		}
	}
}
