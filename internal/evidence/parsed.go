package evidence

import (
	"encoding/json"
	"time"

	"kernelwake/internal/absent"
	"kernelwake/internal/lens"
)

// Origin says whether a capture was measured; it is fixed at import.
type Origin string

// The origins.
const (
	Recorded   Origin = "recorded"
	Synthetic  Origin = "synthetic"
	Unattested Origin = "unattested"
)

// Device says what a capture was measured on.
type Device string

// What a capture can be measured on.
const (
	GPU           Device = "gpu"
	CPU           Device = "cpu"
	Simulator     Device = "simulator"
	NoDevice      Device = "none"
	UnknownDevice Device = "unknown"
)

// Source says where a dimension's value comes from, strongest first.
type Source string

// The sources, strongest first.
const (
	Observed    Source = "observed"
	Derived     Source = "derived"
	Declared    Source = "declared"
	FromSetup   Source = "setup"
	ByWorkload  Source = "workload"
	DefaultTool Source = "default"
)

// Dimension is a fact about a capture or a run: a value with its source, or
// the reason it is missing.
type Dimension struct {
	// Value is a scalar, list or object as encoding/json decodes it with
	// UseNumber off: string, float64, bool, []any, map[string]any. Nil if absent.
	Value any `json:"value,omitempty"`
	// Absent is why there is no value.
	Absent absent.Reason `json:"absent,omitempty"`
	// Note stands beside an absence.
	Note   string `json:"note,omitempty"`
	Source Source `json:"source,omitempty"`
	// From names the place or the formula: "summary input_config.endpoint",
	// "work signature work/1", "setup cpu-box v2".
	From string `json:"from,omitempty"`
}

// Known reports whether there is a value.
func (d Dimension) Known() bool { return d.Absent == "" && d.Value != nil }

// Finding is something an importer noticed: data beside the result, with the
// action that helps where there is one.
type Finding struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	// Count is how many places show it; 1 where it is said once.
	Count int64 `json:"count"`
	// Pointer is the first place.
	Pointer string `json:"pointer,omitempty"`
	Remedy  string `json:"remedy,omitempty"`
}

// Definition tells one metric apart from another of the same name. Two
// outcomes are compared only where all fields are equal.
type Definition struct {
	// Metric is the registry's name and version: "ttft/1".
	Metric string `json:"metric"`
	// FirstToken is what stops the first-token clock ("content",
	// "content_or_reasoning", "first_response").
	FirstToken string `json:"first_token,omitempty"`
	// Denominator names a rate's time ("first_start_to_last_content",
	// "benchmark_duration", "phase_window") or a share's whole.
	Denominator string `json:"denominator,omitempty"`
	// TokenSource says who counted tokens ("client_tokenizer", "server_usage").
	TokenSource string `json:"token_source,omitempty"`
	// Divisor is what TPOT divides by ("output_tokens_minus_1", …).
	Divisor string `json:"divisor,omitempty"`
	// Success is what counts as a good request.
	Success string `json:"success,omitempty"`
	// Aggregation is how many raw values one sample is the mean of; 1 is raw.
	Aggregation int `json:"aggregation,omitempty"`
	// Quantiles is how the source took the quantiles of a summary ("linear").
	Quantiles string `json:"quantiles,omitempty"`
}

// Outcome is a measured quantity of one capture, in the registry's canonical
// unit.
type Outcome struct {
	Name  string `json:"name"`
	Phase string `json:"phase,omitempty"`
	Unit  string `json:"unit"`
	// SourceUnit is the unit of the file, where values were converted from it.
	SourceUnit string     `json:"source_unit,omitempty"`
	Kind       lens.Kind  `json:"kind"`
	Definition Definition `json:"definition"`
	// Absent is why there is no value, with a note.
	Absent absent.Reason `json:"absent,omitempty"`
	Note   string        `json:"note,omitempty"`
	// Data holds the vectors. Samples: v, at (s from window start), step,
	// rank, status. Series: at, v, step. Spells: start, end, censored (0/1),
	// gpus, end_after, class, cause. Intervals: from, to, state, reason,
	// subject, gpus. Only successful samples count as latencies; samples are
	// ordered by request or step start.
	Data Table `json:"data"`
	// Bounds and Counts make a histogram (counts has one more, the overflow).
	Bounds []float64 `json:"bounds,omitempty"`
	Counts []int64   `json:"counts,omitempty"`
	// Statistics are the values of a summary by name ("p50", "mean", "sd"),
	// and of a single number under "value".
	Statistics map[string]float64 `json:"statistics,omitempty"`
	// Reported is what the source's own summary says, by statistic, in the
	// canonical unit, where Data or Statistics were recomputed.
	Reported map[string]float64 `json:"reported,omitempty"`
	// N is how many values stand behind it; absent where the source hides it.
	N absent.Value[int64] `json:"n"`
	// Numerator and Denominator of a ratio, with the unit of both.
	Numerator   *float64 `json:"numerator,omitempty"`
	Denominator *float64 `json:"denominator,omitempty"`
	Basis       string   `json:"basis,omitempty"`
}

