package evidence

import (
	"time"

	"kernelwake/internal/lens"
)

// Provenance says who imported what, when, from where and by which importer.
type Provenance struct {
	ImportedBy string    `json:"imported_by"`
	ImportedAt time.Time `json:"imported_at"`
	// FileName is the name of the file as it was sent.
	FileName string `json:"file_name"`
	// Via is how it came: "web", "cli", "demo".
	Via          string `json:"via"`
	Importer     string `json:"importer"`
	Product      string `json:"product"`
	SHA256       string `json:"sha256"`
	ParsedSHA256 string `json:"parsed_sha256"`
	Bytes        int64  `json:"bytes"`
	ParsedBytes  int64  `json:"parsed_bytes"`
	Selector     string `json:"selector,omitempty"`
	// DeclaredSHA256 is the digest the sender gave, if any; it was checked.
	DeclaredSHA256 string    `json:"declared_sha256,omitempty"`
	DerivedFrom    []RawFile `json:"derived_from,omitempty"`
}

// DeclaredValue is a dimension value that a person gave for a workload or a
// run, with who and when.
type DeclaredValue struct {
	Value any       `json:"value"`
	By    string    `json:"by"`
	At    time.Time `json:"at"`
}

// Workload is the thing whose performance is being decided on. Putting a run
// into it declares that the run has its Declared values.
type Workload struct {
	ID       string                   `json:"id"`
	Name     string                   `json:"name"`
	Lens     lens.ID                  `json:"lens"`
	Declared map[string]DeclaredValue `json:"declared"`
	Labels   map[string]string        `json:"labels"`
	Created  time.Time                `json:"created_at"`
	By       string                   `json:"created_by"`
	Revision int64                    `json:"revision"`
	// Runs counts the runs inside.
	Runs int64 `json:"runs"`
}

// Run is one launch of a workload.
type Run struct {
	ID         string                   `json:"id"`
	WorkloadID string                   `json:"workload_id"`
	Workload   string                   `json:"workload"`
	Name       string                   `json:"name"`
	Lens       lens.ID                  `json:"lens"`
	Group      string                   `json:"replicate_group,omitempty"`
	Started    *time.Time               `json:"started_at,omitempty"`
	Launch     LaunchID                 `json:"launch"`
	Origin     Origin                   `json:"origin"`
	MeasuredOn Device                   `json:"measured_on"`
	Declared   map[string]DeclaredValue `json:"declared"`
	Labels     map[string]string        `json:"labels"`
	Created    time.Time                `json:"created_at"`
	By         string                   `json:"created_by"`
	Revision   int64                    `json:"revision"`
}

// Capture is one imported selection of a file and what was parsed from it.
type Capture struct {
	ID            string     `json:"id"`
	RunID         string     `json:"run_id"`
	Format        string     `json:"format"`
	FormatVersion string     `json:"format_version"`
	Tool          string     `json:"tool,omitempty"`
	Lens          lens.ID    `json:"lens"`
	Cell          string     `json:"cell,omitempty"`
	Origin        Origin     `json:"origin"`
	MeasuredOn    Device     `json:"measured_on"`
	Started       *time.Time `json:"started_at,omitempty"`
	Ended         *time.Time `json:"ended_at,omitempty"`
	Provenance    Provenance `json:"provenance"`
	Findings      []Finding  `json:"findings"`
	// Labels are all of a capture that is edited, at a revision.
	Labels   map[string]string `json:"labels"`
	Revision int64             `json:"revision"`
}

// Setup is one version of a named set of values that can be attached to runs.
type Setup struct {
	ID      string         `json:"id"`
	Name    string         `json:"name"`
	Version int64          `json:"version"`
	Values  map[string]any `json:"values"`
	Created time.Time      `json:"created_at"`
	By      string         `json:"created_by"`
}

// Attachment ties one version of a setup to a run; each is an audited revision.
type Attachment struct {
	RunID    string    `json:"run_id"`
	SetupID  string    `json:"setup_id"`
	Name     string    `json:"name"`
	Version  int64     `json:"version"`
	Attached time.Time `json:"attached_at"`
	By       string    `json:"attached_by"`
}

// CaptureEvidence is a capture as a comparison reads it.
type CaptureEvidence struct {
	ID           string
	SHA256       string
	ParsedSHA256 string
	*Parsed
}

// RunEvidence is a run as a comparison reads it: its captures and what was
// said about it by whom. Offline, the runs are made from files and options.
type RunEvidence struct {
	ID         string
	Name       string
	WorkloadID string
	Workload   string
	Group      string
	// Launch is what a person said of the run as a launch; its zero value
	// leaves it to the captures.
	Launch   LaunchID
	Captures []CaptureEvidence
	// Declared for the run, at import or later.
	Declared map[string]Dimension
	// Setups attached, in order of attachment; a later one wins.
	Setups []Setup
	// WorkloadDeclared by the workload the run is in.
	WorkloadDeclared map[string]Dimension
}
