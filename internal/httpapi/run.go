package httpapi

import (
	"context"
	"fmt"
	"time"

	"kernelwake/internal/absent"
	"kernelwake/internal/evidence"
	"kernelwake/internal/id"
	"kernelwake/internal/importing"
	"kernelwake/internal/lens"
	"kernelwake/internal/sqlstore"
)

// RunRow is a run as lists show it.
type RunRow struct {
	ID         string            `json:"id"`
	Name       string            `json:"name"`
	WorkloadID string            `json:"workload_id"`
	Workload   string            `json:"workload"`
	Lens       lens.ID           `json:"lens"`
	Started    *time.Time        `json:"started_at,omitempty"`
	Created    time.Time         `json:"created_at"`
	By         string            `json:"created_by"`
	Origin     evidence.Origin   `json:"origin"`
	MeasuredOn evidence.Device   `json:"measured_on"`
	Formats    []string          `json:"formats"`
	Captures   int64             `json:"captures"`
	Headline   Headline          `json:"headline"`
	Known      Known             `json:"known"`
	Hardware   string            `json:"hardware,omitempty"`
	Group      string            `json:"replicate_group,omitempty"`
	Labels     map[string]string `json:"labels"`
	Findings   int64             `json:"findings"`
	Revision   int64             `json:"revision"`
}

// Headline is the outcome that leads a run's row, or why there is none.
type Headline struct {
	Metric    string         `json:"metric,omitempty"`
	Value     *float64       `json:"value,omitempty"`
	Unit      string         `json:"unit,omitempty"`
	Direction lens.Direction `json:"direction,omitempty"`
	N         *int64         `json:"n,omitempty"`
	Absent    absent.Reason  `json:"absent,omitempty"`
}

// Known counts the rows that a comparison judges and of which a run has every
// needed value.
type Known struct {
	Known int `json:"known"`
	Of    int `json:"of"`
}

// RunFilter narrows a list of runs.
type RunFilter struct {
	InWorkspace
	Page
	Workload   string          `query:"workload" doc:"a workload's id"`
	Lens       lens.ID         `query:"lens"`
	Q          string          `query:"q" maxLength:"200" doc:"found anywhere in name, workload or labels"`
	Label      string          `query:"label" maxLength:"400" doc:"name=value, or a name alone"`
	MeasuredOn evidence.Device `query:"measured_on"`
	Origin     evidence.Origin `query:"origin"`
	Format     string          `query:"format" doc:"a format's id"`
	Group      string          `query:"group" doc:"a replicate group"`
}

func listRuns(a *API, ctx context.Context, input *RunFilter) (*Listed[RunRow], error) {
	if err := checkCursor(id.Is(id.Run, input.Cursor), input.Cursor); err != nil {
		return nil, err
	}
	in := scopeOf(ctx).workspaceID
	found, total, err := a.Records.Runs(ctx, in, sqlstore.RunFilter{
		WorkloadID: input.Workload, Lens: input.Lens, Q: input.Q, Label: input.Label, MeasuredOn: input.MeasuredOn, Origin: input.Origin,
		Format: input.Format, Group: input.Group, Before: input.Cursor, Limit: input.Limit + 1,
	})
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(found))
	for i, run := range found {
		ids[i] = run.ID
	}
	stored, err := a.Records.StoredRuns(ctx, in, ids)
	if err != nil {
		return nil, err
	}
	rows := make([]RunRow, len(stored))
	for i, run := range stored {
		rows[i] = runRow(run)
	}
	return listed(rows, total, input.Limit, func(r RunRow) string { return r.ID }), nil
}

func runRow(r sqlstore.StoredRun) RunRow {
	h := r.Headline
	row := RunRow{
		ID: r.ID, Name: r.Name, WorkloadID: r.WorkloadID, Workload: r.RunRow.Workload, Lens: r.Lens, Started: r.Started, Created: r.Created, By: r.By,
		Origin: r.Origin, MeasuredOn: r.MeasuredOn, Formats: r.Formats, Captures: r.RunRow.Captures, Group: r.Group, Labels: r.Labels, Findings: r.Findings, Revision: r.Revision,
		Headline: Headline{Metric: h.Metric, Value: h.Value, Unit: h.Unit, Direction: h.Direction, Absent: h.Absent},
	}
	if n, known := h.N.Get(); known {
		row.Headline.N = &n
	}
	of, ok := lens.Find(r.Lens)
	if !ok {
		return row
	}
	run := r.Evidence(sqlstore.StoredCapture.Parsed)
	values := evidence.Resolve(run, of)
	row.Known, row.Hardware = knownRows(importing.MissingAmong(values, run, of), of), hardware(values)
	return row
}

// knownRows counts the judged rows without a missing field.
func knownRows(missing []importing.MissingField, of lens.Lens) Known {
	var known Known
	lacking := map[string]bool{}
	for _, field := range missing {
		lacking[field.Row] = true
	}
	for _, row := range of.Rows {
		if row.Class != lens.Must && row.Class != lens.Gate && row.Class != lens.Context {
			continue
		}
		known.Of++
		if !lacking[row.Key] {
			known.Known++
		}
	}
	return known
}

// hardware is what the run ran on, in a word or two.
func hardware(values map[string]evidence.Value) string {
	model := values["gpu_model"]
	if !model.Usable() {
		if model.NotApplicable() {
			return "no GPU"
		}
		return ""
	}
	words := fmt.Sprint(model.Value)
	if count := values["gpu_count"]; count.Usable() {
		if n, ok := lens.Number(count.Value); ok {
			return fmt.Sprintf("%g × %s", n, words)
		}
	}
	return words
}
