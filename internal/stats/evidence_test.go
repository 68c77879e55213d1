package stats

import (
	"errors"
	"math"
	"testing"
)

// The published vectors of the product's evidence rules, EV1 to EV13. They were
// computed independently, by enumeration and with SciPy, and are given with the
// digits shown there.

var (
	ev2Baseline = []float64{412, 405, 418, 399, 421, 408} // also the history of EV5, EV8 and EV13
	ev8Baseline = []float64{100, 103, 99, 104, 110, 108, 101, 97, 95, 99, 102, 107, 111, 106, 100, 96, 98, 101, 105, 103}
	ev8Candid   = []float64{112, 115, 109, 117, 121, 118, 113, 108, 107, 110, 114, 119, 123, 117, 111, 106, 110, 113, 118, 115}
	ev12        = []float64{
		300, 240, 210, 190, 180, 150, 141, 130, 124, 117, 104, 99, 103, 97, 101, 106, 98, 95, 102, 100, 99, 105, 103, 96, 98,
		101, 104, 100, 97, 102, 95, 103, 99, 106, 101, 98, 104, 96, 100, 102, 103, 97, 99, 101, 105, 98, 100, 102, 96, 104,
	}
)

func repeated(value float64, n int) []float64 {
	values := make([]float64, n)
	for i := range values {
		values[i] = value
	}
	return values
}

func logs(t testing.TB, values []float64) []float64 {
	t.Helper()
	result, err := Logs(values)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// wantNear fails unless got agrees with want to the half unit of the last digit
// that the vector gives.
func wantNear(t testing.TB, what string, got, want, unit float64) {
	t.Helper()
	if !(math.Abs(got-want) <= unit/2*1.0001) {
		t.Errorf("%s = %.9g, want %.9g", what, got, want)
	}
}

func wantInterval(t testing.TB, got Interval, point, low, high float64) {
	t.Helper()
	wantNear(t, "point", got.Point, point, 1e-6)
	wantNear(t, "low end", got.Low, low, 1e-6)
	wantNear(t, "high end", got.High, high, 1e-6)
}

func TestEV1ToEV7ReplicatedRuns(t *testing.T) {
	for _, test := range []struct {
		name                string
		baseline, candidate []float64
		u, p, pUnit         float64
		k                   int
		point, low, high    float64
	}{
		{"EV1", []float64{100, 101, 102, 103, 104}, []float64{110, 111, 112, 113, 114}, 25, .0079365, 1e-7, 3, 1.098039, 1.067961, 1.128713},
		{"EV2", ev2Baseline, []float64{398, 391, 402, 387, 410, 395}, 4, .0259740, 1e-7, 6, .967078, .939320, .995146},
		{"EV3 ties", []float64{10, 10, 11, 11, 12}, []float64{11, 12, 12, 13, 13}, 22, .0793651, 1e-7, 3, math.NaN(), 1, 1.3},
		{"EV4", []float64{200, 202, 198, 201}, []float64{214, 209, 216, 211}, 16, .0285714, 1e-7, 1, 1.062038, 1.034653, 1.090909},
		{"EV6 nearly constant", []float64{115, 114, 115, 115, 115}, repeated(78.8, 5), 0, .0079365, 1e-7, 3, .685217, .685217, .691228},
		{"EV6 constant", repeated(100, 5), repeated(79, 5), 0, .0079365, 1e-7, 3, .79, .79, .79},
		{"EV7", []float64{820, 815, 831, 808, 826, 819}, []float64{853, 861, 847, 858, 866, 850}, 36, .0021645, 1e-7, 6, 1.042659, 1.032491, 1.056442},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := Replicated(logs(t, test.baseline), logs(t, test.candidate), 0.95)
			if err != nil {
				t.Fatal(err)
			}
			if got.Test.U != test.u || got.K != test.k || !got.Test.Exact {
				t.Errorf("U = %g, k = %d, exact = %t; want %g, %d, true", got.Test.U, got.K, got.Test.Exact, test.u, test.k)
			}
			wantNear(t, "p", got.Test.P.TwoSided, test.p, test.pUnit)
			ratio := got.Interval.Exp()
			if math.IsNaN(test.point) {
				test.point = ratio.Point // not published for this vector
			}
			wantInterval(t, ratio, test.point, test.low, test.high)
		})
	}
}

