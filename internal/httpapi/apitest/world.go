// Package apitest runs the real API over real stores in a temporary folder,
// for tests of the API and its client. Only tests import it.
package apitest

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/textproto"
	"path/filepath"
	"strings"
	"testing"

	"kernelwake/internal/blob/fs"
	"kernelwake/internal/format"
	"kernelwake/internal/httpapi"
	"kernelwake/internal/importing"
	"kernelwake/internal/library"
	"kernelwake/internal/sqlstore"
	"kernelwake/internal/workspace"
)

// World is an API with a workspace and a token for each role in it, and a
// second workspace with an admin of its own.
type World struct {
	t        testing.TB
	URL      string
	Dir      string
	Records  *sqlstore.DB
	Blobs    *fs.Store
	Importer *importing.Importer
	Library  *library.Library
	// Workspace and Other are ids.
	Workspace, Other string
	// Tokens are by role; Stranger is an admin of the other workspace.
	Tokens   map[workspace.Role]string
	Stranger string
}

// Actor is who sets a world up.
var Actor = workspace.Actor{Name: "test", Method: "server"}

// Start returns a running world.
func Start(t testing.TB) *World {
	t.Helper()
	ctx := context.Background()
	w := &World{t: t, Dir: t.TempDir(), Tokens: map[workspace.Role]string{}}
	var err error
	if w.Records, err = sqlstore.Open(ctx, filepath.Join(w.Dir, "test.db")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Records.Close() })
	if w.Blobs, err = fs.Open(filepath.Join(w.Dir, "blobs")); err != nil {
		t.Fatal(err)
	}
	if w.Importer, err = importing.New(importing.Options{Records: w.Records, Blobs: w.Blobs, Detect: format.Detect, PendingDir: filepath.Join(w.Dir, "pending"), Product: "test"}); err != nil {
		t.Fatal(err)
	}
	w.Library = library.New(w.Records, w.Blobs, 64<<20)
	log := slog.New(slog.NewTextHandler(&testWriter{t}, &slog.HandlerOptions{Level: slog.LevelError}))
	api := httpapi.New(httpapi.Options{Records: w.Records, Blobs: w.Blobs, Library: w.Library, Importer: w.Importer, Log: log, Version: "test"})
	serving := httptest.NewServer(api.Handler())
	t.Cleanup(serving.Close)
	w.URL = serving.URL
	w.people(ctx)
	return w
}

func (w *World) people(ctx context.Context) {
	w.t.Helper()
	w.Workspace, w.Other = w.workspace(ctx, "default"), w.workspace(ctx, "other")
	for _, role := range []workspace.Role{workspace.Viewer, workspace.Analyst, workspace.Admin} {
		w.Tokens[role] = w.member(ctx, string(role), w.Workspace, role, false)
	}
	w.Tokens[workspace.Operator] = w.member(ctx, "operator", "", "", true)
	w.Stranger = w.member(ctx, "stranger", w.Other, workspace.Admin, false)
}

func (w *World) workspace(ctx context.Context, name string) string {
	made, err := w.Records.CreateWorkspace(ctx, Actor, name)
	if err != nil {
		w.t.Fatal(err)
	}
	return made.ID
}

func (w *World) member(ctx context.Context, name, in string, role workspace.Role, operator bool) string {
	member, err := w.Records.CreateMember(ctx, Actor, workspace.Member{Name: name, Operator: operator}, in, role)
	if err != nil {
		w.t.Fatal(err)
	}
	secret := "secret-of-" + name + "-0123456789"
	if _, err := w.Records.CreateCredential(ctx, Actor, workspace.Credential{Kind: workspace.Token, Name: name, MemberID: member.ID, Operator: operator}, secret); err != nil {
		w.t.Fatal(err)
	}
	return secret
}

type testWriter struct{ t testing.TB }

func (w *testWriter) Write(p []byte) (int, error) {
	w.t.Log(strings.TrimSpace(string(p)))
	return len(p), nil
}

// Request is a request as a test makes it.
type Request struct {
	Method, Path, Token string
	Body                any
	Header              map[string]string
	Raw                 io.Reader
	ContentType         string
}

