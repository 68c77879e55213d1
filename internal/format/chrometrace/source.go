package chrometrace

import (
	"bufio"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
)

// isGzip tells gzip by its magic bytes, never by a file's name.
func isGzip(head []byte) bool { return len(head) >= 2 && head[0] == 0x1f && head[1] == 0x8b }

// expand returns the JSON of a file, decompressed where it is gzip (all its
// members, one after another), and bounded by the limit on expanded bytes.
func expand(content io.ReaderAt, size int64, limit int64) (io.Reader, error) {
	raw := io.NewSectionReader(content, 0, size)
	head := make([]byte, 2)
	n, err := content.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if !isGzip(head[:n]) {
		return &bounded{raw, limit, limit}, nil
	}
	compressed := bufio.NewReaderSize(raw, 64<<10)
	unzipped, err := gzip.NewReader(compressed)
	if err != nil {
		return &failing{err}, nil
	}
	unzipped.Multistream(false)
	return &bounded{&gzipMembers{compressed, unzipped}, limit, limit}, nil
}

// gzipMembers reads the members of a gzip file one after another. What follows the
// last and is no member ends the content as trailingBytes.
type gzipMembers struct {
	compressed *bufio.Reader
	unzipped   *gzip.Reader
}

func (m *gzipMembers) Read(p []byte) (int, error) {
	n, err := m.unzipped.Read(p)
	if err != io.EOF {
		return n, err
	}
	head, err := m.compressed.Peek(2)
	switch {
	case len(head) == 0:
		return n, err
	case !isGzip(head):
		left, err := io.Copy(io.Discard, m.compressed)
		if err != nil {
			return n, err
		}
		return n, trailingBytes(left)
	}
	if err := m.unzipped.Reset(m.compressed); err != nil {
		return n, err
	}
	m.unzipped.Multistream(false)
	return n, nil
}

// trailingBytes is how many bytes stand behind a whole gzip file.
type trailingBytes int64

func (t trailingBytes) Error() string { return fmt.Sprintf("%d bytes follow the gzip file", int64(t)) }

// bounded refuses to read more than a limit; exactly the limit is allowed.
type bounded struct {
	io.Reader
	limit, left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, expandedTooLarge(b.limit)
	}
	return n, err
}

// failing yields nothing but an error.
type failing struct{ err error }

func (f *failing) Read([]byte) (int, error) { return 0, f.err }
