package aiperf

import (
	"fmt"
	"math"

	"kernelwake/internal/absent"
	"kernelwake/internal/evidence"
	"kernelwake/internal/stats"
)

// mixDimensions are the fields of the request mix.
func (m *material) mixDimensions() map[string]evidence.Dimension {
	all := map[string]evidence.Dimension{
		"tokenizer":             m.tokenizer(),
		"dataset":               m.dataset(),
		"random_seed":           m.seed(),
		"prompt_order_sha256":   m.promptOrder(),
		"request_bodies_sha256": m.requestBodies(),
		"isl":                   m.lengths(inputLength),
		"osl":                   m.lengths(outputLength),
		"streaming":             m.streamingDimension(),
		"sampling":              m.samplingDimension(),
		"prefix_sharing":        m.prefixSharing(),
		"turns":                 m.turns(),
	}
	all["arrival"], all["concurrency_or_rate"] = m.load()
	return all
}

// noConfiguration is the absence of what only a configuration tells.
func noConfiguration() evidence.Dimension {
	return unknown(absent.Lost, "no configuration of the run was found")
}

func (m *material) tokenizer() evidence.Dimension {
	switch {
	case m.configured.tokenizer != "":
		return observed(m.configured.tokenizer, m.configured.from+" tokenizer")
	case len(m.configured.models) == 1:
		return byDefault(m.configured.models[0], "AIPerf takes the model's own tokenizer")
	case m.configured.shape == "":
		return noConfiguration()
	}
	return unknown(absent.NotRecorded, "several models, each with its own tokenizer")
}

// dataset says where prompts come from and which lengths were asked for.
func (m *material) dataset() evidence.Dimension {
	d := m.configured.dataset
	if m.configured.shape == "" || d.kind == "" {
		return noConfiguration()
	}
	value := map[string]any{"type": d.kind}
	for name, word := range map[string]string{"path": d.path, "format": d.format, "endpoint": m.configured.endpointType} {
		if word != "" {
			value[name] = word
		}
	}
	if d.name != "" && d.name != "main" {
		value["name"] = d.name
	}
	if m.summary != nil && m.summary.publicDataset != "" {
		value["source"] = m.summary.publicDataset
	}
	if d.strategy != "" && d.strategy != "sequential" {
		value["sampling"] = d.strategy
	}
	if entries := m.entries(); entries > 0 {
		value["entries"] = entries
	}
	for name, length := range map[string]node{"isl": d.input, "osl": d.output} {
		if asked, ok := askedLength(length); ok {
			value[name] = asked
		}
	}
	return observed(value, m.configured.from+" data set")
}

// entries is how many prompts the data set has: as set, else what AIPerf from
// 0.10 on takes for synthetic prompts.
func (m *material) entries() float64 {
	if m.configured.dataset.entries > 0 || m.configured.shape != "v2" || m.configured.dataset.kind != "synthetic" {
		return m.configured.dataset.entries
	}
	if asked := m.askedFor(); asked > 0 {
		return asked
	}
	return 100
}

// askedLength writes a length as {mean, stddev}, whichever way it was given.
func askedLength(length node) (map[string]any, bool) {
	mean := meanOf(length)
	if mean == 0 {
		return nil, false
	}
	deviation, _ := length.at("stddev").number()
	return map[string]any{"mean": mean, "stddev": deviation}, true
}

// seed is the seed really used: in a sweep that is run_info's, while every
// cell's configuration repeats the first one.
func (m *material) seed() evidence.Dimension {
	if m.info.seed.known() {
		return observed(wholeNumber(m.info.seed), "run_info random_seed")
	}
	if m.configured.seed.known() {
		return observed(wholeNumber(m.configured.seed), m.configured.from+" random_seed")
	}
	if m.configured.shape == "" {
		return noConfiguration()
	}
	return unknown(absent.NotRecorded, "no seed was set: prompts differ from run to run")
}

// wholeNumber keeps integers that float64 can't hold as their digits.
func wholeNumber(n node) any {
	if whole, ok := n.integer(); ok && (whole > 1<<53 || whole < -(1<<53)) {
		return fmt.Sprint(whole)
	}
	return n.plain()
}

