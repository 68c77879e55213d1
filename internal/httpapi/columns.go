package httpapi

import (
	"context"
	"fmt"
	"math"
	"slices"

	"kernelwake/internal/evidence"
	"kernelwake/internal/fault"
)

// RequestWindow bounds a table of requests.
type RequestWindow struct {
	ByID
	Limit int `query:"limit" minimum:"1" maximum:"100000" default:"20000" doc:"the most rows; more are thinned evenly"`
}

// ColumnTable is a table column by column. Within a column null stands for a
// value that is missing; Missing counts them.
type ColumnTable struct {
	Columns map[string][]any `json:"columns"`
	// Order is the columns' own order.
	Order     []string            `json:"order"`
	Missing   map[string]int      `json:"missing"`
	Total     int64               `json:"total"`
	Truncated Nullable[Truncated] `json:"truncated"`
}

func requests(a *API, ctx context.Context, input *RequestWindow) (*struct{ Body ColumnTable }, error) {
	table, err := a.table(ctx, input.ID, "requests", "an AIPerf archive with records")
	if err != nil {
		return nil, err
	}
	return &struct{ Body ColumnTable }{columnTable(table, input.Limit)}, nil
}

func columnTable(table evidence.Table, limit int) ColumnTable {
	rows := thinned(table.Len(), limit)
	shown := ColumnTable{
		Columns: make(map[string][]any, len(table.Columns)), Missing: map[string]int{}, Total: int64(table.Len()),
		Truncated: bounded(int64(len(rows)), int64(table.Len()), fmt.Sprintf("%d rows, evenly spaced", limit)),
	}
	for _, column := range table.Columns {
		if column.Len() != table.Len() {
			continue
		}
		values := make([]any, len(rows))
		for i, row := range rows {
			if values[i] = cell(column, row); values[i] == nil {
				shown.Missing[column.Name]++
			}
		}
		shown.Columns[column.Name] = values
		shown.Order = append(shown.Order, column.Name)
	}
	return shown
}

// cell is a value of a column, nil where it is missing.
func cell(column evidence.Column, row int) any {
	switch {
	case len(column.Floats) > 0:
		if value := column.Floats[row]; !math.IsNaN(value) && !math.IsInf(value, 0) {
			return value
		}
	case len(column.Ints) > 0:
		switch value := column.Ints[row]; {
		case value == evidence.MissingInt:
		case value > 1<<53 || value < -(1<<53):
			return fmt.Sprint(value) // more digits than a browser's numbers hold
		default:
			return value
		}
	case len(column.Codes) > 0 && column.Codes[row] != evidence.MissingCode:
		return column.Text(row)
	}
	return nil
}

// thinned returns at most limit of n rows, evenly spaced, the first and the
// last among them.
func thinned(n, limit int) []int {
	rows := make([]int, min(n, limit))
	for i := range rows {
		rows[i] = i
		if n > limit {
			rows[i] = int(int64(i) * int64(n-1) / int64(max(limit-1, 1)))
		}
	}
	return rows
}

// SampleWindow names an outcome's samples.
type SampleWindow struct {
	ByID
	Metric string `query:"metric" required:"true" maxLength:"200" doc:"an outcome's name (ttft), with its phase after a slash where it has one"`
	Limit  int    `query:"limit" minimum:"1" maximum:"100000" default:"20000" doc:"the most samples; more are thinned evenly"`
}

// Samples are the values behind an outcome that count: of requests or steps
// that succeeded, in order of their start.
type Samples struct {
	Name   string    `json:"name"`
	Phase  string    `json:"phase,omitempty"`
	Unit   string    `json:"unit"`
	Values []float64 `json:"values"`
	// At is when each began, in seconds from the window's start, where known.
	At []float64 `json:"at,omitempty"`
	// N counts the samples that count, Of all that were recorded, Kept those shown.
	N         int64               `json:"n"`
	Kept      int64               `json:"kept"`
	Of        int64               `json:"of"`
	Truncated Nullable[Truncated] `json:"truncated"`
}

func samples(a *API, ctx context.Context, input *SampleWindow) (*struct{ Body Samples }, error) {
	stored, err := a.Records.Capture(ctx, scopeOf(ctx).workspaceID, input.ID)
	if err != nil {
		return nil, err
	}
	parsed, err := a.Library.Outcomes(ctx, stored.Provenance.ParsedSHA256)
	if err != nil {
		return nil, err
	}
	outcome, ok := outcomeNamed(parsed, input.Metric)
	if !ok {
		return nil, fault.New(fault.NotFound, "outcome_not_found", "the capture has no outcome %q", input.Metric).WithHint("it has %s", outcomeNames(parsed))
	}
	good := outcome.Good()
	rows := thinned(len(good), input.Limit)
	shown := Samples{
		Name: outcome.Name, Phase: outcome.Phase, Unit: outcome.Unit, Values: make([]float64, len(rows)),
		N: int64(len(good)), Kept: int64(len(rows)), Of: int64(len(outcome.Data.Floats("v"))),
		Truncated: bounded(int64(len(rows)), int64(len(good)), fmt.Sprintf("%d samples, evenly spaced", input.Limit)),
	}
	starts := goodStarts(outcome, len(good))
	for i, row := range rows {
		shown.Values[i] = good[row]
		if starts != nil {
			shown.At = append(shown.At, starts[row])
		}
	}
	return &struct{ Body Samples }{shown}, nil
}

// goodStarts returns when the samples that count began, nil where that isn't
// known of each.
func goodStarts(o evidence.Outcome, n int) []float64 {
	at := o.Data.Floats("at")
	values := o.Data.Floats("v")
	if len(at) != len(values) || n == 0 {
		return nil
	}
	if _, ranks := o.Data.Column("rank"); ranks && n != len(values) {
		return nil
	}
	status, hasStatus := o.Data.Column("status")
	var starts []float64
	for i, start := range at {
		word := ""
		if hasStatus {
			word = status.Text(i)
		}
		if math.IsNaN(values[i]) || (word != "" && word != "ok") {
			continue
		}
		if math.IsNaN(start) {
			return nil
		}
		starts = append(starts, start)
	}
	slices.Sort(starts)
	if len(starts) != n {
		return nil
	}
	return starts
}

func outcomeNamed(p *evidence.Parsed, metric string) (evidence.Outcome, bool) {
	for _, outcome := range p.Outcomes {
		if outcomeKey(outcome) == metric {
			return outcome, true
		}
	}
	for _, outcome := range p.Outcomes {
		if outcome.Name == metric {
			return outcome, true
		}
	}
	return evidence.Outcome{}, false
}

// outcomeKey is how an outcome is named where its phase matters.
func outcomeKey(o evidence.Outcome) string {
	if o.Phase == "" {
		return o.Name
	}
	return o.Name + "/" + o.Phase
}

func outcomeNames(p *evidence.Parsed) string {
	var names []string
	for _, outcome := range p.Outcomes {
		names = append(names, outcomeKey(outcome))
	}
	return fmt.Sprintf("%q", names)
}
