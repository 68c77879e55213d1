package trace

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// intervals draws stretches of time ordered by start, as spans come.
func intervals(t *rapid.T, label string) []Interval {
	out := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Interval {
		start := rapid.Int64Range(-20, 60).Draw(t, "start")
		return Interval{start, start + rapid.Int64Range(0, 25).Draw(t, "length")}
	}), 0, 12).Draw(t, label)
	slices.SortFunc(out, func(a, b Interval) int { return int(a.Start - b.Start) })
	return out
}

func unionOf(all []Interval) []Interval {
	var union []Interval
	for _, interval := range all {
		union = extend(union, interval.Start, interval.End)
	}
	return union
}

func active(all []Interval, t int64) bool {
	return slices.ContainsFunc(all, func(i Interval) bool { return i.Start <= t && t < i.End })
}

// TestUnionsAndConcurrencyCountEachNanosecondOnce holds the sweep against
// looking at every nanosecond.
func TestUnionsAndConcurrencyCountEachNanosecondOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sorts := [3][]Interval{intervals(t, "compute"), intervals(t, "communication"), intervals(t, "memory")}
		got := concurrency(unionOf(sorts[0]), unionOf(sorts[1]), unionOf(sorts[2]))
		want := make([]int64, 8)
		for ns := int64(-20); ns < 90; ns++ {
			set := 0
			for i, sort := range sorts {
				if active(sort, ns) {
					set |= 1 << i
				}
			}
			want[set]++
		}
		if !slices.Equal(got[1:], want[1:]) {
			t.Fatalf("%v, looking at every nanosecond gives %v", got[1:], want[1:])
		}
		for i, sort := range sorts {
			var busy int64
			for set := range want {
				if set&(1<<i) != 0 {
					busy += want[set]
				}
			}
			if length(unionOf(sort)) != busy {
				t.Fatalf("union %d is %d long, %d nanoseconds are busy", i, length(unionOf(sort)), busy)
			}
		}
	})
}

func TestBreakdownAddsUpToItsWindow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type work struct {
			Interval
			sort int
		}
		var all []work
		for sort := range 3 {
			for _, interval := range intervals(t, "work") {
				all = append(all, work{interval, sort})
			}
		}
		if len(all) == 0 {
			return
		}
		slices.SortStableFunc(all, func(a, b work) int { return int(a.Start - b.Start) })
		var u unions
		for _, w := range all {
			u.add(w.sort, w.Start, w.End)
		}
		b, times := u.breakdown()
		value := func(v interface{ Get() (int64, bool) }) int64 { n, _ := v.Get(); return n }
		window := value(b.WindowNS)
		if sum := value(b.IdleNS) + value(b.ComputeNS) + value(b.ExposedCommunicationNS) + value(b.ExposedMemoryNS); sum != window {
			t.Fatalf("idle, compute, exposed communication and exposed memory make %d of a window of %d", sum, window)
		}
		if value(b.BusyNS)+value(b.IdleNS) != window {
			t.Fatalf("busy %d and idle %d don't make the window %d", value(b.BusyNS), value(b.IdleNS), window)
		}
		var busy int64
		for _, row := range times {
			busy += row.NS
		}
		if busy != value(b.BusyNS) {
			t.Fatalf("the sets of work running make %d of %d busy nanoseconds", busy, value(b.BusyNS))
		}
	})
}

func TestCoversTakesTheEndInsideAndNothingBetween(t *testing.T) {
	union := []Interval{{10, 20}, {30, 30}, {40, 50}}
	for at, want := range map[int64]bool{9: false, 10: true, 20: true, 21: false, 30: true, 35: false, 50: true, 51: false} {
		if covers(union, at) != want {
			t.Errorf("covers %d: %v", at, !want)
		}
	}
	if covers(nil, 0) {
		t.Error("nothing covers")
	}
}

func TestSumsOfBrokenTimesStayAtTheLargest(t *testing.T) {
	const most = 1<<63 - 1
	for _, sum := range [][3]int64{{1, 2, 3}, {most, 1, most}, {-most - 1, -1, -most - 1}, {most, -1, most - 1}, {-5, 0, -5}, {0, -7, -7}} {
		if got := plus(sum[0], sum[1]); got != sum[2] {
			t.Errorf("%d + %d = %d, wanted %d", sum[0], sum[1], got, sum[2])
		}
	}
}
