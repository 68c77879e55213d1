package trace

import (
	"cmp"
	"math"
	"slices"
	"unsafe"
)

// The marks of a missing value in a column of spans.
const (
	Missing     = math.MinInt64
	MissingCode = math.MaxUint32
)

// Spans are the timed activities of a trace, column by column: row i of each
// column speaks of one span. Times are integer nanoseconds. Sorted spans are
// ordered by start, the longer first where starts are equal, and by their
// order in the file where both are.
type Spans struct {
	Start    []int64
	Duration []int64
	// Correlation ties a launch call to the device work it caused; Missing
	// where there is none.
	Correlation []int64
	// Name indexes Trace.Names, Track indexes Trace.Tracks.
	Name  []uint32
	Track []uint32
	// Category holds a Category.
	Category []uint32
	// Detail indexes Trace.Device for device work and Trace.Arguments for
	// operators; MissingCode elsewhere.
	Detail []uint32
}

// SpanBytes is the memory one span takes.
const SpanBytes = 3*8 + 4*4

// Len returns the number of spans.
func (s *Spans) Len() int { return len(s.Start) }

// End returns where span i ends.
func (s *Spans) End(i int) int64 { return s.Start[i] + s.Duration[i] }

// Kind returns the category of span i.
func (s *Spans) Kind(i int) Category { return Category(s.Category[i]) }

// Append adds a span.
func (s *Spans) Append(start, duration, correlation int64, name, track uint32, category Category, detail uint32) {
	s.Start = append(s.Start, start)
	s.Duration = append(s.Duration, duration)
	s.Correlation = append(s.Correlation, correlation)
	s.Name = append(s.Name, name)
	s.Track = append(s.Track, track)
	s.Category = append(s.Category, uint32(category))
	s.Detail = append(s.Detail, detail)
}

// Sort orders the spans.
func (s *Spans) Sort() {
	order := make([]uint32, s.Len())
	for i := range order {
		order[i] = uint32(i)
	}
	compare := func(a, b uint32) int {
		if s.Start[a] != s.Start[b] {
			return cmp.Compare(s.Start[a], s.Start[b])
		}
		if s.Duration[a] != s.Duration[b] {
			return cmp.Compare(s.Duration[b], s.Duration[a])
		}
		return cmp.Compare(a, b)
	}
	if slices.IsSortedFunc(order, compare) {
		return
	}
	slices.SortFunc(order, compare)
	s.reorder(order)
}

// Keep drops the spans for which keep is false.
func (s *Spans) Keep(keep func(i int) bool) {
	order := make([]uint32, 0, s.Len())
	for i := range s.Start {
		if keep(i) {
			order = append(order, uint32(i))
		}
	}
	s.reorder(order)
}

func (s *Spans) reorder(order []uint32) {
	s.Start, s.Duration, s.Correlation = permuted(s.Start, order), permuted(s.Duration, order), permuted(s.Correlation, order)
	s.Name, s.Track = permuted(s.Name, order), permuted(s.Track, order)
	s.Category, s.Detail = permuted(s.Category, order), permuted(s.Detail, order)
}

func permuted[T any](values []T, order []uint32) []T {
	out := make([]T, len(order))
	for i, from := range order {
		out[i] = values[from]
	}
	return out
}

// Track is a row on which spans lie: a thread of a process, or a stream of a
// device, named as the file spells both.
type Track struct {
	Process     string
	Thread      string
	ProcessName string
	ThreadName  string
}

// Lane is a stream of a device.
type Lane struct {
	Device string
	Stream string
}

// DeviceWork is what a kernel, copy or fill says beside its times.
type DeviceWork struct {
	// Lane indexes Trace.Lanes.
	Lane uint32
	// Collective indexes Trace.Collectives; MissingCode where it is none.
	Collective uint32
	// Sequence is the collective's number in its group; Missing where not given.
	Sequence int64
	// Bytes moved or set; Missing where not given.
	Bytes int64
	// BlocksPerSM and Occupancy are the profiler's estimates (occupancy in
	// percent), not measurements; NaN where not given.
	BlocksPerSM float32
	Occupancy   float32
}

