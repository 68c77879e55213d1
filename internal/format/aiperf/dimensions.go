package aiperf

import (
	"math"
	"sort"
	"strings"

	"kernelwake/internal/absent"
	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
)

func observed(value any, from string) evidence.Dimension {
	return evidence.Dimension{Value: value, Source: evidence.Observed, From: from}
}

func derived(value any, from string) evidence.Dimension {
	return evidence.Dimension{Value: value, Source: evidence.Derived, From: from}
}

// byDefault is the documented behaviour of the tool where nothing was set.
func byDefault(value any, from string) evidence.Dimension {
	return evidence.Dimension{Value: value, Source: evidence.DefaultTool, From: from}
}

func unknown(reason absent.Reason, note string) evidence.Dimension {
	return evidence.Dimension{Absent: reason, Note: note}
}

// dimensions are all fields of the inference lens: what AIPerf tells, and for
// the others why not.
func (m *material) dimensions() map[string]evidence.Dimension {
	all := m.mixDimensions()
	all["model"] = m.model()
	all["measured_on"] = unknown(absent.NotRecorded, "AIPerf doesn't record what the server runs on")
	all["measured_at"] = byDefault("client", "AIPerf measures at the client")
	all["load_tool"] = observed(m.summary.tool(), "summary aiperf_version")
	if m.summary == nil {
		all["load_tool"] = m.toolWithoutSummary()
	}
	all["window"] = m.windowDimension()
	all["cache_state"] = m.cacheState()
	m.serverDimensions(all)
	m.deviceDimensions(all)
	inference, _ := lens.Find(lens.Inference)
	for _, field := range inference.Fields {
		if _, given := all[field.Key]; given || field.Key == "completeness" || field.Key == "profiler" {
			continue // completeness stands in the capture itself; only traces have a profiler
		}
		all[field.Key] = unknown(absent.NotRecorded, "AIPerf doesn't record it")
	}
	return all
}

func (m *material) toolWithoutSummary() evidence.Dimension {
	if m.server != nil && m.server.version != "" {
		return observed("aiperf "+m.server.version, "server metrics aiperf_version")
	}
	return unknown(absent.NotRecorded, "records don't name AIPerf's version")
}

func (m *material) model() evidence.Dimension {
	if len(m.configured.models) > 0 {
		names := make([]any, len(m.configured.models))
		for i, name := range m.configured.models {
			names[i] = name
		}
		if len(names) == 1 {
			return observed(names[0], m.configured.from+" models")
		}
		return observed(names, m.configured.from+" models")
	}
	if m.inputs != nil && m.inputs.model != "" {
		return observed(m.clean(m.inputs.model), "inputs.json, first body")
	}
	return unknown(absent.NotRecorded, "no configuration names a model")
}

// windowDimension says how long was measured; whether it was steady is judged
// from the samples.
func (m *material) windowDimension() evidence.Dimension {
	if m.window.from == "" || math.IsNaN(m.window.seconds) {
		return unknown(absent.NotRecorded, "nothing says how long was measured")
	}
	value := map[string]any{"seconds": m.window.seconds, "warmup_excluded": true}
	if warmups, ok := m.warmups(); ok {
		value["warmup_requests"] = warmups
	}
	return derived(value, m.window.from)
}

// warmups counts the requests before the measured phase.
func (m *material) warmups() (float64, bool) {
	switch {
	case m.manifest != nil:
		return float64(m.manifest.warmups), true
	case m.requests.warmups > 0:
		return float64(m.requests.warmups), true
	case m.configured.shape != "" && len(m.configured.warmup) == 0:
		return 0, true
	case len(m.configured.warmup) > 0 && m.configured.warmup[0].requests > 0:
		return m.configured.warmup[0].requests, true
	}
	return 0, false
}

// cacheState is what the server counted of its prefix cache, and whether
// prompts of the warm-up were sent again.
func (m *material) cacheState() evidence.Dimension {
	again, counted := m.warmupPromptsAgain()
	if m.server == nil {
		note := "no server metrics of the prefix cache"
		if counted && again > 0 {
			note += "; " + compact(float64(again)) + " measured prompts had been sent in the warm-up"
		}
		return unknown(absent.NotRecorded, note)
	}
	value := map[string]any{}
	switch strings.ToLower(m.server.cacheConfig["enable_prefix_caching"]) {
	case "true":
		value["prefix_cache"] = "on"
	case "false":
		value["prefix_cache"] = "off"
	}
	if rate, ok := m.server.hitRate(); ok {
		value["hit_rate"] = rate
	}
	if len(value) == 0 {
		return unknown(absent.NotRecorded, "the server's metrics say nothing of a prefix cache")
	}
	if counted {
		value["warmup_prompts_again"] = float64(again)
	}
	return derived(value, "server metrics: prefix cache hits ÷ queries over the phase")
}

