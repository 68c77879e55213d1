package stats

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"
)

// runValues draws run values with some ties.
func runValues(least, most int) *rapid.Generator[[]float64] {
	return rapid.SliceOfN(rapid.Map(rapid.IntRange(50, 150), func(i int) float64 { return float64(i) }), least, most)
}

func sameInterval(a, b Interval) bool {
	near := func(x, y float64) bool { return math.Abs(x-y) <= 1e-9*(1+math.Abs(x)) }
	return near(a.Point, b.Point) && near(a.Low, b.Low) && near(a.High, b.High)
}

// comparison is any of the methods that turn two sets of run values into an
// interval, on the scale of the values.
type comparison func(baseline, candidate []float64, level float64) (Interval, error)

var comparisons = map[string]comparison{
	"replicated": func(b, c []float64, level float64) (Interval, error) {
		r, err := Replicated(b, c, level)
		return r.Interval, err
	},
	"few runs": func(b, c []float64, level float64) (Interval, error) {
		r, err := FewRuns(b, c, level, []float64{100, 104, 98})
		return r.Interval, err
	},
	"within t": func(b, c []float64, level float64) (Interval, error) {
		return WithinTInterval(Mean(c)-Mean(b), level, b, c)
	},
	"within t and launches' noise": func(b, c []float64, level float64) (Interval, error) {
		within, err := WithinTInterval(Mean(c)-Mean(b), level, b, c)
		return Combine(within, LaunchNoiseLog(Pooled(b, c), len(b), level)), err
	},
}

func TestEveryComparison(t *testing.T) {
	for name, compare := range comparisons {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				baseline := runValues(4, 9).Draw(t, "baseline")
				candidate := runValues(len(baseline), len(baseline)).Draw(t, "candidate")
				factor := rapid.Float64Range(1e-6, 1e6).Draw(t, "factor")
				got, err := compare(baseline, candidate, 0.95)
				if err != nil {
					t.Fatal(err)
				}
				if !(got.Low <= got.Point && got.Point <= got.High) {
					t.Fatalf("the point lies outside its interval: %+v", got)
				}
				swapped, err := compare(candidate, baseline, 0.95)
				if err != nil {
					t.Fatal(err)
				}
				if !sameInterval(got.Negate(), swapped) {
					t.Fatalf("swapping the sides must negate: %+v against %+v", got, swapped)
				}
				narrower, err := compare(baseline, candidate, 0.90)
				if err != nil {
					t.Fatal(err)
				}
				if narrower.Low < got.Low-1e-12 || narrower.High > got.High+1e-12 {
					t.Fatalf("the 90 %% interval %+v exceeds the 95 %% one %+v", narrower, got)
				}
				if name == "few runs" {
					return // its history keeps its unit
				}
				scale := func(values []float64) []float64 {
					scaled := make([]float64, len(values))
					for i, v := range values {
						scaled[i] = math.Log(v * factor)
					}
					return scaled
				}
				plain := func(values []float64) []float64 {
					scaled := make([]float64, len(values))
					for i, v := range values {
						scaled[i] = math.Log(v)
					}
					return scaled
				}
				ratio, err := compare(plain(baseline), plain(candidate), 0.95)
				if err != nil {
					t.Fatal(err)
				}
				sameRatio, err := compare(scale(baseline), scale(candidate), 0.95)
				if err != nil {
					t.Fatal(err)
				}
				if !sameInterval(ratio, sameRatio) {
					t.Fatalf("another unit must not change a ratio: %+v against %+v", ratio, sameRatio)
				}
			})
		})
	}
}

