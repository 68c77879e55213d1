package aiperf

import (
	"archive/zip"
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/klauspost/compress/flate"

	"kernelwake/internal/evidence"
	"kernelwake/internal/fault"
)

// largestDirectory bounds the bytes of a zip's central directory that are
// read, before its entries can be counted. 10,000 entries with usual names
// need 2 MiB.
const largestDirectory = 8 * mebibyte

// zipped is an opened zip archive.
type zipped struct {
	files  []*zip.File
	paths  []string
	limits evidence.Limits
}

// meteredAt counts what is read while the directory is being looked for.
type meteredAt struct {
	io.ReaderAt
	left int64
	over bool
}

func (m *meteredAt) ReadAt(into []byte, at int64) (int, error) {
	if m.left -= int64(len(into)); m.left < 0 {
		m.over = true
		return 0, errors.New("the directory of the archive is too large")
	}
	return m.ReaderAt.ReadAt(into, at)
}

func openZip(file evidence.File, limits evidence.Limits) (container, error) {
	metered := &meteredAt{ReaderAt: file.Content, left: largestDirectory}
	reader, err := zip.NewReader(metered, file.Bytes)
	if metered.over {
		return nil, tooManyEntries(limits)
	}
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) { // names are judged below
		return nil, damagedZip(err)
	}
	metered.left = 1 << 62
	reader.RegisterDecompressor(zip.Deflate, func(packed io.Reader) io.ReadCloser {
		return flate.NewReader(bufio.NewReaderSize(packed, 32<<10))
	})
	opened := &zipped{limits: limits}
	names := newNames(limits)
	var declared uint64
	for _, packed := range reader.File {
		folder := packed.Mode().IsDir()
		clean, err := names.accept(packed.Name, folder)
		if err != nil {
			return nil, err
		}
		if folder {
			continue
		}
		if err := plainZipFile(packed); err != nil {
			return nil, err
		}
		if packed.UncompressedSize64 > uint64(limits.Expanded) {
			return nil, tooLargeExpanded(limits.Expanded)
		}
		if declared += packed.UncompressedSize64; declared > uint64(limits.Expanded) {
			return nil, tooLargeExpanded(limits.Expanded)
		}
		opened.files = append(opened.files, packed)
		opened.paths = append(opened.paths, clean)
	}
	return opened, nil
}

func damagedZip(err error) error {
	return fault.New(fault.Invalid, "archive_truncated", "the zip archive has no readable directory at its end: it ends too early or is damaged").
		WithHint("copy the file again and compare its size and SHA-256 with the original; nothing was imported").
		WithCause(err)
}

// plainZipFile refuses entries that are no plain files or can't be unpacked.
func plainZipFile(packed *zip.File) error {
	mode := packed.Mode()
	switch {
	case mode&fs.ModeSymlink != 0:
		return badKind(packed.Name, "a link")
	case !mode.IsRegular():
		return badKind(packed.Name, "a device, pipe or socket")
	case packed.Flags&1 != 0:
		return fault.New(fault.Invalid, "entry_encrypted", "the archive's entry %s is encrypted", shown(packed.Name)).
			WithProblems(fault.Problem{Code: "entry_encrypted", Pointer: packed.Name, Message: "the entry is encrypted"}).
			WithHint("pack the folder again without a password")
	case packed.Method != zip.Store && packed.Method != zip.Deflate:
		return fault.New(fault.Unsupported, "compression_unsupported", "the archive's entry %s is packed by zip method %d; only stored and deflated entries are read", shown(packed.Name), packed.Method).
			WithProblems(fault.Problem{Code: "compression_unsupported", Pointer: packed.Name, Message: "unknown compression", Limit: "methods 0 and 8", Got: fmt.Sprint(packed.Method)}).
			WithHint("pack the folder again as a plain zip or as tar.gz")
	}
	return nil
}

func (z *zipped) each(ctx context.Context, visit func(entry, io.Reader) error) error {
	for i, packed := range z.files {
		if err := ctx.Err(); err != nil {
			return err
		}
		content := &unpacking{packed: packed}
		err := visit(entry{path: z.paths[i], bytes: int64(packed.UncompressedSize64)}, content)
		content.close()
		if errors.Is(err, errStop) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (z *zipped) remarks() []evidence.Finding { return nil }

// unpacking opens an entry when its first byte is asked for. The standard
// reader itself ends an entry that holds more than it declares, and checks
// its checksum.
type unpacking struct {
	packed *zip.File
	stream io.ReadCloser
	// ahead expands a large entry on another core; nil for a small one.
	ahead *readAhead
}

// worthReadingAhead is the size from which a goroutine of its own pays.
const worthReadingAhead = 4 * blockBytes

func (u *unpacking) Read(into []byte) (int, error) {
	if u.stream == nil {
		stream, err := u.packed.Open()
		if err != nil {
			return 0, damaged(u.packed.Name, err)
		}
		u.stream = stream
		if u.packed.UncompressedSize64 >= worthReadingAhead {
			u.ahead = newReadAhead(stream)
		}
	}
	var from io.Reader = u.stream
	if u.ahead != nil {
		from = u.ahead
	}
	n, err := from.Read(into)
	if err != nil && err != io.EOF {
		return n, damaged(u.packed.Name, err)
	}
	return n, err
}

func (u *unpacking) close() {
	if u.ahead != nil {
		u.ahead.stop()
	}
	if u.stream != nil {
		_ = u.stream.Close()
	}
}
