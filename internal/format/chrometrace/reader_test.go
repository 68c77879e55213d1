package chrometrace

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"kernelwake/internal/evidence"
	"kernelwake/internal/trace"
)

// small is a trace of two steps that every test can read.
func small() *script {
	s := &script{}
	for i := range 2 {
		at := 1000 * float64(i)
		s.step(i, at, 900)
		s.operator("aten::linear", at+30, 20, "[[8,32],[64,32],[64]]", `["float","float","float"]`)
		s.launch(at+40, "kernel", "gemm<float, 4>(int)", 7, at+100, 400, "")
		s.launch(at+50, "gpu_memcpy", "Memcpy DtoH (Device -> Pageable)", 7, at+600, 100, `,"bytes":64`)
	}
	return s
}

func zipped(t testing.TB, data []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestATraceCutAnywhereKeepsItsWholeEventsAndSaysThatItIsIncomplete(t *testing.T) {
	whole := []byte(small().text())
	starts := eventStarts(whole)
	for length := range whole {
		r, err := readBytes(t, whole[:length])
		if err != nil {
			if complete := wholeEvents(starts, whole, length); complete > 0 {
				t.Fatalf("the first %d bytes hold %d whole events, and were refused: %v", length, complete, err)
			}
			continue
		}
		if got, want := r.t.Events, int64(wholeEvents(starts, whole, length)); got != want {
			t.Fatalf("of the first %d bytes %d events were read, %d are whole", length, got, want)
		}
		if !r.damage.incomplete {
			t.Fatalf("the first %d of %d bytes are not said to be incomplete", length, len(whole))
		}
	}
}

// eventStarts finds where the script's events begin: each has a line.
func eventStarts(data []byte) []int {
	var starts []int
	for i := range data {
		if bytes.HasPrefix(data[i:], []byte("\n{\"ph\"")) {
			starts = append(starts, i+1)
		}
	}
	return starts
}

func wholeEvents(starts []int, data []byte, length int) int {
	n := 0
	for i, start := range starts {
		end := bytes.IndexByte(data[start:], '\n') + start // past the comma
		if i+1 < len(starts) {
			end--
		}
		if end <= length {
			n++
		}
	}
	return n
}

func TestACompressedTraceCutAnywhereIsReadOrRefusedAndNeverSilentlyShort(t *testing.T) {
	whole := zipped(t, []byte(small().text()))
	full, err := readBytes(t, whole)
	if err != nil {
		t.Fatal(err)
	}
	for length := range whole {
		r, err := readBytes(t, whole[:length])
		if err == nil && r.t.Events < full.t.Events && !r.damage.incomplete {
			t.Fatalf("the first %d of %d bytes hold %d of %d events, and nothing says so", length, len(whole), r.t.Events, full.t.Events)
		}
		if err == nil && !r.damage.truncated {
			t.Fatalf("the first %d of %d bytes are not said to be cut", length, len(whole))
		}
	}
}

// TestOneBadByteAnywhereLosesAtMostTwoEvents puts a quote, a brace, a
// bracket or a control byte over every third byte of the events.
func TestOneBadByteAnywhereLosesAtMostTwoEvents(t *testing.T) {
	whole := []byte(small().text())
	full, err := readBytes(t, whole)
	if err != nil {
		t.Fatal(err)
	}
	first := eventStarts(whole)[0]
	for at := first; at < len(whole)-3; at += 3 {
		for _, bad := range []byte{'"', '{', '}', '[', ']', ',', 0, 0xff, '\\', 'x'} {
			damaged := bytes.Clone(whole)
			damaged[at] = bad
			r, err := readBytes(t, damaged)
			if err != nil {
				t.Fatalf("byte %d as %q: refused: %v", at, bad, err)
			}
			if r.t.Events >= full.t.Events {
				continue
			}
			if lost := full.t.Events - r.t.Events; lost > 2 {
				t.Fatalf("byte %d as %q: %d events lost (%q)", at, bad, lost, damaged[max(0, at-40):at+40])
			}
			if len(r.t.LeftOut) == 0 && r.damage.trailing == 0 && !r.damage.incomplete {
				t.Fatalf("byte %d as %q: %d of %d events, and nothing says so", at, bad, r.t.Events, full.t.Events)
			}
		}
	}
}

func TestReadingDoesNotDependOnHowTheBytesArrive(t *testing.T) {
	data := []byte(small().text())
	want, err := readBytes(t, data)
	if err != nil {
		t.Fatal(err)
	}
	r, err := read(context.Background(), iotest.OneByteReader(bytes.NewReader(data)), evidence.LimitsOf[evidence.FormatChromeTrace], false)
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(r.t.Spans) != fmt.Sprint(want.t.Spans) {
		t.Error("bytes that arrive one at a time give other spans")
	}
}

func TestSeveralGzipMembersAreOneTrace(t *testing.T) {
	data := []byte(small().text())
	r, err := readBytes(t, append(zipped(t, data[:100]), zipped(t, data[100:])...))
	if err != nil {
		t.Fatal(err)
	}
	if r.t.Events != 12 || len(r.findings()) > 0 {
		t.Errorf("%d events, findings %v", r.t.Events, r.findings())
	}
}

// What follows a whole gzip file is told as that, not as damage of the trace.
func TestBytesBehindAGzipFileAreCounted(t *testing.T) {
	whole := zipped(t, []byte(small().text()))
	for name, behind := range map[string]string{"a byte": "x", "words": "garbage", "padding": strings.Repeat("\x00", 512), "nothing": ""} {
		t.Run(name, func(t *testing.T) {
			r, err := readBytes(t, slices.Concat(whole, []byte(behind)))
			if err != nil {
				t.Fatal(err)
			}
			if d := r.damage; r.t.Events != 12 || d.trailing != int64(len(behind)) || d.truncated || d.corrupt || d.checksum || d.incomplete {
				t.Errorf("%d events, damage %+v", r.t.Events, d)
			}
		})
	}
}

func TestLimitsAreExact(t *testing.T) {
	data := small().text()
	events := int64(12)
	for _, test := range []struct {
		name    string
		limits  evidence.Limits
		refused string
	}{
		{"all events", evidence.Limits{Expanded: int64(len(data)), Events: int(events), Depth: 6}, ""},
		{"one event more", evidence.Limits{Expanded: int64(len(data)), Events: int(events) - 1, Depth: 6}, "too_many_events"},
		{"one byte more", evidence.Limits{Expanded: int64(len(data)) - 1, Events: int(events), Depth: 6}, "expanded_too_large"},
		{"one level more", evidence.Limits{Expanded: int64(len(data)), Events: int(events), Depth: 5}, "nested_too_deep"},
	} {
		t.Run(test.name, func(t *testing.T) {
			source, err := expand(strings.NewReader(data), int64(len(data)), test.limits.Expanded)
			if err != nil {
				t.Fatal(err)
			}
			_, err = read(context.Background(), source, test.limits, false)
			if test.refused == "" {
				if err != nil {
					t.Errorf("exactly the limit is refused: %v", err)
				}
				return
			}
			wantRefused(t, err, test.refused)
		})
	}
}

func TestReadingStopsWhenItsContextDoes(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := read(ctx, strings.NewReader(small().text()), evidence.LimitsOf[evidence.FormatChromeTrace], false)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("reading went on: %v", err)
	}
}

