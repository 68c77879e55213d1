package httpapi_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kernelwake/internal/evidence"
	"kernelwake/internal/httpapi"
	"kernelwake/internal/httpapi/apitest"
	"kernelwake/internal/importing"
	"kernelwake/internal/workspace"
)

// nothingKept fails when a refused import left anything in the database or the
// folder.
func nothingKept(t *testing.T, w *apitest.World) {
	t.Helper()
	var runs httpapi.List[httpapi.RunRow]
	w.Want(200, apitest.Request{Method: "GET", Path: "runs"}, &runs)
	var workloads httpapi.List[evidence.Workload]
	w.Want(200, apitest.Request{Method: "GET", Path: "workloads"}, &workloads)
	if runs.Total != 0 || workloads.Total != 0 {
		t.Errorf("%d runs and %d workloads are kept", runs.Total, workloads.Total)
	}
	for _, folder := range []string{"blobs", "pending"} {
		err := filepath.WalkDir(filepath.Join(w.Dir, folder), func(path string, entry os.DirEntry, err error) error {
			if err == nil && !entry.IsDir() {
				t.Errorf("%s was left behind", path)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}

func TestImportAnswersWithRunCaptureAndDigests(t *testing.T) {
	w := apitest.Start(t)
	file := apitest.Training(t, "r1", apitest.Known(nil), 10, 11, 12, 13)
	sum := sha256.Sum256(file.Content)
	file.Header = map[string]string{"X-Content-SHA256": hex.EncodeToString(sum[:])}
	made := w.Import(map[string]string{"workload": "w", "dims": `{"driver":"570.1"}`, "via": "cli"}, file)
	if len(made.Runs) != 1 || len(made.Runs[0].Captures) != 1 || len(made.AlreadyStored) != 0 {
		t.Fatalf("answer %+v", made)
	}
	capture := made.Runs[0].Captures[0]
	if capture.SHA256 != hex.EncodeToString(sum[:]) || capture.Bytes != int64(len(file.Content)) || capture.Format != evidence.FormatKernelwake {
		t.Errorf("capture %+v", capture)
	}
	var page httpapi.RunPage
	answer := w.Want(200, apitest.Request{Method: "GET", Path: "runs/" + made.Runs[0].ID}, &page)
	if answer.Header.Get("ETag") != fmt.Sprintf("%q", made.Runs[0].ID+".1") {
		t.Errorf("ETag %q", answer.Header.Get("ETag"))
	}
	driver := page.Dimensions["driver"]
	if driver.Value.Value != "570.1" || driver.Source != evidence.Declared || driver.Row != "hardware_state" {
		t.Errorf("driver %+v", driver)
	}
	provenance := page.Captures[0].Capture.Provenance
	if provenance.ImportedBy != "admin" || provenance.Via != "cli" || provenance.Importer != "kernelwake-json@1" || provenance.DeclaredSHA256 != capture.SHA256 || provenance.FileName != "r1.kwcap.json" {
		t.Errorf("provenance %+v", provenance)
	}
	if got := page.Headline; got.Metric != "step_time.p50" || got.Value == nil || *got.Value != 11.5 {
		t.Errorf("headline %+v", got)
	}
}

func TestExactBytesComeBackAsAnAttachmentOfNoType(t *testing.T) {
	w := apitest.Start(t)
	file := apitest.Training(t, "<script>alert(1)</script>", nil, 1, 2)
	file.Name = `"><svg onload=x>.html`
	made := w.Import(map[string]string{"workload": "w"}, file)
	answer := w.Want(200, apitest.Request{Method: "GET", Path: "captures/" + made.Runs[0].Captures[0].ID + "/bytes", Header: map[string]string{"Accept-Encoding": "gzip"}}, nil)
	if !bytes.Equal(answer.Body, file.Content) {
		t.Error("the bytes differ from those imported")
	}
	sum := sha256.Sum256(file.Content)
	digest := "sha-256=:" + base64.StdEncoding.EncodeToString(sum[:]) + ":" // RFC 9530
	for name, want := range map[string]string{"Repr-Digest": digest, "Content-Type": "application/octet-stream", "X-Content-Type-Options": "nosniff", "X-Content-SHA256": made.Runs[0].Captures[0].SHA256, "Content-Encoding": ""} {
		if got := answer.Header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if got := answer.Header.Get("Content-Disposition"); !strings.HasPrefix(got, "attachment") || strings.ContainsAny(got, "\r\n") {
		t.Errorf("Content-Disposition %q", got)
	}
	if got := answer.Header.Get("Content-Security-Policy"); !strings.Contains(got, "default-src 'none'") {
		t.Errorf("Content-Security-Policy %q", got)
	}
}

func TestTheSameBytesAreStoredOnceAndRecognised(t *testing.T) {
	w := apitest.Start(t)
	file := apitest.Training(t, "r1", nil, 1, 2, 3)
	first := w.Import(map[string]string{"workload": "w"}, file)
	file.Name = "another-name.json"
	second := w.Import(map[string]string{"workload": "elsewhere", "run": "x"}, file, apitest.Training(t, "r2", nil, 4, 5))
	if len(second.AlreadyStored) != 1 {
		t.Fatalf("recognised %+v", second.AlreadyStored)
	}
	got := second.AlreadyStored[0]
	if got.RunID != first.Runs[0].ID || got.CaptureIDs[0] != first.Runs[0].Captures[0].ID || got.FileName != "another-name.json" || got.Workload != "w" {
		t.Errorf("recognised %+v", got)
	}
	var captures httpapi.List[evidence.Capture]
	w.Want(200, apitest.Request{Method: "GET", Path: "captures"}, &captures)
	if captures.Total != 2 {
		t.Errorf("%d captures", captures.Total)
	}
	blobs := 0
	if err := w.Blobs.Each(t.Context(), func(string, int64) error { blobs++; return nil }); err != nil || blobs != 4 {
		t.Errorf("%d blobs, %v; want two files and two parsed forms", blobs, err)
	}
}

func TestAnImportIsAllOrNothing(t *testing.T) {
	w := apitest.Start(t)
	bad := apitest.File{Name: "bad.json", Content: []byte(`{"schema":"kernelwake.capture","version":"1.0"}`)}
	problem := w.Problem(http.StatusUnprocessableEntity, "capture_invalid", w.Upload("imports", map[string]string{"workload": "w"}, apitest.Training(t, "r1", nil, 1, 2), bad))
	if !strings.Contains(problem.Detail, "bad.json") || len(problem.Errors) == 0 || problem.Errors[0].Code == "" {
		t.Errorf("problem %+v", problem)
	}
	nothingKept(t, w)
}

func TestRefusedImportsSayWhyAndLeaveNothing(t *testing.T) {
	w := apitest.Start(t)
	good := apitest.Training(t, "r1", nil, 1, 2, 3)
	wrongDigest := good
	wrongDigest.Header = map[string]string{"X-Content-SHA256": strings.Repeat("0", 64)}
	packed := good
	packed.Header = map[string]string{"Content-Encoding": "gzip"}
	named := map[string]string{"workload": "w"}
	tests := []struct {
		name, code string
		status     int
		request    apitest.Request
	}{
		{"no file", "file_missing", 422, w.Upload("imports", named)},
		{"an empty file", "file_empty", 422, w.Upload("imports", named, apitest.File{Name: "x.json"})},
		{"a digest that isn't the file's", "digest_mismatch", 422, w.Upload("imports", named, wrongDigest)},
		{"a part with Content-Encoding", "content_encoding", 415, w.Upload("imports", named, packed)},
		{"a lens that isn't", "lens_unknown", 422, w.Upload("imports", map[string]string{"workload": "w", "lens": "telescope"}, good)},
		{"a field nothing reads", "field_unknown", 422, w.Upload("imports", map[string]string{"workload": "w", "runn": "x"}, good)},
		{"dims that are no object", "dims_invalid", 422, w.Upload("imports", map[string]string{"workload": "w", "dims": "[1]"}, good)},
		{"a setup that isn't there", "setup_not_found", 404, w.Upload("imports", map[string]string{"workload": "w", "setup_id": "set_x"}, good)},
		{"a workload without a name", "name_unprintable", 422, w.Upload("imports", map[string]string{"workload": "a\tb"}, good)},
		{"a body that is no form", "multipart_expected", 415, apitest.Request{Method: "POST", Path: "imports", Raw: bytes.NewReader(good.Content), ContentType: "application/json"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w.Problem(test.status, test.code, test.request)
			nothingKept(t, w)
		})
	}
	t.Run("an unknown dimension names the nearest", func(t *testing.T) {
		problem := w.Problem(422, "declaration_invalid", w.Upload("imports", map[string]string{"workload": "w", "dims": `{"gpu_modell":"H200"}`}, good))
		if len(problem.Errors) != 1 || problem.Errors[0].Pointer != "/gpu_modell" || !strings.Contains(problem.Errors[0].Message, `"gpu_model"`) {
			t.Errorf("errors %+v", problem.Errors)
		}
		nothingKept(t, w)
	})
	t.Run("a body with Content-Encoding", func(t *testing.T) {
		request := w.Upload("imports", named, good)
		request.Header = map[string]string{"Content-Encoding": "gzip"}
		w.Problem(415, "content_encoding", request)
		nothingKept(t, w)
	})
	t.Run("a body cut short", func(t *testing.T) {
		request := w.Upload("imports", named, good)
		whole, err := io.ReadAll(request.Raw)
		if err != nil {
			t.Fatal(err)
		}
		for _, keep := range []int{len(whole) / 4, len(whole) / 2, len(whole) - 20} {
			request.Raw = bytes.NewReader(whole[:keep])
			if answer := w.Do(request); answer.Status != 422 {
				t.Errorf("cut at %d of %d bytes: %d %s", keep, len(whole), answer.Status, answer.Body)
			}
		}
		nothingKept(t, w)
	})
}

func TestALimitIsExactAndNamed(t *testing.T) {
	w := apitest.Start(t)
	limit := evidence.LimitsOf[evidence.FormatKernelwake].Received
	file := apitest.Training(t, "r1", nil, 1, 2, 3)
	padding := int(limit) - len(file.Content)
	file.Content = append(file.Content, bytes.Repeat([]byte(" "), padding)...)
	over := apitest.File{Name: "over.json", Content: append(bytes.Clone(file.Content), ' ')}
	problem := w.Problem(http.StatusRequestEntityTooLarge, "file_too_large", w.Upload("imports", map[string]string{"workload": "w"}, over))
	if !strings.Contains(problem.Detail, "16 MiB") {
		t.Errorf("the refusal doesn't name the limit: %s", problem.Detail)
	}
	nothingKept(t, w)
	if made := w.Import(map[string]string{"workload": "w"}, file); made.Runs[0].Captures[0].Bytes != limit {
		t.Errorf("imported %d bytes, want exactly the limit %d", made.Runs[0].Captures[0].Bytes, limit)
	}
}

func TestFilesOfOneRequestBecomeReplicatesOrOneNamedRun(t *testing.T) {
	w := apitest.Start(t)
	apart := w.Import(map[string]string{"workload": "w"}, apitest.Training(t, "a", nil, 1, 2), apitest.Training(t, "b", nil, 3, 4))
	if len(apart.Runs) != 2 || apart.Runs[0].Group == "" || apart.Runs[0].Group != apart.Runs[1].Group {
		t.Errorf("two files became %+v", apart.Runs)
	}
	one := w.Import(map[string]string{"workload": "w", "run": "both"}, apitest.Training(t, "c", nil, 1, 2), apitest.Training(t, "d", nil, 3, 4))
	if len(one.Runs) != 1 || len(one.Runs[0].Captures) != 2 || one.Runs[0].Name != "both" {
		t.Errorf("two files of one named run became %+v", one.Runs)
	}
	joined := w.Import(map[string]string{"workload": "w", "run": "both"}, apitest.Training(t, "e", nil, 5, 6))
	if len(joined.Runs) != 1 || joined.Runs[0].ID != one.Runs[0].ID {
		t.Errorf("a third file of the named run became %+v", joined.Runs)
	}
	named := w.Import(map[string]string{}, apitest.Training(t, "f", nil, 1, 2))
	if named.Runs[0].Workload != "small-model" {
		t.Errorf("without a workload the file's own counts, got %q", named.Runs[0].Workload)
	}
}

func TestCheckSaysWhatIsThereAndWhatIsMissingAndKeepsNothing(t *testing.T) {
	w := apitest.Start(t)
	var checked importing.Checked
	request := w.Upload("imports/check", nil, apitest.Training(t, "r1", map[string]any{"model": "small"}, 1, 2, 3))
	request.Token = w.Tokens[workspace.Viewer]
	w.Want(200, request, &checked)
	if !checked.Readable || checked.Format != evidence.FormatKernelwake || len(checked.Captures) != 1 || len(checked.Captures[0].Outcomes) == 0 {
		t.Errorf("checked %+v", checked)
	}
	missing := map[string]importing.MissingField{}
	for _, field := range checked.Missing {
		missing[field.Key] = field
	}
	if _, there := missing["model"]; there || !missing["world_size"].Required || missing["driver"].Required || missing["driver"].Key == "" {
		t.Errorf("missing %+v", checked.Missing)
	}
	refused := importing.Checked{}
	w.Want(200, w.Upload("imports/check", nil, apitest.File{Name: "x.txt", Content: []byte("hello")}), &refused)
	if refused.Readable || len(refused.Errors) == 0 || refused.Message == "" || refused.Hint == "" {
		t.Errorf("a text file: %+v", refused)
	}
	w.Problem(422, "one_file", w.Upload("imports/check", nil, apitest.Training(t, "a", nil, 1), apitest.Training(t, "b", nil, 1)))
	nothingKept(t, w)
}
