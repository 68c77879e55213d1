package kwcap

import (
	"kernelwake/internal/absent"
	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
)

// readCompleteness counts what was asked for and what came of it: as the
// dimension says, else from the status of the samples, else from the error
// rate's counts.
func (r *reading) readCompleteness() {
	c := &r.out.Completeness
	counted, from := r.countStatuses()
	if given, ok := r.Dimensions["completeness"].Value.(map[string]any); ok {
		read := func(name string) absent.Value[int64] {
			if count, ok := given[name].(float64); ok {
				return absent.Of(int64(count))
			}
			return absent.Because[int64](absent.NotRecorded, "not among the counts of the capture")
		}
		c.Sent, c.OK, c.Failed, c.Cancelled = read("sent"), read("ok"), read("failed"), read("cancelled")
		r.holdCounts(counted, from)
		return
	}
	if from != "" {
		c.Sent, c.OK, c.Failed, c.Cancelled = absent.Of(counted.sent), absent.Of(counted.ok), absent.Of(counted.failed), absent.Of(counted.cancelled)
		return
	}
	reason, note := absent.NotApplicable, "no requests are counted under this lens"
	if r.lens.ID == lens.Inference {
		reason, note = absent.NotRecorded, "no sample has a status, and there is no error rate"
	}
	missing := absent.Because[int64](reason, note)
	c.Sent, c.OK, c.Failed, c.Cancelled = missing, missing, missing, missing
	if rate := r.outcome("error_rate"); rate != nil && rate.Numerator != nil && rate.Basis == "{request}" {
		failed, total := int64(*rate.Numerator), int64(*rate.Denominator)
		c.OK, c.Failed = absent.Of(total-failed), absent.Of(failed)
		c.Cancelled = absent.Because[int64](absent.NotRecorded, "an error rate doesn't tell")
	}
}

// counts are requests by what came of them.
type counts struct{ sent, ok, failed, cancelled int64 }

// requestOutcomes are the outcomes with one sample a request, the fullest
// account of them first.
var requestOutcomes = []string{"e2el", "ttft", "tpot"}

// countStatuses counts the requests by the status of their samples; from is
// where they stand, empty without any.
func (r *reading) countStatuses() (c counts, from string) {
	if r.lens.ID != lens.Inference {
		return c, ""
	}
	for _, name := range requestOutcomes {
		o := r.outcome(name)
		if o == nil || o.Kind != lens.Samples {
			continue
		}
		status, ok := o.Data.Column("status")
		if !ok {
			continue
		}
		for i := range status.Codes {
			c.sent++
			switch status.Text(i) {
			case "ok":
				c.ok++
			case "cancelled":
				c.cancelled++
			default:
				c.failed++
			}
		}
		return c, r.place(name)
	}
	return c, ""
}

// holdCounts holds the counts given against those of the samples.
func (r *reading) holdCounts(counted counts, from string) {
	failed, known := r.out.Completeness.Failed.Get()
	if from == "" || !known || failed == counted.failed {
		return
	}
	r.find("completeness_disagrees", 1, "/dimensions/completeness", "correct the counts, or give every request with its status",
		"%d requests failed by the dimension, %d by the status of the samples in %s", failed, counted.failed, from)
}

// errorRate gives the share of failed requests where statuses tell it and the
// file doesn't.
func (r *reading) errorRate() {
	counted, from := r.countStatuses()
	if from == "" || r.outcome("error_rate") != nil || counted.ok+counted.failed == 0 {
		return
	}
	failed, total := float64(counted.failed), float64(counted.ok+counted.failed)
	r.out.Outcomes = append(r.out.Outcomes, evidence.Outcome{
		Name: "error_rate", Unit: "1", Kind: lens.RatioKind, Definition: evidence.Definition{Metric: "error_rate/1"},
		Numerator: &failed, Denominator: &total, Basis: "{request}", N: absent.Of(int64(total)),
		Statistics: map[string]float64{"value": failed / total}, Note: "derived from the status of the samples",
	})
}
