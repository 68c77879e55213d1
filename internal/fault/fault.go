// Package fault is the one error type that reaches a person: a closed set of
// kinds, a documented code, a message, the places concerned and a hint naming
// the next action. Edges map the kind to a status or an exit code once.
package fault

import (
	"errors"
	"fmt"
	"strings"
)

// Kind is the closed set of reasons why something can't be done.
type Kind string

// The kinds of failure.
const (
	Invalid     Kind = "invalid"     // what was sent breaks a rule
	NotFound    Kind = "not_found"   // the thing named isn't there
	Conflict    Kind = "conflict"    // the state of a thing forbids it
	Denied      Kind = "denied"      // the role doesn't allow it
	Unsigned    Kind = "unsigned"    // nobody is signed in
	Stale       Kind = "stale"       // the revision named is not the current one
	Unpinned    Kind = "unpinned"    // an edit came without the revision it edits
	TooLarge    Kind = "too_large"   // a stated limit was passed
	Unsupported Kind = "unsupported" // a format or version we don't read
	Unavailable Kind = "unavailable" // a store doesn't answer now
	Internal    Kind = "internal"    // our own fault; details go to the log only
)

// Problem is one thing wrong at one place of what was sent.
type Problem struct {
	// Code is a documented word in snake_case.
	Code string `json:"code"`
	// Pointer is the place: a JSON Pointer, or path#pointer inside an archive.
	Pointer string `json:"pointer"`
	// Message says what is wrong, in words.
	Message string `json:"message"`
	// Limit is the limit that was passed, if one was.
	Limit string `json:"limit,omitempty"`
	// Got is what was found instead.
	Got string `json:"got,omitempty"`
}

// Error is a failure to show to a person.
type Error struct {
	Kind Kind
	// Code is a documented word in snake_case; the kind's name if empty.
	Code string
	// Message says what was tried and what went wrong, in one line.
	Message string
	// Hint names the next action that helps.
	Hint string
	// Problems lists places, where several things are wrong.
	Problems []Problem
	// Cause is the underlying error, for the log.
	Cause error
}

// New returns a failure of a kind with a code and a formatted message.
func New(kind Kind, code, format string, args ...any) *Error {
	return &Error{Kind: kind, Code: code, Message: fmt.Sprintf(format, args...)}
}

// WithHint adds the next action that helps.
func (e *Error) WithHint(format string, args ...any) *Error {
	e.Hint = fmt.Sprintf(format, args...)
	return e
}

// WithProblems adds the places that are wrong.
func (e *Error) WithProblems(problems ...Problem) *Error {
	e.Problems = append(e.Problems, problems...)
	return e
}

// WithCause adds the underlying error.
func (e *Error) WithCause(cause error) *Error {
	e.Cause = cause
	return e
}

// Error is one line: what went wrong, then what to do.
func (e *Error) Error() string {
	var line strings.Builder
	line.WriteString(e.Message)
	if len(e.Problems) > 0 {
		first := e.Problems[0]
		if first.Message != e.Message {
			fmt.Fprintf(&line, ": %s", first.Message)
		}
		if first.Pointer != "" {
			fmt.Fprintf(&line, " at %s", first.Pointer)
		}
		if more := len(e.Problems) - 1; more > 0 {
			fmt.Fprintf(&line, " (and %d more)", more)
		}
	}
	if e.Hint != "" {
		fmt.Fprintf(&line, "; %s", e.Hint)
	}
	return line.String()
}

// Unwrap returns the underlying error.
func (e *Error) Unwrap() error { return e.Cause }

// Of returns the failure inside err, or an internal one that holds err.
func Of(err error) *Error {
	var found *Error
	if errors.As(err, &found) {
		return found
	}
	return &Error{Kind: Internal, Code: string(Internal), Message: "something went wrong on the server", Cause: err}
}

// Is reports whether err is a failure of the kind.
func Is(err error, kind Kind) bool {
	var found *Error
	return errors.As(err, &found) && found.Kind == kind
}
