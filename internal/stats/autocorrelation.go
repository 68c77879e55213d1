package stats

import (
	"math"

	"gonum.org/v1/gonum/dsp/fourier"
)

// directLags is how many lags are computed one by one before the rest is taken
// from a Fourier transform. Most series stop within it.
const directLags = 64

// Lag1 returns the autocorrelation of neighbours, 0 for a constant series or
// fewer than two samples.
func Lag1(samples []float64) float64 {
	if len(samples) < 2 {
		return 0
	}
	centred, variance := centre(samples)
	if variance == 0 {
		return 0
	}
	return autocovariance(centred, 1) / variance
}

// EffectiveSamplesAR1 returns n(1−ρ₁)/(1+ρ₁), the number of independent samples
// that would tell the mean as well if the series were autoregressive of order
// one. It is for display.
func EffectiveSamplesAR1(samples []float64) float64 {
	rho := Lag1(samples)
	return float64(len(samples)) * (1 - rho) / (1 + rho)
}

// EffectiveSamples returns n/(2τ), the number that the smallest sample for a
// tail quantile is held against.
func EffectiveSamples(samples []float64) float64 {
	return float64(len(samples)) / (2 * AutocorrelationTime(samples))
}

// AutocorrelationTime returns the integrated autocorrelation time
// τ = ½ + Σρ_k, summed while the pairs ρ_2j + ρ_2j+1 stay positive (the initial
// positive sequence of Geyer 1992) and below lag n/3. Independent samples have
// τ = ½; a series that alternates is held to ½, so that it never counts for
// more samples than it has.
func AutocorrelationTime(samples []float64) float64 {
	n := len(samples)
	if n < 2 {
		return 0.5
	}
	centred, variance := centre(samples)
	if variance == 0 {
		return 0.5
	}
	correlation := correlations(centred, variance)
	tau := 0.5
	for lag := 0; lag+1 < max(n/3, 2); lag += 2 {
		first, second := correlation(lag), correlation(lag+1)
		if first+second <= 0 {
			break
		}
		if lag > 0 {
			tau += first
		}
		tau += second
	}
	return max(tau, 0.5)
}

// correlations returns the autocorrelation at a lag, computed when asked for.
func correlations(centred []float64, variance float64) func(lag int) float64 {
	var all []float64
	return func(lag int) float64 {
		if lag < directLags || len(centred) < 2048 {
			return autocovariance(centred, lag) / variance
		}
		if all == nil {
			all = autocovariances(centred)
		}
		return all[lag] / variance
	}
}

// centre returns the deviations from the mean and their mean square.
func centre(samples []float64) (centred []float64, variance float64) {
	mean := Mean(samples)
	centred = make([]float64, len(samples))
	for i, v := range samples {
		centred[i] = v - mean
	}
	return centred, autocovariance(centred, 0)
}

// autocovariance returns Σx_i·x_{i+lag} / n. Four sums run beside each other,
// so that additions need not wait for one another.
func autocovariance(centred []float64, lag int) float64 {
	ahead := centred[lag:]
	behind := centred[:len(ahead)]
	var a, b, c, d float64
	for len(ahead) >= 4 && len(behind) >= 4 {
		a += float64(behind[0] * ahead[0])
		b += float64(behind[1] * ahead[1])
		c += float64(behind[2] * ahead[2])
		d += float64(behind[3] * ahead[3])
		ahead, behind = ahead[4:], behind[4:]
	}
	for i, x := range ahead {
		a += float64(behind[i] * x)
	}
	return (a + b + c + d) / float64(len(centred))
}

// autocovariances returns all lags at once, as the inverse transform of the
// squared transform of the series padded with as many zeros.
func autocovariances(centred []float64) []float64 {
	n := len(centred)
	size := 1 << int(math.Ceil(math.Log2(float64(2*n))))
	padded := make([]float64, size)
	copy(padded, centred)
	transform := fourier.NewFFT(size)
	coefficients := transform.Coefficients(nil, padded)
	for i, c := range coefficients {
		coefficients[i] = complex(real(c)*real(c)+imag(c)*imag(c), 0)
	}
	lags := transform.Sequence(padded, coefficients)[:n]
	for i := range lags {
		lags[i] /= float64(size) * float64(n)
	}
	return lags
}
