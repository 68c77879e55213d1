//go:build unix

package server

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"mime/multipart"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"kernelwake/internal/evidence"
	"kernelwake/internal/httpapi"
	"kernelwake/internal/httpapi/apitest"
	"kernelwake/internal/importing"
	"kernelwake/internal/sqlstore"
)

// crashSeconds bounds the random part; `make crash` asks for a minute.
const crashSeconds = "KERNELWAKE_CRASH_SECONDS"

const crashToken = "token-of-the-crash-test-0001"

// buildForKilling builds the real program with the kill points in it.
func buildForKilling(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("SKIPPED: builds and kills the real program; run without -short")
	}
	program := filepath.Join(t.TempDir(), "graphsignal-server")
	build := exec.Command("go", "build", "-tags", "crash", "-o", program, "kernelwake/cmd/graphsignal-server")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building the program: %v\n%s", err, out)
	}
	return program
}

// process is the real program on a data folder.
type process struct {
	command *exec.Cmd
	url     string
	ended   chan struct{}
}

func launch(t *testing.T, program, dir string, killAt importing.Step) *process {
	t.Helper()
	command := exec.Command(program, "serve", "--data", dir, "--listen", "127.0.0.1:0")
	command.Env = append(os.Environ(), "KERNELWAKE_BOOTSTRAP_TOKEN="+crashToken, "KERNELWAKE_KILL_AT="+string(killAt))
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	log := new(bytes.Buffer)
	command.Stderr = log
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	p := &process{command: command, ended: make(chan struct{})}
	lines := bufio.NewScanner(out)
	for p.url == "" && lines.Scan() {
		if url, ok := strings.CutPrefix(lines.Text(), "listening on "); ok {
			p.url = url
		}
	}
	go func() {
		_, _ = io.Copy(io.Discard, out)
		_ = command.Wait()
		close(p.ended)
	}()
	if p.url == "" {
		<-p.ended
		t.Fatalf("the program didn't start:\n%s", log)
	}
	t.Cleanup(p.kill)
	return p
}

// kill is kill -9.
func (p *process) kill() {
	_ = p.command.Process.Signal(syscall.SIGKILL)
	<-p.ended
}

