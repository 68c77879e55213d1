package trace

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kernelwake/internal/evidence"
)

// tableOf stores spans of one track, given as category, start and duration.
func tableOf(spans ...[3]int64) evidence.Table {
	var s Spans
	for i, span := range spans {
		s.Append(span[1], span[2], int64(100+i/2), uint32(i%2), 0, Category(span[0]), MissingCode)
	}
	s.Sort()
	missing := make([]uint32, s.Len())
	for i := range missing {
		missing[i] = MissingCode
	}
	return SpanTable(&s, []string{"even", "odd"}, []string{"thread 1"}, missing, nil)
}

func TestTimelineNestsByTimeAndKeepsLayersApart(t *testing.T) {
	view := Timeline(tableOf(
		[3]int64{int64(Operator), 0, 1000}, [3]int64{int64(Operator), 100, 300}, [3]int64{int64(Runtime), 150, 100},
		[3]int64{int64(Operator), 500, 100}, [3]int64{int64(PythonFunction), 0, 2000}, [3]int64{int64(Annotation), 50, 5000},
	), 0, 0, 100)
	got := map[string][]int{}
	for _, row := range view.Rows {
		for _, span := range row.Spans {
			got[row.Layer] = append(got[row.Layer], span.Depth)
		}
	}
	want := map[string][]int{LayerCalls: {0, 1, 2, 1}, LayerPython: {0}, LayerAnnotations: {0}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("depths by layer (-wanted +got):\n%s", diff)
	}
	if view.BeginNS != 0 || view.EndNS != 5050 || view.FromNS != 0 || view.ToNS != 5050 {
		t.Errorf("the whole trace is shown as %d to %d of %d to %d", view.FromNS, view.ToNS, view.BeginNS, view.EndNS)
	}
}

func TestNarrowSpansBecomeBlocksThatSayWhatTheyHold(t *testing.T) {
	var spans [][3]int64
	for i := range int64(1000) {
		spans = append(spans, [3]int64{int64(Kernel), 10 * i, 5 + i%3})
	}
	spans = append(spans, [3]int64{int64(Kernel), 20_000, 5000})
	view := Timeline(tableOf(spans...), 0, 25_000, 25)
	if len(view.Rows) != 1 || len(view.Rows[0].Spans) != 11 {
		t.Fatalf("%d rows, the first with %d spans; wanted 10 blocks of a pixel and the wide span", len(view.Rows), len(view.Rows[0].Spans))
	}
	for _, block := range view.Rows[0].Spans[:10] {
		if block.Count != 100 || block.BusyNS < 590 || block.BusyNS > 610 {
			t.Errorf("a block of %d spans, %d ns busy; wanted 100 of about 600 ns", block.Count, block.BusyNS)
		}
	}
	if view.Of != 1001 || view.Shown != 1 {
		t.Errorf("%d of %d shown by themselves, wanted 1 of 1001", view.Shown, view.Of)
	}
}

// TestTimelineCountsEverySpanOfItsWindow: drawn alone or in a block.
func TestTimelineCountsEverySpanOfItsWindow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spans := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) [3]int64 {
			return [3]int64{int64(rapid.SampledFrom([]Category{Kernel, Operator, PythonFunction}).Draw(t, "category")), rapid.Int64Range(0, 1000).Draw(t, "start"), rapid.Int64Range(0, 200).Draw(t, "duration")}
		}), 1, 60).Draw(t, "spans")
		from := rapid.Int64Range(0, 900).Draw(t, "from")
		to := from + rapid.Int64Range(1, 400).Draw(t, "length")
		view := Timeline(tableOf(spans...), from, to, rapid.IntRange(1, 50).Draw(t, "width"))
		var want, drawn int64
		for _, span := range spans {
			if end := span[1] + span[2]; span[1] < to && (end > from || end == from && span[2] == 0) {
				want++
			}
		}
		for _, row := range view.Rows {
			for _, span := range row.Spans {
				drawn += max(1, span.Count)
				if span.Depth >= row.Depth {
					t.Fatalf("a span at depth %d of a row %d deep", span.Depth, row.Depth)
				}
			}
		}
		if view.Of != want || drawn != want {
			t.Fatalf("%d spans lie in the window, %d counted, %d drawn", want, view.Of, drawn)
		}
	})
}

func TestTimelineBoundsWhatItHoldsAndSaysSo(t *testing.T) {
	var spans [][3]int64
	for i := range int64(MostTimelineSpans + 500) {
		spans = append(spans, [3]int64{int64(Kernel), 100 * i, 50 + i%2})
	}
	view := Timeline(tableOf(spans...), 0, 0, 10_000_000)
	if got := len(view.Rows[0].Spans); got != MostTimelineSpans || view.Truncated == nil || view.Truncated.Of != MostTimelineSpans+500 {
		t.Fatalf("%d spans drawn, truncated %+v", got, view.Truncated)
	}
	longest := 0
	for _, span := range view.Rows[0].Spans {
		if span.DurationNS == 51 {
			longest++
		}
	}
	if longest != MostTimelineSpans/2+250 {
		t.Errorf("%d of the longest spans are kept", longest)
	}
}

func TestASpanIsDescribedWithTheSpansOfItsCorrelation(t *testing.T) {
	table := tableOf([3]int64{int64(Runtime), 0, 5}, [3]int64{int64(Kernel), 50, 400}, [3]int64{int64(Runtime), 500, 5}, [3]int64{int64(Kernel), 550, 40})
	kernel, ok := DescribeSpan(table, 1)
	if !ok || kernel.Category != "kernel" || len(kernel.Linked) != 1 || kernel.Linked[0].Category != "runtime" || kernel.Linked[0].StartNS != 0 {
		t.Errorf("the first kernel is %+v", kernel)
	}
	if _, ok := DescribeSpan(table, 4); ok {
		t.Error("a row that isn't there was described")
	}
	found, of := FindSpans(table, SpanSearch{Name: "ODD", Category: "kernel", Limit: 1})
	if len(found) != 1 || of != 2 {
		t.Errorf("%d spans of %d found", len(found), of)
	}
}

func TestAnotherTableIsNoTimeline(t *testing.T) {
	for _, table := range []evidence.Table{{}, {Name: "spans", Columns: []evidence.Column{{Name: startColumn, Ints: []int64{1}}}}, {Name: "spans", Columns: []evidence.Column{{Name: startColumn, Ints: []int64{1}}, {Name: durationColumn}}}} {
		if view := Timeline(table, 0, 10, 10); view.Of != 0 || len(view.Rows) != 0 {
			t.Errorf("%+v was drawn", table)
		}
	}
}

func TestSpansAreSortedByStartLongerFirstThenAsTheyCame(t *testing.T) {
	var s Spans
	for i, span := range [][2]int64{{5, 1}, {0, 3}, {0, 9}, {5, 1}, {-2, 0}, {0, 3}} {
		s.Append(span[0], span[1], int64(i), 0, 0, Kernel, 0)
	}
	s.Sort()
	if want := []int64{4, 2, 1, 5, 0, 3}; !slices.Equal(s.Correlation, want) {
		t.Errorf("order %v, wanted %v", s.Correlation, want)
	}
}
