package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestQuantileIsTypeSeven(t *testing.T) {
	oneToTen := []float64{7, 1, 10, 3, 5, 2, 9, 4, 8, 6}
	for _, test := range []struct{ q, want float64 }{
		{0, 1}, {.25, 3.25}, {.5, 5.5}, {.9, 9.1}, {.99, 9.91}, {1, 10},
	} {
		wantNear(t, "quantile", Quantile(oneToTen, test.q), test.want, 1e-12)
	}
	if !slices.Equal(oneToTen, []float64{7, 1, 10, 3, 5, 2, 9, 4, 8, 6}) {
		t.Error("the caller's values were reordered")
	}
}

func TestNoValueHasNoSummary(t *testing.T) {
	for name, got := range map[string]float64{
		"mean": Mean(nil), "median": Median(nil), "sorted median": MedianSorted(nil), "several": Quantiles(nil, 0.5)[0],
		"sd of one": SD([]float64{1}), "q above 1": Quantile([]float64{1, 2}, 1.1), "q below 0": Quantile([]float64{2, 1}, -0.1),
		"q not a number": Quantile([]float64{2, 1}, math.NaN()),
	} {
		if !math.IsNaN(got) {
			t.Errorf("%s = %g, want NaN", name, got)
		}
	}
}

func TestMeanKeepsItsDigits(t *testing.T) {
	// A million samples of 0.1: plain summation ends at 0.100000000001.
	if got := Mean(repeated(0.1, 1_000_000)); got != 0.1 {
		t.Errorf("mean %.17g, want 0.1", got)
	}
	if got := Mean([]float64{1e16, 1, -1e16}); got != 1.0/3 {
		t.Errorf("mean %.17g, want 1/3", got)
	}
	wantNear(t, "sd", SD([]float64{1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16}), math.Sqrt(30), 1e-12)
}

func TestQuantilesEqualThoseOfSortedValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		values := make([]float64, rapid.SampledFrom([]int{1, 2, 63, 65, 1000, 5001, narrowFrom, 3 * narrowFrom}).Draw(t, "n"))
		distinct := rapid.SampledFrom([]int{1, 3, 100, 1 << 40}).Draw(t, "distinct values")
		for i := range values {
			values[i] = float64(random.IntN(distinct))
		}
		switch rapid.SampledFrom([]string{"random", "falling", "organ pipe"}).Draw(t, "shape") {
		case "falling":
			slices.SortFunc(values, func(a, b float64) int { return int(b - a) })
		case "organ pipe":
			half := values[:len(values)/2]
			slices.Sort(half)
			slices.SortFunc(values[len(half):], func(a, b float64) int { return int(b - a) })
		}
		qs := rapid.SliceOfN(rapid.Float64Range(0, 1), 1, 6).Draw(t, "qs")
		sorted := slices.Sorted(slices.Values(values))
		want := make([]float64, len(qs))
		for i, q := range qs {
			want[i] = QuantileSorted(sorted, q)
		}
		if diff := cmp.Diff(want, Quantiles(values, qs...)); diff != "" {
			t.Fatalf("quantiles (-sorted +selected):\n%s", diff)
		}
	})
}

func TestSelectionOfValuesAimedAtThePivots(t *testing.T) {
	// Periodic values aimed at the evenly spaced pivot sample: every 1000th
	// sits where the sample looks and is extreme.
	const n = 630_000
	values := make([]float64, n)
	for i := range values {
		values[i] = float64(i%(n/63)) * 1e-3
	}
	want := slices.Sorted(slices.Values(values))
	if got := Quantile(values, 0.5); got != QuantileSorted(want, 0.5) {
		t.Errorf("median %g, want %g", got, QuantileSorted(want, 0.5))
	}
}

func TestRoundKeepsTwelveDigits(t *testing.T) {
	for _, test := range []struct{ in, want float64 }{
		{0, 0}, {1.0 / 3, 0.333333333333}, {-2e300 / 3, -6.66666666667e299}, {123456789012.5, 123456789012}, // half to even
		{math.MaxFloat64, 1.79769313486e308}, {5e-324, 5e-324}, {math.Inf(-1), math.Inf(-1)},
	} {
		if got := Round(test.in); got != test.want {
			t.Errorf("Round(%v) = %v, want %v", test.in, got, test.want)
		}
	}
	if !math.IsNaN(Round(math.NaN())) {
		t.Error("NaN must stay NaN")
	}
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(-1e12, 1e12).Draw(t, "x")
		once := Round(x)
		if Round(once) != once {
			t.Fatalf("Round(%v) = %v is not stable", x, once)
		}
		if math.Abs(once-x) > 5.0001e-12*math.Abs(x) {
			t.Fatalf("Round(%v) = %v is off by more than half a unit of the twelfth digit", x, once)
		}
	})
}