// ask sends a request and returns the status, 0 where the process died on it.
func (p *process) ask(t *testing.T, method, path, contentType string, header map[string]string, body io.Reader, into any) int {
	request, err := http.NewRequest(method, p.url+"/api/v1/workspaces/default/"+path, body)
	if err != nil {
		t.Error(err)
		return 0
	}
	request.Header.Set("Authorization", "Bearer "+crashToken)
	request.Header.Set("Content-Type", contentType)
	for name, value := range header {
		request.Header.Set(name, value)
	}
	answer, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(request)
	if err != nil {
		return 0
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	if err != nil {
		return 0
	}
	if into != nil && answer.StatusCode < 300 {
		if raw, ok := into.(*[]byte); ok {
			*raw = data
		} else if err := json.Unmarshal(data, into); err != nil {
			t.Errorf("%s %s: %v", method, path, err)
		}
	}
	return answer.StatusCode
}

func (p *process) importFile(t *testing.T, file apitest.File) (importing.Answer, int) {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	_ = form.WriteField("workload", "w") // a buffer takes everything
	part, _ := form.CreateFormFile("file", file.Name)
	_, _ = part.Write(file.Content)
	_ = form.Close()
	var answer importing.Answer
	status := p.ask(t, http.MethodPost, "imports", form.FormDataContentType(), nil, &body, &answer)
	return answer, status
}

// whole checks that a folder shows nothing half-written: temporary files are
// gone, the blobs are exactly those that captures name, each the bytes of its
// digest. It returns the runs and captures there are.
func (p *process) whole(t *testing.T, dir string) (map[string]httpapi.RunRow, map[string]evidence.Capture) {
	t.Helper()
	for _, folder := range []string{filepath.Join("blobs", "staging"), "pending"} {
		if entries, err := os.ReadDir(filepath.Join(dir, folder)); err != nil || len(entries) > 0 {
			t.Errorf("%s holds %v, %v", folder, entries, err)
		}
	}
	captures := map[string]evidence.Capture{}
	named := map[string]bool{}
	list(t, p, "captures", func(c evidence.Capture) {
		if _, twice := captures[c.Provenance.SHA256]; twice {
			t.Errorf("%s is there twice", c.Provenance.SHA256)
		}
		captures[c.Provenance.SHA256] = c
		named[c.Provenance.SHA256], named[c.Provenance.ParsedSHA256] = true, true
	})
	runs := map[string]httpapi.RunRow{}
	list(t, p, "runs", func(r httpapi.RunRow) {
		if r.Captures == 0 {
			t.Errorf("run %s has no capture", r.ID)
		}
		runs[r.ID] = r
	})
	found, err := filepath.Glob(filepath.Join(dir, "blobs", "??", "??", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range found {
		digest := filepath.Base(path)
		content, err := os.ReadFile(path)
		if err != nil || evidence.Digest(content) != digest || !named[digest] {
			t.Errorf("blob %s: named %v, whole %v, %v", digest, named[digest], evidence.Digest(content) == digest, err)
		}
		delete(named, digest)
	}
	for digest := range named {
		t.Errorf("blob %s is missing", digest)
	}
	return runs, captures
}

func list[T any](t *testing.T, p *process, what string, each func(T)) {
	t.Helper()
	for cursor := ""; ; {
		var page httpapi.List[T]
		if status := p.ask(t, http.MethodGet, what+"?limit=500&cursor="+cursor, "", nil, nil, &page); status != 200 {
			t.Fatalf("listing %s: %d", what, status)
		}
		for _, row := range page.Rows {
			each(row)
		}
		if page.Next == nil {
			return
		}
		cursor = *page.Next
	}
}

func TestKillAtEachStepOfAnImport(t *testing.T) {
	program := buildForKilling(t)
	committed := map[importing.Step]bool{importing.Committed: true, importing.Answered: true}
	for _, step := range importing.Steps {
		t.Run(string(step), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			file := apitest.Training(t, "r1", nil, 10, 11, 12)
			dying := launch(t, program, dir, step)
			answer, status := dying.importFile(t, file)
			<-dying.ended
			if status != 0 && step != importing.Answered {
				t.Fatalf("a process killed at %s answered %d", step, status)
			}
			again := launch(t, program, dir, "")
			runs, captures := again.whole(t, dir)
			if there := len(captures) == 1 && len(runs) == 1; there != committed[step] {
				t.Errorf("after a kill at %s there are %d captures and %d runs", step, len(captures), len(runs))
			}
			if status == 200 {
				if _, kept := runs[answer.Runs[0].ID]; !kept {
					t.Error("an acknowledged run is lost")
				}
			}
			second, status := again.importFile(t, file)
			if status != 200 || (len(second.AlreadyStored) == 1) != committed[step] {
				t.Errorf("the same bytes again: %d %+v", status, second)
			}
			third, _ := again.importFile(t, file)
			if len(third.AlreadyStored) != 1 || third.AlreadyStored[0].RunID != second.Runs[0].ID {
				t.Errorf("the same bytes a third time: %+v", third)
			}
			if runs, captures := again.whole(t, dir); len(runs) != 1 || len(captures) != 1 {
				t.Errorf("in the end there are %d runs and %d captures", len(runs), len(captures))
			}
			again.kill()
			verifyAudit(t, dir)
		})
	}
}

// acknowledged is what clients were told is kept.
type acknowledged struct {
	mu sync.Mutex
	// runs is by digest of the bytes, revisions by run.
	runs      map[string]string
	revisions map[string]int64
	contents  map[string][]byte
}

func TestKillAtRandom(t *testing.T) {
	program := buildForKilling(t)
	seconds := 4
	if asked := os.Getenv(crashSeconds); asked != "" {
		var err error
		if seconds, err = strconv.Atoi(asked); err != nil {
			t.Fatalf("%s: %v", crashSeconds, err)
		}
	}
	dir := t.TempDir()
	kept := &acknowledged{runs: map[string]string{}, revisions: map[string]int64{}, contents: map[string][]byte{}}
	random := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 1))
	rounds := 0
	for until := time.Now().Add(time.Duration(seconds) * time.Second); time.Now().Before(until); rounds++ {
		p := launch(t, program, dir, "")
		kept.checkAll(t, p, dir)
		var workers sync.WaitGroup
		for worker := range 3 {
			workers.Go(func() { kept.work(t, p, fmt.Sprintf("%d-%d", rounds, worker)) })
		}
		time.Sleep(time.Duration(10+random.IntN(400)) * time.Millisecond)
		p.kill()
		workers.Wait()
		if t.Failed() {
			break
		}
	}
	last := launch(t, program, dir, "")
	kept.checkAll(t, last, dir)
	last.kill()
	verifyAudit(t, dir)
	t.Logf("killed %d times in %d s; %d acknowledged imports and %d acknowledged edits are all there", rounds, seconds, len(kept.runs), len(kept.revisions))
	if len(kept.runs) == 0 {
		t.Error("nothing was acknowledged between kills: the test showed nothing")
	}
}

