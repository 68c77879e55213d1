package chrometrace

import (
	"cmp"
	"slices"

	"kernelwake/internal/trace"
)

// finish completes the trace once all events and members are read.
func (r *reader) finish(m *metadata) {
	b, t := &r.builder, r.t
	b.pairBoundaries()
	b.dropZeroTimes()
	if gaps := r.damage.gaps + r.damage.cutEvents; gaps > 0 {
		b.leftOut[trace.Damaged] += gaps
	}
	if r.damage.otherElements > 0 {
		b.leftOut[trace.NotAnEvent] += r.damage.otherElements
	}
	for reason, count := range b.leftOut {
		t.LeftOut = append(t.LeftOut, trace.LeftOut{Reason: reason, Count: count})
	}
	slices.SortFunc(t.LeftOut, func(x, y trace.LeftOut) int { return cmp.Compare(x.Reason, y.Reason) })
	for letter, count := range b.phases {
		if count > 0 {
			t.ByPhase[string(rune(letter))] += count
		}
	}
	for phase, count := range b.otherPhases {
		t.ByPhase[phase] += count
	}
	for spelled, c := range b.categories {
		text, _ := decode(spelled)
		t.ByCategory[text] += c.count
		if !c.known {
			b.unknown[text] += c.count
		}
	}
	for i := range t.Tracks {
		track := &t.Tracks[i]
		track.ProcessName = b.processNames[track.Process]
		track.Process, track.Thread = r.report.Text("/"+eventsKey, track.Process), r.report.Text("/"+eventsKey, track.Thread)
	}
	for i := range t.Lanes {
		lane := &t.Lanes[i]
		lane.Device, lane.Stream = r.report.Text("/"+eventsKey, lane.Device), r.report.Text("/"+eventsKey, lane.Stream)
	}
	t.Names, t.Environment, t.Base = b.names.texts, m.environment(), m.base
	t.Spans.Sort()
	b.bounds()
}

// pairBoundaries makes spans of begins and ends: per track, an end closes the
// latest open begin of its name, or the latest of all if it bears none.
func (b *builder) pairBoundaries() {
	slices.SortStableFunc(b.open, func(x, y boundary) int {
		return cmp.Or(cmp.Compare(x.track, y.track), cmp.Compare(x.at, y.at))
	})
	for from := 0; from < len(b.open); {
		to := from
		for to < len(b.open) && b.open[to].track == b.open[from].track {
			to++
		}
		b.pairTrack(b.open[from:to])
		from = to
	}
	b.open = nil
}

func (b *builder) pairTrack(boundaries []boundary) {
	var stack []boundary
	latest := map[uint32][]int{} // places on the stack by name
	for _, mark := range boundaries {
		if mark.begins {
			latest[mark.name] = append(latest[mark.name], len(stack))
			stack = append(stack, mark)
			continue
		}
		at := b.matching(stack, latest, mark)
		if at < 0 {
			b.leave(trace.EndWithoutBegin)
			continue
		}
		begin := &stack[at]
		begin.begins = false // closed
		places := latest[begin.name]
		latest[begin.name] = places[:len(places)-1]
		b.addPair(*begin, mark.at-begin.at)
		for len(stack) > 0 && !stack[len(stack)-1].begins {
			stack = stack[:len(stack)-1]
		}
	}
	for _, mark := range stack {
		if mark.begins {
			b.leave(trace.BeginWithoutEnd)
		}
	}
}

// matching returns the place of the begin that an end closes, -1 if none.
func (b *builder) matching(stack []boundary, latest map[uint32][]int, end boundary) int {
	if end.unnamed {
		return len(stack) - 1
	}
	places := latest[end.name]
	if len(places) == 0 {
		return -1
	}
	return places[len(places)-1]
}

// addPair adds the span between a begin and its end: one span of two events,
// and one thing left out where it can't be believed.
func (b *builder) addPair(begin boundary, duration int64) {
	b.pairs++
	if duration > trace.LongestDuration {
		b.leave(trace.DurationTooLong)
		return
	}
	b.t.Spans.Append(begin.at, duration, trace.Missing, begin.name, begin.track, trace.Category(begin.category), begin.detail)
}

// dropZeroTimes leaves out events with time 0 and duration 0 beside others
// that lie further away from 0 than they spread: a recorder lost their times.
func (b *builder) dropZeroTimes() {
	s := &b.t.Spans
	first, last, zeros := int64(trace.Missing), int64(0), 0
	for i := range s.Start {
		switch {
		case s.Start[i] == 0 && s.Duration[i] == 0:
			zeros++
		case first == trace.Missing || s.Start[i] < first:
			first = s.Start[i]
			last = max(last, s.End(i))
		default:
			last = max(last, s.End(i))
		}
	}
	if zeros == 0 || first == trace.Missing || first <= last-first {
		return
	}
	s.Keep(func(i int) bool { return s.Start[i] != 0 || s.Duration[i] != 0 })
	b.leftOut[trace.ZeroTimestamp] += int64(zeros)
}

// bounds finds where the recorded activity begins and ends. The span of the
// profiler itself is no activity.
func (b *builder) bounds() {
	t, found := b.t, false
	for i := range t.Spans.Start {
		if t.Spans.Kind(i) == trace.WholeCapture && t.Spans.Len() > 1 {
			continue
		}
		if !found {
			t.FirstStart, t.LastEnd, found = t.Spans.Start[i], t.Spans.End(i), true
		}
		t.LastEnd = max(t.LastEnd, t.Spans.End(i))
	}
}