func TestEventsBehindADamagedMemberAreFound(t *testing.T) {
	text := small().text()
	_, events, _ := strings.Cut(text, `"traceEvents"`)
	r, err := readBytes(t, []byte(`{"schemaVersion":1,"host_name":"a"b","traceEvents"`+events))
	if err != nil {
		t.Fatal(err)
	}
	if r.t.Events != 12 || r.damage.gaps != 1 {
		t.Errorf("%d events, %d gaps; wanted 12 and 1", r.t.Events, r.damage.gaps)
	}
}

func TestMembersBehindADamagedLastEventAreRead(t *testing.T) {
	text := small().text()
	text = strings.TrimSuffix(text, "\n]}") + `,{"ph":"X","name":"a"b","ts":1}],"distributedInfo":{"rank":3,"world_size":8}}`
	r, err := readBytes(t, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if r.t.Events != 12 || r.damage.gaps != 1 || r.t.Environment.Rank != 3 {
		t.Errorf("%d events, %d gaps, rank %d; wanted 12, 1, 3", r.t.Events, r.damage.gaps, r.t.Environment.Rank)
	}
}

func TestALargeMemberBesideTheEventsIsPassedOver(t *testing.T) {
	text := small().text()
	large := `{"schemaVersion":1,"metadata":{"packages":["` + strings.Repeat("numpy 1.24, ", largestMember/4) + `"]},` + strings.TrimPrefix(text, `{"schemaVersion":1,`)
	r, err := readBytes(t, []byte(large))
	if err != nil {
		t.Fatal(err)
	}
	if r.t.Events != 12 || len(r.meta.tooLarge) != 1 {
		t.Errorf("%d events, members too large %q", r.t.Events, r.meta.tooLarge)
	}
}

func TestALaterArrayOfEventsReplacesAnEarlierOneAndSaysSo(t *testing.T) {
	text := small().text()
	twice := strings.TrimSuffix(text, "}") + `,"traceEvents":[{"ph":"X","name":"last","pid":1,"tid":1,"ts":1,"dur":2}]}`
	r, err := readBytes(t, []byte(twice))
	if err != nil {
		t.Fatal(err)
	}
	if r.t.Spans.Len() != 1 || r.damage.replacedEvents != 12 {
		t.Errorf("%d spans, %d events replaced; wanted 1 and 12", r.t.Spans.Len(), r.damage.replacedEvents)
	}
}

func TestTimesOutsideBeliefAreLeftOutAndCounted(t *testing.T) {
	var s script
	s.step(1, 0, 100)
	s.event("cpu_op", "overflowed", 1, 1, 5, 7_447_680_000_000_000, "") // 236 years
	s.event("cpu_op", "negative", 1, 1, 5, -3, "")
	s.events = append(s.events, `{"ph":"X","name":"no time","ts":NaN,"dur":1}`, `{"ph":"X","name":"far","ts":9e30,"dur":1}`)
	r, _ := s.read(t)
	got := counts{}
	for _, left := range r.t.LeftOut {
		got[left.Reason] = left.Count
	}
	for reason, want := range (counts{trace.DurationTooLong: 1, trace.NegativeDuration: 1, trace.NoTime: 2}) {
		if got[reason] != want {
			t.Errorf("%s: %d, wanted %d", reason, got[reason], want)
		}
	}
}
