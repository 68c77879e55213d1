package aiperf

import (
	"maps"
	"math"

	"kernelwake/internal/absent"
	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
)

// outcomes are the run's measured quantities, in the registry's order.
func (m *material) outcomes() []evidence.Outcome {
	order := m.requests.byStart()
	all := []evidence.Outcome{
		m.latency("ttft", firstToken, order),
		m.latency("tpot", tokenLatency, order),
		m.gapOutcome(order),
		m.latency("e2el", requestLatency, order),
	}
	all = append(all, m.phaseTimes()...)
	all = append(all,
		m.throughput("request_throughput", "request_throughput", m.goodCount()),
		m.throughput("output_token_throughput", "output_token_throughput", m.outputTokens()),
		m.goodput(), m.attainment(), m.errorRate())
	return append(all, m.resources()...)
}

// newOutcome is an outcome of the lens registry in its canonical unit.
func (m *material) newOutcome(name string, kind lens.Kind) evidence.Outcome {
	inference, _ := lens.Find(lens.Inference)
	registered, _ := inference.Outcome(name)
	return evidence.Outcome{Name: name, Unit: registered.Unit, Kind: kind, Definition: m.definitionOf(name), N: absent.Because[int64](absent.NotRecorded, "")}
}

func missing(o evidence.Outcome, reason absent.Reason, note string) evidence.Outcome {
	o.Absent, o.Note = reason, note
	o.N = absent.Because[int64](reason, note)
	return o
}

// latency is an outcome with one sample for each good request that has it,
// in the order of request starts.
func (m *material) latency(name string, which tag, order []int32) evidence.Outcome {
	if !m.whole || m.requests.values[which] == nil {
		return m.latencyOfSummary(name, tagNames[which])
	}
	o := m.newOutcome(name, lens.Samples)
	column := m.requests.values[which]
	origin := m.window.origin
	values, offsets := make([]float64, 0, len(column)), make([]float64, 0, len(column))
	for _, request := range order {
		if value := column[request]; !math.IsNaN(value) {
			values = append(values, value)
			offsets = append(offsets, offsetSeconds(m.requests.start[request], origin))
		}
	}
	o.Data = evidence.Table{Name: "samples", Columns: []evidence.Column{{Name: "v", Floats: values}, {Name: "at", Floats: offsets}}}
	o.N = absent.Of(int64(len(values)))
	o.Reported = m.reported(tagNames[which])
	return o
}

func offsetSeconds(at, origin int64) float64 {
	if at == missingInteger {
		return math.NaN()
	}
	return float64(at-origin) / 1e9
}

// gapOutcome pools the gaps between chunks.
func (m *material) gapOutcome(order []int32) evidence.Outcome {
	gaps := m.requests.gaps
	if !m.whole || gaps.seen == 0 {
		return m.latencyOfSummary("itl", chunkLatency)
	}
	o := m.newOutcome("itl", lens.Samples)
	o.Data = evidence.Table{Name: "samples", Columns: []evidence.Column{{Name: "v", Floats: gaps.ordered(order)}}}
	o.N = absent.Of(gaps.seen)
	o.Reported = m.reported(chunkLatency)
	if gaps.thinned() {
		o.Note = "one of every " + compact(float64(gaps.stride)) + " gaps was kept"
		m.find("samples_thinned", gaps.seen-int64(len(gaps.kept)), m.requests.path, "",
			"%d of %d gaps between chunks were kept, one of every %d in order; count, mean, smallest and largest are of all", len(gaps.kept), gaps.seen, gaps.stride)
	}
	return o
}

// summaryStatistics maps our names of statistics to the summary's.
var summaryStatistics = map[string]statistic{"mean": average, "p50": p50, "p90": p90, "p95": p95, "p99": p99, "min": smallest, "max": largest, "value": average}

// reported is what the summary says of a metric, under our names.
func (m *material) reported(name string) map[string]float64 {
	if m.summary == nil {
		return nil
	}
	read, ok := m.summary.metrics[name]
	if !ok {
		return nil
	}
	factor, known := inUnit(read.unit, "ms")
	if !known {
		return nil
	}
	figures := map[string]float64{}
	for ours, theirs := range summaryStatistics {
		if value := read.figures[theirs]; ours != "value" && !math.IsNaN(value) {
			figures[ours] = value * factor
		}
	}
	return figures
}

// latencyOfSummary gives a latency by the summary's figures, or says why there
// is none.
func (m *material) latencyOfSummary(name, metricName string) evidence.Outcome {
	o := m.newOutcome(name, lens.Summary)
	figures := m.reported(metricName)
	if len(figures) == 0 {
		reason, note := m.whyNoLatency(name)
		return missing(o, reason, note)
	}
	o.Statistics, o.Reported = maps.Clone(figures), figures
	read := m.summary.metrics[metricName].figures
	if count := read[valueCount]; !math.IsNaN(count) {
		o.N = absent.Of(int64(count))
		if count > 1 && !math.IsNaN(read[deviation]) { // the summary divides by n
			factor, _ := inUnit(m.summary.metrics[metricName].unit, "ms")
			o.Statistics["sd"] = read[deviation] * factor * math.Sqrt(count/(count-1))
		}
	} else if count, ok := m.summary.requests(); ok && name == "e2el" {
		o.N = absent.Of(count)
	}
	return o
}

func (m *material) whyNoLatency(name string) (absent.Reason, string) {
	switch {
	case m.hasRecords() && m.requests.good() == 0:
		return absent.Failed, "no request succeeded"
	case m.summary == nil && !m.hasRecords():
		return absent.Lost, "neither a summary nor a measured request was recorded"
	case name != "e2el" && !m.streamed():
		return absent.NotApplicable, "answers were not streamed"
	case m.summary != nil && m.summary.cancelled:
		return absent.Lost, "the run was cancelled before its results were written"
	}
	return absent.NotRecorded, "AIPerf gave no such metric"
}

// streamed reports whether answers came in chunks.
func (m *material) streamed() bool {
	if m.configured.shape != "" {
		return m.configured.streaming
	}
	return m.requests.values[firstToken] != nil || m.inputs != nil && m.inputs.streamed
}
