package aiperf

import (
	"sort"
	"strings"

	"kernelwake/internal/evidence"
)

// goodRequest is what AIPerf counts as a success: any content without an
// error of the transport.
const goodRequest = "content_without_error"

// tokenSource says who counted tokens.
func (m *material) tokenSource() string {
	if m.configured.serverTokens {
		return "server_usage"
	}
	return "client_tokenizer"
}

// definitionOf fills the definition of an outcome.
func (m *material) definitionOf(name string) evidence.Definition {
	d := evidence.Definition{Metric: name + "/1", Success: goodRequest}
	switch name {
	case "ttft":
		d.FirstToken, d.Aggregation = "content_or_reasoning", 1
	case "tpot":
		d.FirstToken, d.Aggregation, d.TokenSource, d.Divisor = "content_or_reasoning", 1, m.tokenSource(), "output_tokens_minus_1"
		if m.configured.perChunkUsage {
			d.Divisor = "output_tokens_minus_first_chunk"
		}
	case "itl", "e2el":
		d.Aggregation = 1
	case "output_token_throughput":
		d.TokenSource = m.tokenSource()
	case "goodput", "slo_attainment":
		d.Success = goodRequest + " and " + m.levelsInWords()
	}
	return d
}

// levelsInWords writes the service levels so that equal ones read equal.
func (m *material) levelsInWords() string {
	var parts []string
	for name, limit := range m.configured.serviceLevels {
		sign := " <= "
		if strings.Contains(name, "throughput") {
			sign = " >= "
		}
		parts = append(parts, name+sign+compact(limit))
	}
	sort.Strings(parts)
	return strings.Join(parts, ", ")
}
