package chrometrace

import (
	"bytes"
	"errors"
)

// What stops a cursor.
var (
	errShort  = errors.New("the data ends here")
	errSyntax = errors.New("not JSON here")
	errDeep   = errors.New("nested too deep")
)

// cursor reads JSON values from a stretch of bytes, tolerating what real trace
// files hold: raw control characters in strings, escapes that JSON doesn't
// know, bare words for missing numbers, and a comma too many.
type cursor struct {
	data []byte
	pos  int
	// whole is true where no more bytes will follow data.
	whole bool
	// deepest is the nesting still allowed.
	deepest int
	// missingWords counts the bare words for missing numbers that were taken.
	missingWords int64
}

// kind of a value.
type kind byte

const (
	none    kind = iota // no value was read
	text                // a string; raw is what stands between the quotes
	number              // a number; raw is its text
	literal             // true, false or null
	missing             // a bare word for a missing number: NaN, N/A, inf
	object              // an object; raw is all of it
	array               // an array; raw is all of it
)

// value is a JSON value as it stands in the data. raw is valid until the
// buffer moves.
type value struct {
	kind kind
	raw  []byte
	// escaped is true where a string holds a backslash.
	escaped bool
}

// peek skips white space and returns the next byte without taking it.
func (c *cursor) peek() (byte, error) {
	for c.pos < len(c.data) {
		switch b := c.data[c.pos]; b {
		case ' ', '\n', '\t', '\r':
			c.pos++
		default:
			return b, nil
		}
	}
	return 0, errShort
}

// read takes a value of any kind at the nesting depth given.
func (c *cursor) read(depth int) (value, error) {
	b, err := c.peek()
	if err != nil {
		return value{}, err
	}
	switch b {
	case '"':
		return c.readText()
	case '{', '[':
		start := c.pos
		if err := c.skipContainer(depth + 1); err != nil {
			return value{}, err
		}
		of := object
		if b == '[' {
			of = array
		}
		return value{kind: of, raw: c.data[start:c.pos]}, nil
	}
	return c.readWord()
}

// readText takes a string. A backslash hides the byte after it, whatever that
// is.
func (c *cursor) readText() (value, error) {
	start := c.pos + 1
	from, escaped := start, false
	for {
		quote := bytes.IndexByte(c.data[from:], '"')
		if quote < 0 {
			return value{}, errShort
		}
		end := from + quote
		if end == start || c.data[end-1] != '\\' {
			c.pos = end + 1
			raw := c.data[start:end]
			if !escaped {
				escaped = bytes.IndexByte(raw, '\\') >= 0
			}
			return value{kind: text, raw: raw, escaped: escaped}, nil
		}
		escaped = true
		backslashes := 0
		for at := end - 1; at >= start && c.data[at] == '\\'; at-- {
			backslashes++
		}
		if backslashes%2 == 0 {
			c.pos = end + 1
			return value{kind: text, raw: c.data[start:end], escaped: true}, nil
		}
		from = end + 1
	}
}

// wordByte marks the bytes of numbers and bare words ("-1.5e-06", "null",
// "N/A", "-nan(ind)", "1.#INF").
var wordByte = func() (is [256]bool) {
	for b := range is {
		is[b] = b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
	}
	for _, b := range "+-./#()_" {
		is[b] = true
	}
	return is
}()

// missingWords stand for a number that the writer did not have.
var missingWords = [][]byte{[]byte("nan"), []byte("n/a"), []byte("inf"), []byte("infinity"), []byte("nan(ind)"), []byte("nan(snan)"), []byte("1.#inf"), []byte("1.#ind"), []byte("1.#qnan")}

// readWord takes a number or a bare word.
func (c *cursor) readWord() (value, error) {
	start := c.pos
	for c.pos < len(c.data) && wordByte[c.data[c.pos]] {
		c.pos++
	}
	if c.pos == len(c.data) && !c.whole {
		c.pos = start
		return value{}, errShort
	}
	raw := c.data[start:c.pos]
	if of := wordKind(raw); of != none {
		if of == missing {
			c.missingWords++
		}
		return value{kind: of, raw: raw}, nil
	}
	c.pos = start
	return value{}, errSyntax
}

func wordKind(raw []byte) kind {
	if len(raw) == 0 {
		return none
	}
	if isNumber(raw) {
		return number
	}
	switch string(raw) {
	case "true", "false", "null":
		return literal
	}
	unsigned := bytes.TrimLeft(raw, "+-")
	for _, word := range missingWords {
		if bytes.EqualFold(unsigned, word) {
			return missing
		}
	}
	return none
}

// isNumber reports whether raw is a decimal number: digits with an optional
// sign, decimals and exponent.
func isNumber(raw []byte) bool {
	i, digits := 0, 0
	if raw[0] == '-' || raw[0] == '+' {
		i++
	}
	for ; i < len(raw) && raw[i] >= '0' && raw[i] <= '9'; i++ {
		digits++
	}
	if i < len(raw) && raw[i] == '.' {
		for i++; i < len(raw) && raw[i] >= '0' && raw[i] <= '9'; i++ {
			digits++
		}
	}
	if digits == 0 || i == len(raw) {
		return digits > 0
	}
	if raw[i] != 'e' && raw[i] != 'E' {
		return false
	}
	i++
	if i < len(raw) && (raw[i] == '-' || raw[i] == '+') {
		i++
	}
	first := i
	for i < len(raw) && raw[i] >= '0' && raw[i] <= '9' {
		i++
	}
	return i > first && i == len(raw)
}

// key takes a member's name and the colon after it.
func (c *cursor) key() ([]byte, error) {
	b, err := c.peek()
	if err != nil {
		return nil, err
	}
	if b != '"' {
		return nil, errSyntax
	}
	name, err := c.readText()
	if err != nil {
		return nil, err
	}
	if b, err = c.peek(); err != nil {
		return nil, err
	}
	if b != ':' {
		return nil, errSyntax
	}
	c.pos++
	return name.raw, nil
}

// more takes what stands after a member or element: it reports whether another
// follows before the closing byte, which is taken too. A comma before the
// closing byte is let pass.
func (c *cursor) more(closing byte, first bool) (bool, error) {
	b, err := c.peek()
	if err != nil {
		return false, err
	}
	if b == ',' && !first {
		c.pos++
		if b, err = c.peek(); err != nil {
			return false, err
		}
	} else if !first && b != closing {
		return false, errSyntax
	}
	if b == closing {
		c.pos++
		return false, nil
	}
	return true, nil
}

// skipContainer takes an object or array whose own depth is given.
func (c *cursor) skipContainer(depth int) error {
	if depth > c.deepest {
		return errDeep
	}
	isObject := c.data[c.pos] == '{'
	closing := byte(']')
	if isObject {
		closing = '}'
	}
	c.pos++
	for first := true; ; first = false {
		more, err := c.more(closing, first)
		if err != nil || !more {
			return err
		}
		if isObject {
			if _, err := c.key(); err != nil {
				return err
			}
		}
		if err := c.skip(depth); err != nil {
			return err
		}
	}
}

// skip takes a value without looking at it.
func (c *cursor) skip(depth int) error {
	b, err := c.peek()
	if err != nil {
		return err
	}
	switch b {
	case '"':
		_, err = c.readText()
	case '{', '[':
		err = c.skipContainer(depth + 1)
	default:
		_, err = c.readWord()
	}
	return err
}
