package aiperf

import "bytes"

// cursor walks over one JSON text without building a tree: records are read at
// the speed of the disk, and only the members somebody asks for are kept.
//
//	for c.open('{'); c.more('}'); {
//		switch key := c.key(); string(key) { … default: c.skip() }
//	}
//
// A syntax error sets bad and ends every loop; what was read until then is not
// to be used.
type cursor struct {
	text []byte
	at   int
	// after says that a value has just been read, so that a comma must follow.
	after bool
	// depth is the nesting at the current place.
	depth int
	bad   bool
	// deep says that the text is nested deeper than maxDepth.
	deep     bool
	maxDepth int
}

func newCursor(text []byte, maxDepth int) cursor { return cursor{text: text, maxDepth: maxDepth} }

func (c *cursor) space() {
	for c.at < len(c.text) {
		switch c.text[c.at] {
		case ' ', '\t', '\n', '\r':
			c.at++
		default:
			return
		}
	}
}

// next returns the byte at which the next value begins; 0 at the end.
func (c *cursor) next() byte {
	c.space()
	if c.at == len(c.text) {
		return 0
	}
	return c.text[c.at]
}

// open steps into an object or array.
func (c *cursor) open(bracket byte) {
	if c.bad || c.next() != bracket {
		c.bad = true
		return
	}
	c.at++
	c.after = false
	if c.depth++; c.depth > c.maxDepth {
		c.bad, c.deep = true, true
	}
}

// more reports whether another member or element follows; at the end it steps
// out over the closing bracket.
func (c *cursor) more(closing byte) bool {
	if c.bad {
		return false
	}
	next := c.next()
	if next == closing {
		c.at++
		c.after = true
		c.depth--
		return false
	}
	if c.after {
		if next != ',' {
			c.bad = true
			return false
		}
		c.at++
		c.after = false
		next = c.next()
	}
	if next == 0 || next == closing {
		c.bad = true
		return false
	}
	return true
}

// key reads a member's name, escapes left as they are, and the colon.
func (c *cursor) key() []byte {
	name := c.quoted()
	if c.bad || c.next() != ':' {
		c.bad = true
		return nil
	}
	c.at++
	return name
}

// quoted reads a string, escapes left as they are.
func (c *cursor) quoted() []byte {
	if c.bad || c.next() != '"' {
		c.bad = true
		return nil
	}
	start := c.at + 1
	for i := start; ; {
		length := bytes.IndexByte(c.text[i:], '"')
		if length < 0 {
			c.bad = true
			return nil
		}
		i += length
		if !escaped(c.text[start:i]) {
			c.at, c.after = i+1, true
			return c.text[start:i]
		}
		i++
	}
}

// escaped reports whether the byte after text is escaped by a backslash.
func escaped(text []byte) bool {
	slashes := 0
	for i := len(text) - 1; i >= 0 && text[i] == '\\'; i-- {
		slashes++
	}
	return slashes%2 == 1
}

// literal steps over a word such as null; false if another stands there.
func (c *cursor) literal(word string) bool {
	if !bytes.HasPrefix(c.text[c.at:], []byte(word)) {
		return false
	}
	c.at += len(word)
	c.after = true
	return true
}

// word reads a string; any other value is skipped and nil.
func (c *cursor) word() []byte {
	if c.next() == '"' {
		return c.quoted()
	}
	c.skip()
	return nil
}

// skip steps over one value of any kind. Brackets must balance and nesting is
// bounded; what is inside is not looked at closer.
func (c *cursor) skip() {
	switch c.next() {
	case '{', '[':
		c.skipNested()
	case '"':
		c.quoted()
	case 0, ',', ':', ']', '}':
		c.bad = true
	default:
		for c.at < len(c.text) {
			switch c.text[c.at] {
			case ',', ']', '}', ' ', '\n', '\r', '\t':
				c.after = true
				return
			}
			c.at++
		}
		c.after = true
	}
}

func (c *cursor) skipNested() {
	outside := c.depth
	for c.at < len(c.text) {
		switch c.text[c.at] {
		case '"':
			c.quoted()
			if c.bad {
				return
			}
			continue
		case '{', '[':
			if c.depth++; c.depth > c.maxDepth {
				c.bad, c.deep = true, true
				return
			}
		case '}', ']':
			if c.depth--; c.depth == outside {
				c.at++
				c.after = true
				return
			}
		}
		c.at++
	}
	c.bad = true
}

// raw returns the bytes of the next value as they stand.
func (c *cursor) raw() []byte {
	c.space()
	start := c.at
	c.skip()
	if c.bad {
		return nil
	}
	return c.text[start:c.at]
}

// finished reports whether nothing but white space follows.
func (c *cursor) finished() bool {
	c.space()
	return !c.bad && c.at == len(c.text)
}
