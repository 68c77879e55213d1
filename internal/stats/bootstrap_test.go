package stats

import (
	"crypto/sha256"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// naiveBootstrap is the bootstrap as its definition reads: build every
// resample, take the statistic, sort the effects.
func naiveBootstrap(o Bootstrap, baseline, candidate Side, statistic Statistic, scale Scale) []float64 {
	random := splitMix64{o.Seed}
	value := func(side Side) float64 {
		if len(side.Invocations) == 0 {
			return side.Fixed
		}
		var values []float64
		for _, samples := range side.Invocations {
			length := o.BlockLength
			if length == 0 {
				length = BlockLength(samples)
			}
			length = min(length, len(samples))
			var resample []float64
			for len(resample) < len(samples) {
				start := int(random.next() % uint64(len(samples)))
				for j := 0; j < length && len(resample) < len(samples); j++ {
					resample = append(resample, samples[(start+j)%len(samples)])
				}
			}
			slices.Sort(resample)
			values = append(values, statistic.Of(resample))
		}
		slices.Sort(values)
		return scale.of(MedianSorted(values))
	}
	var effects []float64
	for range o.Resamples {
		before := value(baseline)
		effects = append(effects, value(candidate)-before)
	}
	slices.Sort(effects)
	return effects
}

// drawSamples makes a series that may be smooth, tied or constant.
func drawSamples(t *rapid.T, label string) []float64 {
	n := rapid.IntRange(2, 300).Draw(t, label+" n")
	distinct := rapid.SampledFrom([]int{1, 2, 5, 40, 1_000_000}).Draw(t, label+" distinct values")
	trend := rapid.Float64Range(0, 3).Draw(t, label+" trend")
	random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, label+" seed"), 0))
	samples := make([]float64, n)
	for i := range samples {
		samples[i] = float64(1+random.IntN(distinct)) + math.Floor(trend*float64(i))
	}
	return samples
}

func TestBootstrapEqualsSortingEveryResample(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		side := func(label string) Side {
			count := rapid.IntRange(0, 3).Draw(t, label+" invocations")
			side := Side{Fixed: 1.5}
			for range count {
				side.Invocations = append(side.Invocations, drawSamples(t, label))
			}
			return side
		}
		baseline, candidate := side("baseline"), side("candidate")
		options := Bootstrap{
			Seed:        rapid.Uint64().Draw(t, "seed"),
			Resamples:   rapid.SampledFrom([]int{1, 19, 700}).Draw(t, "resamples"),
			BlockLength: rapid.IntRange(0, 50).Draw(t, "block length"),
		}
		statistic := QuantileStatistic(rapid.SampledFrom([]float64{0, .01, .5, .9, .99, 1}).Draw(t, "q"))
		scale := rapid.SampledFrom([]Scale{LogRatio, Difference}).Draw(t, "scale")
		got, err := options.Run(baseline, candidate, statistic, scale)
		if err != nil {
			t.Fatal(err)
		}
		if want := naiveBootstrap(options, baseline, candidate, statistic, scale); !slices.Equal(got.effects, want) {
			t.Fatalf("effects differ from those of sorted resamples:\n got %v\nwant %v", got.effects, want)
		}
		means, err := options.Run(baseline, candidate, MeanStatistic(), scale)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range naiveBootstrap(options, baseline, candidate, MeanStatistic(), scale) {
			if math.Abs(means.effects[i]-want) > 1e-10*(1+math.Abs(want)) {
				t.Fatalf("mean effect %d = %g, want %g", i, means.effects[i], want)
			}
		}
	})
}

func TestBootstrapOfLongSeriesEqualsSortingEveryResample(t *testing.T) {
	for _, phi := range []float64{0, 0.99, 0.9999} {
		baseline, candidate := Side{Invocations: [][]float64{lognormalSeries(20_000, phi, 1)}}, Side{Invocations: [][]float64{lognormalSeries(7_001, phi, 2)}}
		for _, q := range []float64{0.5, 0.99} {
			options := Bootstrap{Seed: 7, Resamples: 60}
			got, err := options.Run(baseline, candidate, QuantileStatistic(q), LogRatio)
			if err != nil {
				t.Fatal(err)
			}
			if want := naiveBootstrap(options, baseline, candidate, QuantileStatistic(q), LogRatio); !slices.Equal(got.effects, want) {
				t.Errorf("φ=%g q=%g: effects differ from those of sorted resamples", phi, q)
			}
		}
	}
}

