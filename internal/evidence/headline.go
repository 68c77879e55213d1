package evidence

import (
	"slices"

	"kernelwake/internal/absent"
	"kernelwake/internal/lens"
)

// Headline is the one measurement that leads a run's row: the first headline
// outcome of the lens that any capture has. Captures of one cell (ranks,
// trials) give the median; where cells differ no one number speaks for the
// run.
func Headline(of lens.ID, cells []string, measured [][]Measurement) Measurement {
	found, ok := lens.Find(of)
	if !ok {
		return Measurement{Absent: absent.Unknown}
	}
	for _, outcome := range found.Outcomes {
		if !outcome.Headline || len(outcome.Statistics) == 0 {
			continue
		}
		metric := lens.Metric(outcome.Name, outcome.Statistics[0])
		if lead, ok := leading(metric, measured); ok {
			if len(slices.Compact(slices.Sorted(slices.Values(cells)))) > 1 {
				lead.Value, lead.Absent, lead.Note = nil, absent.NotApplicable, "the run has several cells, each with a value of its own"
			}
			return lead
		}
	}
	return Measurement{Absent: absent.NotRecorded}
}

func leading(metric string, measured [][]Measurement) (Measurement, bool) {
	var values []float64
	var lead Measurement
	n := absent.Of(int64(0))
	for _, capture := range measured {
		for _, m := range capture {
			if m.Metric != metric || m.Phase != "" || m.Value == nil {
				continue
			}
			lead = m
			values = append(values, *m.Value)
			n = sum(n, m.N)
		}
	}
	if len(values) == 0 {
		return lead, false
	}
	slices.Sort(values)
	middle := (values[(len(values)-1)/2] + values[len(values)/2]) / 2
	lead.Value, lead.N, lead.Reported = &middle, n, nil
	return lead, true
}

// sum is absent where either part is.
func sum(a, b absent.Value[int64]) absent.Value[int64] {
	x, known := a.Get()
	if !known {
		return a
	}
	y, known := b.Get()
	if !known {
		return b
	}
	return absent.Of(x + y)
}
