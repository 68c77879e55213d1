package client

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"

	"kernelwake/internal/evidence"
	"kernelwake/internal/fault"
	"kernelwake/internal/httpapi"
)

// Captures returns a page of captures.
func (c *Client) Captures(ctx context.Context, filter httpapi.CaptureFilter) (httpapi.List[evidence.Capture], error) {
	var answer httpapi.List[evidence.Capture]
	return answer, c.do(ctx, call{method: http.MethodGet, path: c.in("captures"), query: filter}, &answer)
}

// Capture returns a capture by id.
func (c *Client) Capture(ctx context.Context, id string) (httpapi.CapturePage, error) {
	var answer httpapi.CapturePage
	return answer, c.do(ctx, call{method: http.MethodGet, path: c.in("captures", id)}, &answer)
}

// EditCapture edits a capture at a revision.
func (c *Client) EditCapture(ctx context.Context, id string, revision int64, body httpapi.CaptureEditBody) (evidence.Capture, error) {
	var answer evidence.Capture
	return answer, c.do(ctx, call{method: http.MethodPatch, path: c.in("captures", id), body: body, header: edits(revision)}, &answer)
}

// Download writes the exact bytes of a capture and returns their digest, which
// it has held against the server's.
func (c *Client) Download(ctx context.Context, id string, into io.Writer) (digest string, bytes int64, err error) {
	answer, err := c.send(ctx, call{method: http.MethodGet, path: c.in("captures", id, "bytes")}, nil, "")
	if err != nil {
		return "", 0, err
	}
	defer answer.Body.Close()
	sum := sha256.New()
	if bytes, err = io.Copy(io.MultiWriter(into, sum), answer.Body); err != nil {
		return "", bytes, fmt.Errorf("downloading capture %s: %w", id, err)
	}
	digest = hex.EncodeToString(sum.Sum(nil))
	if want := answer.Header.Get("X-Content-SHA256"); want != digest {
		return digest, bytes, fault.New(fault.Invalid, "digest_mismatch", "capture %s arrived with SHA-256 %s, the server names %s", id, digest, want).
			WithHint("download it again; if it stays, the server's copy was changed")
	}
	return digest, bytes, nil
}

// RemoveCapture removes a capture that nothing relies on.
func (c *Client) RemoveCapture(ctx context.Context, id string) error {
	return c.do(ctx, call{method: http.MethodDelete, path: c.in("captures", id)}, nil)
}
