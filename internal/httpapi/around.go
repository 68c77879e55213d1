package httpapi

import (
	"context"
	"crypto/rand"
	"net/http"
	"strings"
	"time"

	"github.com/klauspost/compress/gzhttp"

	"kernelwake/internal/id"
)

// requestInfo gathers what the log line of a request says.
type requestInfo struct{ id, route, member string }

type infoKey struct{}

func infoOf(ctx context.Context) *requestInfo {
	info, _ := ctx.Value(infoKey{}).(*requestInfo)
	return info
}

// requestID is the id of the request that a context belongs to.
func requestID(ctx context.Context) string {
	if info := infoOf(ctx); info != nil {
		return info.id
	}
	return ""
}

// identified gives each request an id, catches what goes wrong in a handler,
// and logs one line. Queries aren't logged: a sign-in link is one.
func (a *API) identified(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		requestID, err := id.New(id.Request, began, rand.Reader)
		if err != nil {
			requestID = "req_unknown"
		}
		info := &requestInfo{id: requestID}
		w.Header().Set("X-Request-Id", requestID)
		r = r.WithContext(context.WithValue(r.Context(), infoKey{}, info))
		counted := &countingWriter{ResponseWriter: w, status: http.StatusOK}
		defer func() {
			if problem := recover(); problem != nil && problem != http.ErrAbortHandler {
				a.Log.Error("a handler panicked", "request_id", requestID, "path", r.URL.Path, "panic", problem)
				if !counted.began {
					a.writeProblem(counted, r, errPanicked)
				}
			}
			a.Log.Info("request", "request_id", requestID, "method", r.Method, "path", r.URL.Path, "route", info.route, "member", info.member,
				"status", counted.status, "bytes", counted.bytes, "ms", time.Since(began).Milliseconds())
		}()
		next.ServeHTTP(counted, r)
	})
}

// countingWriter remembers what was answered.
type countingWriter struct {
	http.ResponseWriter
	status int
	bytes  int64
	began  bool
}

func (w *countingWriter) WriteHeader(status int) {
	w.status, w.began = status, true
	w.ResponseWriter.WriteHeader(status)
}

func (w *countingWriter) Write(p []byte) (int, error) {
	w.began = true
	n, err := w.ResponseWriter.Write(p)
	w.bytes += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController reach the connection.
func (w *countingWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// secured sets the headers every answer carries. The pages set their own
// policy over this one, which allows nothing.
func secured(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("X-Frame-Options", "DENY")
		header.Set("Referrer-Policy", "same-origin")
		header.Set("Cross-Origin-Opener-Policy", "same-origin")
		header.Set("Cross-Origin-Resource-Policy", "same-origin")
		header.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
		if strings.HasPrefix(r.URL.Path, "/api/") || r.URL.Path == "/signin" {
			header.Set("Cache-Control", "no-store")
		}
		next.ServeHTTP(w, r)
	})
}

// compressed sends JSON compressed to who takes it. Exact bytes and pages go
// as they are.
func compressed(next http.Handler) http.Handler {
	wrap, err := gzhttp.NewWrapper(gzhttp.MinSize(1024), gzhttp.CompressionLevel(1), gzhttp.ContentTypes([]string{"application/json", "application/problem+json", "application/openapi+json"}))
	if err != nil {
		panic(err) // the options are constants
	}
	return wrap(next)
}
