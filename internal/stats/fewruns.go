package stats

import (
	"fmt"
	"math"
)

// Spread is a standard deviation between launches and what it rests on.
type Spread struct {
	SD               float64
	DegreesOfFreedom int
}

// Pooled returns the standard deviation within groups, pooled over all of them:
// √(ΣΣ(x − x̄_g)² / Σ(n_g − 1)). Groups of fewer than two values add nothing;
// without any larger one the result has no degrees of freedom and SD 0.
func Pooled(groups ...[]float64) Spread {
	var squares float64
	freedom := 0
	for _, group := range groups {
		if len(group) > 1 {
			squares += squaredDeviations(group)
			freedom += len(group) - 1
		}
	}
	if freedom == 0 {
		return Spread{}
	}
	return Spread{SD: math.Sqrt(squares / float64(freedom)), DegreesOfFreedom: freedom}
}

// FewRunsEffect is the comparison of two or three runs a side.
type FewRunsEffect struct {
	Interval  Interval
	HalfWidth float64
	Spread    Spread
}

// FewRuns compares run values, already logarithms where a ratio is wanted: the
// difference of means ± t·s·√(1/R_b + 1/R_c), with s pooled from both sides and
// every history group. ErrTooFewRuns when nothing tells the spread.
func FewRuns(baseline, candidate []float64, level float64, history ...[]float64) (FewRunsEffect, error) {
	spread := Pooled(append([][]float64{baseline, candidate}, history...)...)
	if len(baseline) == 0 || len(candidate) == 0 || spread.DegreesOfFreedom == 0 {
		return FewRunsEffect{}, fmt.Errorf("estimating the spread of %d against %d runs: %w", len(baseline), len(candidate), ErrTooFewRuns)
	}
	t := tQuantile(level, float64(spread.DegreesOfFreedom))
	half := t * spread.SD * math.Sqrt(1/float64(len(baseline))+1/float64(len(candidate)))
	point := Mean(candidate) - Mean(baseline)
	return FewRunsEffect{Interval: around(point, half), HalfWidth: half, Spread: spread}, nil
}

// LaunchNoise is how far apart two launches of the same thing may come to lie
// by themselves: f, on the scale of the effect.
type LaunchNoise struct {
	HalfWidth float64
	// Assumed says that too little was recorded to know, and that the default
	// spread stands in: only large effects can stand out against it.
	Assumed bool
}

const (
	// AssumedLaunchSD is the relative spread between launches taken where none
	// was recorded: 15 %.
	AssumedLaunchSD = 0.15
	// leastLaunchFreedom is the number of degrees of freedom from which a
	// recorded spread is believed.
	leastLaunchFreedom = 3
	// normal95 is the two-figure critical value that the published default
	// uses at level 0.95.
	normal95 = 1.96
)

// LaunchNoiseLog returns f for an effect on the log scale: t·s·√(1 + 1/R) with R
// the runs of the larger side, where the spread has at least three degrees of
// freedom; else z·√2·AssumedLaunchSD.
func LaunchNoiseLog(spread Spread, largerSide int, level float64) LaunchNoise {
	return launchNoise(spread, largerSide, level, AssumedLaunchSD)
}

// LaunchNoiseValue is LaunchNoiseLog for differences and points: the spread is
// that of the values themselves, and the default is AssumedLaunchSD of the
// larger of the two sides' values.
func LaunchNoiseValue(spread Spread, largerSide int, level, baseline, candidate float64) LaunchNoise {
	larger := max(math.Abs(baseline), math.Abs(candidate))
	return launchNoise(spread, largerSide, level, AssumedLaunchSD*larger)
}

func launchNoise(spread Spread, largerSide int, level, assumedSD float64) LaunchNoise {
	if spread.DegreesOfFreedom >= leastLaunchFreedom {
		t := tQuantile(level, float64(spread.DegreesOfFreedom))
		return LaunchNoise{HalfWidth: t * spread.SD * math.Sqrt(1+1/float64(largerSide))}
	}
	z := normal95
	if level != 0.95 {
		z = normalQuantile(level)
	}
	return LaunchNoise{HalfWidth: z * math.Sqrt2 * assumedSD, Assumed: true}
}

// Combine widens an interval from within the launches by the noise between
// launches: squares are added, each side of the interval by itself.
func Combine(within Interval, noise LaunchNoise) Interval {
	return Interval{
		Point: within.Point,
		Low:   within.Point - math.Hypot(within.Point-within.Low, noise.HalfWidth),
		High:  within.Point + math.Hypot(within.High-within.Point, noise.HalfWidth),
	}
}

// WithinT returns the half-width of an interval within the launches for
// medians and means of few samples: √Σ(t·sd/√n)², t at n − 1 degrees of
// freedom, over the sides that are a single launch (a side of several launches
// adds nothing and is left out). The samples are logarithms where a ratio is
// wanted. ErrTooFewSamples when a side has fewer than two.
func WithinT(level float64, sides ...[]float64) (halfWidth float64, err error) {
	for _, samples := range sides {
		n := len(samples)
		if n < 2 {
			return 0, fmt.Errorf("estimating the spread within a launch of %d samples: %w", n, ErrTooFewSamples)
		}
		halfWidth = math.Hypot(halfWidth, tQuantile(level, float64(n-1))*SD(samples)/math.Sqrt(float64(n)))
	}
	return halfWidth, nil
}

// WithinTInterval is WithinT around a point, for callers that want the interval.
func WithinTInterval(point, level float64, sides ...[]float64) (Interval, error) {
	half, err := WithinT(level, sides...)
	if err != nil {
		return Interval{}, err
	}
	return around(point, half), nil
}
