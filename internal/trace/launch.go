package trace

import "slices"

// LaunchFigures tell how launch calls and the work they caused lie to each
// other.
type LaunchFigures struct {
	// WithLaunch and WithoutLaunch split all GPU events.
	WithLaunch    int64 `json:"gpu_events_with_launch"`
	WithoutLaunch int64 `json:"gpu_events_without_launch"`
	// CallsWithoutWork counts launch calls whose work is not in the trace.
	CallsWithoutWork int64 `json:"launches_without_gpu_event"`
	// ManyEvents counts launches that caused more than one GPU event, as graph
	// launches do; MaxFanOut is the most events of one.
	ManyEvents int64 `json:"launches_with_many_gpu_events"`
	MaxFanOut  int64 `json:"max_fan_out"`
	// RepeatedCorrelations counts launch calls that reuse a correlation.
	RepeatedCorrelations int64 `json:"repeated_correlations"`
	// Delay of a kernel after its launch call returned, 0 where it started
	// before; of the kernels of one launch the first alone counts.
	DelayN        int64 `json:"launch_delay_n"`
	DelayMedianNS int64 `json:"launch_delay_p50_ns"`
	DelayMeanNS   int64 `json:"launch_delay_mean_ns"`
	DelayMaxNS    int64 `json:"launch_delay_max_ns"`
	// StartedEarly counts kernels that started before the call returned.
	StartedEarly int64 `json:"kernels_started_before_launch_returned"`
	// QueueDelayNS sums that delay over all kernels, every kernel of a graph
	// included; LaunchToStartNS (TKLQT) sums start − launch start likewise.
	// Both are far from any elapsed time where kernels queue up.
	QueueDelayNS    int64 `json:"queue_delay_sum_ns"`
	LaunchToStartNS int64 `json:"launch_to_start_sum_ns"`
	// Calls and CallNS count launch calls and the CPU time in them, Waits and
	// WaitNS calls that wait for the device.
	Calls  int64 `json:"launch_calls"`
	CallNS int64 `json:"launch_call_ns"`
	Waits  int64 `json:"synchronise_calls"`
	WaitNS int64 `json:"synchronise_call_ns"`
}

func (r *analysis) launches() LaunchFigures {
	f := LaunchFigures{CallsWithoutWork: r.callsWithoutWork, RepeatedCorrelations: r.repeated}
	var delays []int64
	seen := map[int32]bool{}
	for k, i := range r.device {
		call := r.launch[k]
		if call < 0 {
			f.WithoutLaunch++
			continue
		}
		f.WithLaunch++
		if r.s.Kind(int(i)) != Kernel {
			continue
		}
		f.LaunchToStartNS = plus(f.LaunchToStartNS, r.s.Start[i]-r.s.Start[call])
		delay := r.s.Start[i] - r.s.End(int(call))
		if delay < 0 {
			f.StartedEarly++
		}
		f.QueueDelayNS = plus(f.QueueDelayNS, max(0, delay))
		if !seen[call] {
			seen[call] = true
			delays = append(delays, max(0, delay))
		}
	}
	for _, n := range r.fanOut {
		f.MaxFanOut = max(f.MaxFanOut, n)
		if n > 1 {
			f.ManyEvents++
		}
	}
	f.describe(delays)
	r.calls(&f)
	return f
}

func (f *LaunchFigures) describe(delays []int64) {
	if f.DelayN = int64(len(delays)); f.DelayN == 0 {
		return
	}
	slices.Sort(delays)
	var sum int64
	for _, delay := range delays {
		sum = plus(sum, delay)
	}
	f.DelayMedianNS, f.DelayMeanNS, f.DelayMaxNS = middle(delays), sum/f.DelayN, delays[len(delays)-1]
}

func (r *analysis) calls(f *LaunchFigures) {
	for i := range r.s.Start {
		if r.s.Kind(i) != Runtime {
			continue
		}
		switch name := r.means(uint32(i)); {
		case name&synchroniseCall != 0:
			f.Waits++
			f.WaitNS = plus(f.WaitNS, r.s.Duration[i])
		case name&launchCall != 0:
			f.Calls++
			f.CallNS = plus(f.CallNS, r.s.Duration[i])
		}
	}
}
