package kwcap

import (
	"math"
	"slices"

	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
)

// readInference adds what requests tell together.
func (r *reading) readInference() {
	r.errorRate()
	r.sharesAboveOne()
	r.requestsTable()
}

// sharesAboveOne withholds shares that a summary puts above the whole.
func (r *reading) sharesAboveOne() {
	for i := range r.out.Outcomes {
		o := &r.out.Outcomes[i]
		def, _ := r.lens.Outcome(o.Name)
		value, given := o.Statistics["value"]
		if def.Effect == lens.Points && given && value > 1 && o.Absent == "" {
			r.find("parts_exceed_whole", 1, r.place(o.Name), "check what it was divided by", "%s is %.4g, more than the whole", o.Name, value)
			r.withhold(o.Name, "parts_exceed_whole: more than the whole")
		}
	}
}

// requestsTable puts the outcomes that have one sample a request side by side,
// where they are of equal length and, if they tell, of equal times.
func (r *reading) requestsTable() {
	var table evidence.Table
	var times []float64
	for _, name := range requestOutcomes {
		o := r.outcome(name)
		if o == nil || o.Kind != lens.Samples || o.Absent != "" {
			continue
		}
		at, values := o.Data.Floats("at"), o.Data.Floats("v")
		if table.Columns == nil {
			table = evidence.Table{Name: "requests"}
			times = at
			if at != nil {
				table.Columns = append(table.Columns, startsInNanoseconds(at))
			}
			if status, ok := o.Data.Column("status"); ok {
				table.Columns = append(table.Columns, status)
			}
		} else if len(values) != table.Len() || !slices.Equal(at, times) {
			continue
		}
		table.Columns = append(table.Columns, evidence.Column{Name: name + "_ms", Floats: values})
	}
	if table.Columns != nil {
		r.out.Tables = append(r.out.Tables, table)
	}
}

func startsInNanoseconds(at []float64) evidence.Column {
	column := evidence.Column{Name: "start_ns", Ints: make([]int64, len(at))}
	for i, seconds := range at {
		column.Ints[i] = int64(math.Round(seconds * 1e9))
	}
	return column
}
