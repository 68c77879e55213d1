package aiperf

import (
	"math"

	"kernelwake/internal/absent"
	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
)

// serverPhases are the phases of a request that vLLM measures itself.
var serverPhases = []struct{ phase, metric string }{
	{"queue", "vllm:request_queue_time_seconds"},
	{"prefill", "vllm:request_prefill_time_seconds"},
	{"decode", "vllm:request_decode_time_seconds"},
}

// phaseTimes are given only where the server's histograms are.
func (m *material) phaseTimes() []evidence.Outcome {
	if m.server == nil {
		return nil
	}
	var all []evidence.Outcome
	for _, one := range serverPhases {
		h, ok := m.server.histograms[one.metric]
		if !ok || h.count <= 0 || len(h.bounds) < 2 {
			continue
		}
		bounds, counts, ok := h.spread()
		if !ok {
			continue
		}
		o := m.newOutcome("phase_time", lens.Histogram)
		o.Phase = one.phase
		o.Definition.Success = ""
		o.Definition.Aggregation = 1
		o.Bounds, o.Counts = bounds, counts
		o.Statistics = map[string]float64{"mean": h.sum / h.count * 1000}
		o.N = absent.Of(int64(h.count))
		o.Note = "measured by the server (" + one.metric + "); short runs can hold warm-up requests"
		all = append(all, o)
	}
	return all
}

// spread turns cumulative counts up to bounds in seconds into counts between
// bounds in milliseconds, the last being the overflow. It is false where the
// counts fall, as after a restart of the server.
func (h histogram) spread() (bounds []float64, counts []int64, ok bool) {
	var before float64
	for i, bound := range h.bounds {
		count := h.cumulative[i] - before
		if math.IsNaN(count) || count < 0 || count > 1e15 {
			return nil, nil, false
		}
		before = h.cumulative[i]
		counts = append(counts, int64(math.Round(count)))
		if !math.IsInf(bound, 1) {
			bounds = append(bounds, bound*1000)
		}
	}
	if len(counts) == len(bounds) { // no +Inf bucket: what is beyond is the rest
		counts = append(counts, max(0, int64(h.count-before)))
	}
	return bounds, counts, true
}