func TestEV1Coverage(t *testing.T) {
	got, err := Replicated([]float64{1, 2, 3, 4, 5}, []float64{6, 7, 8, 9, 10}, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	wantNear(t, "coverage", got.Coverage, .968254, 1e-6)
}

func TestEV2Welch(t *testing.T) {
	test, ok := Welch(logs(t, ev2Baseline), logs(t, []float64{398, 391, 402, 387, 410, 395}))
	if !ok {
		t.Fatal("no Welch test")
	}
	wantNear(t, "t", test.T, -2.820289, 1e-6)
	wantNear(t, "degrees of freedom", test.DegreesOfFreedom, 9.993669, 1e-6)
	wantNear(t, "p", test.P.TwoSided, .0181623, 1e-7)
}

func TestEV5FewRuns(t *testing.T) {
	baseline, candidate := logs(t, []float64{200, 202, 198}), logs(t, []float64{240, 242, 238})
	alone, err := FewRuns(baseline, candidate, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	wantNear(t, "s", alone.Spread.SD, .00920477, 1e-8)
	wantInterval(t, alone.Interval.Exp(), 1.200012, 1.175231, 1.225316)
	withHistory, err := FewRuns(baseline, candidate, 0.95, logs(t, ev2Baseline))
	if err != nil {
		t.Fatal(err)
	}
	wantNear(t, "s with history", withHistory.Spread.SD, .01613973, 1e-8)
	wantInterval(t, withHistory.Interval.Exp(), 1.200012, 1.164767, 1.236324)
	if alone.Spread.DegreesOfFreedom != 4 || withHistory.Spread.DegreesOfFreedom != 9 {
		t.Errorf("degrees of freedom %d and %d, want 4 and 9", alone.Spread.DegreesOfFreedom, withHistory.Spread.DegreesOfFreedom)
	}
}

func ev8(t testing.TB, blockLength int, statistic Statistic) BootstrapEffect {
	t.Helper()
	effect, err := Bootstrap{Seed: 42, Resamples: 999, BlockLength: blockLength}.Run(
		Side{Invocations: [][]float64{ev8Baseline}}, Side{Invocations: [][]float64{ev8Candid}}, statistic, LogRatio)
	if err != nil {
		t.Fatal(err)
	}
	return effect
}

func TestEV8Bootstrap(t *testing.T) {
	wantInterval(t, ev8(t, 4, QuantileStatistic(0.5)).Interval(0.95).Exp(), 1.118227, 1.072816, 1.158416)
	wantInterval(t, ev8(t, 4, QuantileStatistic(0.9)).Interval(0.95).Exp(), 1.101664, 1.063579, 1.156159)
	t.Run("independent samples", func(t *testing.T) {
		wantInterval(t, ev8(t, 1, QuantileStatistic(0.5)).Interval(0.95).Exp(), 1.118227, 1.076923, 1.16)
	})
	t.Run("the length rule alone gives 2", func(t *testing.T) {
		if got := BlockLength(ev8Baseline); got != 2 {
			t.Errorf("block length %d, want 2", got)
		}
	})
	t.Run("autocorrelation", func(t *testing.T) {
		wantNear(t, "ρ₁", Lag1(ev8Baseline), .563021, 1e-6)
		wantNear(t, "n_eff", EffectiveSamplesAR1(ev8Baseline), 5.5915, 1e-4)
	})
}

func TestEV8VerdictIntervals(t *testing.T) {
	within := ev8(t, 4, QuantileStatistic(0.5)).Interval(0.95)
	known := LaunchNoiseLog(Pooled(logs(t, ev2Baseline)), 1, 0.95)
	if known.Assumed {
		t.Error("six recorded launches must stand in for the assumed spread")
	}
	wantInterval(t, Combine(within, known).Exp(), 1.118227, 1.028356, 1.212472)
	unknown := LaunchNoiseLog(Spread{}, 1, 0.95)
	if !unknown.Assumed {
		t.Error("without history the spread is assumed, and must say so")
	}
	// The published 1.697268 was combined from ends already cut to six digits;
	// from the full ones it is 1.6972672.
	wantInterval(t, Combine(within, unknown).Exp(), 1.118227, .736316, 1.697267)
}

func TestOneRunAgainstFiveByValuesOnly(t *testing.T) {
	baseline := logs(t, []float64{412, 405, 418, 399, 421})
	candidate := math.Log(470)
	noise := LaunchNoiseLog(Pooled(baseline), 5, 0.95)
	point := candidate - Mean(baseline)
	got := Combine(Interval{point, point, point}, noise)
	wantInterval(t, got.Exp(), 1.143776, 1.069249, 1.223499)
}

func TestEV9OrderStatistics(t *testing.T) {
	for _, test := range []struct {
		n        int
		q        float64
		want     Ranks
		coverage float64
	}{
		{1000, .99, Ranks{Low: 983, High: 997}, .976095},
		{400, .99, Ranks{Low: 392, High: 400}, .961281},
		{500, .95, Ranks{Low: 465, High: 485}, .960499},
	} {
		got := QuantileRanks(test.n, test.q, 0.95)
		if got.Low != test.want.Low || got.High != test.want.High {
			t.Errorf("n=%d q=%g: ranks %d..%d, want %d..%d", test.n, test.q, got.Low, got.High, test.want.Low, test.want.High)
		}
		wantNear(t, "coverage", got.Coverage, test.coverage, 1e-6)
	}
	if got := QuantileRanks(367, .99, 0.95); got.High != 0 || got.Low == 0 || got.Coverage != 0 {
		t.Errorf("n=367 q=.99: %+v, want a lower end and no finite upper one", got)
	}
}

func TestMinimumSamples(t *testing.T) {
	for _, test := range []struct {
		q              float64
		twoSided, upto int
	}{{.5, 6, 5}, {.9, 36, 29}, {.95, 72, 59}, {.99, 368, 299}, {.999, 3688, 2995}} {
		if got := MinimumSamples(test.q, 0.95); got != test.twoSided {
			t.Errorf("q=%g: two-sided %d, want %d", test.q, got, test.twoSided)
		}
		if got := MinimumSamplesUpper(test.q, 0.95); got != test.upto {
			t.Errorf("q=%g: one-sided %d, want %d", test.q, got, test.upto)
		}
		for n := test.twoSided - 1; n <= test.twoSided; n++ {
			ranks := QuantileRanks(n, test.q, 0.95)
			if finite := ranks.Low > 0 && ranks.High > 0; finite != (n == test.twoSided) {
				t.Errorf("q=%g n=%d: ranks %+v contradict the minimum %d", test.q, n, ranks, test.twoSided)
			}
		}
	}
}

func TestEV10FailureShares(t *testing.T) {
	b, err := Wilson(3, 1000, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	wantInterval(t, b, .003, .001021, .008783)
	c, err := Wilson(14, 1000, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	wantInterval(t, c, .014, .008358, .023362)
	difference, err := Newcombe(3, 1000, 14, 1000, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	wantInterval(t, difference, .011, .002920, .020569)
	wantNear(t, "Fisher p", Fisher(3, 1000, 14, 1000), .012365, 1e-6)
}

func TestEV11Holm(t *testing.T) {
	got := Holm([]float64{.004, .03, .02, .2})
	for i, want := range []float64{.016, .06, .06, .2} {
		wantNear(t, "adjusted p", got[i], want, 1e-9)
	}
}

func TestEV12Steadiness(t *testing.T) {
	got := MSER5(ev12)
	if got.Drop != 10 || got.NotSteady {
		t.Errorf("MSER-5 drops %d, not steady %t; want 10, false", got.Drop, got.NotSteady)
	}
	wantNear(t, "mean before", Mean(ev12), 116.02, 1e-9)
	wantNear(t, "mean after", Mean(ev12[10:]), 100.475, 1e-9)
}

func TestEV13RepeatabilityLimit(t *testing.T) {
	spread := Pooled(logs(t, ev2Baseline))
	wantNear(t, "s", spread.SD, .0200275, 1e-7)
	wantNear(t, "t", tQuantile(0.95, float64(spread.DegreesOfFreedom)), 2.570582, 1e-6)
	wantNear(t, "limit", math.Exp(LaunchNoiseLog(spread, 1, 0.95).HalfWidth), 1.075523, 1e-6)
}

func TestIntervalRanksOfEqualSides(t *testing.T) {
	for _, test := range []struct {
		level float64
		want  map[int]int
	}{
		{0.95, map[int]int{4: 1, 5: 3, 6: 6, 7: 9, 8: 14, 9: 18, 10: 24}},
		{0.90, map[int]int{4: 2, 5: 5, 6: 8, 10: 28}},
	} {
		for runs, want := range test.want {
			if k, _ := intervalRank(runs, runs, test.level); k != want {
				t.Errorf("level %g, %d runs: k = %d, want %d", test.level, runs, k, want)
			}
		}
	}
	if _, err := Replicated([]float64{1, 2, 3}, []float64{4, 5, 6}, 0.95); !errors.Is(err, ErrTooFewRuns) {
		t.Errorf("three runs a side: %v, want ErrTooFewRuns", err)
	}
}

func TestSplitMixFirstOutputs(t *testing.T) {
	g := splitMix64{42}
	for i, want := range []uint64{0xbdd732262feb6e95, 0x28efe333b266f103} {
		if got := g.next(); got != want {
			t.Errorf("output %d = %x, want %x", i, got, want)
		}
	}
}
