package aiperf

import (
	"math"
	"slices"

	"kernelwake/internal/stats"
)

// statistic numbers the figures that a summary gives of a metric.
type statistic int

const (
	average statistic = iota
	p1
	p5
	p10
	p25
	p50
	p75
	p90
	p95
	p99
	smallest
	largest
	deviation // population standard deviation
	valueCount
	valueSum
	statisticCount
)

// statisticNames are AIPerf's names.
var statisticNames = [statisticCount]string{"avg", "p1", "p5", "p10", "p25", "p50", "p75", "p90", "p95", "p99", "min", "max", "std", "count", "sum"}

// quantiles are the shares behind p1 to p99.
var quantiles = [...]float64{.01, .05, .10, .25, .50, .75, .90, .95, .99}

// metric is one metric of a summary, read or recomputed; NaN where it has no
// such figure.
type metric struct {
	unit    string
	figures [statisticCount]float64
}

func emptyMetric(unit string) metric {
	m := metric{unit: unit}
	for i := range m.figures {
		m.figures[i] = math.NaN()
	}
	return m
}

// single is a metric of one number.
func single(value float64, unit string) metric {
	m := emptyMetric(unit)
	m.figures[average] = value
	return m
}

// measured recomputes all figures of a metric from its values, as AIPerf does:
// quantiles by linear interpolation, the deviation by n.
func measured(values []float64, unit string) metric {
	m := emptyMetric(unit)
	n := len(values)
	if n == 0 {
		return m
	}
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	m.figures[average] = stats.Mean(values)
	for i, q := range quantiles {
		m.figures[p1+statistic(i)] = stats.QuantileSorted(sorted, q)
	}
	m.figures[smallest], m.figures[largest] = sorted[0], sorted[n-1]
	m.figures[deviation] = 0
	if n > 1 {
		m.figures[deviation] = stats.SD(values) * math.Sqrt(float64(n-1)/float64(n))
	}
	m.figures[valueCount] = float64(n)
	m.figures[valueSum] = m.figures[average] * float64(n)
	return m
}

// value returns the single number of a metric; NaN without one.
func (m metric) value() float64 { return m.figures[average] }
