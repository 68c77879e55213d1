// Package absent keeps a missing value missing, with its reason, from the
// file it should have been in to the screen that shows it.
package absent

import (
	"encoding/json"
	"fmt"
)

// Reason says why a value is missing.
type Reason string

// The reasons a value can be missing for.
const (
	NotRecorded   Reason = "not_recorded"
	NotApplicable Reason = "not_applicable"
	NotSupported  Reason = "not_supported"
	Withheld      Reason = "withheld"
	Failed        Reason = "failed"
	BelowMinimum  Reason = "below_minimum_samples"
	TooFewSamples Reason = "too_few_samples"
	NotReached    Reason = "not_reached"
	Lost          Reason = "lost"
	Conflict      Reason = "conflict"
	Unknown       Reason = "unknown"
)

// FileReasons are the reasons a capture file may give.
var FileReasons = []Reason{NotRecorded, NotApplicable, NotSupported, Withheld, Failed, BelowMinimum, NotReached, Lost, Unknown}

// Value is a value of type T or the reason it is missing. The zero value is
// missing for an unknown reason.
type Value[T any] struct {
	value  T
	known  bool
	reason Reason
	note   string
}

// Of returns a known value.
func Of[T any](value T) Value[T] { return Value[T]{value: value, known: true} }

// Because returns a missing value with its reason.
func Because[T any](reason Reason, note string) Value[T] {
	return Value[T]{reason: reason, note: note}
}

// Get returns the value and whether it is known.
func (v Value[T]) Get() (T, bool) { return v.value, v.known }

// Known reports whether the value is there.
func (v Value[T]) Known() bool { return v.known }

// Reason returns why the value is missing; empty if it is known.
func (v Value[T]) Reason() Reason {
	if v.known {
		return ""
	}
	if v.reason == "" {
		return Unknown
	}
	return v.reason
}

// Note returns the words beside the reason.
func (v Value[T]) Note() string { return v.note }

type missing struct {
	Absent Reason `json:"absent"`
	Note   string `json:"note,omitempty"`
}

// MarshalJSON writes the value itself, or {"absent": reason}.
func (v Value[T]) MarshalJSON() ([]byte, error) {
	if v.known {
		return json.Marshal(v.value)
	}
	return json.Marshal(missing{v.Reason(), v.note})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (v *Value[T]) UnmarshalJSON(data []byte) error {
	var gap missing
	if len(data) > 0 && data[0] == '{' && json.Unmarshal(data, &gap) == nil && gap.Absent != "" {
		*v = Because[T](gap.Absent, gap.Note)
		return nil
	}
	if string(data) == "null" {
		return fmt.Errorf("reading a value: null is neither a value nor an absence with a reason")
	}
	v.known = true
	return json.Unmarshal(data, &v.value)
}
