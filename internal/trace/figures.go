package trace

import (
	"math"

	"kernelwake/internal/absent"
)

// MostRows bounds each table of the figures; what is beyond is counted in
// Figures.Truncated.
const MostRows = 1000

// Figures are what a trace says about time. Durations are integer nanoseconds.
// Windows and unions are over all GPU events, first start to last end.
type Figures struct {
	Breakdown
	// Concurrency is the time in which exactly the named sets of work ran.
	Concurrency []TypeTime      `json:"concurrency"`
	Devices     []DeviceFigures `json:"devices"`
	Streams     []StreamFigures `json:"streams"`
	Kernels     []KernelFigures `json:"kernels"`
	Copies      []CopyFigures   `json:"copies"`
	Launches    LaunchFigures   `json:"launches"`
	StepKind    StepKind        `json:"step_kind"`
	Steps       []Step          `json:"steps"`
	// StepsKept counts the steps whose times stand for the work.
	StepsKept   int64               `json:"steps_kept"`
	Operators   []OperatorFigures   `json:"operators"`
	Collectives []CollectiveFigures `json:"collectives"`
	// Events and EventsByCategory count all events of the file, as it spells
	// phases and categories.
	Events           map[string]int64 `json:"events"`
	EventsByCategory map[string]int64 `json:"events_by_category"`
	EventsTotal      int64            `json:"events_total"`
	GPUEvents        int64            `json:"gpu_events"`
	KernelCount      int64            `json:"kernel_count"`
	KernelSumNS      int64            `json:"kernel_sum_ns"`
	// ZeroDuration counts GPU events without duration.
	ZeroDuration int64     `json:"zero_duration_gpu_events"`
	LeftOut      []LeftOut `json:"left_out"`
	// CaptureNS is the time from the first to the last event of any kind.
	CaptureNS int64 `json:"capture_ns"`
	// AllocatedPeak and ReservedPeak are the caching allocator's own counts
	// on a GPU.
	AllocatedPeak absent.Value[int64] `json:"allocated_peak_bytes"`
	ReservedPeak  absent.Value[int64] `json:"reserved_peak_bytes"`
	Truncated     []Truncated         `json:"truncated,omitempty"`
}

// Truncated says that a table of the figures is not whole.
type Truncated struct {
	Pointer string `json:"pointer"`
	Kept    int64  `json:"kept"`
	Of      int64  `json:"of"`
}

// Breakdown splits a window of GPU work. Idle, compute, exposed communication
// and exposed memory add up to the window; communication counts as exposed
// where no compute runs, memory where neither runs.
type Breakdown struct {
	WindowNS               absent.Value[int64] `json:"window_ns"`
	BusyNS                 absent.Value[int64] `json:"busy_ns"`
	IdleNS                 absent.Value[int64] `json:"idle_ns"`
	ComputeNS              absent.Value[int64] `json:"compute_ns"`
	CommunicationNS        absent.Value[int64] `json:"communication_ns"`
	MemoryNS               absent.Value[int64] `json:"memory_ns"`
	ExposedCommunicationNS absent.Value[int64] `json:"exposed_communication_ns"`
	ExposedMemoryNS        absent.Value[int64] `json:"exposed_memory_ns"`
	// OverlapNS is communication hidden by compute, OverlapShare the same as a
	// part of all communication; absent without communication.
	OverlapNS    absent.Value[int64]   `json:"overlap_ns"`
	OverlapShare absent.Value[float64] `json:"overlap_share"`
}

// TypeTime is the time in which exactly these sorts of work ran.
type TypeTime struct {
	Types []string `json:"types"`
	NS    int64    `json:"ns"`
}

// DeviceFigures is the breakdown of one GPU, with the profiler's estimates:
// SM efficiency is min(blocks per SM, 1) weighted by kernel time over the
// window, occupancy is weighted by kernel time. Neither is measured.
type DeviceFigures struct {
	Device string `json:"device"`
	Breakdown
	Kernels               int64                 `json:"kernels"`
	GPUEvents             int64                 `json:"gpu_events"`
	KernelSumNS           int64                 `json:"kernel_sum_ns"`
	EstimatedSMEfficiency absent.Value[float64] `json:"estimated_sm_efficiency"`
	EstimatedOccupancy    absent.Value[float64] `json:"estimated_occupancy"`
}

// unions of work, by sort and all together.
type unions struct {
	sort [3][]Interval
	all  []Interval
}

func (u *unions) add(sort int, start, end int64) {
	u.sort[sort] = extend(u.sort[sort], start, end)
	u.all = extend(u.all, start, end)
}

func (u *unions) breakdown() (Breakdown, []TypeTime) {
	if len(u.all) == 0 {
		none := absent.Because[int64](absent.NotApplicable, "the trace holds no GPU event")
		return Breakdown{none, none, none, none, none, none, none, none, none, absent.Because[float64](absent.NotApplicable, none.Note())}, nil
	}
	window := u.all[len(u.all)-1].End - u.all[0].Start
	busy := length(u.all)
	times := concurrency(u.sort[computeWork], u.sort[communicationWork], u.sort[memoryWork])
	compute, communication, memory := 1<<computeWork, 1<<communicationWork, 1<<memoryWork
	sum := func(has, lacks int) int64 {
		var total int64
		for set, ns := range times {
			if set&has == has && set&lacks == 0 {
				total += ns
			}
		}
		return total
	}
	b := Breakdown{
		WindowNS: absent.Of(window), BusyNS: absent.Of(busy), IdleNS: absent.Of(window - busy),
		ComputeNS: absent.Of(sum(compute, 0)), CommunicationNS: absent.Of(sum(communication, 0)), MemoryNS: absent.Of(sum(memory, 0)),
		ExposedCommunicationNS: absent.Of(sum(communication, compute)), ExposedMemoryNS: absent.Of(sum(memory, compute|communication)),
		OverlapNS:    absent.Because[int64](absent.NotApplicable, "there is no communication"),
		OverlapShare: absent.Because[float64](absent.NotApplicable, "there is no communication"),
	}
	if total := sum(communication, 0); total > 0 {
		b.OverlapNS = absent.Of(sum(compute|communication, 0))
		b.OverlapShare = absent.Of(float64(sum(compute|communication, 0)) / float64(total))
	}
	return b, typeTimes(times)
}