func TestBootstrapCountsResamplesOutsideTheBracket(t *testing.T) {
	// A bracket of the single middle value forces nearly every resample down
	// the path that builds it.
	samples := lognormalSeries(500, 0.5, 3)
	narrow := &quantileSeries{plan: newBlockPlan(len(samples), 8), samples: samples}
	narrow.lower, narrow.fraction = quantilePosition(len(samples), 0.5)
	narrow.fillBracket(Median(samples), Median(samples))
	wide := newQuantileSeries(samples, newBlockPlan(len(samples), 8), 0.5)
	nextNarrow, nextWide := narrow.resampler(), wide.resampler()
	for seed := range uint64(200) {
		if got, want := nextNarrow(splitMix64{seed}), nextWide(splitMix64{seed}); got != want {
			t.Fatalf("seed %d: %g outside the bracket, %g inside", seed, got, want)
		}
	}
}

func TestBootstrapDoesNotDependOnProcessors(t *testing.T) {
	run := func(processors int) []float64 {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
		effect, err := Bootstrap{Seed: 42}.Run(Side{Invocations: [][]float64{ev8Baseline}}, Side{Invocations: [][]float64{ev8Candid}}, MeanStatistic(), LogRatio)
		if err != nil {
			t.Fatal(err)
		}
		return effect.effects
	}
	if one, four := run(1), run(4); !slices.Equal(one, four) {
		t.Error("one and four processors give different resamples")
	}
}

func TestBootstrapStatesItsRule(t *testing.T) {
	effect, err := Bootstrap{Seed: 1}.Run(Side{Invocations: [][]float64{ev8Baseline, ev8Candid}}, Side{Fixed: 4.7}, QuantileStatistic(0.5), LogRatio)
	if err != nil {
		t.Fatal(err)
	}
	if effect.Resamples != 9999 || !slices.Equal(effect.BlockLengths, []int{2, 2}) {
		t.Errorf("resamples %d, block lengths %v; want 9999 and 2, 2", effect.Resamples, effect.BlockLengths)
	}
	// The launch's value is the median of its invocations'.
	wantNear(t, "point", effect.Point, 4.7-math.Log((101.5+113.5)/2), 1e-12)
}

func TestBootstrapRefusesWhatHasNoInterval(t *testing.T) {
	enough := Side{Invocations: [][]float64{{1, 2, 3}}}
	for name, test := range map[string]struct {
		side Side
		want error
	}{
		"a single sample":       {Side{Invocations: [][]float64{{1}}}, ErrTooFewSamples},
		"no sample":             {Side{Invocations: [][]float64{{}}}, ErrTooFewSamples},
		"a statistic of zero":   {Side{Invocations: [][]float64{{0, 0, 0, 1}}}, ErrNotPositive},
		"zero in some resample": {Side{Invocations: [][]float64{{0, 1, 1, 1, 1}}}, ErrNotPositive},
	} {
		if _, err := (Bootstrap{Seed: 1}).Run(enough, test.side, QuantileStatistic(0.5), LogRatio); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", name, err, test.want)
		}
		if _, err := (Bootstrap{Seed: 1}).Run(test.side, enough, QuantileStatistic(0.5), LogRatio); !errors.Is(err, test.want) {
			t.Errorf("%s on the baseline: %v, want %v", name, err, test.want)
		}
	}
}

func TestBootstrapSeedJoinsDigestsAndMetric(t *testing.T) {
	b, c := sha256.Sum256([]byte("b")), sha256.Sum256([]byte("c"))
	// Computed with another implementation of SHA-256.
	const want = 0xde6944edfe8cf240
	got := BootstrapSeed([][32]byte{b}, [][32]byte{c}, "ttft.p50")
	if got != want {
		t.Errorf("seed %#x, want %#x", got, uint64(want))
	}
	if other := BootstrapSeed([][32]byte{c}, [][32]byte{b}, "ttft.p50"); other == got {
		t.Error("swapping the sides must change the seed")
	}
}

func TestBlockLengthRule(t *testing.T) {
	for _, test := range []struct {
		name    string
		samples []float64
		want    int
	}{
		{"never below 1", []float64{1, 2, 3, 4, 5}, 1},
		{"a tenth of the samples at most", ev8Baseline, 2},
		{"the cube root for unrelated samples", lognormalSeries(27_000, 0, 1), 30},
		{"the cube root for constant samples", repeated(5, 1000), 10},
	} {
		if got := BlockLength(test.samples); got != test.want {
			t.Errorf("%s: %d, want %d", test.name, got, test.want)
		}
	}
	// φ=.99 has τ = ½(1+φ)/(1−φ) = 99.5, so ℓ ≈ 299.
	if got := BlockLength(lognormalSeries(100_000, 0.99, 1)); got < 240 || got > 360 {
		t.Errorf("three autocorrelation times of φ=.99: %d, want about 299", got)
	}
}

func TestModulusEqualsRemainder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, math.MaxInt).Draw(t, "n")
		x := rapid.Uint64().Draw(t, "x")
		if got, want := newModulus(n).of(x), x%uint64(n); got != want {
			t.Fatalf("%d mod %d = %d, want %d", x, n, got, want)
		}
	})
}
