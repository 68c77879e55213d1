package format

import (
	"bytes"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// jsonLooks are JSON files known by their top-level names; all must be there.
var jsonLooks = []struct {
	keys []string
	look
}{
	{[]string{"schema", "nodes", "pid"}, look{"an ExecutionTraceObserver file, which holds no times of kernels", "import the profiler's own trace of the same run (`export_chrome_trace`)"}},
	{[]string{"rocprofiler-sdk-tool"}, look{"rocprofv3's own JSON", "record the run with torch.profiler and import its trace, or " + writeCapture}},
	{[]string{"input_config"}, look{"an AIPerf summary outside its run folder", zipTheFolder}},
	{[]string{"time_to_first_token", "request_latency"}, look{"an AIPerf summary outside its run folder", zipTheFolder}},
	{[]string{"metadata", "metrics"}, look{"AIPerf records outside their run folder", zipTheFolder}},
	{[]string{"log_history", "global_step"}, look{"a Hugging Face trainer_state.json", "convert it with examples/converters/hf_trainer_state.py"}},
	{[]string{"request_throughput", "completed"}, look{"a result of `vllm bench serve`", "convert it with examples/converters/vllm_bench_serve.py"}},
	{[]string{"request_throughput", "ttfts"}, look{"a result of `vllm bench serve`", "convert it with examples/converters/vllm_bench_serve.py"}},
	{[]string{"payload", "integrity"}, look{"an evidence bundle", "check it with `graphsignal-server evidence verify FILE`"}},
	{[]string{"$schema", "profiles"}, look{"a speedscope profile", "import the trace it was made from"}},
	{[]string{"resourceSpans"}, look{"OpenTelemetry spans", writeCapture}},
	{[]string{"resourceMetrics"}, look{"OpenTelemetry metrics", writeCapture}},
}

// recogniseJSON tells JSON files apart by the names at their top level.
func recogniseJSON(head []byte) (look, bool) {
	text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	if len(text) == 0 || text[0] != '{' && text[0] != '[' {
		return look{}, false
	}
	keys, closed := topKeys(text)
	for _, known := range jsonLooks {
		if holdsAll(keys, known.keys) {
			return known.look, true
		}
	}
	if text[0] == '[' {
		return look{"a JSON list of something else than trace events", writeCapture}, true
	}
	if lines := bytes.TrimLeft(text[min(closed, len(text)):], " \t\r\n"); closed > 0 && len(lines) > 0 && lines[0] == '{' {
		return look{"JSON lines" + listed(keys), writeCapture}, true
	}
	return look{"a JSON object" + listed(keys), "if it is meant as a Kernelwake JSON capture, its first member must be \"schema\":\"kernelwake.capture\"; otherwise " + writeCapture}, true
}

// topKeys returns the names at the top level as far as the head can be read,
// and where the object ends if it does.
func topKeys(text []byte) (keys []string, closed int) {
	decoder := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	for {
		token, err := decoder.ReadToken()
		if err != nil {
			return keys, 0
		}
		depth := decoder.StackDepth()
		if depth == 0 {
			return keys, int(decoder.InputOffset())
		}
		if kind, length := decoder.StackIndex(1); depth == 1 && kind == '{' && token.Kind() == '"' && length%2 == 1 {
			keys = append(keys, token.String())
		}
	}
}

func holdsAll(keys, wanted []string) bool {
	held := strings.Join(keys, "\n")
	for _, key := range wanted {
		if !strings.Contains("\n"+held+"\n", "\n"+key+"\n") {
			return false
		}
	}
	return true
}

func listed(keys []string) string {
	if len(keys) == 0 {
		return ""
	}
	more := ""
	if len(keys) > 5 {
		keys, more = keys[:5], " …"
	}
	for i, key := range keys {
		if utf8.RuneCountInString(key) > 40 {
			keys[i] = string([]rune(key)[:40]) + "…"
		}
	}
	return " with " + strings.Join(keys, ", ") + more
}

// iterationLine is a line of Megatron-LM's or NeMo's log.
var iterationLine = regexp.MustCompile(`(?m)^.{0,80}iteration\s+\d+/\s*\d+ \|`)

// recogniseText names texts that aren't JSON.
func recogniseText(head []byte) look {
	text := strings.ToValidUTF8(string(head), "\ufffd")
	first, rest, _ := strings.Cut(strings.TrimSpace(text), "\n")
	second, _, _ := strings.Cut(rest, "\n")
	lower := strings.ToLower(first)
	switch {
	case strings.TrimSpace(text) == "":
		return look{"an unknown sort of file, blank", "check that the recording finished"}
	case strings.Contains(text, ":::MLLOG"), strings.Contains(text, ":::MLPv"):
		return look{"an MLPerf log", writeCapture + ": step times aren't in it, evaluations and the run clock are"}
	case iterationLine.MatchString(text):
		return look{"a Megatron-LM training log", writeCapture + ", with `agg` set to its log interval"}
	case strings.HasPrefix(lower, "<!doctype html"), strings.HasPrefix(lower, "<html"):
		return look{"a web page", "download the file itself"}
	case strings.Contains(lower, "dispatch_id") || strings.Contains(lower, "kernelname") || strings.Contains(lower, "totaldurationns"):
		return look{"a table of rocprof", "rocprof also writes a Chrome trace (results.json); import that, or use examples/converters/csv_samples.py"}
	case strings.Count(first, ",") > 0 && strings.Count(first, ",") == strings.Count(second, ","):
		return look{"a CSV table", "convert it with examples/converters/csv_samples.py"}
	case strings.Count(first, "\t") > 0 && strings.Count(first, "\t") == strings.Count(second, "\t"):
		return look{"a table separated by tabs", "convert it with examples/converters/csv_samples.py --separator tab"}
	}
	return look{"an unknown sort of file, text", writeCapture}
}
