package chrometrace

import (
	"fmt"
	"strings"

	"kernelwake/internal/fault"
)

const recordShorter = "record fewer active steps, switch with_stack off, or cut the window"

func emptyFile() error {
	return fault.New(fault.Invalid, "empty_file", "the file is empty").WithHint("export the trace again; the recorder may have been killed before it wrote")
}

func notJSON(first byte) error {
	return fault.New(fault.Unsupported, "not_json", "the file begins with byte %q: neither an object nor an array of trace events", first).
		WithHint("send the trace as exported by torch.profiler (JSON, or JSON in gzip)")
}

func tooDeep(limit int, place int64, member string) error {
	return fault.New(fault.TooLarge, "nested_too_deep", "a value in %q at byte %d is nested deeper than %d levels", member, place, limit).
		WithHint("no trace recorder nests so deep: check the file").
		WithProblems(fault.Problem{Code: "nested_too_deep", Pointer: "/" + member, Message: "nested too deep", Limit: fmt.Sprint(limit)})
}

func tooManyEvents(limit int) error {
	return fault.New(fault.TooLarge, "too_many_events", "the trace holds more than %d events", limit).WithHint(recordShorter).
		WithProblems(fault.Problem{Code: "too_many_events", Pointer: "/" + eventsKey, Message: "too many events", Limit: fmt.Sprint(limit)})
}

func expandedTooLarge(limit int64) error {
	return fault.New(fault.TooLarge, "expanded_too_large", "the trace has more than %d bytes (%d MiB) after decompression", limit, limit>>20).WithHint(recordShorter).
		WithProblems(fault.Problem{Code: "expanded_too_large", Pointer: "", Message: "too large after decompression", Limit: fmt.Sprint(limit)})
}

// noEvents says why a file without events is refused, naming what it is where
// that can be told.
func (r *reader) noEvents() error {
	has := map[string]bool{}
	for _, key := range r.keys {
		has[key] = true
	}
	switch {
	case has["schema"] && has["nodes"]:
		return fault.New(fault.Unsupported, "execution_trace", "this is a PyTorch execution trace (ExecutionTraceObserver, schema %q), not a profiler trace: it holds no times of a timeline", r.meta.schema).
			WithHint("send the file that torch.profiler exported in the same run")
	case has["rocprofiler-sdk-tool"]:
		return fault.New(fault.Unsupported, "rocprofv3_json", "this is the JSON of rocprofv3, not a Chrome trace").
			WithHint("record with torch.profiler, or run rocprofv3 with --output-format pftrace and export Chrome JSON from it")
	case r.damage.incomplete && r.t.Events == 0:
		return fault.New(fault.Invalid, "incomplete_before_events", "the file ends, or is damaged, before its first whole event").WithHint("export the trace again; the recorder may have been killed while it wrote")
	case !r.seen:
		return fault.New(fault.Unsupported, "no_trace_events", "the file has no member %q; it has %s", eventsKey, listed(r.keys)).
			WithHint("send the trace as exported by torch.profiler")
	}
	what := fmt.Sprintf("its array of events holds %d events that only name processes and threads", r.t.Events)
	if r.t.Events == 0 {
		what = "its array of events is empty"
	}
	if has["samples"] {
		what += "; what it holds are samples of a sampling profiler"
	}
	return fault.New(fault.Invalid, "no_events", "the trace holds nothing that happened: %s", what).
		WithHint("check that the profiler was active while the work ran (schedule, wait and warm-up steps)")
}

// nothingTimed says why a file is refused whose events all lack a time that
// can be used.
func (r *reader) nothingTimed() error {
	var problems []fault.Problem
	for _, left := range r.t.LeftOut {
		problems = append(problems, fault.Problem{Code: left.Reason, Pointer: "/" + eventsKey, Message: leftOutMessage(left)})
	}
	return fault.New(fault.Invalid, "nothing_timed", "none of the %d events has both a begin and an end", r.t.Events).
		WithHint("send a trace with complete (X) events, as torch.profiler exports it").WithProblems(problems...)
}

func listed(keys []string) string {
	if len(keys) == 0 {
		return "no members"
	}
	shown := keys[:min(len(keys), 10)]
	text := `"` + strings.Join(shown, `", "`) + `"`
	if len(keys) > len(shown) {
		text += fmt.Sprintf(" and %d more", len(keys)-len(shown))
	}
	return text
}
