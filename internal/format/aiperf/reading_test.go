package aiperf

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"kernelwake/internal/evidence"
)

func TestArchivesAreRecognisedByContentAlone(t *testing.T) {
	members := madeUp(t, small)
	old := packTar(t, members)
	copy(old[257:265], make([]byte, 8)) // as before POSIX: no name of the format
	copy(old[148:156], "        ")
	var sum int
	for _, b := range old[:512] {
		sum += int(b)
	}
	copy(old[148:156], octal(sum))
	cases := map[string]struct {
		data []byte
		want bool
	}{
		"zip": {packZip(t, members), true}, "tar.gz": {packTarGz(t, members), true}, "tar": {packTar(t, members), true}, "old tar": {old, true}, "empty zip": {packZip(t, nil), false},
		"tar.gz, its head only": {packTarGz(t, members)[:2000], true},
		"gzipped JSON":          {gzipped(t, []byte(strings.Repeat(`{"traceEvents":[]}`, 100))), false},
		"JSON":                  {[]byte(`{"traceEvents":[]}` + strings.Repeat(" ", 600)), false},
		"zeros":                 {make([]byte, 2048), false}, "nothing": {nil, false}, "one byte": {[]byte{0x1f}, false},
	}
	for name, one := range cases {
		if got := (Format{}).Match(fileOf(one.data), one.data[:min(len(one.data), 512)]); got != one.want {
			t.Errorf("%s: match is %v", name, got)
		}
	}
}

func octal(sum int) string {
	digits := []byte("0000000\x00")
	for i := 6; i >= 0; i-- {
		digits[i] = byte('0' + sum%8)
		sum /= 8
	}
	return string(digits)
}

func TestLinesAreReadWholeWhateverTheReaderGives(t *testing.T) {
	long := strings.Repeat("x", 700_000)
	text := "a\r\n\n" + long + "\nlast"
	for name, source := range map[string]io.Reader{"at once": strings.NewReader(text), "byte by byte": iotest.OneByteReader(strings.NewReader(text)), "halves": iotest.HalfReader(strings.NewReader(text)), "with its end": iotest.DataErrReader(strings.NewReader(text))} {
		reader := newLines(source, "f")
		var got []string
		var ends []bool
		for {
			line, whole, err := reader.next()
			if err != nil {
				t.Fatal(err)
			}
			if line == nil {
				break
			}
			got, ends = append(got, string(line)), append(ends, whole)
		}
		if !slices.Equal(got, []string{"a", "", long, "last"}) || !slices.Equal(ends, []bool{true, true, true, false}) || reader.number != 4 {
			t.Errorf("%s: %d lines, ends %v", name, len(got), ends)
		}
	}
}

