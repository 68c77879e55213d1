package httpapi

import (
	"context"

	"kernelwake/internal/evidence"
	"kernelwake/internal/importing"
	"kernelwake/internal/lens"
	"kernelwake/internal/sqlstore"
)

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
