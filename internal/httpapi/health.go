package httpapi

import (
	"context"
	"net/http"

	"kernelwake/internal/fault"
)

// Health says that the process answers.
type Health struct {
	Status  string `json:"status" enum:"ok"`
	Version string `json:"version"`
}

func health(a *API, _ context.Context, _ *struct{}) (*struct{ Body Health }, error) {
	return &struct{ Body Health }{Health{Status: "ok", Version: a.Version}}, nil
}

// Readiness says which stores answer.
type Readiness struct {
	Status string           `json:"status" enum:"ready,not_ready"`
	Checks []ReadinessCheck `json:"checks"`
}

// ReadinessCheck is one store.
type ReadinessCheck struct {
	Name    string `json:"name"`
	OK      bool   `json:"ok"`
	Message string `json:"message,omitempty"`
	Hint    string `json:"hint,omitempty"`
}

// ReadinessAnswer carries its own status: 503 where a store doesn't answer.
type ReadinessAnswer struct {
	Status int
	Body   Readiness
}

func ready(a *API, ctx context.Context, _ *struct{}) (*ReadinessAnswer, error) {
	answer := &ReadinessAnswer{Status: http.StatusOK, Body: Readiness{Status: "ready"}}
	for _, one := range []struct {
		name  string
		check func(context.Context) error
	}{{"evidence", a.Records.Ping}, {"bytes", a.Blobs.Writable}} {
		result := ReadinessCheck{Name: one.name, OK: true}
		if err := one.check(ctx); err != nil {
			failure := fault.Of(err)
			result = ReadinessCheck{Name: one.name, Message: failure.Message, Hint: failure.Hint}
			answer.Status, answer.Body.Status = http.StatusServiceUnavailable, "not_ready"
		}
		answer.Body.Checks = append(answer.Body.Checks, result)
	}
	return answer, nil
}
