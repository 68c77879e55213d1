package aiperf

import (
	"math"
	"strings"

	"kernelwake/internal/stats"
)

// recompute derives a summary's metrics from the records, by AIPerf's own
// rules (docs/formats/aiperf.md, "Recomputed"). Rates use the denominator that
// the summary used, so that the two can be held against each other.
func (m *material) recompute() {
	m.recomputed = map[string]metric{}
	if !m.hasRecords() {
		return
	}
	r := m.requests
	for which := range tagCount {
		if r.values[which] != nil {
			m.recomputed[tagNames[which]] = measured(r.column(which), tagUnits[which])
		}
	}
	if r.gaps.seen > 0 {
		m.recomputed[chunkLatency] = r.gaps.measured()
	}
	m.recomputeCounts()
	m.recomputeTotals()
	if _, seconds := m.reportedDenominator(); seconds > 0 {
		m.recomputeRates(seconds)
	}
	m.recomputeServiceLevels()
}

// measured are the figures of all gaps; quantiles only while all were kept.
func (g *gapColumn) measured() metric {
	if !g.thinned() {
		return measured(g.kept, "ms")
	}
	m := emptyMetric("ms")
	m.figures[average], m.figures[smallest], m.figures[largest] = g.mean(), g.smallest, g.largest
	m.figures[valueCount], m.figures[valueSum] = float64(g.seen), g.sum+g.lost
	return m
}

func (m *material) recomputeCounts() {
	good, failed := float64(m.requests.good()), float64(m.requests.failed())
	if good > 0 {
		m.recomputed["request_count"] = single(good, "requests")
	}
	if failed > 0 {
		m.recomputed["error_request_count"] = single(failed, "requests")
	}
	m.recomputed["completed_request_count"] = single(good+failed, "requests")
	m.recomputed["request_error_rate"] = single(100*failed/(good+failed), "%")
	if content := m.requests.goodSpan(); content.known() {
		m.recomputed[benchmarkDuration] = single(m.durationAsReported(content), "sec")
	}
	mismatched, discrepant := m.requests.oddLengths()
	if m.requests.values[outputMismatch] != nil {
		m.recomputed["osl_mismatch_count"] = single(float64(mismatched), "requests")
	}
	if m.requests.values[usagePromptDifference] != nil || m.requests.values[usageCompletionDifference] != nil {
		m.recomputed["usage_discrepancy_count"] = single(float64(discrepant), "requests")
	}
}

// durationAsReported is the exact length of a span, or what comes of it when
// epoch nanoseconds are kept as float64, in steps of 256, as AIPerf has done
// since about 0.4: whichever the summary says.
func (m *material) durationAsReported(content span) float64 {
	exact, rounded := content.seconds(), (float64(content.end)-float64(content.start))/1e9
	if said := m.summary.value(benchmarkDuration); math.Abs(said-rounded) < math.Abs(said-exact) {
		return rounded
	}
	return exact
}

// oddLengths counts answers whose length is off what was asked by more than
// 5 % and 50 tokens at most, and requests whose token counts differ from the
// server's by more than 10 %.
func (r *requests) oddLengths() (mismatched, discrepant int64) {
	for i := range r.start {
		if _, _, off := r.lengthOff(i); off {
			mismatched++
		}
		for _, which := range []tag{usagePromptDifference, usageCompletionDifference, usageReasoningDifference} {
			if math.Abs(r.value(which, i)) > 10 {
				discrepant++
				break
			}
		}
	}
	return mismatched, discrepant
}

// lengthOff compares an answer's length with what was asked for.
func (r *requests) lengthOff(request int) (got, asked float64, off bool) {
	percent, got := r.value(outputMismatch, request), r.value(outputLength, request)
	if math.IsNaN(percent) || math.IsNaN(got) {
		return got, math.NaN(), false
	}
	if percent > -100 {
		asked = got / (1 + percent/100)
	}
	return got, asked, math.Abs(got-asked) > min(0.05*asked, 50)+1e-9
}

// totals sum a metric over good requests.
var totals = map[string]tag{
	"total_isl": inputLength, "total_osl": outputLength, "total_output_tokens": outputTokens, "total_reasoning_tokens": reasoningTokens,
	"total_error_isl": errorInputLength, "total_usage_prompt_tokens": usagePrompt, "total_usage_completion_tokens": usageCompletion,
	"total_usage_total_tokens": usageTotal,
}

func (m *material) recomputeTotals() {
	for name, which := range totals {
		if m.requests.values[which] != nil {
			m.recomputed[name] = single(m.total(which), "tokens")
		}
	}
}

func (m *material) total(which tag) float64 {
	values := m.requests.column(which)
	return stats.Mean(values) * float64(len(values))
}

func (m *material) recomputeRates(seconds float64) {
	rates := map[string]float64{"request_throughput": float64(m.requests.good())}
	if m.requests.values[outputLength] != nil {
		rates["output_token_throughput"] = m.total(outputLength)
	}
	if m.requests.values[inputLength] != nil {
		rates["input_token_throughput"] = m.total(inputLength)
		if m.requests.values[outputLength] != nil {
			rates["total_token_throughput"] = m.total(inputLength) + m.total(outputLength)
		}
	}
	if good, ok := m.withinLevels(); ok {
		rates["goodput"] = float64(good)
	}
	for name, amount := range rates {
		m.recomputed[name] = single(amount/seconds, "per sec")
	}
}

func (m *material) recomputeServiceLevels() {
	good, ok := m.withinLevels()
	if !ok {
		return
	}
	m.recomputed["good_request_count"] = single(float64(good), "requests")
	m.recomputed["good_request_fraction"] = single(float64(good)/float64(m.requests.count()), "ratio")
}

// withinLevels counts good requests that meet every service level. It is false
// where none was set, or one is on a metric that records aren't read for.
func (m *material) withinLevels() (int64, bool) {
	if len(m.configured.serviceLevels) == 0 {
		return 0, false
	}
	type level struct {
		which tag
		limit float64
		least bool
	}
	var levels []level
	for name, limit := range m.configured.serviceLevels {
		which, known := tagOf([]byte(name))
		if !known || tagNames[which] != name {
			return 0, false
		}
		levels = append(levels, level{which, limit, strings.Contains(name, "throughput")})
	}
	var good int64
	for i, failure := range m.requests.failure {
		if failure != 0 {
			continue
		}
		met := true
		for _, one := range levels {
			// A request that lacks the metric, such as the time between
			// tokens of a single one, is not good: NaN compares false.
			value := m.requests.value(one.which, i)
			met = met && (one.least && value >= one.limit || !one.least && value <= one.limit)
		}
		if met {
			good++
		}
	}
	return good, true
}
