package stats

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/gonum/stat/distuv"
)

// Interval is an estimate with the ends of its interval, all on one scale.
type Interval struct{ Point, Low, High float64 }

// Exp turns an interval of log ratios into one of ratios.
func (i Interval) Exp() Interval {
	return Interval{math.Exp(i.Point), math.Exp(i.Low), math.Exp(i.High)}
}

// Negate mirrors the interval: the effect seen from the other side, or harm for
// a metric where higher is better.
func (i Interval) Negate() Interval { return Interval{-i.Point, -i.High, -i.Low} }

// Contains says whether x lies in the interval, ends included.
func (i Interval) Contains(x float64) bool { return i.Low <= x && x <= i.High }

// HalfWidth returns the distance from the point to the farther end.
func (i Interval) HalfWidth() float64 { return max(i.Point-i.Low, i.High-i.Point) }

// Round rounds the three numbers for storage, see Round.
func (i Interval) Round() Interval {
	return Interval{Round(i.Point), Round(i.Low), Round(i.High)}
}

// around is a symmetric interval.
func around(point, halfWidth float64) Interval {
	return Interval{point, point - halfWidth, point + halfWidth}
}

// ErrNotPositive says that a value has no logarithm, so no ratio can be formed.
var ErrNotPositive = errors.New("value is not positive")

// Logs returns the natural logarithms of values, or ErrNotPositive.
func Logs(values []float64) ([]float64, error) {
	logs := make([]float64, len(values))
	for i, v := range values {
		if !(v > 0) {
			return nil, fmt.Errorf("taking the logarithm of value %d (%g): %w", i, v, ErrNotPositive)
		}
		logs[i] = math.Log(v)
	}
	return logs, nil
}

// Round rounds to 12 significant digits, the precision results are hashed
// with: enough for any reader, and short of where platforms differ.
func Round(x float64) float64 {
	if x == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
		return x
	}
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(x, 'e', 11, 64), 64)
	if err != nil { // cannot happen: the text was just written by FormatFloat
		return x
	}
	return rounded
}

// normalQuantile is the upper two-sided critical value of the standard normal
// distribution, 1.96 at level 0.95.
func normalQuantile(level float64) float64 {
	return distuv.UnitNormal.Quantile((1 + level) / 2)
}

// tQuantile is the upper two-sided critical value of Student's t.
func tQuantile(level float64, degreesOfFreedom float64) float64 {
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: degreesOfFreedom}.Quantile((1 + level) / 2)
}

// PValues are the probabilities, if there were no effect, of a result at least
// as extreme: in either direction, towards less, towards more.
type PValues struct{ TwoSided, Less, Greater float64 }

// NormalP returns the p-values that a normal estimate with this interval would
// have. Each side uses the distance from the point to the end that faces zero,
// so that p and the interval agree on whether zero is excluded. It serves where
// no rank p exists: few and single runs, shares.
func NormalP(i Interval, level float64) PValues {
	z := normalQuantile(level)
	score := func(point, halfWidth float64) float64 {
		if halfWidth == 0 {
			return math.Copysign(math.Inf(1), point)
		}
		return point * z / halfWidth
	}
	if i.Point == 0 {
		return PValues{TwoSided: 1, Less: 0.5, Greater: 0.5}
	}
	halfWidth := i.Point - i.Low
	if i.Point < 0 {
		halfWidth = i.High - i.Point
	}
	s := score(i.Point, halfWidth)
	less := distuv.UnitNormal.CDF(s)
	greater := distuv.UnitNormal.CDF(-s)
	return PValues{TwoSided: min(1, 2*min(less, greater)), Less: less, Greater: greater}
}