func typeTimes(times []int64) []TypeTime {
	var out []TypeTime
	for set, ns := range times {
		if set == 0 || ns == 0 {
			continue
		}
		row := TypeTime{NS: ns}
		for sort, name := range [...]string{"compute", "communication", "memory"} {
			if set&(1<<sort) != 0 {
				row.Types = append(row.Types, name)
			}
		}
		out = append(out, row)
	}
	return out
}

func (r *analysis) figures() Figures {
	f := Figures{
		StepKind: r.stepKind, Steps: r.steps, StepsKept: int64(len(r.kept())),
		Events: r.t.ByPhase, EventsByCategory: r.t.ByCategory, EventsTotal: r.t.Events, GPUEvents: int64(len(r.device)),
		LeftOut: r.t.LeftOut, CaptureNS: r.t.LastEnd - r.t.FirstStart,
		AllocatedPeak: peak(r.t.Observed.AllocatedPeak), ReservedPeak: peak(r.t.Observed.ReservedPeak),
	}
	var all unions
	for _, i := range r.device {
		all.add(r.workSort(i), r.s.Start[i], r.s.End(int(i)))
		if r.s.Duration[i] == 0 {
			f.ZeroDuration++
		}
		if r.s.Kind(int(i)) == Kernel {
			f.KernelCount++
			f.KernelSumNS = plus(f.KernelSumNS, r.s.Duration[i])
		}
	}
	f.Breakdown, f.Concurrency = all.breakdown()
	window, _ := f.WindowNS.Get()
	f.Devices = r.devices()
	f.Streams = r.streams(window)
	f.Kernels = bounded(&f, "/kernels", r.kernels(f.KernelSumNS, window))
	f.Copies = r.copies()
	f.Launches = r.launches()
	f.Operators = bounded(&f, "/operators", r.operatorFigures())
	f.Collectives = bounded(&f, "/collectives", r.collectives())
	f.Concurrency, f.LeftOut, f.Steps, f.Devices, f.Streams = rows(f.Concurrency), rows(f.LeftOut), rows(f.Steps), rows(f.Devices), rows(f.Streams)
	return f
}

// rows is a table without rows rather than no table: JSON has no null for it.
func rows[T any](table []T) []T {
	if table == nil {
		return []T{}
	}
	return table
}

func peak(bytes int64) absent.Value[int64] {
	if bytes == Missing {
		return absent.Because[int64](absent.NotRecorded, "profile_memory was off, or nothing was allocated on a GPU")
	}
	return absent.Of(bytes)
}

func bounded[T any](f *Figures, pointer string, table []T) []T {
	if len(table) <= MostRows {
		return rows(table)
	}
	f.Truncated = append(f.Truncated, Truncated{pointer, MostRows, int64(len(table))})
	return table[:MostRows]
}

// devices breaks down each GPU by itself, in order of first work.
func (r *analysis) devices() []DeviceFigures {
	type tally struct {
		unions
		efficiency, occupancy, efficiencyTime, occupancyTime float64
	}
	var out []DeviceFigures
	var tallies []*tally
	index := map[string]int{}
	for _, i := range r.device {
		work := r.t.Device[r.s.Detail[i]]
		name := r.t.Lanes[work.Lane].Device
		at, ok := index[name]
		if !ok {
			at = len(out)
			index[name] = at
			out, tallies = append(out, DeviceFigures{Device: name}), append(tallies, &tally{})
		}
		device, tally := &out[at], tallies[at]
		tally.add(r.workSort(i), r.s.Start[i], r.s.End(int(i)))
		device.GPUEvents++
		if r.s.Kind(int(i)) != Kernel {
			continue
		}
		device.Kernels++
		device.KernelSumNS = plus(device.KernelSumNS, r.s.Duration[i])
		weight := float64(r.s.Duration[i])
		if blocks := float64(work.BlocksPerSM); !math.IsNaN(blocks) {
			tally.efficiency += min(blocks, 1) * weight
			tally.efficiencyTime += weight
		}
		if occupancy := float64(work.Occupancy); !math.IsNaN(occupancy) {
			tally.occupancy += occupancy / 100 * weight
			tally.occupancyTime += weight
		}
	}
	for i, tally := range tallies {
		out[i].Breakdown, _ = tally.breakdown()
		window, _ := out[i].WindowNS.Get()
		out[i].EstimatedSMEfficiency = estimate(tally.efficiency, float64(window), tally.efficiencyTime)
		out[i].EstimatedOccupancy = estimate(tally.occupancy, tally.occupancyTime, tally.occupancyTime)
	}
	return out
}

func estimate(weighted, by, basis float64) absent.Value[float64] {
	if basis == 0 || by == 0 {
		return absent.Because[float64](absent.NotRecorded, "the kernels bear no estimate")
	}
	return absent.Of(weighted / by)
}
