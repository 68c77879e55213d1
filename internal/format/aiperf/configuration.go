package aiperf

import "strings"

// configuration is what a run was asked to do, from either shape of
// input_config. Only what was set is written there, so most may be unknown.
type configuration struct {
	// shape is "v1" (UserConfig, up to 0.9), "v2" (BenchmarkConfig) or empty.
	shape string
	// from names the document it was read from.
	from                string
	models              []string
	tokenizer           string
	tokenizerRevision   string
	endpointType        string
	streaming           bool
	serverTokens        bool
	perChunkUsage       bool
	sampling            map[string]any // extra inputs of every request
	dataset             datasetConfig
	profiling           []phaseConfig
	warmup              []phaseConfig
	serviceLevels       map[string]float64
	seed                node
	cancellationPercent float64
}

// datasetConfig is where prompts come from and which lengths were asked for.
type datasetConfig struct {
	kind, name, path, format, strategy string
	entries                            float64 // 0 is not given
	input, output                      node    // a number, or {mean, stddev}
	turns                              node
	prefix                             node
}

// phaseConfig is the load of one phase.
type phaseConfig struct {
	name, arrival                           string
	requests, sessions, duration            float64
	concurrency, rate, users, grace, smooth float64
}

// readConfiguration reads an input_config of either shape.
func readConfiguration(input node, from string) configuration {
	switch {
	case !input.known():
		return configuration{}
	case input.at("models").known() || input.at("phases").known() || input.at("datasets").known():
		return readV2(input, from)
	default:
		return readV1(input, from)
	}
}

func readV2(input node, from string) configuration {
	endpoint := input.at("endpoint")
	c := configuration{
		shape: "v2", from: from, endpointType: endpoint.at("type").text(),
		tokenizer: input.at("tokenizer", "name").text(), tokenizerRevision: input.at("tokenizer", "revision").text(),
		sampling: extraInputs(endpoint.at("extra")), serviceLevels: limitsOf(input.at("slos")),
	}
	c.streaming, _ = endpoint.at("streaming").flag()
	c.serverTokens, _ = endpoint.at("use_server_token_count").flag()
	c.perChunkUsage, _ = endpoint.at("per_chunk_usage").flag()
	for _, item := range input.at("models", "items").list() {
		c.models = append(c.models, item.at("name").text())
	}
	for i, dataset := range input.at("datasets").list() {
		if i > 0 && dataset.at("name").text() != "main" {
			continue
		}
		c.dataset = datasetV2(dataset)
		c.seed = dataset.at("random_seed")
	}
	for _, one := range input.at("phases").list() {
		load := phaseV2(one)
		excluded, _ := one.at("exclude_from_results").flag()
		if excluded || one.at("kind").text() == "warmup" || load.name == "warmup" {
			c.warmup = append(c.warmup, load)
		} else {
			c.profiling = append(c.profiling, load)
		}
	}
	return c
}

func datasetV2(dataset node) datasetConfig {
	prompts := dataset.at("prompts")
	d := datasetConfig{
		kind: dataset.at("type").text(), name: dataset.at("name").text(), path: dataset.first("path", "dataset", "source", "hf_dataset_name").text(),
		format: dataset.at("format").text(), strategy: dataset.at("sampling").text(), input: prompts.at("isl"), output: prompts.at("osl"),
		turns: dataset.at("turns"), prefix: dataset.first("prefix_prompt", "prefix_prompts", "prefix"),
	}
	if !d.prefix.known() {
		d.prefix = prompts.first("prefix_prompt", "prefix_prompts", "prefix")
	}
	d.entries, _ = dataset.at("entries").number()
	return d
}

func phaseV2(one node) phaseConfig {
	p := phaseConfig{name: one.at("name").text(), arrival: arrivalOf(one.at("type").text())}
	p.requests, _ = one.at("requests").number()
	p.sessions, _ = one.at("sessions").number()
	p.duration, _ = one.at("duration").number()
	p.concurrency, _ = one.at("concurrency").number()
	p.rate, _ = one.at("rate").number()
	p.users, _ = one.at("users").number()
	p.grace, _ = one.at("grace_period").number()
	p.smooth, _ = one.first("smoothness", "burstiness").number()
	return p
}

