package aiperf

import (
	"math"
	"strings"
)

// serverFigures are highlights of the server's own metrics over the phase.
type serverFigures struct {
	Engine      string             `json:"engine,omitempty"`
	Endpoints   int                `json:"endpoints"`
	Models      []string           `json:"models,omitempty"`
	CacheConfig map[string]string  `json:"cache_config,omitempty"`
	Finished    map[string]float64 `json:"finished_requests,omitempty"`
	// HitRate is prefix cache hits ÷ queries, in tokens.
	HitRate     *float64                   `json:"prefix_cache_hit_rate,omitempty"`
	Totals      map[string]float64         `json:"totals,omitempty"`
	Gauges      map[string]gaugeFigure     `json:"gauges,omitempty"`
	Times       map[string]histogramFigure `json:"times_ms,omitempty"`
	FirstTokens *int64                     `json:"requests_with_first_token,omitempty"`
}

type gaugeFigure struct {
	Mean *float64 `json:"mean,omitempty"`
	Most *float64 `json:"max,omitempty"`
}

type histogramFigure struct {
	Count float64  `json:"count"`
	Mean  *float64 `json:"mean,omitempty"`
}

// highlights are the counters, gauges and times that are shown, by vLLM's
// names without the prefix.
var (
	highlightTotals = []string{"prompt_tokens", "generation_tokens", "prefix_cache_hits", "prefix_cache_queries", "num_preemptions"}
	highlightGauges = []string{"num_requests_running", "num_requests_waiting", "kv_cache_usage_perc", "gpu_cache_usage_perc"}
	highlightTimes  = []string{
		"time_to_first_token_seconds", "inter_token_latency_seconds", "request_time_per_output_token_seconds", "e2e_request_latency_seconds",
		"request_queue_time_seconds", "request_prefill_time_seconds", "request_decode_time_seconds", "request_inference_time_seconds",
	}
)

func (m *material) serverFigures() *serverFigures {
	s := m.server
	if s == nil {
		return nil
	}
	f := &serverFigures{
		Engine: s.engine, Endpoints: s.endpoints, Models: s.models, CacheConfig: s.cacheConfig, Finished: s.reasons,
		Totals: map[string]float64{}, Gauges: map[string]gaugeFigure{}, Times: map[string]histogramFigure{},
	}
	if rate, ok := s.hitRate(); ok {
		f.HitRate = finite(rate)
	}
	for _, name := range highlightTotals {
		if total, ok := s.counters["vllm:"+name]; ok && finite(total) != nil {
			f.Totals[name] = total
		}
	}
	for _, name := range highlightGauges {
		if gauge, ok := s.gauges["vllm:"+name]; ok {
			f.Gauges[name] = gaugeFigure{finite(gauge.mean), finite(gauge.most)}
		}
	}
	for _, name := range highlightTimes {
		h, ok := s.histograms["vllm:"+name]
		if !ok || math.IsNaN(h.count) || math.IsInf(h.count, 0) {
			continue
		}
		one := histogramFigure{Count: h.count}
		if h.count > 0 {
			one.Mean = finite(h.sum / h.count * 1000)
		}
		f.Times[strings.TrimSuffix(name, "_seconds")] = one
	}
	if count, ok := s.firstTokens(); ok {
		f.FirstTokens = &count
	}
	return f
}
