package chrometrace

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kernelwake/internal/fault"
	"kernelwake/internal/sampledir"
	"kernelwake/internal/trace"
)

// oddFile is what must come of one damaged or unusual file: refused with a
// code, or read with so many events and spans and these findings.
type oddFile struct {
	refused       string
	events, spans int64
	findings      map[string]int64
	leftOut       map[string]int64
	// also looks closer at what was read.
	also func(t *testing.T, r *reader)
}

type counts = map[string]int64

// oddFiles are public bug reports of trace recorders, each rebuilt by hand.
var oddFiles = map[string]oddFile{
	"array-no-closing-bracket.json": {events: 4, spans: 4, findings: counts{"array_not_closed": 1}},
	"big-integers.json": {events: 2, spans: 2, also: func(t *testing.T, r *reader) {
		if got := r.t.Spans.Start[1] - r.t.Spans.Start[0]; got != 1 {
			t.Errorf("two events 1 ns apart lie %d ns apart", got)
		}
		if got := r.t.Tracks[r.t.Spans.Track[1]].Thread; got != "-9223372036854775808" {
			t.Errorf("the thread is %s", got)
		}
	}},
	"bom.json":          {events: 4, spans: 4},
	"control-char.json": {events: 4, spans: 4, findings: counts{"control_character": 1}},
	"deep-nesting.json": {refused: "nested_too_deep"},
	"duplicate-keys.json": {events: 5, spans: 5, findings: counts{"duplicate_key": 3}, also: func(t *testing.T, r *reader) {
		if got := r.t.Names[r.t.Spans.Name[0]]; got != "second" {
			t.Errorf("of two names %q counts, not the last", got)
		}
		if r.t.Spans.Correlation[0] != trace.Missing {
			t.Error("a correlation of the args that a later args replaced still counts")
		}
	}},
	"empty-events.json":    {refused: "no_events"},
	"empty-file.json":      {refused: "empty_file"},
	"gz-bad-crc.json.gz":   {events: 75, spans: 9, findings: counts{"gzip_checksum": 1, "metadata_removed": 1}},
	"gzip-named-json.json": {events: 75, spans: 9, findings: counts{"metadata_removed": 1}},
	"invalid-utf8.json":    {events: 5, spans: 5, findings: counts{"bad_utf8": 1}, also: named("torch/_inductor/config.py(0): \ufffd\ufffd\ufffd")},
	"kernels-overlap-same-stream.json": {events: 2, spans: 2, also: func(t *testing.T, r *reader) {
		f := trace.Analyse(r.t).Figures
		if busy := known(t, f.BusyNS); busy != 4000 || f.KernelCount != 2 || f.Streams[0].PartialOverlaps != 1 {
			t.Errorf("busy %d ns, %d kernels, %d partial overlaps; wanted the union of 4000 ns, both kernels, 1", busy, f.KernelCount, f.Streams[0].PartialOverlaps)
		}
	}},
	"metadata-after-events.json": {events: 4, spans: 4, findings: counts{"metadata_removed": 1}, also: func(t *testing.T, r *reader) {
		if e := r.t.Environment; e.Rank != 3 || e.WorldSize != 8 {
			t.Errorf("rank %d of %d, the members after the events say 3 of 8", e.Rank, e.WorldSize)
		}
	}},
	"metadata-only.json":          {refused: "no_events"},
	"nan-inf.json":                {events: 3, spans: 3, findings: counts{"not_a_number": 3}},
	"no-trace-events-key.json":    {refused: "no_trace_events"},
	"not-a-trace.json":            {refused: "execution_trace"},
	"object-trailing-comma.json":  {events: 4, spans: 4},
	"plain-json-named-gz.json.gz": {events: 75, spans: 9, findings: counts{"metadata_removed": 1}},
	"truncated-mid-event.json":    {events: 69, spans: 7, findings: counts{"incomplete": 1}, leftOut: counts{"damaged": 1}},
	"truncated-stream.json.gz":    {events: 65, spans: 5, findings: counts{"incomplete": 1, "gzip_truncated": 1}, leftOut: counts{"damaged": 1}},
	"ts-as-string.json": {events: 3, spans: 1, findings: counts{"unknown_categories": 2, "no_categories": 1}, also: func(t *testing.T, r *reader) {
		if got := r.t.Spans.Start[0]; got != 1778649123456789123 {
			t.Errorf("19 digits of a quoted time became %d", got)
		}
	}},
	"ts-zero.json":                  {events: 6, spans: 4, findings: counts{"zero_timestamp": 2}, leftOut: counts{"zero_timestamp": 2}},
	"uint64-arg.json.gz":            {events: 2, spans: 2},
	"unescaped-quotes-newline.json": {events: 4, spans: 4, findings: counts{"damaged_events": 1}, leftOut: counts{"damaged": 1}},
	"unmatched-kernels.json": {events: 4, spans: 4, also: func(t *testing.T, r *reader) {
		if got := trace.Analyse(r.t).Figures.Launches.WithoutLaunch; got != 3 {
			t.Errorf("%d kernels without a captured launch, all 3 are: the only call comes after them", got)
		}
	}},
	"windows-backslash.json": {events: 5, spans: 5, findings: counts{"unknown_escape": 1}, also: named(`torch\cuda\__init__.py(219): _lazy_init`)},
	"xla-style.json": {events: 7, spans: 2, findings: counts{"no_categories": 2, "metadata_removed": 1}, also: func(t *testing.T, r *reader) {
		if got := r.t.Spans.Duration[1]; got != 15537780 {
			t.Errorf("15537.780123 µs became %d ns", got)
		}
		if got := r.t.Spans.Duration[0]; got != 0 {
			t.Errorf("1e-06 µs became %d ns", got)
		}
	}},
}