func readV1(input node, from string) configuration {
	endpoint, prompts, load := input.at("endpoint"), input.at("input"), input.at("loadgen")
	c := configuration{
		shape: "v1", from: from, endpointType: endpoint.at("type").text(), tokenizer: input.at("tokenizer", "name").text(),
		tokenizerRevision: input.at("tokenizer", "revision").text(), sampling: extraInputs(prompts.at("extra")),
		serviceLevels: limitsOf(prompts.at("goodput")), seed: prompts.at("random_seed"),
	}
	c.streaming, _ = endpoint.at("streaming").flag()
	c.serverTokens, _ = endpoint.at("use_server_token_count").flag()
	for _, name := range endpoint.at("model_names").list() {
		c.models = append(c.models, name.text())
	}
	c.dataset = datasetV1(prompts)
	c.cancellationPercent, _ = load.at("request_cancellation_rate").number()
	one := phaseConfig{name: "profiling", arrival: arrivalOf(load.first("arrival_pattern", "request_rate_mode").text())}
	one.requests, _ = load.at("request_count").number()
	one.duration, _ = load.at("benchmark_duration").number()
	one.concurrency, _ = load.at("concurrency").number()
	one.rate, _ = load.at("request_rate").number()
	one.grace, _ = load.at("benchmark_grace_period").number()
	c.profiling = []phaseConfig{one}
	if count, ok := load.at("warmup_request_count").number(); ok && count > 0 {
		c.warmup = []phaseConfig{{name: "warmup", arrival: one.arrival, requests: count, concurrency: one.concurrency}}
	}
	return c
}

func datasetV1(input node) datasetConfig {
	d := datasetConfig{
		kind: "synthetic", path: input.at("file").text(), format: input.at("custom_dataset_type").text(), strategy: input.at("dataset_sampling_strategy").text(),
		input: input.at("prompt", "input_tokens"), output: input.at("prompt", "output_tokens"), turns: input.at("conversation", "turn"), prefix: input.at("prompt", "prefix_prompt"),
	}
	switch public := input.at("public_dataset").text(); {
	case public != "":
		d.kind, d.name = "public", public
	case d.path != "":
		d.kind = "file"
	}
	d.entries, _ = input.at("conversation").first("num_dataset_entries", "num").number()
	return d
}

// arrivalOf names how requests arrive: a closed loop, or an open one of some
// process.
func arrivalOf(name string) string {
	switch name {
	case "concurrency", "concurrency_burst":
		return "closed"
	}
	return name
}

// extraInputs reads what is added to every request body: an object, or before
// 0.10 a list of pairs.
func extraInputs(extra node) map[string]any {
	inputs := map[string]any{}
	for _, name := range extra.names() {
		inputs[name] = extra.at(name).plain()
	}
	for _, pair := range extra.list() {
		if both := pair.list(); len(both) == 2 && both[0].text() != "" {
			inputs[both[0].text()] = both[1].plain()
		}
	}
	return inputs
}

// limitsOf reads service levels: the limit of each metric, in AIPerf's units.
func limitsOf(levels node) map[string]float64 {
	limits := map[string]float64{}
	for _, name := range levels.names() {
		if limit, ok := levels.at(name).number(); ok {
			limits[name] = limit
		}
	}
	return limits
}

// load is the load of the profiling phase in words: "concurrency=4".
func (c configuration) load() string {
	if len(c.profiling) == 0 {
		return ""
	}
	var parts []string
	one := c.profiling[0]
	if one.concurrency > 0 {
		parts = append(parts, "concurrency="+compact(one.concurrency))
	}
	if one.rate > 0 {
		parts = append(parts, "rate="+compact(one.rate))
	}
	if one.users > 0 {
		parts = append(parts, "users="+compact(one.users))
	}
	return strings.Join(parts, ", ")
}
