package aiperf

import (
	"errors"
	"fmt"
	"io"

	"kernelwake/internal/evidence"
	"kernelwake/internal/fault"
)

const mebibyte = 1 << 20

// bounded counts bytes as they are expanded and stops at the limit, whatever
// sizes the archive declares.
type bounded struct {
	from  io.Reader
	read  int64
	limit int64
	// tail holds the last bytes that went by, to see how an archive ends.
	tail  [tapeHeader]byte
	fault error
}

func (b *bounded) Read(into []byte) (int, error) {
	if b.fault != nil {
		return 0, b.fault
	}
	// One byte beyond the limit may be read: that is how passing it shows.
	if most := b.limit - b.read + 1; int64(len(into)) > most {
		into = into[:most]
	}
	n, err := b.from.Read(into)
	b.read += int64(n)
	if n >= len(b.tail) {
		copy(b.tail[:], into[n-len(b.tail):n])
	} else {
		copy(b.tail[:], b.tail[n:])
		copy(b.tail[len(b.tail)-n:], into[:n])
	}
	if b.read > b.limit {
		b.fault = tooLargeExpanded(b.limit)
		return 0, b.fault
	}
	return n, err
}

func tooLargeExpanded(limit int64) error {
	return fault.New(fault.TooLarge, "expanded_too_large", "the archive expands to more than %s", size(limit)).
		WithProblems(fault.Problem{Code: "expanded_too_large", Message: "too many bytes after decompression", Limit: size(limit)}).
		WithHint("leave out profile_export_raw.jsonl, outputs.json and other files with prompts or answers, or send a sweep in several archives")
}

// size writes a number of bytes for a message.
func size(bytes int64) string {
	if bytes >= mebibyte && bytes%mebibyte == 0 {
		return fmt.Sprintf("%d MiB (%d bytes)", bytes/mebibyte, bytes)
	}
	return fmt.Sprintf("%d bytes", bytes)
}

// damaged says that an archive can't be read to its end.
func damaged(last string, err error) error {
	var known *fault.Error
	if errors.As(err, &known) {
		return err
	}
	place := "before its first entry"
	if last != "" {
		place = "in or after entry " + shown(last)
	}
	code, what := "archive_damaged", "is damaged"
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		code, what = "archive_truncated", "ends too early"
	}
	return fault.New(fault.Invalid, code, "the archive %s, %s", what, place).
		WithProblems(fault.Problem{Code: code, Pointer: last, Message: err.Error()}).
		WithHint("copy the file again and compare its size and SHA-256 with the original; nothing was imported").
		WithCause(err)
}

// shallow passes JSON through and fails where it is nested deeper than a
// limit, so that a decoder behind it can't be driven into deep recursion.
type shallow struct {
	from     io.Reader
	path     string
	limit    int
	depth    int
	inString bool
	escaped  bool
}

func newShallow(from io.Reader, path string, limits evidence.Limits) *shallow {
	return &shallow{from: from, path: path, limit: limits.Depth}
}

func (s *shallow) Read(into []byte) (int, error) {
	n, err := s.from.Read(into)
	for _, b := range into[:n] {
		switch {
		case s.escaped:
			s.escaped = false
		case s.inString:
			s.inString, s.escaped = b != '"', b == '\\'
		case b == '"':
			s.inString = true
		case b == '{' || b == '[':
			if s.depth++; s.depth > s.limit {
				return 0, tooDeep(s.path, s.limit)
			}
		case b == '}' || b == ']':
			s.depth--
		}
	}
	return n, err
}

func tooDeep(path string, limit int) error {
	return fault.New(fault.Invalid, "nested_too_deep", "%s is nested deeper than %d levels", shown(path), limit).
		WithProblems(fault.Problem{Code: "nested_too_deep", Pointer: path, Message: "nested too deeply", Limit: fmt.Sprint(limit)}).
		WithHint("this is not a file AIPerf writes; leave it out of the archive")
}

// asFault returns the fault inside an error, nil if there is none.
func asFault(err error) error {
	var known *fault.Error
	if errors.As(err, &known) {
		return known
	}
	return nil
}

// pieces bounds what is read for one value of a document that is decoded
// value by value; allow starts the next one.
type pieces struct {
	from io.Reader
	path string
	left int64
}

func newPieces(from io.Reader, path string, limits evidence.Limits) *pieces {
	return &pieces{from: newShallow(from, path, limits), path: path, left: largestDocument}
}

func (p *pieces) allow() { p.left = largestDocument }

func (p *pieces) Read(into []byte) (int, error) {
	if p.left <= 0 {
		return 0, tooLargeDocument(p.path)
	}
	n, err := p.from.Read(into[:min(int64(len(into)), p.left)])
	p.left -= int64(n)
	return n, err
}

func tooLargeDocument(path string) error {
	return fault.New(fault.TooLarge, "document_too_large", "%s, or one value in it, has more than %s", shown(path), size(largestDocument)).
		WithProblems(fault.Problem{Code: "document_too_large", Pointer: path, Message: "too large for JSON that is read whole", Limit: size(largestDocument)}).
		WithHint("leave the file out of the archive")
}