// edgeFiles are the test files of another reader of the format.
var edgeFiles = map[string]oddFile{
	"bex-interaction.json":               {events: 18, spans: 12},
	"end-event-with-empty-stack.json":    {events: 3, spans: 1, leftOut: counts{"end_without_begin": 1}},
	"end-non-top-of-stack.json":          {events: 4, spans: 2, leftOut: counts{"begin_without_end": 1}},
	"event-reordering-name-match.json":   {events: 5, spans: 3},
	"hermes-multiple-frames.json":        {events: 8, spans: 4},
	"invalid-x-nesting.json":             {events: 2, spans: 2},
	"matching-x.json":                    {events: 5, spans: 5},
	"mismatched-name.json":               {refused: "nothing_timed"},
	"multi-thread-with-samples.json":     {events: 4, spans: 2, findings: counts{"unknown_categories": 2, "metadata_removed": 2}},
	"multiprocess.json":                  {events: 17, spans: 8},
	"not-enough-end-events.json":         {events: 3, spans: 1, leftOut: counts{"begin_without_end": 2}},
	"only-begin-events.json":             {refused: "nothing_timed"},
	"out-of-order-unbalanced-name.json":  {events: 4, spans: 2},
	"out-of-order.json":                  {events: 6, spans: 3},
	"simple-hermes.json":                 {events: 4, spans: 2},
	"simple-object.json":                 {events: 5, spans: 2, leftOut: counts{"no_duration": 1}},
	"simple-partial-trailing-comma.json": {events: 6, spans: 3, findings: counts{"array_not_closed": 1}, leftOut: counts{"no_duration": 1}},
	"simple-partial.json":                {events: 6, spans: 3, findings: counts{"array_not_closed": 1}, leftOut: counts{"no_duration": 1}},
	"simple-with-samples.json":           {refused: "no_events"},
	"simple.json":                        {events: 6, spans: 3, leftOut: counts{"no_duration": 1}},
	"too-many-end-events.json":           {events: 6, spans: 2, leftOut: counts{"end_without_begin": 2}},
	"unbalanced-args.json":               {events: 4, spans: 2},
	"unbalanced-name.json":               {events: 4, spans: 2},
	"x-events-matching-start.json":       {events: 9, spans: 9},
}

func named(name string) func(*testing.T, *reader) {
	return func(t *testing.T, r *reader) {
		for _, known := range r.t.Names {
			if known == name {
				return
			}
		}
		t.Errorf("no name is %q: %q", name, r.t.Names)
	}
}

