package server

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"kernelwake/internal/fault"
	"kernelwake/internal/workspace"
)

// running is a server of this process under test.
type running struct {
	Running
	out  *output
	stop func() error
}

type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

func start(t testing.TB, dir, token string) *running {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ready, ended := make(chan Running, 1), make(chan error, 1)
	out := new(output)
	go func() {
		ended <- Serve(ctx, Options{Data: dir, Listen: "127.0.0.1:0", BootstrapToken: token, Out: out, Log: slog.New(slog.DiscardHandler), Ready: func(r Running) { ready <- r }})
	}()
	var once sync.Once
	stop := func() (err error) {
		once.Do(func() { cancel(); err = <-ended })
		return err
	}
	select {
	case r := <-ready:
		t.Cleanup(func() { _ = stop() })
		return &running{r, out, stop}
	case err := <-ended:
		cancel()
		t.Fatalf("the server didn't start: %v", err)
		return nil
	}
}

// get asks without following redirects.
func get(t testing.TB, url string, header map[string]string) (*http.Response, string) {
	t.Helper()
	request, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range header {
		request.Header.Set(name, value)
	}
	answer, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer, string(body)
}

func TestFirstStartPrintsALinkThatWorksOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	s := start(t, dir, "")
	address, err := os.ReadFile(filepath.Join(dir, "address"))
	if err != nil || strings.TrimSpace(string(address)) != s.URL {
		t.Errorf("the address file holds %q, %v; want %s", address, err, s.URL)
	}
	if out := s.out.String(); !strings.Contains(out, "listening on "+s.URL+"\n") || !strings.Contains(out, s.SignInLink) || s.SignInLink == "" {
		t.Errorf("printed %q", out)
	}
	answer, _ := get(t, s.SignInLink, nil)
	cookie := answer.Header.Get("Set-Cookie")
	if answer.StatusCode != http.StatusSeeOther || answer.Header.Get("Location") != "/" || !strings.Contains(cookie, "HttpOnly") || !strings.Contains(cookie, "SameSite=Lax") {
		t.Fatalf("the link: %d to %q, cookie %q", answer.StatusCode, answer.Header.Get("Location"), cookie)
	}
	value, _, _ := strings.Cut(cookie, ";")
	answer, body := get(t, s.URL+"/api/v1/session", map[string]string{"Cookie": value})
	var session struct {
		Role       string
		Workspaces []struct{ Name string }
	}
	if err := json.Unmarshal([]byte(body), &session); err != nil || answer.StatusCode != 200 || session.Role != "admin" || session.Workspaces[0].Name != "default" {
		t.Errorf("the session: %d %s", answer.StatusCode, body)
	}
	if answer, body := get(t, s.SignInLink, nil); answer.StatusCode != http.StatusUnauthorized {
		t.Errorf("the link again: %d %s", answer.StatusCode, body)
	}
	if answer, _ := get(t, s.SignInLink, map[string]string{"Accept": "text/html"}); answer.Header.Get("Location") != "/?signin=failed" {
		t.Errorf("the link again in a browser goes to %q", answer.Header.Get("Location"))
	}
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	again := start(t, dir, "")
	if again.SignInLink != "" || strings.Contains(again.out.String(), "signin") {
		t.Error("a start after the first sign-in prints a link")
	}
	if answer, _ := get(t, again.URL+"/api/v1/session", map[string]string{"Cookie": value}); answer.StatusCode != 200 {
		t.Errorf("the session after a restart: %d", answer.StatusCode)
	}
}

func TestAnUnusedLinkIsReplacedAtTheNextStart(t *testing.T) {
	dir := t.TempDir()
	first := start(t, dir, "")
	if err := first.stop(); err != nil {
		t.Fatal(err)
	}
	second := start(t, dir, "")
	_, secret, _ := strings.Cut(first.SignInLink, "token=")
	if answer, _ := get(t, second.URL+"/signin?token="+secret, nil); answer.StatusCode != http.StatusUnauthorized {
		t.Errorf("the first start's link still works: %d", answer.StatusCode)
	}
	if answer, _ := get(t, second.SignInLink, nil); answer.StatusCode != http.StatusSeeOther {
		t.Errorf("the second start's link: %d", answer.StatusCode)
	}
}

func TestBootstrapTokenNeedsNoTerminal(t *testing.T) {
	const token = "chosen-by-an-operator-0001"
	s := start(t, t.TempDir(), token)
	if strings.Contains(s.out.String(), token) || s.SignInLink != "" {
		t.Errorf("printed %q", s.out.String())
	}
	header := map[string]string{"Authorization": "Bearer " + token}
	if answer, body := get(t, s.URL+"/api/v1/session", header); answer.StatusCode != 200 || !strings.Contains(body, `"operator":true`) {
		t.Errorf("session %d %s", answer.StatusCode, body)
	}
	for _, path := range []string{"/api/v1/workspaces/default/audit", "/api/v1/operator/workspaces"} {
		if answer, body := get(t, s.URL+path, header); answer.StatusCode != 200 {
			t.Errorf("%s: %d %s", path, answer.StatusCode, body)
		}
	}
}

func TestAShortBootstrapTokenIsRefused(t *testing.T) {
	err := Serve(t.Context(), Options{Data: t.TempDir(), Listen: "127.0.0.1:0", BootstrapToken: "short", Out: io.Discard, Log: slog.New(slog.DiscardHandler)})
	if fault.Of(err).Code != "bootstrap_token_short" {
		t.Errorf("error %v", err)
	}
}

func TestTwoServersDoNotShareAFolder(t *testing.T) {
	dir := t.TempDir()
	start(t, dir, "")
	err := Serve(t.Context(), Options{Data: dir, Listen: "127.0.0.1:0", Out: io.Discard, Log: slog.New(slog.DiscardHandler)})
	if fault.Of(err).Code != "data_folder_in_use" {
		t.Errorf("error %v", err)
	}
}

