package trace

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"kernelwake/internal/absent"
)

// CopyFigures sums up copies of one direction, or fills.
type CopyFigures struct {
	// Direction is as the trace spells it ("HtoD", "DtoD"), "Memset" for fills.
	Direction string              `json:"direction"`
	Count     int64               `json:"count"`
	SumNS     int64               `json:"sum_ns"`
	Bytes     absent.Value[int64] `json:"bytes"`
	// GBPerSecond is bytes over time, from the copies that give bytes.
	GBPerSecond absent.Value[float64] `json:"gb_per_s"`
	// ExposedNS is the time of these copies in which no kernel ran.
	ExposedNS int64 `json:"exposed_ns"`
}

var copyDirection = regexp.MustCompile(`(?i)^(?:hip)?memcpy ?(\w+)`)

// copies sums up copies and fills by direction, the longest first.
func (r *analysis) copies() []CopyFigures {
	type tally struct {
		count, sum, bytes, withBytes, bytesTime int64
		union                                   []Interval
	}
	tallies := map[string]*tally{}
	for _, i := range r.device {
		kind := r.s.Kind(int(i))
		if kind == Kernel {
			continue
		}
		direction := "Memset"
		if kind == Memcpy {
			direction = r.t.Names[r.s.Name[i]]
			if match := copyDirection.FindStringSubmatch(direction); match != nil {
				direction = match[1]
			}
		}
		row := tallies[direction]
		if row == nil {
			row = &tally{}
			tallies[direction] = row
		}
		row.count++
		row.sum = plus(row.sum, r.s.Duration[i])
		row.union = extend(row.union, r.s.Start[i], r.s.End(int(i)))
		if bytes := r.t.Device[r.s.Detail[i]].Bytes; bytes != Missing {
			row.bytes = plus(row.bytes, bytes)
			row.withBytes++
			row.bytesTime = plus(row.bytesTime, r.s.Duration[i])
		}
	}
	var kernels []Interval
	for _, i := range r.device {
		if r.s.Kind(int(i)) == Kernel {
			kernels = extend(kernels, r.s.Start[i], r.s.End(int(i)))
		}
	}
	out := make([]CopyFigures, 0, len(tallies))
	for direction, row := range tallies {
		figures := CopyFigures{
			Direction: direction, Count: row.count, SumNS: row.sum, ExposedNS: concurrency(row.union, kernels)[1],
			Bytes: absent.Because[int64](absent.NotRecorded, "the copies don't say their bytes"), GBPerSecond: absent.Because[float64](absent.NotRecorded, "bytes or time are not recorded"),
		}
		if row.withBytes > 0 {
			figures.Bytes = absent.Of(row.bytes)
		}
		if row.withBytes > 0 && row.bytesTime > 0 {
			figures.GBPerSecond = absent.Of(float64(row.bytes) / float64(row.bytesTime))
		}
		out = append(out, figures)
	}
	slices.SortFunc(out, func(a, b CopyFigures) int {
		return cmp.Or(cmp.Compare(b.SumNS, a.SumNS), strings.Compare(a.Direction, b.Direction))
	})
	return out
}