// Collective describes a kind of collective operation.
type Collective struct {
	Name      string `json:"name"`
	Group     string `json:"group"`
	GroupSize int64  `json:"group_size"`
	Elements  int64  `json:"elements_in"`
	Type      string `json:"type"`
}

// Tensor is one tensor argument of an operator: its dimensions and element
// type. Only tensors of rank 1 and more are kept.
type Tensor struct {
	Dims []int64
	Type string
}

// Arguments are the tensor arguments of an operator, in order, tensor lists
// flattened.
type Arguments []Tensor

// GPU is a device that the trace lists.
type GPU struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Memory int64  `json:"memory_bytes"`
	SMs    int64  `json:"multiprocessors,omitempty"`
}

// Environment is what the trace says about how and where it was recorded.
type Environment struct {
	// GPUs lists the devices present, used or not.
	GPUs []GPU
	// Rank and WorldSize are Missing where unknown.
	Rank      int64
	WorldSize int64
	Backend   string
	// CollectivesVersion is the version of NCCL or RCCL, if stated.
	CollectivesVersion string
	// Options are the profiler options the file states.
	Options map[string]bool
	// OptionsComplete is true where an option that is not stated is off.
	OptionsComplete bool
}

// Observations are facts about events that are not kept as spans.
type Observations struct {
	// Shapes, Stacks, Memory and Observer say whether any event shows input
	// shapes, call stacks, memory events, or a record function id above 0.
	Shapes, Stacks, Memory, Observer bool
	// WholeMicroseconds is true where no time has decimals.
	WholeMicroseconds bool
	// ZeroDuration counts complete events without duration, OutOfOrder those
	// that start before the complete event ahead of them in the file.
	ZeroDuration, OutOfOrder int64
	// AllocatedPeak is the most bytes the caching allocator had handed out on
	// a GPU, and ReservedPeak the most it held; Missing without such events.
	AllocatedPeak, ReservedPeak int64
}

// Reasons why events are in no figure.
const (
	NoDuration       = "no_duration"
	NoTime           = "no_time"
	NegativeDuration = "negative_duration"
	DurationTooLong  = "duration_over_7_days"
	ZeroTimestamp    = "zero_timestamp"
	BeginWithoutEnd  = "begin_without_end"
	EndWithoutBegin  = "end_without_begin"
	Damaged          = "damaged"
	NotAnEvent       = "not_an_event"
)

// LongestDuration bounds believable durations, in nanoseconds: 7 days. Longer
// ones come from counter overflows in the recorder.
const LongestDuration = 7 * 24 * 3600 * 1_000_000_000

// LeftOut counts events that are in no figure, by reason.
type LeftOut struct {
	Reason string `json:"reason"`
	Count  int64  `json:"count"`
}

// Trace is what an importer read from a trace file.
type Trace struct {
	Spans       Spans
	Names       []string
	Tracks      []Track
	Lanes       []Lane
	Device      []DeviceWork
	Arguments   []Arguments
	Collectives []Collective
	Environment Environment
	Observed    Observations
	// Events counts all events read, ByPhase and ByCategory split them as the
	// file spells them (events without category are not in ByCategory).
	Events     int64
	ByPhase    map[string]int64
	ByCategory map[string]int64
	LeftOut    []LeftOut
	// FirstStart and LastEnd bound all spans; Base is the wall clock, in
	// nanoseconds since 1970, that times count from (Missing where unknown).
	FirstStart, LastEnd int64
	Base                int64
}

// Bytes is the memory that the kept form of the trace takes, texts included.
func (t *Trace) Bytes() int64 {
	total := int64(t.Spans.Len()) * SpanBytes
	total += int64(len(t.Device)) * int64(unsafe.Sizeof(DeviceWork{}))
	for _, name := range t.Names {
		total += int64(len(name)) + int64(unsafe.Sizeof(name))
	}
	for _, arguments := range t.Arguments {
		for _, tensor := range arguments {
			total += int64(8*len(tensor.Dims)) + int64(unsafe.Sizeof(tensor))
		}
	}
	return total
}
