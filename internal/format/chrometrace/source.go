package chrometrace

import (
	"bufio"
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
	unzipped, err := gzip.NewReader(bufio.NewReaderSize(raw, 64<<10))
	if err != nil {
		return &failing{err}, nil
	}
	return &bounded{unzipped, limit, limit}, nil
}

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
