package aiperf

import (
	"encoding/json"
	"io"
	"math"
	"sort"
	"strconv"
	"strings"

	"kernelwake/internal/evidence"
	"kernelwake/internal/secret"
)

// serverMetrics is what the server's own /metrics page told, as AIPerf exports
// it over the profiling phase.
type serverMetrics struct {
	path               string
	version, benchmark string
	profiling          span
	engine             string
	// cacheConfig are the labels of vllm:cache_config_info.
	cacheConfig map[string]string
	models      []string
	// counters are totals over the phase, summed over engines; by reason for
	// request_success.
	counters map[string]float64
	reasons  map[string]float64
	gauges   map[string]gaugeFigures
	// histograms are in the metric's own unit, summed over engines.
	histograms map[string]histogram
	configured configuration
	endpoints  int
	damaged    bool
	secrets    secret.Report
}

type gaugeFigures struct{ mean, most float64 }

// histogram has cumulative counts up to each bound; the last bound is infinite.
type histogram struct {
	count, sum float64
	bounds     []float64
	cumulative []float64
}

func newServerMetrics(path string, keep bool) *serverMetrics {
	return &serverMetrics{
		path: path, secrets: secret.Report{Keep: keep}, profiling: span{missingInteger, missingInteger}, cacheConfig: map[string]string{}, counters: map[string]float64{},
		reasons: map[string]float64{}, gauges: map[string]gaugeFigures{}, histograms: map[string]histogram{},
	}
}

// engines are told by the prefix of their metrics' names.
var engines = []struct{ prefix, name string }{{"vllm:", "vllm"}, {"sglang:", "sglang"}, {"trtllm_", "tensorrt-llm"}, {"nv_trt_llm_", "tensorrt-llm"}, {"tgi_", "tgi"}, {"lmdeploy:", "lmdeploy"}}

func (m *serverMetrics) named(name string) {
	for _, one := range engines {
		if strings.HasPrefix(name, one.prefix) && m.engine == "" {
			m.engine = one.name
		}
	}
}

// readServerMetrics reads server_metrics_export.json metric by metric.
func readServerMetrics(path string, content io.Reader, limits evidence.Limits, keep bool) (*serverMetrics, error) {
	m := newServerMetrics(path, keep)
	source := newPieces(content, path, limits)
	decoder := json.NewDecoder(source)
	decoder.UseNumber()
	if err := m.read(source, decoder); err != nil {
		if limit := asFault(err); limit != nil {
			return nil, limit
		}
		m.damaged = true
	}
	return m, nil
}

func (m *serverMetrics) read(source *pieces, decoder *json.Decoder) error {
	if err := expect(decoder, json.Delim('{')); err != nil {
		return err
	}
	for decoder.More() {
		source.allow()
		name, err := decoder.Token()
		if err != nil {
			return err
		}
		if name == "metrics" {
			if err := m.readMetrics(source, decoder); err != nil {
				return err
			}
			continue
		}
		var value node
		if err := decoder.Decode(&value.value); err != nil {
			return err
		}
		m.member(name, value)
	}
	return expect(decoder, json.Delim('}'))
}

func (m *serverMetrics) member(name json.Token, value node) {
	value = redactDocument(&m.secrets, value, m.path)
	switch name {
	case "aiperf_version":
		m.version = value.text()
	case "benchmark_id":
		m.benchmark = value.text()
	case "input_config":
		m.configured = readConfiguration(value, "server metrics input_config")
	case "summary":
		m.endpoints = len(value.at("endpoints_successful").list())
		phase := value.at("phase_time_ranges", "profiling")
		start, okStart := phase.at("start_ns").integer()
		end, okEnd := phase.at("end_ns").integer()
		if okStart && okEnd {
			m.profiling = span{start, end}
		}
	}
}

func (m *serverMetrics) readMetrics(source *pieces, decoder *json.Decoder) error {
	if err := expect(decoder, json.Delim('{')); err != nil {
		return err
	}
	for decoder.More() {
		source.allow()
		token, err := decoder.Token()
		if err != nil {
			return err
		}
		var one node
		if err := decoder.Decode(&one.value); err != nil {
			return err
		}
		name, _ := token.(string)
		m.metric(name, redactDocument(&m.secrets, one, m.path))
	}
	return expect(decoder, json.Delim('}'))
}

