package stats

import (
	"math"
	"testing"
)

func TestAutocorrelationTimeOfKnownProcesses(t *testing.T) {
	for _, test := range []struct{ phi, tolerance float64 }{{0, .1}, {.6, .1}, {.9, .15}, {.99, .2}} {
		// An AR(1) process has τ = ½(1+φ)/(1−φ).
		samples := make([]float64, 200_000)
		for i, v := range lognormalSeries(len(samples), test.phi, 5) {
			samples[i] = math.Log(v)
		}
		want := 0.5 * (1 + test.phi) / (1 - test.phi)
		if got := AutocorrelationTime(samples); math.Abs(got/want-1) > test.tolerance {
			t.Errorf("φ=%g: τ = %.3f, want %.3f", test.phi, got, want)
		}
		if got := EffectiveSamples(samples); math.Abs(got*2*want/float64(len(samples))-1) > 2*test.tolerance {
			t.Errorf("φ=%g: %g effective of %d", test.phi, got, len(samples))
		}
	}
}

func TestAutocorrelationTimeIsNeverBelowHalf(t *testing.T) {
	alternating := make([]float64, 100)
	for i := range alternating {
		alternating[i] = float64(i % 2)
	}
	for name, samples := range map[string][]float64{"alternating": alternating, "constant": repeated(3, 50), "one": {1}, "two": {1, 2}, "none": nil} {
		if got := AutocorrelationTime(samples); got != 0.5 {
			t.Errorf("%s: τ = %g, want ½", name, got)
		}
	}
	if got := Lag1(repeated(3, 50)); got != 0 {
		t.Errorf("constant: ρ₁ = %g, want 0", got)
	}
}

func TestAllLagsAtOnceEqualSingleOnes(t *testing.T) {
	centred, _ := centre(lognormalSeries(3001, 0.9, 9))
	all := autocovariances(centred)
	for _, lag := range []int{0, 1, 2, 64, 999, 3000} {
		if want := autocovariance(centred, lag); math.Abs(all[lag]-want) > 1e-9*all[0] {
			t.Errorf("lag %d: %g by transform, %g directly", lag, all[lag], want)
		}
	}
}

func TestSteadiness(t *testing.T) {
	falling := make([]float64, 200)
	warm := lognormalSeries(500, 0, 4)
	for i := range falling {
		falling[i] = float64(1000 - i)
	}
	for i := range 40 {
		warm[i] += 3000
	}
	for _, test := range []struct {
		name    string
		samples []float64
		want    Steadiness
	}{
		{"a steady series keeps every sample", repeated(7, 100), Steadiness{}},
		{"a warm-up is cut at a whole batch", warm, Steadiness{Drop: 40}},
		{"a drift over the whole series is not steady", falling, Steadiness{Drop: 100, NotSteady: true}},
		{"too few to tell", []float64{9, 1, 1, 1, 1, 1, 1, 1, 1}, Steadiness{}},
		{"nothing", nil, Steadiness{}},
	} {
		if got := MSER5(test.samples); got != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
}

// slowMSER5 is the rule as it reads, quadratic.
func slowMSER5(samples []float64) int {
	batches := batchMeans(samples)
	best, cut := math.Inf(1), 0
	for d := 0; d <= len(batches)/2; d++ {
		rest := batches[d:]
		if error := squaredDeviations(rest) / float64(len(rest)*len(rest)); error < best {
			best, cut = error, d
		}
	}
	return cut * mserBatch
}

func TestSteadinessEqualsTheRuleAsItReads(t *testing.T) {
	for seed := range uint64(50) {
		samples := lognormalSeries(60+int(seed)*7, 0.7, seed)
		if got, want := MSER5(samples).Drop, slowMSER5(samples); got != want {
			t.Errorf("seed %d: drops %d, want %d", seed, got, want)
		}
	}
}
