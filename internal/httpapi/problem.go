package httpapi

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"

	"kernelwake/internal/fault"
)

// statuses is the one table from kinds of failure to HTTP statuses.
var statuses = map[fault.Kind]int{
	fault.Invalid:     http.StatusUnprocessableEntity,
	fault.NotFound:    http.StatusNotFound,
	fault.Conflict:    http.StatusConflict,
	fault.Denied:      http.StatusForbidden,
	fault.Unsigned:    http.StatusUnauthorized,
	fault.Stale:       http.StatusPreconditionFailed,
	fault.Unpinned:    http.StatusPreconditionRequired,
	fault.TooLarge:    http.StatusRequestEntityTooLarge,
	fault.Unsupported: http.StatusUnsupportedMediaType,
	fault.Unavailable: http.StatusServiceUnavailable,
	fault.Internal:    http.StatusInternalServerError,
}

// kindOf is the kind a status came from, for what huma refuses by itself.
func kindOf(status int) fault.Kind {
	for kind, of := range statuses {
		if of == status {
			return kind
		}
	}
	if status >= 500 {
		return fault.Internal
	}
	return fault.Invalid
}

// Problem is a refusal as RFC 9457 writes it.
type Problem struct {
	// Type is a documented code in snake_case.
	Type   string `json:"type" doc:"a documented code in snake_case"`
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail"`
	// Hint names the next action that helps.
	Hint string `json:"hint,omitempty"`
	// Errors are the places that are wrong.
	Errors    []fault.Problem `json:"errors"`
	RequestID string          `json:"request_id"`
}

// Error is the problem in a line.
func (p *Problem) Error() string { return p.Detail }

// GetStatus returns the HTTP status.
func (p *Problem) GetStatus() int { return p.Status }

// ContentType is that of problems.
func (p *Problem) ContentType(string) string { return "application/problem+json" }

// Fault is the problem as a failure again, for the client.
func (p *Problem) Fault() *fault.Error {
	kind := kindOf(p.Status)
	return fault.New(kind, p.Type, "%s", p.Detail).WithHint("%s", p.Hint).WithProblems(p.Errors...)
}

// problem turns a failure into what is sent. What is our own fault is logged
// here, once, and told without details.
func (a *API) problem(ctx context.Context, err error) *Problem {
	var ready *Problem
	if errors.As(err, &ready) {
		return ready
	}
	if errors.Is(err, context.DeadlineExceeded) {
		err = fault.New(fault.Unavailable, "timed_out", "the request took too long and was stopped").WithCause(err).WithHint("ask for less at a time, or try again")
	}
	failure := fault.Of(err)
	status := statuses[failure.Kind]
	if status >= 500 && !errors.Is(err, context.Canceled) {
		a.Log.Error("request failed", "request_id", requestID(ctx), "code", failure.Code, "error", err.Error(), "cause", causeOf(failure))
	}
	made := &Problem{
		Type: failure.Code, Title: titles[failure.Kind], Status: status, Detail: failure.Message, Hint: failure.Hint, Errors: failure.Problems, RequestID: requestID(ctx),
	}
	if made.Type == "" {
		made.Type = string(failure.Kind)
	}
	if failure.Kind == fault.Internal && made.Hint == "" {
		made.Hint = "look for the request id in the server's log"
	}
	return made
}

func causeOf(failure *fault.Error) string {
	if failure.Cause == nil {
		return ""
	}
	return failure.Cause.Error()
}

var titles = map[fault.Kind]string{
	fault.Invalid: "What was sent breaks a rule", fault.NotFound: "Not found", fault.Conflict: "The state of the thing forbids it",
	fault.Denied: "Not allowed", fault.Unsigned: "Not signed in", fault.Stale: "Someone else changed it", fault.Unpinned: "The revision is missing",
	fault.TooLarge: "Too large", fault.Unsupported: "Not supported", fault.Unavailable: "Not available now", fault.Internal: "A fault of the server",
}

// writeProblem answers a request outside huma.
func (a *API) writeProblem(w http.ResponseWriter, r *http.Request, err error) {
	problem := a.problem(r.Context(), err)
	if problem.Status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", `Bearer realm="kernelwake"`)
	}
	if r.ProtoMajor == 1 && r.ContentLength != 0 {
		// The rest of a refused upload isn't read.
		w.Header().Set("Connection", "close")
	}
	a.write(w, problem.Status, "application/problem+json", problem)
}

// write sends a value as JSON.
func (a *API) write(w http.ResponseWriter, status int, contentType string, value any) {
	w.Header().Set("Content-Type", contentType)
	w.WriteHeader(status)
	if err := writeJSON(w, value); err != nil {
		a.Log.Debug("answer not sent", "error", err.Error())
	}
}

var replaceErrors sync.Once

// useProblems makes huma refuse in our form.
func useProblems() {
	replaceErrors.Do(func() {
		huma.DefaultArrayNullable = false
		huma.NewError = func(status int, message string, errs ...error) huma.StatusError {
			return refused("", status, message, errs)
		}
		huma.NewErrorWithContext = func(ctx huma.Context, status int, message string, errs ...error) huma.StatusError {
			return refused(requestID(ctx.Context()), status, message, errs)
		}
	})
}

func refused(id string, status int, message string, errs []error) *Problem {
	kind := kindOf(status)
	made := &Problem{Type: "request_invalid", Title: titles[kind], Status: status, Detail: "the request can't be read: " + message, Hint: "see /api/docs for what the request takes", RequestID: id}
	if status == http.StatusRequestEntityTooLarge {
		made.Type, made.Detail, made.Hint = "body_too_large", "the body may have 1 MiB", "send less at a time"
	}
	for _, err := range errs {
		var detail *huma.ErrorDetail
		if errors.As(err, &detail) {
			made.Errors = append(made.Errors, fault.Problem{Code: "invalid", Pointer: pointer(detail.Location), Message: detail.Message})
		} else if err != nil {
			made.Errors = append(made.Errors, fault.Problem{Code: "invalid", Message: err.Error()})
		}
	}
	return made
}

// pointer turns huma's "body.items[3].name" into a JSON Pointer.
func pointer(location string) string {
	if location == "" {
		return ""
	}
	return "/" + strings.NewReplacer(".", "/", "[", "/", "]", "").Replace(location)
}

func crossOriginDenied() error {
	return fault.New(fault.Denied, "cross_origin", "a page of another site may not change anything here").WithHint("use the workspace's own pages, or a token without a browser")
}

// errPanicked is what a request is told whose handler panicked.
var errPanicked = fault.New(fault.Internal, string(fault.Internal), "something went wrong on the server")
