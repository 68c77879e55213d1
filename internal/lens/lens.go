// Package lens is the one registry of what counts and what must match: for
// each lens its outcomes (unit, direction of goodness, effect, thresholds) and
// its dimension rows (fields, class, equality rule). The API serves it; every
// importer, comparison, check and screen reads it.
package lens

// ID names a lens.
type ID string

// The lenses.
const (
	Inference ID = "inference"
	Training  ID = "training"
	Fleet     ID = "fleet"
)

// Class says what an unequal or unknown row does to a comparison.
type Class string

// The classes of rows; see docs/guide/comparability.md.
const (
	Must       Class = "must"        // differs: refused; can't be declared
	Gate       Class = "gate"        // differs undeclared: refused; unknown: capped
	Context    Class = "context"     // differs undeclared, or known on one side: capped
	Noise      Class = "noise"       // decides which history counts
	Note       Class = "note"        // shown only
	PerOutcome Class = "per_outcome" // moves single outcomes to not_compared
)

// Direction is which way an outcome is better.
type Direction string

// The directions of goodness.
const (
	Lower       Direction = "lower"
	Higher      Direction = "higher"
	NoDirection Direction = "none"
)

// Effect is the scale on which two values of an outcome are compared.
type Effect string

// The effect scales.
const (
	Ratio      Effect = "ratio"      // candidate ÷ baseline, computed on logs
	Difference Effect = "difference" // candidate − baseline, where zero is normal
	Points     Effect = "points"     // percentage points between shares
)

// Statistic is a summary of an outcome's samples; with the outcome's name it
// makes a metric id ("ttft.p99"). Value stands for single numbers.
type Statistic string

// The statistics.
const (
	P50   Statistic = "p50"
	P90   Statistic = "p90"
	P95   Statistic = "p95"
	P99   Statistic = "p99"
	Mean  Statistic = "mean"
	Value Statistic = "value"
)

// Outcome is a measured quantity as the registry knows it.
type Outcome struct {
	// Name is the outcome's id ("ttft").
	Name string `json:"name"`
	// Label is the name for people.
	Label string `json:"label"`
	// Meaning says in one sentence what is measured, and names the formula.
	Meaning string `json:"meaning"`
	// Version of the metric's definition; another version is another metric.
	Version int `json:"version"`
	// Unit is the canonical unit; Accepts are the units converted from.
	Unit    string   `json:"unit"`
	Accepts []string `json:"accepts"`
	// Direction is which way is better.
	Direction Direction `json:"direction"`
	// Effect is the scale of comparison.
	Effect Effect `json:"effect"`
	// Statistics that are compared, the headline one first.
	Statistics []Statistic `json:"statistics"`
	// Thresholds are the practical sizes by statistic: a fraction for ratios
	// (0.05 is 5 %), points as a fraction (0.02 is two points), for differences
	// a fraction of the baseline (see AbsoluteThreshold). Without one a person
	// must set it before the outcome is judged.
	Thresholds map[Statistic]float64 `json:"thresholds"`
	// Kinds are the forms a capture may give it in.
	Kinds []Kind `json:"kinds"`
	// WorkOnly outcomes need the same work only, not the whole objective.
	WorkOnly bool `json:"work_only,omitempty"`
	// OfGoodRequests outcomes speak of the requests that succeeded: where too
	// many fail, or unequal shares, they say nothing about the others.
	OfGoodRequests bool `json:"of_good_requests,omitempty"`
	// Counted outcomes are shares of counted things: numerator and denominator
	// are whole numbers, and their interval comes from the counts.
	Counted bool `json:"counted,omitempty"`
	// AbsoluteThreshold is true where the threshold of a difference is given
	// in the outcome's unit; otherwise it is a fraction of the baseline.
	AbsoluteThreshold bool `json:"absolute_threshold,omitempty"`
	// Headline outcomes lead a run's row.
	Headline bool `json:"headline,omitempty"`
}

// Kind is the form an outcome's data has.
type Kind string

// The kinds of outcome data.
const (
	Samples   Kind = "samples"
	Series    Kind = "series"
	Spells    Kind = "spells"
	Intervals Kind = "intervals"
	Histogram Kind = "histogram"
	Summary   Kind = "summary"
	RatioKind Kind = "ratio"
	Total     Kind = "total"
)

