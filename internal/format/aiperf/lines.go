package aiperf

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"kernelwake/internal/fault"
)

// longestLine bounds one line of a JSONL file: a record with 100,000 gaps has
// 2 MB.
const longestLine = 16 * mebibyte

// lines reads a file line by line in memory that grows to the longest line.
type lines struct {
	from   io.Reader
	path   string
	buffer []byte
	start  int
	end    int
	// number counts lines from 1.
	number int64
	ended  bool
}

func newLines(from io.Reader, path string) *lines {
	return &lines{from: from, path: path, buffer: make([]byte, 256<<10)}
}

// next returns the next line without its end; nil at the end of the file. The
// line is valid until the next call. whole is false for a last line that has
// no end.
func (l *lines) next() (line []byte, whole bool, err error) {
	searched := l.start
	for {
		if at := bytes.IndexByte(l.buffer[searched:l.end], '\n'); at >= 0 {
			line = l.buffer[l.start : searched+at]
			l.start = searched + at + 1
			l.number++
			return bytes.TrimSuffix(line, []byte{'\r'}), true, nil
		}
		if l.ended {
			if l.start == l.end {
				return nil, true, nil
			}
			line = l.buffer[l.start:l.end]
			l.start = l.end
			l.number++
			return line, false, nil
		}
		searched = l.end - l.start
		if err := l.fill(); err != nil {
			return nil, false, err
		}
		searched += l.start
	}
}

// fill moves the rest to the front and reads more behind it.
func (l *lines) fill() error {
	if l.start > 0 {
		copy(l.buffer, l.buffer[l.start:l.end])
		l.end -= l.start
		l.start = 0
	}
	if l.end == len(l.buffer) {
		if len(l.buffer) > longestLine {
			return fault.New(fault.TooLarge, "line_too_long", "line %d of %s has more than %s", l.number+1, shown(l.path), size(longestLine)).
				WithProblems(fault.Problem{Code: "line_too_long", Pointer: fmt.Sprintf("%s#line %d", l.path, l.number+1), Message: "line too long", Limit: size(longestLine)}).
				WithHint("leave the file out of the archive, or record without per-chunk latencies")
		}
		grown := make([]byte, min(2*len(l.buffer), longestLine+1))
		copy(grown, l.buffer[:l.end])
		l.buffer = grown
	}
	n, err := l.from.Read(l.buffer[l.end:])
	l.end += n
	if errors.Is(err, io.EOF) {
		l.ended = true
		return nil
	}
	return err
}
