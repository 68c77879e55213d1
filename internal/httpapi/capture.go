package httpapi

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"kernelwake/internal/evidence"
	"kernelwake/internal/fault"
	"kernelwake/internal/id"
	"kernelwake/internal/sqlstore"
)

// CaptureFilter narrows a list of captures.
type CaptureFilter struct {
	InWorkspace
	Page
	Run    string `query:"run" doc:"a run's id"`
	Format string `query:"format" doc:"a format's id"`
	Label  string `query:"label" maxLength:"400" doc:"name=value, or a name alone"`
	Q      string `query:"q" maxLength:"200" doc:"the beginning of a digest, or found anywhere in the file's name"`
}

func listCaptures(a *API, ctx context.Context, input *CaptureFilter) (*Listed[evidence.Capture], error) {
	if err := checkCursor(id.Is(id.Capture, input.Cursor), input.Cursor); err != nil {
		return nil, err
	}
	found, total, err := a.Records.Captures(ctx, scopeOf(ctx).workspaceID, sqlstore.CaptureFilter{
		RunID: input.Run, Format: input.Format, Label: input.Label, Q: input.Q, Before: input.Cursor, Limit: input.Limit + 1,
	})
	if err != nil {
		return nil, err
	}
	rows := make([]evidence.Capture, len(found))
	for i, capture := range found {
		rows[i] = capture.Capture
	}
	return listed(rows, total, input.Limit, func(c evidence.Capture) string { return c.ID }), nil
}

// CapturePage is a capture whole, with the run it is in.
type CapturePage struct {
	evidence.CaptureDetail
	Run        string `json:"run"`
	WorkloadID string `json:"workload_id"`
	// RunWorkload is the name of the workload the run is in.
	RunWorkload string            `json:"run_workload"`
	Labels      map[string]string `json:"labels"`
	Revision    int64             `json:"revision"`
}

// CaptureAnswer is a capture with its revision.
type CaptureAnswer struct {
	Tag
	Body CapturePage
}

func getCapture(a *API, ctx context.Context, input *ByID) (*CaptureAnswer, error) {
	in := scopeOf(ctx).workspaceID
	stored, err := a.Records.Capture(ctx, in, input.ID)
	if err != nil {
		return nil, err
	}
	run, err := a.Records.StoredRun(ctx, in, stored.RunID)
	if err != nil {
		return nil, err
	}
	measured, err := a.Records.Measurements(ctx, []string{stored.ID})
	if err != nil {
		return nil, err
	}
	figures, err := a.Records.Figures(ctx, stored.ID)
	if err != nil {
		return nil, err
	}
	page := CapturePage{
		CaptureDetail: detail(stored), Run: run.Name, WorkloadID: run.WorkloadID, RunWorkload: run.RunRow.Workload,
		Labels: stored.Labels, Revision: stored.Revision,
	}
	page.Outcomes, page.Figures = measured[stored.ID], figures
	return &CaptureAnswer{Tag{tagOf(stored.ID, stored.Revision)}, page}, nil
}

func detail(c sqlstore.StoredCapture) evidence.CaptureDetail {
	provenance := c.Provenance
	return evidence.CaptureDetail{
		ID: c.ID, RunID: c.RunID, Format: c.Format, FormatVersion: c.FormatVersion, Importer: provenance.Importer, Tool: c.Tool, Selector: provenance.Selector,
		Cell: c.Cell, Lens: c.Lens, Origin: c.Origin, OriginNote: c.OriginNote, MeasuredOn: c.MeasuredOn, Started: c.Started, Ended: c.Ended,
		Launch: c.Launch, Rank: c.Rank, Provenance: &provenance, Dimensions: c.Dimensions, Completeness: c.Completeness, Findings: c.Findings,
	}
}

func removeCapture(a *API, ctx context.Context, input *ByID) (*struct{}, error) {
	admitted := scopeOf(ctx)
	return nil, a.Importer.Remove(ctx, admitted.actor, admitted.workspaceID, input.ID)
}

// downloadCapture sends the exact bytes, as an attachment of no type that a
// browser would show.
func downloadCapture(a *API, w http.ResponseWriter, r *http.Request) error {
	stored, err := a.Records.Capture(r.Context(), scopeOf(r.Context()).workspaceID, r.PathValue("id"))
	if err != nil {
		return err
	}
	content, err := a.Blobs.Open(r.Context(), stored.Provenance.SHA256)
	if fault.Is(err, fault.NotFound) {
		return fault.New(fault.Internal, "bytes_lost", "the bytes of capture %s are not in the blob store", stored.ID).
			WithHint("restore the data folder from a backup").WithCause(err)
	}
	if err != nil {
		return err
	}
	defer content.Close()
	header := w.Header()
	header.Set("Content-Type", "application/octet-stream")
	header.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": stored.Provenance.FileName}))
	header.Set("Repr-Digest", reprDigest(stored.Provenance.SHA256))
	header.Set("X-Content-SHA256", stored.Provenance.SHA256)
	header.Set("ETag", strconv.Quote(stored.Provenance.SHA256))
	http.ServeContent(w, r, "", time.Time{}, content)
	return nil
}

// reprDigest is a SHA-256 as RFC 9530 writes it: base64, not hexadecimal.
func reprDigest(sha256 string) string {
	sum, err := hex.DecodeString(sha256)
	if err != nil {
		return ""
	}
	return "sha-256=:" + base64.StdEncoding.EncodeToString(sum) + ":"
}

func describeDownload(_ huma.Registry, operation *huma.Operation) {
	operation.Parameters = pathParameters("ws", "id")
	operation.Responses = map[string]*huma.Response{"200": {
		Description: "The exact bytes, with their SHA-256 in X-Content-SHA256",
		Content:     map[string]*huma.MediaType{"application/octet-stream": {Schema: &huma.Schema{Type: "string", Format: "binary"}}},
	}}
}

func pathParameters(names ...string) []*huma.Param {
	var all []*huma.Param
	for _, name := range names {
		all = append(all, &huma.Param{Name: name, In: "path", Required: true, Schema: &huma.Schema{Type: "string"}})
	}
	return all
}

// parsed returns the whole parsed form of a capture of the workspace.
func (a *API) parsed(ctx context.Context, captureID string) (*evidence.Parsed, error) {
	stored, err := a.Records.Capture(ctx, scopeOf(ctx).workspaceID, captureID)
	if err != nil {
		return nil, err
	}
	parsed, err := a.Library.Parsed(ctx, stored.Provenance.ParsedSHA256)
	if fault.Is(err, fault.NotFound) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, fault.New(fault.Internal, "parsed_form_lost", "the parsed form of capture %s is not in the blob store", captureID).
			WithHint("restore the data folder from a backup").WithCause(err)
	}
	if err != nil {
		return nil, fmt.Errorf("reading the parsed form of capture %s: %w", captureID, err)
	}
	return parsed, nil
}

// table returns a table of a capture's parsed form.
func (a *API) table(ctx context.Context, captureID, name, holder string) (evidence.Table, error) {
	parsed, err := a.parsed(ctx, captureID)
	if err != nil {
		return evidence.Table{}, err
	}
	table, ok := parsed.Table(name)
	if !ok {
		return table, fault.New(fault.NotFound, name+"_not_in_capture", "a capture of format %s holds no %s", parsed.Format, name).WithHint("%s has them", holder)
	}
	return table, nil
}