// permutations calls visit with U of every way to choose n of the values as
// the candidate's.
func permutations(values []float64, n int, visit func(u float64)) {
	var baseline, candidate []float64
	var choose func(at int)
	choose = func(at int) {
		if len(candidate) > n || len(baseline) > len(values)-n {
			return
		}
		if at == len(values) {
			u := 0.0
			for _, c := range candidate {
				for _, b := range baseline {
					switch {
					case c > b:
						u++
					case c == b:
						u += 0.5
					}
				}
			}
			visit(u)
			return
		}
		candidate = append(candidate, values[at])
		choose(at + 1)
		candidate = candidate[:len(candidate)-1]
		baseline = append(baseline, values[at])
		choose(at + 1)
		baseline = baseline[:len(baseline)-1]
	}
	choose(0)
}

func TestMannWhitneyEqualsEnumeration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		few := rapid.Map(rapid.IntRange(0, 5), func(i int) float64 { return float64(i) })
		baseline := rapid.SliceOfN(few, 1, 6).Draw(t, "baseline")
		candidate := rapid.SliceOfN(few, 1, 6).Draw(t, "candidate")
		got := MannWhitney(baseline, candidate)
		mean := float64(len(baseline)*len(candidate)) / 2
		var all, two, less, greater float64
		permutations(append(append([]float64{}, baseline...), candidate...), len(candidate), func(u float64) {
			all++
			if math.Abs(u-mean) >= math.Abs(got.U-mean) {
				two++
			}
			if u <= got.U {
				less++
			}
			if u >= got.U {
				greater++
			}
		})
		want := PValues{two / all, less / all, greater / all}
		if math.Abs(got.P.TwoSided-want.TwoSided)+math.Abs(got.P.Less-want.Less)+math.Abs(got.P.Greater-want.Greater) > 1e-12 {
			t.Fatalf("p %+v, enumeration %+v", got.P, want)
		}
		swapped := MannWhitney(candidate, baseline)
		if math.Abs(swapped.P.Less-got.P.Greater) > 1e-12 || math.Abs(swapped.U+got.U-2*mean) > 1e-12 {
			t.Fatalf("swapped sides: %+v against %+v", swapped, got)
		}
	})
}

func TestMannWhitneyOfManyTies(t *testing.T) {
	// Two cases that a published implementation gets wrong: p above 1, and a
	// one-sided p that ignores ties.
	if got := MannWhitney([]float64{2, 0}, make([]float64, 6)); math.Abs(got.P.TwoSided-0.25) > 1e-12 {
		t.Errorf("two-sided p %g, want 0.25", got.P.TwoSided)
	}
	got := MannWhitney([]float64{0, 3, 0, 1}, []float64{1, 3, 3, 1, 2})
	wantNear(t, "one-sided p", got.P.Greater, .1349, 1e-4)
}

func TestMannWhitneyBeyondEnumeration(t *testing.T) {
	// Against scipy.stats.mannwhitneyu(c, b, method="asymptotic").
	var b, c []float64
	for i := range 60 {
		b, c = append(b, float64(i%17)), append(c, float64(i%19+1))
	}
	got := MannWhitney(b, c)
	if got.Exact {
		t.Error("60 runs a side must not claim to be enumerated")
	}
	wantNear(t, "U", got.U, 2202, 1e-9)
	wantNear(t, "p", got.P.TwoSided, .03482507193508, 1e-13)
	wantNear(t, "p less", got.P.Less, .982812401863082, 1e-13)
	wantNear(t, "p greater", got.P.Greater, .017412535967542, 1e-13)
}

func TestIntervalBeyondEnumerationFollowsOn(t *testing.T) {
	exact, _ := intervalRank(50, 50, 0.95)
	beyond, coverage := intervalRank(51, 51, 0.95)
	if beyond < exact || beyond > exact+60 || coverage != 0.95 {
		t.Errorf("k goes from %d at 50 runs to %d at 51, coverage %g", exact, beyond, coverage)
	}
}