func TestReadAheadGivesTheSameBytesAndTheSameEnd(t *testing.T) {
	data := bytes.Repeat([]byte("0123456789"), 300_000)
	for name, source := range map[string]io.Reader{"whole": bytes.NewReader(data), "halves": iotest.HalfReader(bytes.NewReader(data)), "end with data": iotest.DataErrReader(bytes.NewReader(data))} {
		ahead := newReadAhead(source)
		got, err := io.ReadAll(ahead)
		ahead.stop()
		if err != nil || !bytes.Equal(got, data) {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
	}
	broken := newReadAhead(io.MultiReader(bytes.NewReader(data), iotest.ErrReader(io.ErrUnexpectedEOF)))
	got, err := io.ReadAll(broken)
	broken.stop()
	if err != io.ErrUnexpectedEOF || len(got) != len(data) {
		t.Errorf("a stream that breaks off gave %d bytes and %v", len(got), err)
	}
	early := newReadAhead(bytes.NewReader(data))
	_, _ = early.Read(make([]byte, 10))
	early.stop() // must not hang or leak
}

func TestPathsAreInNaturalOrder(t *testing.T) {
	want := []string{"", "a", "c_2", "c_2/x", "c_10", "c_010", "trial_0001/c_4", "trial_0002/c_1"}
	got := []string{"trial_0002/c_1", "c_10", "a", "c_2/x", "", "trial_0001/c_4", "c_010", "c_2"}
	slices.SortFunc(got, naturalOrder)
	// Equal numbers fall back to the plain order of the text.
	slices.SortStableFunc(want[4:6], naturalOrder)
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestRecordsOfEveryShapeAreRead(t *testing.T) {
	cases := map[string]struct {
		line  string
		check func(*record) bool
	}{
		"nulls of 0.3": {`{"metadata":{"session_num":3,"conversation_id":null,"request_start_ns":5,"request_end_ns":null,"cancellation_time_ns":null,"benchmark_phase":"profiling","was_cancelled":false},"metrics":{"time_to_first_token":{"value":null,"unit":"ms"}},"error":null}`, func(r *record) bool { return !r.failed && r.session == 3 && r.start == 5 && r.end == missingInteger }},
		"before 0.1.1": {`{"metadata":{"timestamp_ns":7,"credit_phase":"warmup"},"metrics":{"ttft":{"value":1.5,"unit":"ms"},"request_count":{"value":1,"unit":"requests"}},"error":null}`, func(r *record) bool { return r.start == 7 && r.phase == warmup && r.values[firstToken] == 1.5 }},
		"seconds": {`{"metadata":{},"metrics":{"request_latency":{"value":1.5,"unit":"sec"},"inter_chunk_latency":{"value":[0.001,2],"unit":"s"}}}`, func(r *record) bool {
			return r.values[requestLatency] == 1500 && slices.Equal(r.gaps, []float64{1, 2000})
		}},
		"a unit of its own": {`{"metadata":{},"metrics":{"request_latency":{"value":1.5,"unit":"fortnights"},"inter_chunk_latency":{"value":[1],"unit":"furlongs"}}}`, func(r *record) bool { return r.oddUnits == 2 && len(r.gaps) == 0 }},
		"kind before name":  {`{"metadata":{"phase_kind":"warmup","benchmark_phase":"profiling"},"metrics":{}}`, func(r *record) bool { return r.phase == warmup }},
		"kind after name":   {`{"metadata":{"benchmark_phase":"soak","phase_kind":"profiling"},"metrics":{}}`, func(r *record) bool { return r.phase == profiling }},
		"other members":     {`{"new":[{"a":[1,"]"]}],"metadata":{"x":{"y":"}"}},"metrics":{"new":{"value":[[1]],"unit":"x"},"list":[1]},"trace_data":{"deep":[[[]]]}}`, func(r *record) bool { return !r.failed }},
		"an error without a code": {`{"metadata":{},"metrics":{"error_isl":{"value":9,"unit":"tokens"}},"error":{"type":"TimeoutError","message":"x \" } y","cause_chain":["a"]}}`, func(r *record) bool {
			return r.failed && r.errorCode == missingInteger && string(r.errorType) == "TimeoutError" && r.values[errorInputLength] == 9
		}},
		"NaN and a list": {`{"metadata":{},"metrics":{"request_latency":{"value":NaN,"unit":"ms"},"output_sequence_length":{"value":[1],"unit":"tokens"},"inter_chunk_latency":{"value":[1,null,2],"unit":"ms"}}}`, func(r *record) bool { return slices.Equal(r.gaps, []float64{1, 2}) }},
	}
	for name, one := range cases {
		var scanner recordScanner
		if !scanner.scan([]byte(one.line), 64) || !one.check(&scanner.record) {
			t.Errorf("%s: read as %+v", name, scanner.record)
		}
	}
	for _, line := range []string{"", "{}", "[]", `{"metadata":{}}`, `{"metadata":{},"metrics":{}`, `{"metadata":{},"metrics":{}}x`, `{"metadata":{},"metrics":{},}`, `{"metadata":{} "metrics":{}}`, `{"metadata":{"a":1,},"metrics":{}}`, `{"metadata":[],"metrics":{}}`, `{"metadata":{},"metrics":{"request_latency":{"value":tru}}}`} {
		var scanner recordScanner
		if scanner.scan([]byte(line), 64) {
			t.Errorf("%q was read as a record", line)
		}
	}
}

func TestFailuresAreClassedByCodeAndType(t *testing.T) {
	cases := map[failureKey][2]string{
		{"Internal Server Error", 500}: {"http_5xx", "error"}, {"Too Many Requests", 429}: {"http_429", "error"}, {"Bad Request", 400}: {"http_4xx", "error"},
		{"ServerDisconnectedError", missingInteger}: {"connection", "error"}, {"ClientConnectorError", missingInteger}: {"connection", "error"}, {"ClientPayloadError", missingInteger}: {"cut_stream", "error"},
		{"TimeoutError", missingInteger}: {"timeout", "timeout"}, {"InvalidInferenceResultError", missingInteger}: {"no_content", "error"},
		{"RequestCancellationError", 499}: {"cancelled", "cancelled"}, {"Surprise", missingInteger}: {"other", "error"}, {"", missingInteger}: {"other", "error"},
	}
	for key, want := range cases {
		if got := [2]string{key.class(), key.status()}; got != want {
			t.Errorf("%v is %q, want %q", key, got, want)
		}
	}
	var many failures
	for i := range 1000 {
		many.add("x", int64(i))
	}
	if len(many.keys) != mostFailureKinds || many.counts[mostFailureKinds-1] != 1000-mostFailureKinds+1 {
		t.Errorf("%d kinds are told apart, %d share the last", len(many.keys), many.counts[mostFailureKinds-1])
	}
}

func TestTooManyRequestsInOneRunAreRefused(t *testing.T) {
	r := &requests{path: "r.jsonl", gaps: newGapColumn(10), start: make([]int64, mostRequests)}
	if err := r.add(&record{}); err == nil || !strings.Contains(err.Error(), "1000000") {
		t.Errorf("one more request than the limit gave %v", err)
	}
}

var _ evidence.Format = Format{}
