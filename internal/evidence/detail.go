package evidence

import (
	"encoding/json"
	"time"

	"kernelwake/internal/lens"
)

// CaptureDetail is a capture as it is shown whole: by `capture show`, by
// `capture check` without ids and provenance, and by the API.
type CaptureDetail struct {
	ID            string      `json:"id,omitempty"`
	RunID         string      `json:"run_id,omitempty"`
	Format        string      `json:"format"`
	FormatVersion string      `json:"format_version"`
	Importer      string      `json:"importer"`
	Tool          string      `json:"tool,omitempty"`
	Selector      string      `json:"selector,omitempty"`
	Name          string      `json:"name,omitempty"`
	Cell          string      `json:"cell,omitempty"`
	Lens          lens.ID     `json:"lens"`
	LensGuessed   bool        `json:"lens_guessed,omitempty"`
	Origin        Origin      `json:"origin"`
	OriginNote    string      `json:"origin_note,omitempty"`
	MeasuredOn    Device      `json:"measured_on"`
	Started       *time.Time  `json:"started_at,omitempty"`
	Ended         *time.Time  `json:"ended_at,omitempty"`
	Workload      string      `json:"workload,omitempty"`
	Launch        LaunchID    `json:"launch"`
	Rank          Rank        `json:"rank"`
	Provenance    *Provenance `json:"provenance,omitempty"`
	// Dimensions are the capture's own, by field key.
	Dimensions   map[string]Dimension `json:"dimensions"`
	Outcomes     []Measurement        `json:"outcomes"`
	Completeness Completeness         `json:"completeness"`
	// Figures are in the format's own documented words.
	Figures  json.RawMessage `json:"figures"`
	Findings []Finding       `json:"findings"`
}

// Detail returns a parsed capture as it is shown.
func Detail(p *Parsed, l lens.Lens) CaptureDetail {
	detail := CaptureDetail{
		Format: p.Format, FormatVersion: p.FormatVersion, Importer: p.Importer, Tool: p.Tool, Selector: p.Selector, Name: p.Name, Cell: p.Cell,
		Lens: p.Lens, LensGuessed: p.LensGuessed, Origin: p.Origin, OriginNote: p.OriginNote, MeasuredOn: p.MeasuredOn, Workload: p.Workload,
		Launch: p.Launch, Rank: p.Rank, Dimensions: p.Dimensions, Outcomes: MeasureAll(p, l), Completeness: p.Completeness, Figures: p.Figures, Findings: p.Findings,
	}
	if at, known := p.Started.Get(); known {
		detail.Started = &at
	}
	if at, known := p.Ended.Get(); known {
		detail.Ended = &at
	}
	return detail.whole()
}

// whole gives what is empty its empty form, so that nothing is null.
func (d CaptureDetail) whole() CaptureDetail {
	if d.Figures == nil {
		d.Figures = json.RawMessage("{}")
	}
	if d.Dimensions == nil {
		d.Dimensions = map[string]Dimension{}
	}
	if d.Outcomes == nil {
		d.Outcomes = []Measurement{}
	}
	if d.Findings == nil {
		d.Findings = []Finding{}
	}
	return d
}