func TestTooFewRunsForAnInterval(t *testing.T) {
	for name, run := range map[string]func() error{
		"replicated, no runs":   func() error { _, err := Replicated(nil, []float64{1}, 0.95); return err },
		"replicated, 3 runs":    func() error { _, err := Replicated(make([]float64, 3), make([]float64, 3), 0.95); return err },
		"replicated, 4 at 99 %": func() error { _, err := Replicated(make([]float64, 4), make([]float64, 4), 0.99); return err },
		"few runs, one a side":  func() error { _, err := FewRuns([]float64{1}, []float64{2}, 0.95); return err },
		"few runs, an empty side": func() error {
			_, err := FewRuns(nil, []float64{2, 3}, 0.95)
			return err
		},
	} {
		if err := run(); !errors.Is(err, ErrTooFewRuns) {
			t.Errorf("%s: %v, want ErrTooFewRuns", name, err)
		}
	}
	if _, err := WithinT(0.95, []float64{1, 2}, []float64{3}); !errors.Is(err, ErrTooFewSamples) {
		t.Errorf("one sample: %v, want ErrTooFewSamples", err)
	}
	if _, err := Logs([]float64{1, 0}); !errors.Is(err, ErrNotPositive) {
		t.Errorf("logarithm of 0: %v, want ErrNotPositive", err)
	}
}

func TestWithinTLeavesOutASideOfSeveralLaunches(t *testing.T) {
	samples := []float64{1, 2, 3, 4, 6}
	one, err := WithinT(0.95, samples)
	if err != nil {
		t.Fatal(err)
	}
	// t₄ = 2.776445, sd 1.923538.
	wantNear(t, "half-width", one, 2.776445*1.923538/math.Sqrt(5), 1e-5)
	two, err := WithinT(0.95, samples, samples)
	if err != nil {
		t.Fatal(err)
	}
	wantNear(t, "both sides", two, one*math.Sqrt2, 1e-12)
}

func TestLaunchNoiseOnValues(t *testing.T) {
	assumed := LaunchNoiseValue(Spread{SD: 3, DegreesOfFreedom: 2}, 4, 0.95, -20, 10)
	wantNear(t, "15 % of the larger side", assumed.HalfWidth, 1.96*math.Sqrt2*.15*20, 1e-9)
	if !assumed.Assumed {
		t.Error("two degrees of freedom are too few to be believed")
	}
	known := LaunchNoiseValue(Spread{SD: 3, DegreesOfFreedom: 3}, 4, 0.95, -20, 10)
	wantNear(t, "from three degrees of freedom on", known.HalfWidth, 3.182446*3*math.Sqrt(1.25), 1e-5)
}

func TestNormalPAgreesWithItsInterval(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		point := rapid.Float64Range(-1, 1).Draw(t, "point")
		i := Interval{point, point - rapid.Float64Range(1e-6, 1).Draw(t, "below"), point + rapid.Float64Range(1e-6, 1).Draw(t, "above")}
		p := NormalP(i, 0.95)
		if excludes := i.Low > 0 || i.High < 0; excludes != (p.TwoSided < 0.05) && math.Min(math.Abs(i.Low), math.Abs(i.High)) > 1e-9 {
			t.Fatalf("interval %+v and p %+v disagree", i, p)
		}
		if math.Abs(p.Less+p.Greater-1) > 1e-12 {
			t.Fatalf("one-sided p values must complement each other: %+v", p)
		}
	})
	if p := NormalP(Interval{0.1, 0.1, 0.1}, 0.95); p.TwoSided != 0 || p.Greater != 0 {
		t.Errorf("an interval without width: %+v", p)
	}
}

func TestNormalPOfAFewRunsEffect(t *testing.T) {
	// Half-width 1.96 standard errors, effect 3: p = 2Φ(−3).
	wantNear(t, "p", NormalP(around(3, 1.959963984540054), 0.95).TwoSided, .0026998, 1e-7)
}

func TestConstantRunsHaveNoSpread(t *testing.T) {
	got, err := FewRuns(repeated(2, 3), repeated(2, 2), 0.95)
	if err != nil {
		t.Fatal(err)
	}
	if got.HalfWidth != 0 || got.Interval.Point != 0 {
		t.Errorf("%+v, want no effect and no width", got)
	}
}