func TestOddFilesAreReadWithTheirDamageCountedOrRefusedWithAReason(t *testing.T) {
	for folder, files := range map[string]map[string]oddFile{"odd": oddFiles, "chrome-edge": edgeFiles} {
		paths, err := filepath.Glob(filepath.Join(sampledir.Find(t), "traces", folder, "*"))
		if err != nil || len(paths) == 0 {
			t.Fatalf("no files in %s: %v", folder, err)
		}
		for _, path := range paths {
			name := filepath.Base(path)
			t.Run(name, func(t *testing.T) {
				want, ok := files[name]
				if !ok {
					t.Fatalf("nothing is said of what must come of it")
				}
				data, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				want.check(t, data)
			})
		}
	}
}

// leftOutCodes are findings that repeat a reason of what was left out.
var leftOutCodes = counts{"no_duration": 0, "no_time": 0, "zero_timestamp": 0, "begin_without_end": 0, "end_without_begin": 0, "negative_duration": 0, "duration_over_7_days": 0}

func (want oddFile) check(t *testing.T, data []byte) {
	t.Helper()
	r, err := readBytes(t, data)
	if want.refused != "" || err != nil {
		wantRefused(t, err, want.refused)
		return
	}
	if r.t.Events != want.events || int64(r.t.Spans.Len()) != want.spans {
		t.Errorf("%d events and %d spans, wanted %d and %d", r.t.Events, r.t.Spans.Len(), want.events, want.spans)
	}
	findings, leftOut := counts{}, counts{}
	for _, finding := range r.findings() {
		if _, told := leftOutCodes[finding.Code]; told && want.findings[finding.Code] == 0 {
			continue // told by leftOut
		}
		if finding.Code == "no_categories" && want.findings[finding.Code] == 0 {
			continue
		}
		findings[finding.Code] = finding.Count
	}
	for _, left := range r.t.LeftOut {
		leftOut[left.Reason] = left.Count
	}
	if diff := cmp.Diff(orEmpty(want.findings), findings); diff != "" {
		t.Errorf("findings (-wanted +found):\n%s", diff)
	}
	if diff := cmp.Diff(orEmpty(want.leftOut), leftOut); diff != "" {
		t.Errorf("left out (-wanted +found):\n%s", diff)
	}
	everyEventIsAccountedFor(t, r)
	if want.also != nil {
		want.also(t, r)
	}
}

func orEmpty(c counts) counts {
	if c == nil {
		return counts{}
	}
	return c
}

// everyEventIsAccountedFor holds that whatever has a time is a span or is left
// out with a reason: nothing is lost silently. A begin and its end are one.
func everyEventIsAccountedFor(t *testing.T, r *reader) {
	t.Helper()
	timed := r.t.ByPhase["X"] + r.t.ByPhase["B"] + r.t.ByPhase["E"] - r.pairs
	accounted := int64(r.t.Spans.Len())
	for _, left := range r.t.LeftOut {
		if left.Reason != trace.Damaged && left.Reason != trace.NotAnEvent {
			accounted += left.Count
		}
	}
	if accounted != timed {
		t.Errorf("%d of %d timed events are accounted for", accounted, timed)
	}
}

func wantRefused(t *testing.T, err error, code string) {
	t.Helper()
	var refusal *fault.Error
	if !errors.As(err, &refusal) {
		t.Fatalf("wanted a refusal with code %q, got %v", code, err)
	}
	if refusal.Code != code {
		t.Errorf("refused with code %q, wanted %q: %v", refusal.Code, code, err)
	}
	if refusal.Hint == "" || refusal.Message == "" || strings.Contains(refusal.Message, "%!") {
		t.Errorf("a refusal says what went wrong and what to do: %q, %q", refusal.Message, refusal.Hint)
	}
}

func TestOtherToolsFilesAreRefusedByTheirName(t *testing.T) {
	for code, data := range map[string]string{
		"execution_trace":          `{"schema":"1.1.1-chakra.0.0.4","pid":1,"time":"2026","start_ts":1,"nodes":[{"id":1,"name":"x"}],"finish_ts":2}`,
		"rocprofv3_json":           `{"rocprofiler-sdk-tool":[{"metadata":{"pid":1}}]}`,
		"not_json":                 "time,kernel\n1,2\n",
		"no_trace_events":          `{"a":1,"b":[{"ph":"X"}]}`,
		"incomplete_before_events": `{"schemaVersion":1,"deviceProp`,
	} {
		_, err := readBytes(t, []byte(data))
		wantRefused(t, err, code)
	}
}