// Completeness counts what was asked for and what came of it.
type Completeness struct {
	Sent      absent.Value[int64] `json:"sent"`
	OK        absent.Value[int64] `json:"ok"`
	Failed    absent.Value[int64] `json:"failed"`
	Cancelled absent.Value[int64] `json:"cancelled"`
	// StoppedEarly is true where the tool says that the run was cut short.
	StoppedEarly bool `json:"stopped_early,omitempty"`
}

// LaunchKind says whether a capture is a launch of its own.
type LaunchKind string

// The kinds of launches.
const (
	Launch        LaunchKind = "launch"
	Invocation    LaunchKind = "invocation"
	UnknownLaunch LaunchKind = "unknown"
)

// LaunchID says which launch of the workload a capture belongs to.
type LaunchID struct {
	Kind LaunchKind `json:"kind"`
	// Group is equal for invocations of one launch, empty otherwise.
	Group string `json:"group,omitempty"`
	// Index orders the invocations of a group.
	Index int `json:"index,omitempty"`
}

// Rank places a capture in a set of ranks.
type Rank struct {
	Rank      absent.Value[int64] `json:"rank"`
	WorldSize absent.Value[int64] `json:"world_size"`
}

// Parsed is everything an importer yields from one selection of a file. Its
// encoded form (Encode) is what parsed_sha256 is over.
type Parsed struct {
	// Format and FormatVersion as detected; Importer is the importer's own
	// version ("aiperf@1"): another version may parse the same bytes anew.
	Format        string `json:"format"`
	FormatVersion string `json:"format_version"`
	Importer      string `json:"importer"`
	// Tool made the file: name and version as it says itself.
	Tool string `json:"tool,omitempty"`
	// Selector is the inner path of the selection; empty for a whole file.
	Selector string `json:"selector,omitempty"`
	// Name suggests a run name; Cell names a sweep's cell ("concurrency=4").
	Name string  `json:"name"`
	Cell string  `json:"cell,omitempty"`
	Lens lens.ID `json:"lens"`
	// LensGuessed is true where the file left a choice and nobody made it.
	LensGuessed bool   `json:"lens_guessed,omitempty"`
	Origin      Origin `json:"origin"`
	// OriginNote is the reason given for a synthetic capture.
	OriginNote string `json:"origin_note,omitempty"`
	MeasuredOn Device `json:"measured_on"`
	// Started and Ended bound what was measured, in UTC.
	Started absent.Value[time.Time] `json:"started"`
	Ended   absent.Value[time.Time] `json:"ended"`
	// Workload is the name the file itself gives its workload, if any.
	Workload     string               `json:"workload,omitempty"`
	Group        string               `json:"replicate_group,omitempty"`
	Launch       LaunchID             `json:"launch"`
	Rank         Rank                 `json:"rank"`
	Dimensions   map[string]Dimension `json:"dimensions"`
	Outcomes     []Outcome            `json:"outcomes"`
	Completeness Completeness         `json:"completeness"`
	// Figures is a JSON object in the format's own documented words.
	Figures json.RawMessage `json:"figures,omitempty"`
	// Work is the work signature (trace.Signature as JSON), traces only.
	Work     json.RawMessage `json:"work,omitempty"`
	Findings []Finding       `json:"findings"`
	// DerivedFrom names the raw files a capture was made from.
	DerivedFrom []RawFile         `json:"derived_from,omitempty"`
	Labels      map[string]string `json:"labels,omitempty"`
	// Tables hold what screens draw: "spans" of a trace, "requests" of a load
	// run, "series" of telemetry.
	Tables []Table `json:"tables,omitempty"`
}

// RawFile names a file that a capture was derived from.
type RawFile struct {
	Name   string `json:"name"`
	Format string `json:"format"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// Outcome returns the outcome with the name and phase.
func (p *Parsed) Outcome(name, phase string) (Outcome, bool) {
	for _, outcome := range p.Outcomes {
		if outcome.Name == name && outcome.Phase == phase {
			return outcome, true
		}
	}
	return Outcome{}, false
}

// Table returns the table with the name.
func (p *Parsed) Table(name string) (Table, bool) {
	for _, table := range p.Tables {
		if table.Name == name {
			return table, true
		}
	}
	return Table{}, false
}

// Find adds a finding.
func (p *Parsed) Find(code string, count int64, pointer, message string) {
	p.Findings = append(p.Findings, Finding{Code: code, Count: count, Pointer: pointer, Message: message})
}
