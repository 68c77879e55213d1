package aiperf

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kernelwake/internal/absent"
	"kernelwake/internal/evidence"
)

// bodies is an inputs.json with one body a conversation.
func bodies(model string, prompts ...string) member {
	var sessions []string
	for i, prompt := range prompts {
		sessions = append(sessions, fmt.Sprintf(`{"session_id":"session_%06d","payloads":[{"messages":[{"role":"user","content":%q}],"model":%q,"stream":true,"max_completion_tokens":32}]}`, i, prompt, model))
	}
	return member{"run/inputs.json", []byte(`{"data":[` + strings.Join(sessions, ",\n ") + `]}`)}
}

func bodiesDigest(t testing.TB, inputs member) string {
	t.Helper()
	digest, _ := one(t, append(madeUp(t, small), inputs)).Dimensions["request_bodies_sha256"].Value.(string)
	return digest
}

func TestRequestBodiesAreEqualWhenThePromptsAreWhateverTheModelIsCalled(t *testing.T) {
	base := bodiesDigest(t, bodies("a", "x", "y"))
	if base == "" || bodiesDigest(t, bodies("b", "x", "y")) != base {
		t.Error("another model's name changes the digest of the bodies")
	}
	spaced := bodies("a", "x", "y")
	spaced.text = []byte(strings.ReplaceAll(string(spaced.text), `"stream":true,"max_completion_tokens":32`, "\"max_completion_tokens\" : 32,\n \"stream\": true"))
	if bodiesDigest(t, spaced) != base {
		t.Error("white space or the order of members changes the digest of the bodies")
	}
	for name, other := range map[string]member{
		"other prompt": bodies("a", "x", "z"), "other order": bodies("a", "y", "x"), "one more": bodies("a", "x", "y", "z"),
		"other length": {"run/inputs.json", []byte(strings.ReplaceAll(string(bodies("a", "x", "y").text), ":32}", ":48}"))},
	} {
		if bodiesDigest(t, other) == base {
			t.Errorf("%s gives the same digest", name)
		}
	}
}

// drawn is a run whose requests have the conversations, in the order given by
// session number and in another order by start and in the file.
func drawn(t testing.TB, version string, conversations ...string) evidence.Dimension {
	t.Helper()
	var records strings.Builder
	for i := range conversations {
		session := len(conversations) - 1 - i
		fmt.Fprintf(&records, `{"metadata":{"session_num":%d,"conversation_id":%q,"request_start_ns":%d,"benchmark_phase":"profiling"},"metrics":{"request_latency":{"value":1,"unit":"ms"}}}`+"\n",
			session, conversations[session], epoch+int64(i))
	}
	summary := fmt.Sprintf(`{"aiperf_version":%q,"schema_version":"1.4","request_count":{"unit":"requests","avg":%d},"input_config":{"models":{"items":[{"name":"m"}]}}}`, version, len(conversations))
	return one(t, []member{{"r/profile_export.jsonl", []byte(records.String())}, {"r/profile_export_aiperf.json", []byte(summary)}}).Dimensions["prompt_order_sha256"]
}

func orderIDs(d evidence.Dimension) []any {
	value, _ := d.Value.(map[string]any)
	ids, _ := value["ids"].([]any)
	return ids
}

func TestPromptOrderIsBySessionFrom13OnAndByStartBefore(t *testing.T) {
	long, short := drawn(t, "0.13.0", "a", "b", "c"), drawn(t, "0.13.0", "a", "b")
	if !slices.Equal(orderIDs(long)[:2], orderIDs(short)) {
		t.Errorf("the shorter run is no beginning of the longer: %v, %v", orderIDs(long), orderIDs(short))
	}
	reversed := slices.Clone(orderIDs(drawn(t, "0.12.0", "a", "b", "c")))
	slices.Reverse(reversed)
	if !slices.Equal(reversed, orderIDs(long)) {
		t.Errorf("before 0.13 the order is not by start: %v, %v", reversed, orderIDs(long))
	}
	value := long.Value.(map[string]any)
	if value["count"] != 3.0 || value["by"] != "conversation_id" || len(value["sha256"].(string)) != 64 {
		t.Errorf("the order's value is %v", value)
	}
	if random := drawn(t, "0.13.0", "d1eaabe4-38ac-4b06-ae20-1b2372838049", "f711481d-dea3-451d-bb6e-2995bbf82a9d"); random.Known() || random.Absent != absent.NotRecorded {
		t.Errorf("random names give an order: %+v", random)
	}
}

// configured is the dimensions of a run without records, by its input_config.
func configured(t testing.TB, input, rest string) map[string]evidence.Dimension {
	t.Helper()
	summary := fmt.Sprintf(`{"aiperf_version":"0.13.0","was_cancelled":false,"request_count":{"unit":"requests","avg":40},"input_config":%s%s}`, input, rest)
	return one(t, []member{{"r/profile_export_aiperf.json", []byte(summary)}}).Dimensions
}

func values(all map[string]evidence.Dimension, keys ...string) map[string]any {
	picked := map[string]any{}
	for _, key := range keys {
		picked[key] = all[key].Value
	}
	return picked
}

