package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"kernelwake/internal/fault"
)

// The exit codes. Those of a check stand in the design of that command.
const (
	exitDone    = 0
	exitFailed  = 1
	exitUsage   = 2
	exitRefused = 12 // compare: the sides can't be compared
)

// silent ends the program with a code after its answer was printed.
type silent int

func (s silent) Error() string { return fmt.Sprintf("exit %d", int(s)) }

// exitOf ends with a code, which for 0 is no failure.
func exitOf(code int) error {
	if code == exitDone {
		return nil
	}
	return silent(code)
}

// misuse is a command line that can't be carried out as it stands.
type misuse struct{ err error }

func (m misuse) Error() string { return m.err.Error() }
func (m misuse) Unwrap() error { return m.err }

// usage is a misuse in words, with what to write instead.
func usage(hint, format string, args ...any) error {
	return misuse{fault.New(fault.Invalid, "usage", format, args...).WithHint("%s", hint)}
}

// problem is a failure as --json shows it: RFC 9457, with the hint.
type problem struct {
	Type   string          `json:"type"`
	Title  string          `json:"title"`
	Detail string          `json:"detail"`
	Status int             `json:"status,omitempty"`
	Hint   string          `json:"hint,omitempty"`
	Errors []fault.Problem `json:"errors,omitempty"`
}

// fail tells the failure and returns the exit code: one line for people, and
// problem JSON as the answer where JSON is asked for.
func (c *call) fail(err error) int {
	var code silent
	if errors.As(err, &code) {
		return int(code)
	}
	if errors.Is(err, context.Canceled) && c.ctx.Err() != nil {
		c.note("graphsignal-server: stopped before it was done")
		return exitFailed
	}
	shown := problemOf(err)
	if c.json {
		_ = c.printJSON(shown) // the line on stderr still says it
	}
	c.note("graphsignal-server: %s", oneLine(shown))
	var m misuse
	if errors.As(err, &m) {
		return exitUsage
	}
	return exitFailed
}

// problemOf gives any failure the form that people and machines read.
func problemOf(err error) problem {
	var known *fault.Error
	if !errors.As(err, &known) {
		return problem{Type: "failed", Title: "Not done", Detail: err.Error()}
	}
	shown := problem{Type: known.Code, Title: title(known.Kind), Detail: known.Message, Hint: known.Hint, Errors: known.Problems}
	if shown.Type == "" {
		shown.Type = string(known.Kind)
	}
	if known.Kind == fault.Internal && known.Cause != nil {
		shown.Detail += ": " + known.Cause.Error()
	}
	return shown
}

func title(kind fault.Kind) string {
	text := strings.ReplaceAll(string(kind), "_", " ")
	return strings.ToUpper(text[:1]) + text[1:]
}

// problemsOnALine is how many of several places one line of error names.
const problemsOnALine = 3

// oneLine says what was tried, what went wrong, where, and what to do.
func oneLine(p problem) string {
	var line strings.Builder
	line.WriteString(p.Detail)
	for i, one := range p.Errors {
		if i == problemsOnALine {
			fmt.Fprintf(&line, "; and %d more", len(p.Errors)-i)
			break
		}
		separator := "; "
		if i == 0 {
			separator = ": "
		}
		if one.Message != p.Detail {
			line.WriteString(separator + one.Message)
		}
		if one.Pointer != "" {
			line.WriteString(" (" + one.Pointer + ")")
		}
	}
	if p.Hint != "" {
		line.WriteString("; " + p.Hint)
	}
	return strings.ReplaceAll(line.String(), "\n", " ")
}