// What keeps a server from starting is said with what to do about it.
func TestWhatKeepsAServerFromStartingNamesTheRemedy(t *testing.T) {
	taken := start(t, t.TempDir(), "")
	missing := filepath.Join(t.TempDir(), "none")
	log := slog.New(slog.DiscardHandler)
	for code, attempt := range map[string]func() error{
		"address_unavailable": func() error {
			return Serve(t.Context(), Options{Data: t.TempDir(), Listen: strings.TrimPrefix(taken.URL, "http://"), Out: io.Discard, Log: log})
		},
		"data_folder_unavailable": func() error {
			return Serve(t.Context(), Options{Data: blockedFolder(t), Listen: "127.0.0.1:0", Out: io.Discard, Log: log})
		},
		"data_folder_missing": func() error {
			_, err := CreateToken(t.Context(), missing, "t", "", workspace.Viewer)
			return err
		},
	} {
		t.Run(code, func(t *testing.T) {
			if failure := fault.Of(attempt()); failure.Code != code || failure.Hint == "" {
				t.Errorf("%s: %s; hint %q", failure.Code, failure.Message, failure.Hint)
			}
		})
	}
	if _, err := os.Stat(missing); err == nil {
		t.Error("asking for a token made a data folder")
	}
}

// blockedFolder is a data folder whose lock can't be opened.
func blockedFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, lockFile), 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestWhoHoldsTheFolderMakesTokensOnARunningOrStoppedServer(t *testing.T) {
	dir := t.TempDir()
	stopped, err := CreateToken(t.Context(), dir, "before", "default", workspace.Viewer)
	if err != nil {
		t.Fatal(err)
	}
	s := start(t, dir, "")
	running, err := CreateToken(t.Context(), dir, "while", "default", workspace.Analyst)
	if err != nil {
		t.Fatal(err)
	}
	for key, role := range map[string]string{stopped.Key: "viewer", running.Key: "analyst"} {
		if answer, body := get(t, s.URL+"/api/v1/session", map[string]string{"Authorization": "Bearer " + key}); answer.StatusCode != 200 || !strings.Contains(body, `"role":"`+role+`"`) {
			t.Errorf("%s: %d %s", role, answer.StatusCode, body)
		}
	}
	if _, err := CreateToken(t.Context(), dir, "x", "nowhere", workspace.Viewer); !fault.Is(err, fault.NotFound) {
		t.Errorf("a workspace that isn't: %v", err)
	}
	if _, err := CreateToken(t.Context(), dir, "x", "default", "king"); !fault.Is(err, fault.Invalid) {
		t.Errorf("a role that isn't: %v", err)
	}
}

func TestReadinessTellsAboutADiskThatIsGone(t *testing.T) {
	dir := t.TempDir()
	s := start(t, dir, "")
	if answer, body := get(t, s.URL+"/readyz", nil); answer.StatusCode != 200 {
		t.Fatalf("ready %d %s", answer.StatusCode, body)
	}
	if err := os.Rename(filepath.Join(dir, "blobs"), filepath.Join(dir, "away")); err != nil {
		t.Fatal(err)
	}
	if answer, body := get(t, s.URL+"/readyz", nil); answer.StatusCode != http.StatusServiceUnavailable || !strings.Contains(body, "blob folder") {
		t.Errorf("without blobs: %d %s", answer.StatusCode, body)
	}
	if answer, _ := get(t, s.URL+"/healthz", nil); answer.StatusCode != 200 {
		t.Errorf("health %d", answer.StatusCode)
	}
	if err := os.Rename(filepath.Join(dir, "away"), filepath.Join(dir, "blobs")); err != nil {
		t.Fatal(err)
	}
	if answer, body := get(t, s.URL+"/readyz", nil); answer.StatusCode != 200 {
		t.Errorf("after the disk came back: %d %s", answer.StatusCode, body)
	}
}

func TestStoppingLetsRequestsUnderWayFinish(t *testing.T) {
	const token = "chosen-by-an-operator-0001"
	s := start(t, t.TempDir(), token)
	reader, writer := io.Pipe()
	request, err := http.NewRequest(http.MethodPost, s.URL+"/api/v1/workspaces/default/workloads", reader)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", "application/json")
	// The body is sent once the server waits for it: the request is under way.
	request.Header.Set("Expect", "100-continue")
	patient := &http.Client{Transport: &http.Transport{ExpectContinueTimeout: time.Minute}}
	answered := make(chan int, 1)
	go func() {
		answer, err := patient.Do(request)
		if err != nil {
			answered <- 0
			return
		}
		answer.Body.Close()
		answered <- answer.StatusCode
	}()
	if _, err := io.WriteString(writer, `{"name":"kept",`); err != nil {
		t.Fatal(err)
	}
	stopped := make(chan error, 1)
	go func() { stopped <- s.stop() }()
	time.Sleep(50 * time.Millisecond)
	if _, err := io.WriteString(writer, `"lens":"training"}`); err != nil {
		t.Fatal(err)
	}
	writer.Close()
	if status := <-answered; status != http.StatusCreated {
		t.Errorf("the request under way was answered with %d", status)
	}
	if err := <-stopped; err != nil {
		t.Errorf("stopping: %v", err)
	}
}

func BenchmarkColdStart(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		s := start(b, b.TempDir(), "")
		if err := s.stop(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkStartOnAFolderWithData(b *testing.B) {
	dir := b.TempDir()
	first := start(b, dir, "")
	if err := first.stop(); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		s := start(b, dir, "")
		if err := s.stop(); err != nil {
			b.Fatal(err)
		}
	}
}
