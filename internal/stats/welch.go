package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// WelchTest is Welch's t-test (1947) of two means with unequal variances.
type WelchTest struct {
	T                float64 // of candidate − baseline
	DegreesOfFreedom float64
	P                PValues
}

// Welch tests whether the means differ. It serves the question whether one
// side converges faster than its reference. Both sides need two values and at
// least one some spread; otherwise ok is false.
func Welch(baseline, candidate []float64) (test WelchTest, ok bool) {
	if len(baseline) < 2 || len(candidate) < 2 {
		return WelchTest{}, false
	}
	m, n := float64(len(baseline)), float64(len(candidate))
	b := squaredDeviations(baseline) / (m - 1) / m
	c := squaredDeviations(candidate) / (n - 1) / n
	if b+c == 0 {
		return WelchTest{}, false
	}
	test.T = (Mean(candidate) - Mean(baseline)) / math.Sqrt(b+c)
	test.DegreesOfFreedom = (b + c) * (b + c) / (b*b/(m-1) + c*c/(n-1))
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: test.DegreesOfFreedom}
	less, greater := t.CDF(test.T), t.CDF(-test.T)
	test.P = PValues{TwoSided: min(1, 2*min(less, greater)), Less: less, Greater: greater}
	return test, true
}