func TestBothShapesOfConfigurationGiveTheSameDimensions(t *testing.T) {
	v1 := `{"endpoint":{"model_names":["m/x"],"type":"chat","streaming":true,"url":"localhost:8000"},"input":{"extra":[["ignore_eos",true],["min_tokens",32]],"random_seed":7,
		"prompt":{"input_tokens":{"mean":128,"stddev":16},"output_tokens":{"mean":32}},"conversation":{"num_dataset_entries":40}},"tokenizer":{"name":"m/tok"},"loadgen":{"concurrency":4,"request_rate_mode":"concurrency_burst","request_count":40}}`
	v2 := `{"models":{"items":[{"name":"m/x"}]},"endpoint":{"urls":["http://localhost:8000"],"type":"chat","streaming":true,"extra":{"ignore_eos":true,"min_tokens":32}},
		"datasets":[{"name":"main","type":"synthetic","entries":40,"random_seed":7,"prompts":{"isl":{"mean":128,"stddev":16},"osl":{"mean":32}}}],"phases":[{"name":"warmup","type":"concurrency","exclude_from_results":true,"requests":4,"concurrency":1},{"name":"profiling","type":"concurrency","requests":40,"concurrency":4}],"tokenizer":{"name":"m/tok"}}`
	want := map[string]any{
		"model": "m/x", "tokenizer": "m/tok", "random_seed": 7.0, "streaming": true, "arrival": "closed", "concurrency_or_rate": 4.0, "turns": 1.0, "prefix_sharing": 0.0, "measured_at": "client", "load_tool": "aiperf 0.13.0",
		"sampling": map[string]any{"ignore_eos": true, "min_tokens": 32.0},
		"dataset":  map[string]any{"type": "synthetic", "endpoint": "chat", "entries": 40.0, "isl": map[string]any{"mean": 128.0, "stddev": 16.0}, "osl": map[string]any{"mean": 32.0, "stddev": 0.0}},
	}
	keys := []string{"model", "tokenizer", "random_seed", "streaming", "arrival", "concurrency_or_rate", "turns", "prefix_sharing", "measured_at", "load_tool", "sampling", "dataset"}
	for name, input := range map[string]string{"v1": v1, "v2": v2} {
		if diff := cmp.Diff(want, values(configured(t, input, ""), keys...)); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

func TestLoadsAreTold(t *testing.T) {
	phase := func(text string) string {
		return `{"models":{"items":[{"name":"m"}]},"phases":[{"name":"profiling",` + text + `}]}`
	}
	cases := map[string]struct {
		input           string
		arrival, amount any
	}{
		"closed loop":          {phase(`"type":"concurrency","concurrency":8`), "closed", 8.0},
		"poisson":              {phase(`"type":"poisson","rate":20`), "poisson", 20.0},
		"a rate with a cap":    {phase(`"type":"constant","rate":20,"concurrency":64`), "constant", map[string]any{"rate": 20.0, "concurrency": 64.0}},
		"a schedule":           {phase(`"type":"fixed_schedule"`), "fixed_schedule", "schedule"},
		"nothing asked, v2":    {phase(`"requests":10`), "closed", 1.0},
		"a rate without shape": {`{"endpoint":{"model_names":["m"]},"loadgen":{"request_rate":5}}`, "poisson", 5.0},
		"several phases":       {`{"models":{"items":[{"name":"m"}]},"phases":[{"name":"a","type":"concurrency","concurrency":1},{"name":"b","type":"concurrency","concurrency":2}]}`, "closed", nil},
	}
	for name, want := range cases {
		got := configured(t, want.input, "")
		if diff := cmp.Diff([]any{want.arrival, want.amount}, []any{got["arrival"].Value, got["concurrency_or_rate"].Value}); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

func TestTheSeedOfASweepsCellIsTheOneReallyUsed(t *testing.T) {
	input := `{"models":{"items":[{"name":"m"}]},"datasets":[{"name":"main","type":"synthetic","random_seed":42}]}`
	if got := configured(t, input, `,"run_info":{"random_seed":45}`)["random_seed"]; got.Value != 45.0 || got.From != "run_info random_seed" {
		t.Errorf("the seed is %+v", got)
	}
	if got := configured(t, strings.Replace(input, `,"random_seed":42`, "", 1), "")["random_seed"]; got.Known() {
		t.Errorf("a run without a seed has %+v", got)
	}
	if got := configured(t, strings.Replace(input, "42", "9007199254740993", 1), "")["random_seed"]; got.Value != "9007199254740993" {
		t.Errorf("a large seed became %v", got.Value)
	}
}

func TestDefinitionsTellWhoCountedTokensAndWhatTPOTDividesBy(t *testing.T) {
	cases := map[string]struct{ endpoint, source, divisor string }{
		"client":         {`{"streaming":true}`, "client_tokenizer", "output_tokens_minus_1"},
		"server":         {`{"streaming":true,"use_server_token_count":true}`, "server_usage", "output_tokens_minus_1"},
		"server, chunks": {`{"streaming":true,"use_server_token_count":true,"per_chunk_usage":true}`, "server_usage", "output_tokens_minus_first_chunk"},
	}
	for name, want := range cases {
		summary := `{"aiperf_version":"0.13.0","was_cancelled":false,"inter_token_latency":{"unit":"ms","avg":5,"p50":4},"time_to_first_token":{"unit":"sec","avg":0.02},"input_config":{"models":{"items":[{"name":"m"}]},"endpoint":` + want.endpoint + `}}`
		got := one(t, []member{{"r/profile_export_aiperf.json", []byte(summary)}})
		tpot, _ := got.Outcome("tpot", "")
		ttft, _ := got.Outcome("ttft", "")
		if tpot.Definition.TokenSource != want.source || tpot.Definition.Divisor != want.divisor || tpot.Statistics["p50"] != 4 || tpot.N.Known() {
			t.Errorf("%s: %+v", name, tpot)
		}
		if ttft.Definition.FirstToken != "content_or_reasoning" || ttft.Statistics["mean"] != 20 {
			t.Errorf("%s: %+v", name, ttft)
		}
	}
}
