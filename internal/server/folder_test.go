package server

import (
	"bytes"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kernelwake/internal/fault"
	"kernelwake/internal/httpapi/apitest"
)

func send(t *testing.T, url, token string, files ...apitest.File) {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	_ = form.WriteField("workload", "w") // a buffer takes everything
	for _, file := range files {
		part, _ := form.CreateFormFile("file", file.Name)
		_, _ = part.Write(file.Content)
	}
	_ = form.Close()
	request, err := http.NewRequest(http.MethodPost, url+"/api/v1/workspaces/default/imports", &body)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", form.FormDataContentType())
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if data, _ := io.ReadAll(answer.Body); answer.StatusCode != 200 {
		t.Fatalf("import: %d %s", answer.StatusCode, data)
	}
}

func wrong(checks []Check) []Check {
	var all []Check
	for _, check := range checks {
		if !check.OK {
			all = append(all, check)
		}
	}
	return all
}

func TestABackupOfARunningServerRestoresToTheSameEvidence(t *testing.T) {
	const token = "chosen-by-an-operator-0001"
	root := t.TempDir()
	data, backup, restored := filepath.Join(root, "data"), filepath.Join(root, "backup"), filepath.Join(root, "restored")
	s := start(t, data, token)
	send(t, s.URL, token, apitest.Training(t, "a", nil, 1, 2), apitest.Training(t, "b", nil, 3, 4))
	copied, err := Backup(t.Context(), data, backup)
	if err != nil || copied.Captures != 2 || copied.Blobs != 4 {
		t.Fatalf("copied %+v, %v", copied, err)
	}
	send(t, s.URL, token, apitest.Training(t, "after the backup", nil, 5, 6))
	if _, err := Backup(t.Context(), data, backup); fault.Of(err).Code != "folder_not_empty" {
		t.Errorf("a second backup into the same folder: %v", err)
	}
	before := digests(t, s, token)
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	if got, err := Restore(t.Context(), backup, restored); err != nil || got.Captures != 2 {
		t.Fatalf("restored %+v, %v", got, err)
	}
	again := start(t, restored, token)
	after := digests(t, again, token)
	if len(after) != 2 {
		t.Errorf("the restored server has %d captures", len(after))
	}
	for digest := range after {
		if !before[digest] {
			t.Errorf("digest %s wasn't there", digest)
		}
	}
}

func digests(t *testing.T, s *running, token string) map[string]bool {
	t.Helper()
	_, body := get(t, s.URL+"/api/v1/workspaces/default/captures", map[string]string{"Authorization": "Bearer " + token})
	found := map[string]bool{}
	for part := range strings.SplitSeq(body, `"parsed_sha256":"`) {
		if len(part) >= 64 && !strings.HasPrefix(part, "{") {
			found[part[:64]] = true
		}
	}
	return found
}

func TestDoctorFindsWhatIsWrongAndSaysTheFix(t *testing.T) {
	const token = "chosen-by-an-operator-0001"
	dir := t.TempDir()
	s := start(t, dir, token)
	send(t, s.URL, token, apitest.Training(t, "a", nil, 1, 2))
	if checks, err := Doctor(t.Context(), dir); err != nil || len(wrong(checks)) > 0 || len(checks) < 4 {
		t.Fatalf("a healthy folder: %+v, %v", checks, err)
	}
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	found, err := filepath.Glob(filepath.Join(dir, "blobs", "??", "??", "*"))
	if err != nil || len(found) != 2 {
		t.Fatalf("blobs %v, %v", found, err)
	}
	if err := os.Remove(found[0]); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(found[1], 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(found[1], []byte("changed"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "blobs", "staging", "import-1"), []byte("left"), 0o600); err != nil {
		t.Fatal(err)
	}
	checks, err := Doctor(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	all := wrong(checks)
	text := fmt.Sprint(all)
	if len(all) != 3 || !strings.Contains(text, filepath.Base(found[0])+" of capture") || !strings.Contains(text, "was changed") || !strings.Contains(text, "1 temporary files") {
		t.Errorf("found %+v", all)
	}
	for _, check := range all {
		if check.Fix == "" {
			t.Errorf("%s has no fix", check.Code)
		}
	}
	if checks, err := Doctor(t.Context(), filepath.Join(dir, "nowhere")); err != nil || len(wrong(checks)) != 1 {
		t.Errorf("no data folder: %+v, %v", checks, err)
	}
}
