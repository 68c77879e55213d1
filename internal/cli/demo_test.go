package cli_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// opened is what the demo says once it can be looked at.
type opened struct {
	URL         string `json:"url"`
	SignIn      string `json:"sign_in"`
	Data        string `json:"data"`
	Comparisons []struct{ ID, Name, Answer, Sentence string }
}

func startDemo(t *testing.T) (opened, *exec.Cmd) {
	t.Helper()
	process := exec.Command("graphsignal-server", "demo", "--json", "--no-browser")
	process.Stderr = os.Stderr
	out, err := process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = process.Process.Kill() })
	var demo opened
	if err := json.NewDecoder(out).Decode(&demo); err != nil {
		t.Fatalf("reading what the demo says: %v", err)
	}
	return demo, process
}

func TestTheDemoShowsTheThreeAnswersAndLeavesNothingBehind(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED in short mode: the demo imports 25 recordings")
	}
	began := time.Now()
	demo, process := startDemo(t)
	t.Logf("ready after %v", time.Since(began))
	answers := map[string]string{}
	for _, one := range demo.Comparisons {
		answers[one.Name] = one.Answer
	}
	want := map[string]string{"Faster loader?": "clear", "The same numbers, refused": "refused", "Almost": "capped", "Shorter queues? (synthetic)": "clear"}
	if diff := cmp.Diff(want, answers); diff != "" {
		t.Errorf("the demo's answers (-want +got):\n%s", diff)
	}
	signIn(t, demo)
	attest(t, demo)
	if err := process.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if err := process.Wait(); err != nil {
		t.Errorf("the demo ended with %v", err)
	}
	if _, err := os.Stat(demo.Data); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the scratch folder %s is still there: %v", demo.Data, err)
	}
}

// signIn opens the link as a browser does: once.
func signIn(t *testing.T, demo opened) {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := &http.Client{Jar: jar}
	first := get(t, browser, demo.SignIn)
	first.Body.Close()
	if first.StatusCode != http.StatusOK {
		t.Errorf("the sign-in link answers %s", first.Status)
	}
	answer := get(t, browser, demo.URL+"/api/v1/session")
	defer answer.Body.Close()
	var session struct {
		Role    string
		Product struct{ Demo bool }
	}
	if err := json.NewDecoder(answer.Body).Decode(&session); err != nil || session.Role != "admin" || !session.Product.Demo {
		t.Errorf("signed in as %+v, %v", session, err)
	}
	second := get(t, &http.Client{}, demo.SignIn)
	second.Body.Close()
	if second.StatusCode == http.StatusOK {
		t.Error("the sign-in link was valid twice")
	}
}

func get(t *testing.T, client *http.Client, address string) *http.Response {
	t.Helper()
	answer, err := client.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// attest does literally what the cap of "Almost" names: the verdict appears,
// marked.
func attest(t *testing.T, demo opened) {
	t.Helper()
	token, err := exec.Command("graphsignal-server", "token", "create", "--data", demo.Data, "--role", "viewer").Output()
	if err != nil {
		t.Fatal(err)
	}
	compare := exec.Command("graphsignal-server", "compare", "--json", "--server", demo.URL, "--token", strings.TrimSpace(string(token)),
		"--baseline", "seqs2-1,seqs2-2,seqs2-3,seqs2-4", "--candidate", "seqs8-1,seqs8-2,seqs8-3,seqs8-4", "--change", "serving_stack=room for eight", "--same", "hardware=one machine")
	out, err := compare.Output()
	if err != nil {
		t.Fatalf("comparing: %v\n%s", err, out)
	}
	var result struct {
		Answer   string
		Attested bool
		Caps     []any
		Outcomes []struct{ Metric, Verdict string }
	}
	if err := json.Unmarshal(out, &result); err != nil {
		t.Fatal(err)
	}
	if result.Answer != "clear" || !result.Attested || len(result.Caps) > 0 || result.Outcomes[0].Metric != "ttft.p50" || result.Outcomes[0].Verdict != "improved" {
		t.Errorf("attested, it is %s with %d caps, marked %v, first %+v", result.Answer, len(result.Caps), result.Attested, result.Outcomes[0])
	}
}