// Row is one dimension of the comparability table.
type Row struct {
	// Key names the row ("hardware"); declarations and attestations use it.
	Key string `json:"key"`
	// Label is the name for people.
	Label string `json:"label"`
	// Class says what unequal or unknown does.
	Class Class `json:"class"`
	// Declarable rows may be named as the intended change.
	Declarable bool `json:"declarable"`
	// Fields are the capture keys that make up the row.
	Fields []string `json:"fields"`
	// NotDeclarable are fields that stay undeclarable inside a declarable row.
	NotDeclarable []string `json:"not_declarable,omitempty"`
	// Rule is the id of the equality rule; RuleVersion changes with its meaning.
	Rule        Rule `json:"rule"`
	RuleVersion int  `json:"rule_version"`
	// Means says the rule in words.
	Means string `json:"means"`
	// Remedy is the action that makes an unknown row known.
	Remedy string `json:"remedy"`
	// Formats limits the row to captures of these formats; empty is all.
	Formats []string `json:"formats,omitempty"`
	// Outcomes limits the row to these outcomes; empty is all.
	Outcomes []string `json:"outcomes,omitempty"`
}

// Rule is the id of an equality rule; package compare implements each.
type Rule string

// The equality rules.
const (
	Exact         Rule = "exact"          // normalised values equal
	FieldByField  Rule = "field_by_field" // every field by its own comparison
	RequestMix    Rule = "request_mix"    // equal bodies, else equal data set and order, else lengths within 5 %
	Work          Rule = "work"           // equal model key or equal work signature
	GPUs          Rule = "gpus"           // SKU by alias table, count of GPUs used
	Batch         Rule = "batch"          // computed, checked against declared, or equal work signature
	LoadWindow    Rule = "load_window"    // at least 60 s and steady on both sides
	Overlap       Rule = "overlap"        // ranges overlap by at least 95 %
	Tolerances    Rule = "tolerances"     // each number within its stated tolerance
	DeviceHours   Rule = "device_hours"   // multiset within 2 % of device-hours
	History       Rule = "history"        // equal at all times, coverage at least 95 %
	Definition    Rule = "definition"     // equal metric definitions, outcome by outcome
	Survivorship  Rule = "survivorship"   // failed share at most 5 % and within 1 point
	KnownOnEither Rule = "shown"          // shown, never judged
)

// Field is one key of a capture's dimensions.
type Field struct {
	// Key is the name in captures, declarations and setups.
	Key string `json:"key"`
	// Label is the name for people.
	Label string `json:"label"`
	// Row is the key of the row the field belongs to; empty if shown only.
	Row string `json:"row"`
	// Required fields must be present in a Kernelwake JSON capture, as a
	// value or as an absence with a reason.
	Required bool `json:"required"`
	// Unit of a numeric value, if any.
	Unit string `json:"unit,omitempty"`
	// Tolerance is the relative difference still called equal.
	Tolerance float64 `json:"tolerance,omitempty"`
	// Varies is true where the value differs between captures of one launch or
	// launches of one configuration by its nature, which is no conflict.
	Varies bool `json:"varies,omitempty"`
	// Numeric fields are numbers even where a person wrote them as text.
	Numeric bool `json:"numeric,omitempty"`
	// Example is a value as a person would give it.
	Example string `json:"example,omitempty"`
}

// Lens is the definition of one way to judge performance.
type Lens struct {
	ID       ID        `json:"id"`
	Label    string    `json:"label"`
	Question string    `json:"question"`
	Outcomes []Outcome `json:"outcomes"`
	Rows     []Row     `json:"rows"`
	Fields   []Field   `json:"fields"`
}

// All are the lenses, in the order they are offered.
var All = []Lens{inference, training, fleet}

// Find returns the lens with the id.
func Find(id ID) (Lens, bool) {
	for _, l := range All {
		if l.ID == id {
			return l, true
		}
	}
	return Lens{}, false
}

// Outcome returns the outcome with the name.
func (l Lens) Outcome(name string) (Outcome, bool) {
	for _, outcome := range l.Outcomes {
		if outcome.Name == name {
			return outcome, true
		}
	}
	return Outcome{}, false
}

// Row returns the row with the key.
func (l Lens) Row(key string) (Row, bool) {
	for _, row := range l.Rows {
		if row.Key == key {
			return row, true
		}
	}
	return Row{}, false
}

// Field returns the field with the key.
func (l Lens) Field(key string) (Field, bool) {
	for _, field := range l.Fields {
		if field.Key == key {
			return field, true
		}
	}
	return Field{}, false
}

// Metric returns the id of an outcome's statistic: "ttft.p99", and the bare
// name where the outcome is a single value.
func Metric(outcome string, statistic Statistic) string {
	if statistic == Value || statistic == "" {
		return outcome
	}
	return outcome + "." + string(statistic)
}