// warmupPromptsAgain counts measured requests of conversations that the
// warm-up had sent.
func (m *material) warmupPromptsAgain() (int64, bool) {
	if len(m.requests.warmupConversations) == 0 {
		return 0, m.hasRecords() && m.configured.shape != "" && len(m.configured.warmup) == 0
	}
	var again int64
	for _, id := range m.requests.conversation {
		if _, ok := m.requests.warmupConversations[id]; ok {
			again++
		}
	}
	return again, true
}

// serverDimensions are what the server's metrics show of its engine. Its
// command line isn't among them: the cache's settings stand in the figures.
func (m *material) serverDimensions(all map[string]evidence.Dimension) {
	if m.server == nil {
		return
	}
	if m.server.engine != "" {
		all["engine"] = derived(m.server.engine, "names of the server's metrics")
	}
	if kind := m.server.cacheConfig["cache_dtype"]; kind != "" && kind != "auto" {
		all["kv_dtype"] = observed(kind, "vllm:cache_config_info cache_dtype")
	}
	if len(m.server.cacheConfig) > 0 {
		all["engine_args"] = unknown(absent.NotRecorded, "the command line isn't recorded; settings of the cache are in the figures under server.cache_config")
	}
}

// devices are the GPUs seen, by telemetry of the run or by the summary.
func (m *material) devices() ([]gpu, string) {
	if m.telemetry != nil && len(m.telemetry.gpus) > 0 {
		return m.telemetry.within(m.window.span), "GPU telemetry: devices the exporter sees, not proven to serve the model"
	}
	if m.summary != nil && len(m.summary.gpus) > 0 {
		return m.summary.gpus, "summary telemetry_data: devices the exporter sees, not proven to serve the model"
	}
	return nil, ""
}

func (m *material) deviceDimensions(all map[string]evidence.Dimension) {
	gpus, from := m.devices()
	if len(gpus) == 0 {
		for _, key := range []string{"gpu_model", "gpu_count", "gpu_memory"} {
			all[key] = unknown(absent.NotRecorded, "a load run says nothing of its server, and no GPU telemetry was recorded")
		}
		return
	}
	busy := busyOnes(gpus)
	if len(busy) < len(gpus) {
		from += "; " + compact(float64(len(busy))) + " of " + compact(float64(len(gpus))) + " were busy"
	}
	all["gpu_count"] = observed(float64(len(busy)), from)
	all["gpu_model"] = oneOrMany(busy, from, func(g gpu) any { return text(g.model) })
	all["gpu_memory"] = oneOrMany(busy, from, func(g gpu) any { return number(g.memoryTotal) })
	all["power_limit"] = oneOrMany(busy, from, func(g gpu) any { return number(g.powerLimit) })
	var ids []string
	for _, one := range busy {
		if one.uuid != "" {
			ids = append(ids, one.digest())
		}
	}
	if sort.Strings(ids); len(ids) > 0 {
		all["host_id"] = derived("gpu:"+strings.Join(ids, ","), "digests of the GPUs' UUIDs")
	}
}

// busyOnes are the devices that did something; those that did nothing aren't
// counted as used, unless none did.
func busyOnes(gpus []gpu) []gpu {
	var busy []gpu
	for _, one := range gpus {
		if math.IsNaN(one.utilizationMost) || one.utilizationMost > 0 {
			busy = append(busy, one)
		}
	}
	if len(busy) == 0 {
		return gpus
	}
	return busy
}

func text(value string) any {
	if value == "" {
		return nil
	}
	return value
}

func number(value float64) any {
	if math.IsNaN(value) {
		return nil
	}
	return value
}

// oneOrMany is the value all devices share, or the list of them.
func oneOrMany(gpus []gpu, from string, of func(gpu) any) evidence.Dimension {
	values := make([]any, len(gpus))
	same := true
	for i, one := range gpus {
		values[i] = of(one)
		if values[i] == nil {
			return unknown(absent.NotRecorded, "GPU telemetry doesn't have it")
		}
		same = same && values[i] == values[0]
	}
	if same {
		return observed(values[0], from)
	}
	return observed(values, from)
}
