package aiperf

// tag numbers the per-request metrics that are read from records; everything
// else in a record is stepped over.
type tag int

const (
	requestLatency tag = iota
	firstToken
	secondToken
	firstOutputToken
	tokenLatency
	decodeDuration
	inputLength
	outputLength
	outputTokens
	reasoningTokens
	tokenRatePerUser
	tokenRateEndToEnd
	prefillRatePerUser
	usagePrompt
	usageCompletion
	usageTotal
	usageReasoning
	usageCached
	outputMismatch
	usagePromptDifference
	usageCompletionDifference
	usageReasoningDifference
	firstByte
	errorInputLength
	tagCount
)

// chunkLatency is AIPerf's name for the gaps between chunks, our itl; it is a
// list in each record and pooled.
const chunkLatency = "inter_chunk_latency"

// tagNames are AIPerf's names, as in the summary.
var tagNames = [tagCount]string{
	"request_latency", "time_to_first_token", "time_to_second_token", "time_to_first_output_token", "inter_token_latency", "decode_duration",
	"input_sequence_length", "output_sequence_length", "output_token_count", "reasoning_token_count",
	"output_token_throughput_per_user", "e2e_output_token_throughput", "prefill_throughput_per_user",
	"usage_prompt_tokens", "usage_completion_tokens", "usage_total_tokens", "usage_reasoning_tokens", "usage_prompt_cache_read_tokens",
	"osl_mismatch_diff_pct", "usage_prompt_tokens_diff_pct", "usage_completion_tokens_diff_pct", "usage_reasoning_tokens_diff_pct",
	"http_req_waiting", "error_isl",
}

// tagUnits are the units AIPerf gives them in; a record in another unit of
// time is converted, one in any other unit is left out with a finding.
var tagUnits = [tagCount]string{
	"ms", "ms", "ms", "ms", "ms", "ms",
	"tokens", "tokens", "tokens", "tokens",
	"tokens/sec/user", "tokens/sec/user", "tokens/sec/user",
	"tokens", "tokens", "tokens", "tokens", "tokens",
	"%", "%", "%", "%",
	"ms", "tokens",
}

// tagOf finds the number of a name, also of names used before 0.1.1 and up to
// 0.3; false for what isn't read.
func tagOf(name []byte) (tag, bool) {
	switch string(name) {
	case "request_latency":
		return requestLatency, true
	case "time_to_first_token", "ttft":
		return firstToken, true
	case "time_to_second_token", "ttst":
		return secondToken, true
	case "time_to_first_output_token":
		return firstOutputToken, true
	case "inter_token_latency":
		return tokenLatency, true
	case "decode_duration":
		return decodeDuration, true
	case "input_sequence_length":
		return inputLength, true
	case "output_sequence_length":
		return outputLength, true
	case "output_token_count":
		return outputTokens, true
	case "reasoning_token_count":
		return reasoningTokens, true
	case "output_token_throughput_per_user":
		return tokenRatePerUser, true
	case "e2e_output_token_throughput":
		return tokenRateEndToEnd, true
	case "prefill_throughput_per_user":
		return prefillRatePerUser, true
	case "usage_prompt_tokens":
		return usagePrompt, true
	case "usage_completion_tokens":
		return usageCompletion, true
	case "usage_total_tokens":
		return usageTotal, true
	case "usage_reasoning_tokens":
		return usageReasoning, true
	case "usage_prompt_cache_read_tokens":
		return usageCached, true
	case "osl_mismatch_diff_pct":
		return outputMismatch, true
	case "usage_prompt_tokens_diff_pct":
		return usagePromptDifference, true
	case "usage_completion_tokens_diff_pct":
		return usageCompletionDifference, true
	case "usage_reasoning_tokens_diff_pct":
		return usageReasoningDifference, true
	case "http_req_waiting":
		return firstByte, true
	case "error_isl":
		return errorInputLength, true
	}
	return 0, false
}

// oldNames maps names of the summary before 0.1.1 to the present ones.
var oldNames = map[string]string{"ttft": "time_to_first_token", "ttst": "time_to_second_token"}

// inUnit returns what a value in the unit given is multiplied by to be in the
// unit wanted; false if the two don't measure the same.
func inUnit(given, wanted string) (float64, bool) {
	if given == wanted {
		return 1, true
	}
	from, ok := seconds[given]
	to, okTo := seconds[wanted]
	return from / to, ok && okTo
}

// seconds are the units of time AIPerf writes.
var seconds = map[string]float64{"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1, "sec": 1, "seconds": 1}