// Answer is what came back, its body read.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Do sends a request. A path that begins with no slash is in the workspace;
// without a token it is the admin's, "-" sends none.
func (w *World) Do(r Request) Answer {
	w.t.Helper()
	path := r.Path
	if !strings.HasPrefix(path, "/") {
		path = "/api/v1/workspaces/default/" + path
	}
	body := r.Raw
	if r.Body != nil {
		data, err := json.Marshal(r.Body)
		if err != nil {
			w.t.Fatal(err)
		}
		body, r.ContentType = bytes.NewReader(data), "application/json"
	}
	request, err := http.NewRequest(r.Method, w.URL+path, body)
	if err != nil {
		w.t.Fatal(err)
	}
	if r.ContentType != "" {
		request.Header.Set("Content-Type", r.ContentType)
	}
	switch r.Token {
	case "":
		request.Header.Set("Authorization", "Bearer "+w.Tokens[workspace.Admin])
	case "-":
	default:
		request.Header.Set("Authorization", "Bearer "+r.Token)
	}
	for name, value := range r.Header {
		request.Header.Set(name, value)
	}
	// A transport of its own follows no redirect and reuses no connection that
	// a refused upload closed.
	answered, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		w.t.Fatalf("%s %s: %v", r.Method, path, err)
	}
	defer answered.Body.Close()
	data, err := io.ReadAll(answered.Body)
	if err != nil {
		w.t.Fatalf("%s %s: reading the answer: %v", r.Method, path, err)
	}
	return Answer{answered.StatusCode, answered.Header, data}
}

// Want sends a request that must be answered with a status, and decodes the
// answer.
func (w *World) Want(status int, r Request, into any) Answer {
	w.t.Helper()
	answer := w.Do(r)
	if answer.Status != status {
		w.t.Fatalf("%s %s: status %d, want %d\n%s", r.Method, r.Path, answer.Status, status, answer.Body)
	}
	if into != nil {
		if err := json.Unmarshal(answer.Body, into); err != nil {
			w.t.Fatalf("%s %s: %v\n%s", r.Method, r.Path, err, answer.Body)
		}
	}
	return answer
}

// Problem sends a request that must be refused with a status and a code.
func (w *World) Problem(status int, code string, r Request) httpapi.Problem {
	w.t.Helper()
	var problem httpapi.Problem
	answer := w.Want(status, r, &problem)
	if kind := answer.Header.Get("Content-Type"); kind != "application/problem+json" {
		w.t.Errorf("%s %s: a refusal of type %q", r.Method, r.Path, kind)
	}
	if problem.Type != code || problem.Status != status {
		w.t.Errorf("%s %s: problem %q with status %d, want %q with %d\n%s", r.Method, r.Path, problem.Type, problem.Status, code, status, answer.Body)
	}
	if problem.Title == "" || problem.Detail == "" || problem.Hint == "" || problem.RequestID == "" {
		w.t.Errorf("%s %s: a problem without title, detail, hint or request id:\n%s", r.Method, r.Path, answer.Body)
	}
	return problem
}

// File is a file to send.
type File struct {
	Name    string
	Content []byte
	Header  map[string]string
}

// Upload is the body of an import with fields and files.
func (w *World) Upload(path string, fields map[string]string, files ...File) Request {
	w.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for name, value := range fields {
		if err := form.WriteField(name, value); err != nil {
			w.t.Fatal(err)
		}
	}
	for _, file := range files {
		header := textproto.MIMEHeader{}
		header.Set("Content-Disposition", multipart.FileContentDisposition("file", file.Name))
		header.Set("Content-Type", "application/octet-stream")
		for name, value := range file.Header {
			header.Set(name, value)
		}
		part, err := form.CreatePart(header)
		if err != nil {
			w.t.Fatal(err)
		}
		if _, err := part.Write(file.Content); err != nil {
			w.t.Fatal(err)
		}
	}
	if err := form.Close(); err != nil {
		w.t.Fatal(err)
	}
	return Request{Method: http.MethodPost, Path: path, Raw: &body, ContentType: form.FormDataContentType()}
}

// Import imports files, which must succeed.
func (w *World) Import(fields map[string]string, files ...File) importing.Answer {
	w.t.Helper()
	var answer importing.Answer
	w.Want(http.StatusOK, w.Upload("imports", fields, files...), &answer)
	return answer
}