// lengths are the measured input or output lengths of good requests.
func (m *material) lengths(which tag) evidence.Dimension {
	if values := m.requests.column(which); m.whole && len(values) > 0 {
		quantiles := stats.Quantiles(values, 0.5, 0.9)
		return derived(map[string]any{"p50": quantiles[0], "p90": quantiles[1], "mean": stats.Mean(values)}, "records "+tagNames[which])
	}
	if m.summary != nil {
		if read, ok := m.summary.metrics[tagNames[which]]; ok {
			value := map[string]any{}
			for name, figure := range map[string]statistic{"p50": p50, "p90": p90, "mean": average} {
				if known := read.figures[figure]; !math.IsNaN(known) {
					value[name] = known
				}
			}
			if len(value) > 0 {
				return observed(value, "summary "+tagNames[which])
			}
		}
	}
	return unknown(absent.NotRecorded, "no good request tells it")
}

func (m *material) streamingDimension() evidence.Dimension {
	switch {
	case m.configured.shape != "":
		return observed(m.configured.streaming, m.configured.from+" endpoint.streaming")
	case m.inputs != nil && m.inputs.bodies > 0:
		return observed(m.inputs.streamed, "inputs.json, first body")
	case m.requests.values[firstToken] != nil:
		return derived(true, "records have a time to first token")
	}
	return noConfiguration()
}

func (m *material) samplingDimension() evidence.Dimension {
	if m.configured.shape == "" {
		return noConfiguration()
	}
	value := map[string]any{}
	for name, given := range m.configured.sampling {
		value[name] = given
	}
	return observed(value, m.configured.from+" extra inputs; what isn't set is the server's default")
}

func (m *material) prefixSharing() evidence.Dimension {
	d := m.configured.dataset
	switch {
	case d.prefix.known():
		return observed(d.prefix.plain(), m.configured.from+" prefix prompts")
	case d.kind == "synthetic":
		return byDefault(0.0, "synthetic prompts share no prefix unless asked to")
	case m.configured.shape == "":
		return noConfiguration()
	}
	return unknown(absent.NotRecorded, "prompts come from a file or a public data set")
}

// turns is how many requests a conversation has.
func (m *material) turns() evidence.Dimension {
	if mean := meanOf(m.configured.dataset.turns); mean > 1 {
		asked, _ := askedLength(m.configured.dataset.turns)
		return observed(asked, m.configured.from+" turns")
	}
	if !m.hasRecords() {
		if m.configured.dataset.kind == "synthetic" {
			return byDefault(1.0, "synthetic conversations have one turn unless asked for more")
		}
		return unknown(absent.NotRecorded, "there are no records")
	}
	var most int32
	conversations := map[uint64]struct{}{}
	for i, turn := range m.requests.turn {
		most = max(most, turn)
		conversations[m.requests.conversation[i]] = struct{}{}
	}
	if most == 0 {
		return derived(1.0, "records turn_index")
	}
	return derived(map[string]any{"most": float64(most) + 1, "mean": float64(m.requests.count()) / float64(len(conversations))}, "records turn_index")
}

// load is how requests arrive, and how many at once or a second.
func (m *material) load() (arrival, amount evidence.Dimension) {
	if len(m.configured.profiling) == 0 {
		return noConfiguration(), noConfiguration()
	}
	one := m.configured.profiling[0]
	from := m.configured.from + " profiling phase"
	switch {
	case one.arrival != "":
		arrival = observed(one.arrival, from)
	case one.rate > 0:
		arrival = byDefault("poisson", "AIPerf's default where only a rate is given")
	default:
		arrival = byDefault("closed", "AIPerf's default without a rate")
	}
	parts := map[string]any{}
	for name, value := range map[string]float64{"concurrency": one.concurrency, "rate": one.rate, "users": one.users, "smoothness": one.smooth} {
		if value > 0 {
			parts[name] = value
		}
	}
	switch {
	case len(parts) == 1 && one.concurrency > 0:
		amount = observed(one.concurrency, from)
	case len(parts) == 1 && one.rate > 0:
		amount = observed(one.rate, from)
	case len(parts) > 0:
		amount = observed(parts, from)
	case one.arrival == "fixed_schedule":
		amount = observed("schedule", from+": the data set's own times")
	default:
		amount = byDefault(1.0, "AIPerf's default concurrency")
	}
	if len(m.configured.profiling) > 1 {
		amount = unknown(absent.NotSupported, "several profiling phases with loads of their own")
	}
	return arrival, amount
}
