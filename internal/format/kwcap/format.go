package kwcap

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"

	"kernelwake/internal/evidence"
	"kernelwake/internal/fault"
	"kernelwake/internal/lens"
)

// Format reads Kernelwake JSON captures, plain or compressed with gzip.
type Format struct{}

var _ evidence.Format = Format{}

// ID is the format's id.
func (Format) ID() string { return evidence.FormatKernelwake }

// Importer is the id and version of this reader.
func (Format) Importer() string { return evidence.FormatKernelwake + "@1" }

// Read parses the file and emits its one capture. A file that breaks any rule
// is refused with every place that does, at most 50 listed
// where the options ask for no other number.
func (f Format) Read(ctx context.Context, file evidence.File, options evidence.ReadOptions, emit func(*evidence.Parsed) error) error {
	if err := evidence.CheckReceived(f.ID(), file.Bytes); err != nil {
		return err
	}
	data, err := contentOf(ctx, file)
	if err != nil {
		return err
	}
	d, err := decode(data, options.Problems)
	if err != nil {
		return err
	}
	if options.Lens != "" && options.Lens != lens.ID(d.Lens) {
		return fault.New(fault.Invalid, "lens_not_offered", "the capture says lens %q, it can't be read under lens %q", d.Lens, options.Lens).
			WithHint("leave the lens out, or change \"lens\" and what depends on it in the file")
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	parsed, err := d.parsed(f, options)
	if err != nil {
		return err
	}
	return emit(parsed)
}

// contentOf returns the whole text, expanded if it is compressed.
func contentOf(ctx context.Context, file evidence.File) ([]byte, error) {
	data := make([]byte, file.Bytes)
	if n, err := file.Content.ReadAt(data, 0); err != nil && !(errors.Is(err, io.EOF) && n == len(data)) {
		return nil, fmt.Errorf("reading a capture: %w", err)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if !bytes.HasPrefix(data, gzipMagic) {
		return data, nil
	}
	return expand(data)
}

func expand(data []byte) ([]byte, error) {
	unreadable := func(err error) error {
		return fault.New(fault.Invalid, "gzip_damaged", "the gzip file can't be expanded: %v", err).WithCause(err).
			WithHint("compress the capture again, or import it as plain JSON")
	}
	reader, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, unreadable(err)
	}
	expanded, err := io.ReadAll(io.LimitReader(reader, fileLimits.Expanded+1))
	if err != nil {
		return nil, unreadable(err)
	}
	if int64(len(expanded)) > fileLimits.Expanded {
		return nil, fault.New(fault.TooLarge, "expanded_too_large", "the gzip file expands to more than %d bytes (%d MiB)", fileLimits.Expanded, fileLimits.Expanded>>20).
			WithHint("record fewer samples, or several captures")
	}
	return expanded, nil
}
