package aiperf

import (
	"archive/tar"
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"

	"kernelwake/internal/evidence"
)

// tape is a tar archive, gzipped or plain. Each walk reads it from the start.
type tape struct {
	file       evidence.File
	limits     evidence.Limits
	compressed bool
	found      []evidence.Finding
}

func (t *tape) each(ctx context.Context, visit func(entry, io.Reader) error) error {
	var stream io.Reader = io.NewSectionReader(t.file.Content, 0, t.file.Bytes)
	if t.compressed {
		// A buffer of its own size: the one inside has 4 KiB.
		expanded, err := gzip.NewReader(bufio.NewReaderSize(stream, 128<<10))
		if err != nil {
			return damaged("", err)
		}
		ahead := newReadAhead(expanded)
		defer ahead.stop()
		stream = ahead
	}
	counted := &bounded{from: stream, limit: t.limits.Expanded}
	last, err := t.walk(ctx, counted, visit)
	if errors.Is(err, errStop) {
		return nil
	}
	if counted.fault != nil {
		return counted.fault
	}
	if err != nil {
		return err
	}
	return t.finish(counted, last)
}

// walk visits the entries and returns the name of the last.
func (t *tape) walk(ctx context.Context, stream io.Reader, visit func(entry, io.Reader) error) (last string, err error) {
	reader := tar.NewReader(stream)
	names := newNames(t.limits)
	for {
		if err := ctx.Err(); err != nil {
			return last, err
		}
		header, err := reader.Next()
		if err == io.EOF {
			return last, nil
		}
		if err != nil && !errors.Is(err, tar.ErrInsecurePath) { // names are judged below
			return last, damaged(last, err)
		}
		if header.Typeflag == tar.TypeXGlobalHeader {
			continue
		}
		clean, err := names.accept(header.Name, header.Typeflag == tar.TypeDir)
		if err != nil {
			return last, err
		}
		last = header.Name
		if header.Typeflag == tar.TypeDir {
			continue
		}
		if err := plainTapeFile(header); err != nil {
			return last, err
		}
		content := &tapeContent{from: reader, name: header.Name}
		if err := visit(entry{path: clean, bytes: header.Size}, content); err != nil {
			return last, err
		}
	}
}

// plainTapeFile refuses links, devices and files with holes, whose size is
// only a promise.
func plainTapeFile(header *tar.Header) error {
	switch header.Typeflag {
	case tar.TypeReg:
	case tar.TypeLink, tar.TypeSymlink:
		return badKind(header.Name, "a link")
	case tar.TypeGNUSparse:
		return badKind(header.Name, "a sparse file")
	default:
		return badKind(header.Name, "a device, pipe or other special file")
	}
	for key := range header.PAXRecords {
		if strings.HasPrefix(key, "GNU.sparse.") {
			return badKind(header.Name, "a sparse file")
		}
	}
	return nil
}

// finish reads what follows the last entry, so that a checksum is tested, and
// looks whether the archive has an end.
func (t *tape) finish(counted *bounded, last string) error {
	t.found = nil
	if !bytes.Equal(counted.tail[:], make([]byte, tapeHeader)) {
		t.found = append(t.found, evidence.Finding{
			Code: "archive_unterminated", Count: 1, Pointer: last,
			Message: "the archive has no end mark: it may have been cut between two entries", Remedy: "compare the file with the original",
		})
	}
	buffer := make([]byte, 64<<10)
	var beyond int64
	for {
		n, err := counted.Read(buffer)
		beyond += int64(n - bytes.Count(buffer[:n], []byte{0}))
		if err == io.EOF {
			break
		}
		if err != nil {
			return damaged(last, err)
		}
	}
	if beyond > 0 {
		t.found = append(t.found, evidence.Finding{
			Code: "archive_trailing_data", Count: 1, Pointer: last,
			Message: "bytes follow the end of the archive and were not read", Remedy: "pack the folder into one new archive",
		})
	}
	return nil
}

func (t *tape) remarks() []evidence.Finding { return t.found }

// tapeContent names the entry in which reading fails.
type tapeContent struct {
	from io.Reader
	name string
}

func (c *tapeContent) Read(into []byte) (int, error) {
	n, err := c.from.Read(into)
	if err != nil && err != io.EOF {
		return n, damaged(c.name, err)
	}
	return n, err
}
