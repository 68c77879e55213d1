package trace

import (
	"cmp"
	"slices"
)

// KernelWaitBelow separates gaps between kernels that the device itself needs
// from longer ones, in nanoseconds: 30 µs, as Holistic Trace Analysis does.
const KernelWaitBelow = 30_000

// BlockedQueue is the queue length at which a launch call waits for room.
const BlockedQueue = 1024

// StreamFigures is what one stream of a device did, and why it stood still.
type StreamFigures struct {
	Device string `json:"device"`
	Stream string `json:"stream"`
	Events int64  `json:"events"`
	BusyNS int64  `json:"busy_ns"`
	// ShareOfWindow is busy time over the window of all GPU work.
	ShareOfWindow float64 `json:"share_of_window"`
	// Gaps before each event since the end of all earlier ones on the stream:
	// waiting for the host where the launch call began after that end, for the
	// device where the gap is under 30 µs, else for something else (another
	// stream, an event, a launch that was not captured).
	HostWaitNS   int64 `json:"host_wait_ns"`
	KernelWaitNS int64 `json:"kernel_wait_ns"`
	OtherNS      int64 `json:"other_wait_ns"`
	HostWaits    int64 `json:"host_waits"`
	KernelWaits  int64 `json:"kernel_waits"`
	OtherWaits   int64 `json:"other_waits"`
	// Overlaps counts events that begin before an earlier one on the stream
	// ended, PartialOverlaps those of them that also outlast it.
	Overlaps        int64 `json:"overlaps"`
	PartialOverlaps int64 `json:"partial_overlaps"`
	// SumNS is the sum of all durations; over BusyNS it tells double counting.
	SumNS int64 `json:"sum_ns"`
	// QueueMean is the time-weighted number of launched, not yet started
	// events between the first launch and the last start, QueueMax the most at
	// once, QueueBlockedNS the time with 1024 or more.
	QueueMean      float64 `json:"queue_mean"`
	QueueMax       int64   `json:"queue_max"`
	QueueBlockedNS int64   `json:"queue_blocked_ns"`
}

// streams looks at each stream by itself, in order of first work.
func (r *analysis) streams(window int64) []StreamFigures {
	place := make([]int, len(r.t.Lanes))
	var out []StreamFigures
	var reach []int64 // latest end on each stream so far
	var changes [][]queueChange
	for k, i := range r.device {
		lane := r.lane(i)
		start, end := r.s.Start[i], r.s.End(int(i))
		if place[lane] == 0 {
			out = append(out, StreamFigures{Device: r.t.Lanes[lane].Device, Stream: r.t.Lanes[lane].Stream})
			reach, changes = append(reach, start), append(changes, nil)
			place[lane] = len(out)
		}
		at := place[lane] - 1
		stream, before := &out[at], reach[at]
		stream.Events++
		stream.SumNS = plus(stream.SumNS, r.s.Duration[i])
		if start < before {
			stream.Overlaps++
			if end > before {
				stream.PartialOverlaps++
			}
		} else if stream.Events > 1 {
			stream.wait(start-before, r.launch[k] >= 0 && r.s.Start[r.launch[k]] > before)
		}
		stream.BusyNS += max(0, end-max(start, before))
		reach[at] = max(before, end)
		if r.launch[k] >= 0 {
			changes[at] = append(changes[at], queueChange{r.s.Start[r.launch[k]], 1}, queueChange{start, -1})
		}
	}
	for at := range out {
		out[at].ShareOfWindow = share(out[at].BusyNS, window)
		out[at].queue(changes[at])
	}
	return out
}

func (f *StreamFigures) wait(gap int64, forHost bool) {
	switch {
	case forHost:
		f.HostWaitNS += gap
		f.HostWaits++
	case gap < KernelWaitBelow:
		f.KernelWaitNS += gap
		f.KernelWaits++
	default:
		f.OtherNS += gap
		f.OtherWaits++
	}
}

// queueChange is one event more (launched) or less (started) in a queue.
type queueChange struct{ at, by int64 }

func (f *StreamFigures) queue(changes []queueChange) {
	slices.SortFunc(changes, func(a, b queueChange) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(b.by, a.by)) })
	var waiting int64
	var area float64
	for i, change := range changes {
		if i > 0 {
			elapsed := change.at - changes[i-1].at
			area += float64(waiting) * float64(elapsed)
			if waiting >= BlockedQueue {
				f.QueueBlockedNS += elapsed
			}
		}
		waiting += change.by
		f.QueueMax = max(f.QueueMax, waiting)
	}
	if len(changes) == 0 {
		return
	}
	if elapsed := changes[len(changes)-1].at - changes[0].at; elapsed > 0 {
		f.QueueMean = area / float64(elapsed)
	}
}