// work imports and edits until the process is gone, noting what was
// acknowledged.
func (a *acknowledged) work(t *testing.T, p *process, name string) {
	for i := range 10_000 {
		file := apitest.Training(t, fmt.Sprintf("%s-%d", name, i), nil, 1, 2, 3)
		answer, status := p.importFile(t, file)
		if status == 0 {
			return
		}
		if status != 200 {
			t.Errorf("import %s: %d", name, status)
			return
		}
		run := answer.Runs[0]
		a.mu.Lock()
		a.runs[run.Captures[0].SHA256] = run.ID
		a.contents[run.Captures[0].SHA256] = file.Content
		a.mu.Unlock()
		var edited evidence.Run
		body := strings.NewReader(`{"labels":{"edited":"yes"}}`)
		switch status := p.ask(t, http.MethodPatch, "runs/"+run.ID, "application/json", map[string]string{"If-Match": `"1"`}, body, &edited); status {
		case 0:
			return
		case 200:
			a.mu.Lock()
			a.revisions[run.ID] = edited.Revision
			a.mu.Unlock()
		default:
			t.Errorf("edit of %s: %d", run.ID, status)
			return
		}
	}
}

func (a *acknowledged) checkAll(t *testing.T, p *process, dir string) {
	t.Helper()
	runs, captures := p.whole(t, dir)
	for digest, runID := range a.runs {
		capture, there := captures[digest]
		if !there || capture.RunID != runID {
			t.Errorf("acknowledged capture %s of run %s is lost", digest, runID)
		}
	}
	for runID, revision := range a.revisions {
		if run := runs[runID]; run.Revision < revision || run.Labels["edited"] != "yes" {
			t.Errorf("acknowledged edit of %s is lost: revision %d of %d", runID, run.Revision, revision)
		}
	}
	checked := 0
	for digest, content := range a.contents {
		if checked++; checked > 3 {
			break
		}
		var got []byte
		if status := p.ask(t, http.MethodGet, "captures/"+captures[digest].ID+"/bytes", "", nil, nil, &got); status != 200 || !bytes.Equal(got, content) {
			t.Errorf("the bytes of %s: %d, equal %v", digest, status, bytes.Equal(got, content))
		}
	}
}

func verifyAudit(t *testing.T, dir string) {
	t.Helper()
	records, err := sqlstore.Open(t.Context(), filepath.Join(dir, databaseFile))
	if err != nil {
		t.Fatal(err)
	}
	defer records.Close()
	all, err := records.Workspaces(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, chain := range []string{sqlstore.ServerChain, all[0].ID} {
		if n, err := records.VerifyAudit(t.Context(), chain); err != nil || n == 0 {
			t.Errorf("audit chain %q: %d rows, %v", chain, n, err)
		}
	}
}
