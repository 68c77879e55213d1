package client_test

import (
	"bytes"
	"errors"
	"io"
	"net/http/httptest"
	"os"
	"testing"

	"kernelwake/internal/client"
	"kernelwake/internal/compare"
	"kernelwake/internal/fault"
	"kernelwake/internal/httpapi"
	"kernelwake/internal/httpapi/apitest"
	"kernelwake/internal/importing"
	"kernelwake/internal/lens"
	"kernelwake/internal/workspace"
)

func connect(t *testing.T, w *apitest.World, role workspace.Role) *client.Client {
	t.Helper()
	c, err := client.New(w.URL, w.Tokens[role], "default")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func file(from apitest.File) client.File {
	return client.File{Name: from.Name, Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(from.Content)), nil }}
}

func TestTheWholePathThroughTheClient(t *testing.T) {
	w := apitest.Start(t)
	c, ctx := connect(t, w, workspace.Analyst), t.Context()
	session, err := c.Session(ctx)
	if err != nil || session.Role != workspace.Analyst || session.Workspaces[0].Name != "default" {
		t.Fatalf("session %+v, %v", session, err)
	}
	a, b := apitest.Training(t, "a", apitest.Known(map[string]any{"input": 0.0}), 10, 11, 12, 10), apitest.Training(t, "b", apitest.Known(map[string]any{"input": 2.0}), 8, 9, 8, 9)
	sent := int64(0)
	made, err := c.Import(ctx, importing.Request{Workload: "w", Dims: map[string]any{"driver": "570"}, Via: "cli"}, []client.File{file(a), file(b)}, func(n int64) { sent = n })
	if err != nil || len(made.Runs) != 2 || sent != int64(len(a.Content)+len(b.Content)) {
		t.Fatalf("imported %+v, sent %d, %v", made, sent, err)
	}
	setup, err := c.CreateSetup(ctx, "box", map[string]any{"cuda": "12.9"}, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.AttachSetup(ctx, made.Runs[0].ID, setup.ID, 0); err != nil {
		t.Fatal(err)
	}
	run, err := c.Run(ctx, made.Runs[0].ID)
	if err != nil || run.Dimensions["cuda"].Value.Value != "12.9" || run.Setups[0].Name != "box" || run.Run.Revision != 2 {
		t.Fatalf("run %+v, %v", run, err)
	}
	name := "renamed"
	if _, err := c.EditRun(ctx, run.Run.ID, run.Run.Revision, httpapi.RunEditBody{Name: &name}); err != nil {
		t.Fatal(err)
	}
	captureID := made.Runs[0].Captures[0].ID
	if labelled, err := c.EditCapture(ctx, captureID, 1, httpapi.CaptureEditBody{Labels: map[string]string{"a": "b"}}); err != nil || labelled.Labels["a"] != "b" {
		t.Fatalf("labelled %+v, %v", labelled, err)
	}
	if found, err := c.Captures(ctx, httpapi.CaptureFilter{Label: "a=b"}); err != nil || found.Total != 1 || found.Rows[0].ID != captureID {
		t.Fatalf("captures %+v, %v", found, err)
	}
	runs, err := c.Runs(ctx, httpapi.RunFilter{Page: httpapi.Page{Limit: 1}, Lens: lens.Training})
	if err != nil || runs.Total != 2 || len(runs.Rows) != 1 || runs.Next == nil {
		t.Fatalf("runs %+v, %v", runs, err)
	}
	request := httpapi.ComparisonRequest{Baseline: []string{made.Runs[0].ID}, Candidate: []string{made.Runs[1].ID}, Changes: map[string]string{"input": "workers"}}
	preview, err := c.Preview(ctx, request)
	if err != nil || preview.Answer != compare.Capped {
		t.Fatalf("preview %+v, %v", preview.Answer, err)
	}
	saved, err := c.SaveComparison(ctx, httpapi.NewComparisonBody{ComparisonRequest: request, Name: "n"}, "key")
	if err != nil {
		t.Fatal(err)
	}
	again, err := c.Recompute(ctx, saved.ID)
	if err != nil || !again.Equal {
		t.Fatalf("recomputed %v, %v", again.Differs, err)
	}
	var got bytes.Buffer
	if digest, n, err := c.Download(ctx, made.Runs[0].Captures[0].ID, &got); err != nil || digest != made.Runs[0].Captures[0].SHA256 || n != int64(len(a.Content)) || !bytes.Equal(got.Bytes(), a.Content) {
		t.Errorf("downloaded %d bytes of digest %s, %v", n, digest, err)
	}
}

func TestARefusalArrivesAsTheFailureItWas(t *testing.T) {
	w := apitest.Start(t)
	_, err := connect(t, w, workspace.Viewer).CreateSetup(t.Context(), "x", map[string]any{}, "")
	failure := fault.Of(err)
	if failure.Kind != fault.Denied || failure.Code != "role_too_low" || failure.Hint == "" {
		t.Errorf("as viewer: %+v", failure)
	}
	_, err = connect(t, w, workspace.Analyst).CreateSetup(t.Context(), "x", map[string]any{"drivver": "1"}, "")
	failure = fault.Of(err)
	if failure.Kind != fault.Invalid || len(failure.Problems) != 1 || failure.Problems[0].Pointer != "/drivver" {
		t.Errorf("with an unknown key: %+v", failure)
	}
}

func TestAnUnreachableServerSaysWhatToDo(t *testing.T) {
	gone := httptest.NewServer(nil)
	gone.Close()
	c, err := client.New(gone.URL, "", "default")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Session(t.Context()); !fault.Is(err, fault.Unavailable) || fault.Of(err).Hint == "" {
		t.Errorf("a server that is gone: %v", err)
	}
	if _, err := client.New("localhost:8080", "", "default"); err == nil {
		t.Error("an address without a scheme was taken")
	}
}

func TestAFileThatCannotBeReadIsNamed(t *testing.T) {
	w := apitest.Start(t)
	missing := client.File{Name: "gone.json", Open: func() (io.ReadCloser, error) { return nil, os.ErrNotExist }}
	_, err := connect(t, w, workspace.Analyst).Import(t.Context(), importing.Request{Workload: "w"}, []client.File{missing}, nil)
	if failure := fault.Of(err); failure.Code != "file_unreadable" || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is gone: %v", err)
	}
}
