package aiperf

import (
	"math"

	"kernelwake/internal/absent"
	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
)

// goodCount is how many requests succeeded, by the records.
func (m *material) goodCount() float64 {
	if !m.whole {
		return math.NaN()
	}
	return float64(m.requests.good())
}

func (m *material) outputTokens() float64 {
	if !m.whole || m.requests.values[outputLength] == nil {
		return math.NaN()
	}
	return m.total(outputLength)
}

// throughput is an amount over the time from the first start to the last
// content of good requests; without records it is the summary's own figure,
// whose denominator is named.
func (m *material) throughput(name, metricName string, amount float64) evidence.Outcome {
	content := m.requests.goodSpan()
	if !m.whole || math.IsNaN(amount) || !content.known() || content.end == content.start {
		return m.throughputOfSummary(name, metricName)
	}
	o := m.newOutcome(name, lens.Total)
	o.Definition.Denominator = firstStartToLastContent
	seconds := content.seconds()
	o.Numerator, o.Denominator = &amount, &seconds
	o.Statistics = map[string]float64{"value": amount / seconds}
	o.N = absent.Of(m.requests.good())
	if said := m.summary.value(metricName); !math.IsNaN(said) {
		o.Reported = map[string]float64{"value": said}
	}
	return o
}

func (m *material) throughputOfSummary(name, metricName string) evidence.Outcome {
	o := m.newOutcome(name, lens.Total)
	said := m.summary.value(metricName)
	if math.IsNaN(said) {
		reason, note := m.whyNoLatency("e2el")
		return missing(o, reason, note)
	}
	denominator, _ := m.reportedDenominator()
	if denominator == "" {
		denominator = "not named by the summary"
	}
	o.Definition.Denominator = denominator
	o.Statistics = map[string]float64{"value": said}
	o.Reported = map[string]float64{"value": said}
	if count, ok := m.summary.requests(); ok {
		o.N = absent.Of(count)
	}
	return o
}

// goodput counts the requests inside every service level.
func (m *material) goodput() evidence.Outcome {
	if len(m.configured.serviceLevels) == 0 {
		return missing(m.newOutcome("goodput", lens.Total), absent.NotApplicable, "no service levels were set")
	}
	good, ok := m.withinLevels()
	if !ok {
		return m.throughputOfSummary("goodput", "goodput")
	}
	return m.throughput("goodput", "goodput", float64(good))
}

// attainment is the share of all requests, failed ones too, inside every
// service level.
func (m *material) attainment() evidence.Outcome {
	o := m.newOutcome("slo_attainment", lens.RatioKind)
	if len(m.configured.serviceLevels) == 0 {
		return missing(o, absent.NotApplicable, "no service levels were set")
	}
	o.Definition.Denominator = "good_and_failed_requests"
	if good, ok := m.withinLevels(); ok && m.whole && m.hasRecords() {
		return m.share(o, float64(good), float64(m.requests.count()), "good_request_fraction", 1)
	}
	fraction, all := m.summary.value("good_request_fraction"), m.summaryAll()
	if math.IsNaN(fraction) || math.IsNaN(all) || all == 0 {
		return missing(o, absent.NotRecorded, "the summary gives no share of good requests with its count")
	}
	return m.share(o, math.Round(fraction*all), all, "good_request_fraction", 1)
}

// errorRate is the share of failed requests; those cancelled without a record
// stand apart.
func (m *material) errorRate() evidence.Outcome {
	o := m.newOutcome("error_rate", lens.RatioKind)
	o.Definition.Denominator = "good_and_failed_requests"
	if m.whole && m.hasRecords() {
		return m.share(o, float64(m.requests.failed()), float64(m.requests.count()), "request_error_rate", 0.01)
	}
	all := m.summaryAll()
	if math.IsNaN(all) || all == 0 {
		reason, note := m.whyNoLatency("e2el")
		return missing(o, reason, note)
	}
	return m.share(o, m.summaryFailed(), all, "request_error_rate", 0.01)
}

// share fills a ratio of requests; the summary's word for it is in a unit of
// its own.
func (m *material) share(o evidence.Outcome, part, all float64, metricName string, factor float64) evidence.Outcome {
	o.Numerator, o.Denominator, o.Basis = &part, &all, "{request}"
	o.Statistics = map[string]float64{"value": part / all}
	o.N = absent.Of(int64(all))
	if said := m.summary.value(metricName); !math.IsNaN(said) {
		o.Reported = map[string]float64{"value": said * factor}
	}
	return o
}

// summaryFailed is how many requests failed by the summary; it leaves the
// metric out when none did.
func (m *material) summaryFailed() float64 {
	if failed := m.summary.value("error_request_count"); !math.IsNaN(failed) {
		return failed
	}
	var all float64
	if m.summary != nil {
		for _, group := range m.summary.failures {
			all += float64(group.count)
		}
	}
	return all
}

// summaryAll is how many requests ended by the summary; NaN if it doesn't say.
func (m *material) summaryAll() float64 {
	good := m.summary.value("request_count")
	failed := m.summaryFailed()
	if math.IsNaN(good) {
		if failed == 0 {
			return math.NaN()
		}
		good = 0
	}
	return good + failed
}
