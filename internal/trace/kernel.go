package trace

import (
	"cmp"
	"slices"
	"strings"
)

// KernelFigures sums up the kernels of one name, as nsys stats does.
type KernelFigures struct {
	Name      string `json:"name"`
	ShortName string `json:"short_name"`
	// Type is "compute" or "communication".
	Type   string `json:"type"`
	Count  int64  `json:"count"`
	SumNS  int64  `json:"sum_ns"`
	MeanNS int64  `json:"mean_ns"`
	// MedianNS is the mean of the middle two for an even count, rounded down.
	MedianNS      int64   `json:"p50_ns"`
	MinNS         int64   `json:"min_ns"`
	MaxNS         int64   `json:"max_ns"`
	ShareOfSum    float64 `json:"share_of_kernel_sum"`
	ShareOfWindow float64 `json:"share_of_window"`
}

// kernels sums up kernels by full name, the largest sum first.
func (r *analysis) kernels(kernelSum, window int64) []KernelFigures {
	durations := map[uint32][]int64{}
	for _, i := range r.device {
		if r.s.Kind(int(i)) == Kernel {
			durations[r.s.Name[i]] = append(durations[r.s.Name[i]], r.s.Duration[i])
		}
	}
	out := make([]KernelFigures, 0, len(durations))
	for name, all := range durations {
		slices.Sort(all)
		row := KernelFigures{Name: r.t.Names[name], ShortName: ShortName(r.t.Names[name]), Type: "compute", Count: int64(len(all)), MedianNS: middle(all), MinNS: all[0], MaxNS: all[len(all)-1]}
		if r.meanings[name]&communicationKernel != 0 {
			row.Type = "communication"
		}
		for _, ns := range all {
			row.SumNS = plus(row.SumNS, ns)
		}
		row.MeanNS = row.SumNS / row.Count
		row.ShareOfSum, row.ShareOfWindow = share(row.SumNS, kernelSum), share(row.SumNS, window)
		out = append(out, row)
	}
	slices.SortFunc(out, func(a, b KernelFigures) int {
		return cmp.Or(cmp.Compare(b.SumNS, a.SumNS), strings.Compare(a.Name, b.Name))
	})
	return out
}

// middle returns the median of sorted values, rounded down.
func middle(sorted []int64) int64 {
	n := len(sorted)
	if n%2 == 1 {
		return sorted[n/2]
	}
	return sorted[n/2-1] + (sorted[n/2]-sorted[n/2-1])/2
}

func share(part, whole int64) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

// ShortName drops return type, template arguments and parameters from a
// kernel's demangled name: "void at::native::add<float>(int)" gives
// "at::native::add".
func ShortName(name string) string {
	short := strings.TrimPrefix(name, "void ")
	short = strings.ReplaceAll(short, "(anonymous namespace)::", "")
	if cut := strings.IndexAny(short, "<("); cut > 0 {
		short = short[:cut]
	}
	return strings.TrimSpace(short)
}
