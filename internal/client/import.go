package client

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"

	"kernelwake/internal/fault"
	"kernelwake/internal/importing"
	"kernelwake/internal/lens"
)

// File is a file to send. It is read twice: once for its digest, which the
// server checks, and once to send it.
type File struct {
	Name string
	Open func() (io.ReadCloser, error)
}

// Sent is told how many bytes of all files were sent; may be nil.
type Sent func(bytes int64)

// Import sends files and returns what they became.
func (c *Client) Import(ctx context.Context, request importing.Request, files []File, sent Sent) (importing.Answer, error) {
	fields := map[string]string{"workload": request.Workload, "run": request.Run, "lens": string(request.Lens), "replicate_group": request.Group, "setup_id": request.SetupID, "via": request.Via}
	if len(request.Dims) > 0 {
		dims, err := json.Marshal(request.Dims)
		if err != nil {
			return importing.Answer{}, fmt.Errorf("encoding the declared values: %w", err)
		}
		fields["dims"] = string(dims)
	}
	if request.KeepSecrets {
		fields["keep_secrets"] = "true"
	}
	var answer importing.Answer
	return answer, c.upload(ctx, c.in("imports"), fields, files, sent, &answer)
}

// Check asks what is in a file, keeping nothing.
func (c *Client) Check(ctx context.Context, chosen lens.ID, file File, sent Sent) (importing.Checked, error) {
	var answer importing.Checked
	return answer, c.upload(ctx, c.in("imports", "check"), map[string]string{"lens": string(chosen)}, []File{file}, sent, &answer)
}

// upload streams a form: memory holds a buffer, whatever the files' size.
func (c *Client) upload(ctx context.Context, path string, fields map[string]string, files []File, sent Sent, into any) error {
	reader, writer := io.Pipe()
	form := multipart.NewWriter(writer)
	go func() { writer.CloseWithError(writeForm(form, fields, files, sent)) }()
	defer reader.Close()
	answer, err := c.send(ctx, call{method: http.MethodPost, path: path}, reader, form.FormDataContentType())
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if err := json.NewDecoder(io.LimitReader(answer.Body, answerLimit)).Decode(into); err != nil {
		return fmt.Errorf("reading the answer to an upload: %w", err)
	}
	return nil
}

func writeForm(form *multipart.Writer, fields map[string]string, files []File, sent Sent) error {
	for name, value := range fields {
		if value == "" {
			continue
		}
		if err := form.WriteField(name, value); err != nil {
			return err
		}
	}
	counted := &counter{sent: sent}
	for _, file := range files {
		if err := writeFile(form, file, counted); err != nil {
			return err
		}
	}
	return form.Close()
}

func writeFile(form *multipart.Writer, file File, counted *counter) error {
	digest := sha256.New()
	if err := copyFile(digest, file); err != nil {
		return err
	}
	header := textproto.MIMEHeader{}
	header.Set("Content-Disposition", multipart.FileContentDisposition("file", file.Name))
	header.Set("Content-Type", "application/octet-stream")
	header.Set("X-Content-SHA256", hex.EncodeToString(digest.Sum(nil)))
	part, err := form.CreatePart(header)
	if err != nil {
		return err
	}
	counted.into = part
	return copyFile(counted, file)
}

func copyFile(into io.Writer, file File) error {
	from, err := file.Open()
	if err != nil {
		return fault.New(fault.NotFound, "file_unreadable", "%s can't be opened: %v", file.Name, err).WithCause(err).WithHint("check the path")
	}
	_, err = io.Copy(into, from)
	if err := errors.Join(err, from.Close()); err != nil {
		return fmt.Errorf("reading %s: %w", file.Name, err)
	}
	return nil
}

type counter struct {
	into  io.Writer
	bytes int64
	sent  Sent
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.into.Write(p)
	c.bytes += int64(n)
	if c.sent != nil {
		c.sent(c.bytes)
	}
	return n, err
}
