package chrometrace

import (
	"errors"
	"io"
)

const (
	// chunk is how much is read at a time, firstChunk how much at first: most
	// of what tests and mistakes send is small.
	chunk      = 256 << 10
	firstChunk = 16 << 10
	// largestMember bounds one event or one member beside the events.
	largestMember = 8 << 20
)

// buffer is a window on the bytes of a file that slides forward only.
type buffer struct {
	source io.Reader
	// data[pos:] is not yet taken; offset is where data begins in the file.
	data   []byte
	pos    int
	offset int64
	// end is why no more bytes come: io.EOF, or what went wrong.
	end error
	// missingWords counts the bare words for missing numbers that were taken.
	missingWords int64
}

// fill drops what was taken and reads more. It reports whether there is more.
func (b *buffer) fill() bool {
	if b.end != nil {
		return false
	}
	if b.pos > 0 {
		b.offset += int64(b.pos)
		b.data = b.data[:copy(b.data, b.data[b.pos:])]
		b.pos = 0
	}
	ahead := chunk
	if b.offset < firstChunk {
		ahead = firstChunk
	}
	if cap(b.data)-len(b.data) < ahead/2 {
		grown := make([]byte, len(b.data), max(ahead, 2*cap(b.data)))
		copy(grown, b.data)
		b.data = grown
	}
	for {
		n, err := b.source.Read(b.data[len(b.data):cap(b.data)])
		b.data = b.data[:len(b.data)+n]
		b.end = err
		if n > 0 {
			return true
		}
		if err != nil {
			return false
		}
	}
}

// place is where the next byte stands in the file, after decompression.
func (b *buffer) place() int64 { return b.offset + int64(b.pos) }

// skipByteOrderMark takes a UTF-8 byte order mark at the file's start.
func (b *buffer) skipByteOrderMark() {
	for len(b.data)-b.pos < 3 && b.fill() {
	}
	if len(b.data) >= 3 && string(b.data[:3]) == "\xef\xbb\xbf" {
		b.pos += 3
	}
}

// peek skips white space and returns the next byte; errShort at the end.
func (b *buffer) peek() (byte, error) {
	for {
		for b.pos < len(b.data) {
			switch c := b.data[b.pos]; c {
			case ' ', '\n', '\t', '\r':
				b.pos++
			default:
				return c, nil
			}
		}
		if !b.fill() {
			return 0, errShort
		}
	}
}

// take calls parse on the bytes ahead and takes what it took. Where the bytes
// end inside the value, more are read and parse is called again from the
// value's start. Nothing is taken on an error.
func (b *buffer) take(deepest int, parse func(*cursor) error) error {
	for {
		c := cursor{data: b.data, pos: b.pos, whole: b.end != nil, deepest: deepest}
		err := parse(&c)
		if err == nil {
			b.pos = c.pos
			b.missingWords += c.missingWords
			return nil
		}
		if !errors.Is(err, errShort) {
			return err
		}
		if len(b.data)-b.pos > largestMember {
			return errLarge
		}
		if !b.fill() && c.whole {
			return errShort
		}
	}
}

var errLarge = errors.New("larger than a member may be")

// skipLarge passes over a value of any size without keeping it.
func (b *buffer) skipLarge() error {
	depth, inText, escaped := 0, false, false
	for {
		for b.pos < len(b.data) {
			c := b.data[b.pos]
			switch {
			case escaped:
				escaped = false
			case inText && c == '\\':
				escaped = true
			case c == '"':
				inText = !inText
			case inText:
			case c == '{' || c == '[':
				depth++
			case c == '}' || c == ']':
				depth--
			}
			b.pos++
			if depth == 0 && !inText && !escaped && (c == '"' || c == '}' || c == ']') {
				return nil
			}
		}
		if !b.fill() {
			return errShort
		}
	}
}
