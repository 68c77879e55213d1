package trace

import "math"

// plus adds durations; a sum beyond an int64, which only broken times make,
// stays at the largest.
func plus(a, b int64) int64 {
	if sum := a + b; (sum > a) == (b > 0) || b == 0 {
		return sum
	}
	if b > 0 {
		return math.MaxInt64
	}
	return math.MinInt64
}

// Interval is a half-open stretch of time in nanoseconds.
type Interval struct{ Start, End int64 }

// extend adds an interval to a union under construction. Intervals must come
// ordered by start; touching ones join.
func extend(union []Interval, start, end int64) []Interval {
	if last := len(union) - 1; last >= 0 && start <= union[last].End {
		union[last].End = max(union[last].End, end)
		return union
	}
	return append(union, Interval{start, end})
}

// length returns the total time of disjoint intervals.
func length(union []Interval) int64 {
	var total int64
	for _, interval := range union {
		total += interval.End - interval.Start
	}
	return total
}

// covers reports whether t lies in one of the disjoint, ordered intervals. The
// end counts as inside: whole-microsecond clocks put a launch call's start on
// its operator's end.
func covers(union []Interval, t int64) bool {
	low, high := 0, len(union)
	for low < high {
		middle := (low + high) / 2
		if union[middle].Start <= t {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low > 0 && union[low-1].End >= t
}

// concurrency returns, for each set of the given unions, the time in which
// exactly that set is active: index 1<<i stands for union i alone.
func concurrency(unions ...[]Interval) []int64 {
	times := make([]int64, 1<<len(unions))
	next := make([]int, len(unions)) // boundary 2k is start k, 2k+1 its end
	active, now, started := 0, int64(0), false
	for {
		at, which := int64(0), -1
		for i, union := range unions {
			if next[i] == 2*len(union) {
				continue
			}
			boundary := union[next[i]/2].Start
			if next[i]%2 == 1 {
				boundary = union[next[i]/2].End
			}
			if which < 0 || boundary < at {
				at, which = boundary, i
			}
		}
		if which < 0 {
			return times
		}
		if started {
			times[active] += at - now
		}
		now, started = at, true
		active ^= 1 << which
		next[which]++
	}
}