func (m *serverMetrics) metric(name string, one node) {
	m.named(name)
	for _, series := range one.at("series").list() {
		labels := map[string]string{}
		for _, label := range series.at("labels").names() {
			labels[label] = series.at("labels", label).text()
		}
		figures := series.at("stats")
		switch one.at("type").text() {
		case "counter":
			m.counter(name, labels, figures.at("total").orNaN())
		case "histogram":
			m.histogram(name, readHistogram(figures, series.at("buckets")))
		default:
			m.gauge(name, labels, figures.at("avg").orNaN(), figures.at("max").orNaN())
		}
	}
}

// base is a metric's name without the ending that Prometheus adds to counters.
func base(name string) string { return strings.TrimSuffix(name, "_total") }

func (m *serverMetrics) counter(name string, labels map[string]string, total float64) {
	if math.IsNaN(total) {
		return
	}
	m.counters[base(name)] += total
	if reason := labels["finished_reason"]; reason != "" {
		m.reasons[reason] += total
	}
	m.model(labels)
}

func (m *serverMetrics) gauge(name string, labels map[string]string, mean, most float64) {
	m.model(labels)
	if strings.HasSuffix(name, "cache_config_info") {
		for label, value := range labels {
			m.info(label, value)
		}
		return
	}
	if math.IsNaN(mean) {
		return
	}
	// Running and waiting requests add up over engines; of shares the
	// largest one is shown.
	all := m.gauges[name]
	if strings.HasSuffix(name, "_perc") || strings.HasSuffix(name, "_usage") {
		all.mean, all.most = max(all.mean, mean), max(all.most, most)
	} else {
		all.mean, all.most = all.mean+mean, all.most+most
	}
	m.gauges[name] = all
}

func (m *serverMetrics) info(label, value string) {
	if label != "engine" && len(m.cacheConfig) < 200 {
		m.cacheConfig[label] = value
	}
}

func (m *serverMetrics) model(labels map[string]string) {
	name := labels["model_name"]
	if name == "" || len(m.models) > 16 {
		return
	}
	for _, known := range m.models {
		if known == name {
			return
		}
	}
	m.models = append(m.models, name)
}

func readHistogram(figures, buckets node) histogram {
	h := histogram{count: figures.at("count").orNaN(), sum: figures.at("sum").orNaN()}
	type bucket struct{ bound, count float64 }
	var all []bucket
	for _, name := range buckets.names() {
		bound := math.Inf(1)
		if name != "+Inf" {
			var err error
			if bound, err = strconv.ParseFloat(name, 64); err != nil {
				continue
			}
		}
		all = append(all, bucket{bound, buckets.at(name).orNaN()})
	}
	sort.Slice(all, func(a, b int) bool { return all[a].bound < all[b].bound })
	for _, one := range all {
		h.bounds = append(h.bounds, one.bound)
		h.cumulative = append(h.cumulative, one.count)
	}
	return h
}

// histogram adds one series; series of other bounds only count.
func (m *serverMetrics) histogram(name string, one histogram) {
	if math.IsNaN(one.count) {
		return
	}
	all, known := m.histograms[name]
	if !known {
		if math.IsNaN(one.sum) {
			one.sum = 0
		}
		m.histograms[name] = one
		return
	}
	all.count += one.count
	if !math.IsNaN(one.sum) {
		all.sum += one.sum
	}
	if len(all.bounds) != len(one.bounds) {
		all.bounds, all.cumulative = nil, nil
	}
	for i := range all.cumulative {
		if all.bounds[i] != one.bounds[i] {
			all.bounds, all.cumulative = nil, nil
			break
		}
		all.cumulative[i] += one.cumulative[i]
	}
	m.histograms[name] = all
}

// firstTokens is how many requests the server answered with a first token;
// false if it doesn't count them.
func (m *serverMetrics) firstTokens() (int64, bool) {
	if m == nil {
		return 0, false
	}
	h, ok := m.histograms["vllm:time_to_first_token_seconds"]
	return int64(h.count), ok
}

// hitRate is the share of prompt tokens found in the prefix cache.
func (m *serverMetrics) hitRate() (float64, bool) {
	queries := m.counters["vllm:prefix_cache_queries"]
	if queries <= 0 {
		return 0, false
	}
	return m.counters["vllm:prefix_cache_hits"] / queries, true
}

func (m *serverMetrics) retained() int64 {
	return int64(4096 + 64*(len(m.counters)+len(m.gauges)+len(m.cacheConfig)) + 1024*len(m.histograms))
}
