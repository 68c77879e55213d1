package compare

import (
	"kernelwake/internal/absent"
	"kernelwake/internal/stats"
)

// finished draws the answer of a refused result, rounds every number to twelve
// significant digits and says all in a sentence.
func (r *Result) finished() *Result {
	if len(r.Refusals) > 0 {
		r.Answer, r.Outcomes, r.Caps = Refused, []Outcome{}, []Cap{}
	}
	for i := range r.Outcomes {
		r.Outcomes[i].round()
	}
	r.Sentence = sentence(r)
	return r
}

func (o *Outcome) round() {
	o.Threshold = stats.Round(o.Threshold)
	o.Baseline, o.Candidate, o.Smallest = rounded(o.Baseline), rounded(o.Candidate), rounded(o.Smallest)
	if e, ok := o.Effect.Get(); ok {
		e.Value = stats.Round(e.Value)
		e.Interval, e.WithinLaunches = e.Interval.rounded(), e.WithinLaunches.rounded()
		o.Effect = absent.Of(e)
	}
	if o.PValue != nil {
		p := stats.Round(*o.PValue)
		o.PValue = &p
	}
	for side := range o.Launches {
		for i := range o.Launches[side] {
			o.Launches[side][i].Value = stats.Round(o.Launches[side][i].Value)
		}
	}
}

func rounded(v absent.Value[float64]) absent.Value[float64] {
	if value, ok := v.Get(); ok {
		return absent.Of(stats.Round(value))
	}
	return v
}

func (i *Interval) rounded() *Interval {
	if i == nil {
		return nil
	}
	return &Interval{stats.Round(i[0]), stats.Round(i[1])}
}
