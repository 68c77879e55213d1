package aiperf

import "time"

// span is a stretch of time in epoch nanoseconds; missingInteger where unknown.
type span struct{ start, end int64 }

func (s span) known() bool {
	return s.start != missingInteger && s.end != missingInteger && s.end >= s.start
}

// with returns the span widened to hold another stretch.
func (s span) with(start, end int64) span {
	if s.start == missingInteger || start < s.start {
		s.start = start
	}
	if s.end == missingInteger || end > s.end {
		s.end = end
	}
	return s
}

// seconds is the span's length.
func (s span) seconds() float64 { return float64(s.end-s.start) / 1e9 }

// overlaps reports whether two spans share a moment, give or take slack.
func (s span) overlaps(other span, slack time.Duration) bool {
	return s.start-int64(slack) <= other.end && other.start-int64(slack) <= s.end
}

func instant(ns int64) time.Time { return time.Unix(0, ns).UTC() }
