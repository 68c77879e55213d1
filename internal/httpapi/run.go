package httpapi

import (
	"context"
	"fmt"
	"time"

	"kernelwake/internal/absent"
	"kernelwake/internal/evidence"
	"kernelwake/internal/fault"
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

// RunDimension is a field of a run: what counts, and all that was said.
type RunDimension struct {
	evidence.Value
	Label string     `json:"label"`
	Row   string     `json:"row,omitempty"`
	Class lens.Class `json:"class,omitempty"`
}

// RunPage is a run whole.
type RunPage struct {
	Run        evidence.Run            `json:"run"`
	Workload   evidence.Workload       `json:"workload"`
	Dimensions map[string]RunDimension `json:"dimensions"`
	Captures   []RunCapture            `json:"captures"`
	Setups     []AttachedSetup         `json:"setups"`
	// Missing are the fields a comparison asks for that nobody gave.
	Missing    []importing.MissingField `json:"missing"`
	Known      Known                    `json:"known"`
	Hardware   string                   `json:"hardware,omitempty"`
	Headline   Headline                 `json:"headline"`
	ReliedOnBy []sqlstore.Reliance      `json:"relied_on_by"`
}

// RunCapture is a capture of a run with what was measured.
type RunCapture struct {
	Capture      evidence.Capture       `json:"capture"`
	Outcomes     []evidence.Measurement `json:"outcomes"`
	Completeness evidence.Completeness  `json:"completeness"`
	Launch       evidence.LaunchID      `json:"launch"`
	Rank         evidence.Rank          `json:"rank"`
	// Figures are in the format's own documented words.
	Figures  rawObject          `json:"figures"`
	Findings []evidence.Finding `json:"findings"`
}

// AttachedSetup is a setup of a run in the version attached.
type AttachedSetup struct {
	evidence.Attachment
	Values map[string]any `json:"values"`
}

// RunAnswer is a run with its revision.
type RunAnswer struct {
	Tag
	Body RunPage
}

func getRun(a *API, ctx context.Context, input *ByID) (*RunAnswer, error) {
	in := scopeOf(ctx).workspaceID
	stored, err := a.Records.StoredRun(ctx, in, input.ID)
	if err != nil {
		return nil, err
	}
	row := runRow(stored)
	page := RunPage{
		Run: runWithLaunch(stored), Workload: stored.Workload, Dimensions: map[string]RunDimension{}, Captures: []RunCapture{}, Setups: []AttachedSetup{},
		Known: row.Known, Hardware: row.Hardware, Headline: row.Headline,
	}
	if of, ok := lens.Find(stored.Lens); ok {
		run := stored.Evidence(sqlstore.StoredCapture.Parsed)
		values := evidence.Resolve(run, of)
		page.Missing = importing.MissingAmong(values, run, of)
		for key, value := range values {
			page.Dimensions[key] = runDimension(of, key, value)
		}
	}
	if page.Captures, err = a.runCaptures(ctx, stored.Captures); err != nil {
		return nil, err
	}
	for i, attachment := range stored.Attachments {
		page.Setups = append(page.Setups, AttachedSetup{attachment, stored.Setups[i].Values})
	}
	if page.ReliedOnBy, err = a.Records.ReliedOnBy(ctx, in, input.ID); err != nil {
		return nil, err
	}
	return &RunAnswer{Tag{tagOf(stored.ID, stored.Revision)}, page}, nil
}

// runWithLaunch shows the captures' word on the launch where no person gave one.
func runWithLaunch(stored sqlstore.StoredRun) evidence.Run {
	run := stored.Run
	if run.Launch.Kind == "" {
		run.Launch.Kind = evidence.UnknownLaunch
		if len(stored.Captures) > 0 {
			run.Launch = stored.Captures[0].Launch
		}
	}
	return run
}

func runDimension(of lens.Lens, key string, value evidence.Value) RunDimension {
	shown := RunDimension{Value: value, Label: key}
	if field, ok := of.Field(key); ok {
		shown.Label, shown.Row = field.Label, field.Row
		if row, ok := of.Row(field.Row); ok {
			shown.Class = row.Class
		}
	}
	return shown
}

func (a *API) runCaptures(ctx context.Context, captures []sqlstore.StoredCapture) ([]RunCapture, error) {
	ids := make([]string, len(captures))
	for i, capture := range captures {
		ids[i] = capture.ID
	}
	measured, err := a.Records.Measurements(ctx, ids)
	if err != nil {
		return nil, err
	}
	all := make([]RunCapture, len(captures))
	for i, capture := range captures {
		figures, err := a.Records.Figures(ctx, capture.ID)
		if err != nil {
			return nil, err
		}
		all[i] = RunCapture{
			Capture: capture.Capture, Outcomes: measured[capture.ID], Completeness: capture.Completeness, Launch: capture.Launch, Rank: capture.Rank,
			Figures: rawObject(figures), Findings: capture.Findings,
		}
	}
	return all, nil
}

// RunEdit is an edit of a run.
type RunEdit struct {
	ByID
	Edit
	Body RunEditBody
}

// RunEditBody holds what changes. Declared and labels are merged: a value of
// {"absent":"withdrawn"} takes a declaration back, an empty label goes.
type RunEditBody struct {
	Name       *string           `json:"name,omitempty"`
	Group      *string           `json:"replicate_group,omitempty"`
	WorkloadID *string           `json:"workload_id,omitempty"`
	LaunchKind *string           `json:"launch_kind,omitempty" enum:"launch,invocation,unknown" doc:"what a person says of the run as a launch"`
	Declared   map[string]any    `json:"declared,omitempty"`
	Labels     map[string]string `json:"labels,omitempty"`
}

// EditedRun is a run after an edit.
type EditedRun struct {
	Tag
	Body evidence.Run
}

func editRun(a *API, ctx context.Context, input *RunEdit) (*EditedRun, error) {
	admitted := scopeOf(ctx)
	revision, err := input.revision(input.ID)
	if err != nil {
		return nil, err
	}
	edited, err := a.Records.EditRun(ctx, admitted.actor, admitted.workspaceID, input.ID, revision, func(r *evidence.Run) error {
		return input.Body.apply(r, admitted.actor.Name)
	})
	if err != nil {
		return nil, err
	}
	return &EditedRun{Tag{tagOf(edited.ID, edited.Revision)}, edited}, nil
}

func (b RunEditBody) apply(r *evidence.Run, by string) error {
	of, ok := lens.Find(r.Lens)
	if !ok {
		return fault.New(fault.Internal, "lens_unknown", "run %s has the unknown lens %q", r.ID, r.Lens)
	}
	if err := evidence.CheckDeclared(b.Declared, of); err != nil {
		return err
	}
	set := func(into *string, value *string) {
		if value != nil {
			*into = *value
		}
	}
	set(&r.Name, b.Name)
	set(&r.Group, b.Group)
	set(&r.WorkloadID, b.WorkloadID)
	if b.LaunchKind != nil {
		r.Launch.Kind = evidence.LaunchKind(*b.LaunchKind)
	}
	r.Declared = declare(r.Declared, b.Declared, by)
	r.Labels = relabel(r.Labels, b.Labels)
	return checkLabels(r.Labels)
}
