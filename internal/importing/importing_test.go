package importing_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"kernelwake/internal/blob/fs"
	"kernelwake/internal/evidence"
	"kernelwake/internal/fault"
	"kernelwake/internal/format"
	"kernelwake/internal/httpapi/apitest"
	"kernelwake/internal/importing"
	"kernelwake/internal/sqlstore"
	"kernelwake/internal/workspace"
)

// place is an importer on real stores, that a test can open again as a restart
// does.
type place struct {
	dir       string
	records   *sqlstore.DB
	blobs     *fs.Store
	importer  *importing.Importer
	workspace string
}

func openPlace(t testing.TB, dir string, at func(importing.Step)) *place {
	t.Helper()
	ctx := context.Background()
	records, err := sqlstore.Open(ctx, filepath.Join(dir, "test.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { records.Close() })
	blobs, err := fs.Open(filepath.Join(dir, "blobs"))
	if err != nil {
		t.Fatal(err)
	}
	importer, err := importing.New(importing.Options{Records: records, Blobs: blobs, Detect: format.Detect, PendingDir: filepath.Join(dir, "pending"), Product: "test", At: at})
	if err != nil {
		t.Fatal(err)
	}
	p := &place{dir: dir, records: records, blobs: blobs, importer: importer}
	if _, _, err := records.Bootstrap(ctx, "default"); err != nil {
		t.Fatal(err)
	}
	all, err := records.Workspaces(ctx)
	if err != nil {
		t.Fatal(err)
	}
	p.workspace = all[0].ID
	return p
}

func (p *place) bring(ctx context.Context, request importing.Request, files ...apitest.File) (importing.Answer, error) {
	upload := p.importer.Begin()
	defer upload.Discard()
	for _, file := range files {
		if err := upload.Add(ctx, file.Name, bytes.NewReader(file.Content), ""); err != nil {
			return importing.Answer{}, err
		}
	}
	return upload.Import(ctx, workspace.Actor{Name: "tester"}, p.workspace, request)
}

func (p *place) blobCount(t testing.TB) int {
	t.Helper()
	n := 0
	if err := p.blobs.Each(context.Background(), func(string, int64) error { n++; return nil }); err != nil {
		t.Fatal(err)
	}
	return n
}

// Recognising bytes changes no run, so an import that says something new of
// them must be told that it wasn't done; a repeat of the same import needn't.
func TestARecognisedFileSaysWhatWasNotApplied(t *testing.T) {
	p := openPlace(t, t.TempDir(), nil)
	file := apitest.Training(t, "one", nil, 1, 2)
	first := importing.Request{Workload: "w", Run: "one", Group: "g", Dims: map[string]any{"driver": "550"}}
	if _, err := p.bring(t.Context(), first, file); err != nil {
		t.Fatal(err)
	}
	again := func(request importing.Request) string {
		t.Helper()
		made, err := p.bring(t.Context(), request, file)
		if err != nil || len(made.AlreadyStored) != 1 {
			t.Fatalf("the same bytes: %+v, %v", made, err)
		}
		for _, finding := range made.Findings {
			if finding.Code == "already_stored_unchanged" && finding.Remedy != "" {
				return finding.Message[strings.LastIndex(finding.Message, ": ")+2:]
			}
		}
		return ""
	}
	for name, c := range map[string]struct {
		request importing.Request
		left    string
	}{
		"the same import again": {first, ""},
		"nothing said":          {importing.Request{}, ""},
		"another workload":      {importing.Request{Workload: "v"}, "the workload"},
		"another run":           {importing.Request{Run: "two"}, "the run's name"},
		"another group":         {importing.Request{Group: "h"}, "the replicate group"},
		"another value":         {importing.Request{Dims: map[string]any{"driver": "551"}}, "the declared values"},
		"one more value":        {importing.Request{Dims: map[string]any{"cuda": "12.9"}}, "the declared values"},
		"a setup":               {importing.Request{SetupID: "set_1"}, "the setup"},
		"several":               {importing.Request{Workload: "v", SetupID: "set_1"}, "the workload, the setup"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := again(c.request); got != c.left {
				t.Errorf("not applied: %q, want %q", got, c.left)
			}
		})
	}
}

// A chosen lens that the file can't be read under is refused, whether the
// bytes are there already or not.
func TestALensThatTheFileHasNotIsRefused(t *testing.T) {
	p := openPlace(t, t.TempDir(), nil)
	archive := apitest.File{Name: "run.zip", Content: aiperfArchive(t)}
	for _, when := range []string{"fresh", "there already"} {
		if _, err := p.bring(t.Context(), importing.Request{Workload: "w", Lens: "training"}, archive); fault.Of(err).Code != "lens_not_offered" {
			t.Errorf("%s: %v", when, err)
		}
		if when == "fresh" {
			if n := p.blobCount(t); n != 0 {
				t.Errorf("%d blobs of a refused import", n)
			}
			if _, err := p.bring(t.Context(), importing.Request{Workload: "w"}, archive); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// aiperfArchive is the smallest run folder: one record.
func aiperfArchive(t testing.TB) []byte {
	t.Helper()
	var packed bytes.Buffer
	archive := zip.NewWriter(&packed)
	entry, err := archive.Create("run/profile_export.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	const record = `{"metadata":{"session_num":0,"request_start_ns":1000000000,"request_end_ns":2000000000,"benchmark_phase":"profiling","was_cancelled":false},"metrics":{"request_latency":{"value":1000,"unit":"ms"}},"error":null}`
	if _, err := io.WriteString(entry, record+"\n"); err != nil {
		t.Fatal(err)
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}

// A panic at a step stands for the kill that server's crash test does for
// real: what follows the step doesn't run.
func TestRecoverClearsWhatAnImportLeftBehind(t *testing.T) {
	for _, step := range []importing.Step{importing.BlobMoved, importing.ParsedMoved} {
		t.Run(string(step), func(t *testing.T) {
			dir := t.TempDir()
			dying := openPlace(t, dir, func(at importing.Step) {
				if at == step {
					panic("killed")
				}
			})
			stayed := apitest.Training(t, "stayed", nil, 1, 2)
			func() {
				defer func() { _ = recover() }()
				_, _ = dying.bring(t.Context(), importing.Request{Workload: "w"}, stayed)
			}()
			if dying.blobCount(t) == 0 {
				t.Fatal("nothing was moved before the kill: the test shows nothing")
			}
			dying.records.Close()
			again := openPlace(t, dir, nil)
			if _, unfinished, err := again.importer.Recover(t.Context()); err != nil || unfinished != 1 {
				t.Fatalf("recovered %d imports, %v", unfinished, err)
			}
			if n := again.blobCount(t); n != 0 {
				t.Errorf("%d blobs that nothing names are left", n)
			}
			if made, err := again.bring(t.Context(), importing.Request{Workload: "w"}, stayed); err != nil || len(made.Runs) != 1 || len(made.AlreadyStored) != 0 {
				t.Errorf("imported again: %+v, %v", made, err)
			}
		})
	}
}

// Bytes that another capture names are never cleared with a failed import.
func TestAFailedImportTakesNothingThatOthersName(t *testing.T) {
	p := openPlace(t, t.TempDir(), nil)
	kept, lost := apitest.Training(t, "kept", nil, 1, 2), apitest.Training(t, "lost", nil, 3, 4)
	if _, err := p.bring(t.Context(), importing.Request{Workload: "w"}, kept); err != nil {
		t.Fatal(err)
	}
	before := p.blobCount(t)
	if _, err := p.bring(t.Context(), importing.Request{Workload: "w", SetupID: "set_none"}, kept, lost); !fault.Is(err, fault.NotFound) {
		t.Fatalf("an import with a setup that isn't there: %v", err)
	}
	if n := p.blobCount(t); n != before {
		t.Errorf("%d blobs, %d before the failed import", n, before)
	}
}

// Many imports of the same bytes at once make one capture; imports and
// removals at once leave blobs exactly for what is kept.
func TestSameBytesFromManySidesAtOnce(t *testing.T) {
	p := openPlace(t, t.TempDir(), nil)
	file := apitest.Training(t, "one", nil, 1, 2, 3)
	var wait sync.WaitGroup
	ids := make([]string, 8)
	for i := range ids {
		wait.Go(func() {
			made, err := p.bring(context.Background(), importing.Request{Workload: "w"}, file)
			if err != nil {
				t.Error(err)
				return
			}
			ids[i] = made.Runs[0].Captures[0].ID
		})
	}
	wait.Wait()
	for _, id := range ids {
		if id != ids[0] {
			t.Errorf("captures %v of the same bytes", ids)
			break
		}
	}
	if n := p.blobCount(t); n != 2 {
		t.Errorf("%d blobs for one capture", n)
	}
}

func TestRemovalAndImportAtOnceKeepBlobsAndCapturesTogether(t *testing.T) {
	p := openPlace(t, t.TempDir(), nil)
	ctx, actor := context.Background(), workspace.Actor{Name: "tester"}
	var wait sync.WaitGroup
	for worker := range 4 {
		wait.Go(func() {
			for i := range 15 {
				// Two workers share each file, so that one imports what the other removes.
				made, err := p.bring(ctx, importing.Request{Workload: "w"}, apitest.Training(t, fmt.Sprintf("%d-%d", worker/2, i%3), nil, 1, 2))
				if err != nil {
					if !fault.Is(err, fault.NotFound) {
						t.Error(err)
					}
					continue
				}
				for _, run := range made.Runs {
					for _, capture := range run.Captures {
						if err := p.importer.Remove(ctx, actor, p.workspace, capture.ID); err != nil && !fault.Is(err, fault.NotFound) {
							t.Error(err)
						}
					}
				}
			}
		})
	}
	wait.Wait()
	named := map[string]bool{}
	if err := p.records.EachDigest(ctx, func(_ string, provenance evidence.Provenance) {
		named[provenance.SHA256], named[provenance.ParsedSHA256] = true, true
	}); err != nil {
		t.Fatal(err)
	}
	if n := p.blobCount(t); n != len(named) {
		t.Errorf("%d blobs for %d named digests", n, len(named))
	}
	for digest := range named {
		content, err := p.blobs.Open(ctx, digest)
		if err != nil {
			t.Errorf("a capture's blob is gone: %v", err)
			continue
		}
		content.Close()
	}
}

func TestACancelledUploadLeavesNothing(t *testing.T) {
	p := openPlace(t, t.TempDir(), nil)
	ctx, cancel := context.WithCancel(t.Context())
	upload := p.importer.Begin()
	broken := io.MultiReader(bytes.NewReader([]byte(`{"schema":"kernelwake.capture",`)), failing{cancel})
	if err := upload.Add(ctx, "x.json", broken, ""); fault.Of(err).Code != "upload_broken" {
		t.Errorf("a connection that broke: %v", err)
	}
	upload.Discard()
	if entries, err := os.ReadDir(filepath.Join(p.dir, "blobs", "staging")); err != nil || len(entries) > 0 {
		t.Errorf("left %v, %v", entries, err)
	}
}

type failing struct{ cancel func() }

func (f failing) Read([]byte) (int, error) {
	f.cancel()
	return 0, errors.New("connection reset")
}
