package kwcap

import (
	"fmt"
	"strconv"
	"unicode/utf8"
)

// scanner reads strict JSON (RFC 8259) in one pass over bytes in memory. What
// breaks a rule of the format is noted and reading goes on; what breaks the
// grammar stops it.
type scanner struct {
	data  []byte
	at    int
	depth int
	// place is the path of the value being read.
	place []segment
	// valid says that all of data is UTF-8, so that no string needs a look.
	valid   bool
	stopped bool
	*problems
}

// segment is a name, or an index where the name is empty and index ≥ 0.
type segment struct {
	name  string
	index int
}

func newScanner(data []byte) *scanner {
	return &scanner{data: data, valid: utf8.Valid(data), problems: new(problems)}
}

func (s *scanner) pointer() string {
	var out []byte
	for _, part := range s.place {
		out = append(out, '/')
		if part.index >= 0 {
			out = strconv.AppendInt(out, int64(part.index), 10)
		} else {
			out = append(out, escapeToken(part.name)...)
		}
	}
	return string(out)
}

// note adds a problem at the current place.
func (s *scanner) note(code, format string, args ...any) {
	if s.full() {
		s.count++
		return
	}
	s.problems.at(s.pointer(), code, format, args...)
}

// fail ends reading: the grammar is broken at the current byte.
func (s *scanner) fail(expected string) {
	if s.stopped {
		return
	}
	s.stopped = true
	if s.at >= len(s.data) {
		s.note(codeTruncated, "the file ends at byte %d where %s should stand: it was cut short", len(s.data), expected)
		return
	}
	s.got(s.pointer(), codeSyntax, string(rune(s.data[s.at])), "byte %d is no JSON: %s should stand here", s.at, expected)
}

// blank skips white space and returns the next byte, 0 at the end.
func (s *scanner) blank() byte {
	for s.at < len(s.data) {
		switch c := s.data[s.at]; c {
		case ' ', '\n', '\r', '\t':
			s.at++
		default:
			return c
		}
	}
	return 0
}

// next is the kind of value that begins here: '{', '[', '"', 't' for booleans,
// '0' for numbers, 0 for none. null, NaN and infinities are noted and passed
// over: then there is none.
func (s *scanner) next() byte {
	if s.stopped {
		return 0
	}
	c := s.blank()
	switch {
	case c == '{', c == '[', c == '"':
		return c
	case c == 't', c == 'f':
		return 't'
	case c >= '0' && c <= '9':
		return '0'
	}
	for _, word := range []string{"null", "NaN", "Infinity", "-Infinity"} {
		if s.word(word) {
			if word == "null" {
				s.note(codeNull, `null says neither a value nor why there is none: write {"absent": "not_recorded"} or leave the member out`)
			} else {
				s.note(codeNotFinite, "%s is no JSON: leave the sample out and count it under \"excluded\"", word)
			}
			return 0
		}
	}
	if c == '-' {
		return '0'
	}
	s.fail("a value")
	return 0
}

// word passes over a literal if it stands here.
func (s *scanner) word(word string) bool {
	end := s.at + len(word)
	if end > len(s.data) || string(s.data[s.at:end]) != word || end < len(s.data) && isLetter(s.data[end]) {
		return false
	}
	s.at = end
	return true
}

func isLetter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
}

// begin goes into a container; false if it is nested too deeply, and then it
// was passed over.
func (s *scanner) begin() bool {
	if s.depth >= fileLimits.Depth {
		s.limit(s.pointer(), codeTooDeep, strconv.Itoa(fileLimits.Depth), "", "nested more than %d levels deep", fileLimits.Depth)
		s.pass()
		return false
	}
	s.depth++
	s.at++
	return true
}

// object reads an object that begins here and calls each for every member,
// with the place set to it; each must read or skip the value. The keys of one
// object are told apart by seen.
func (s *scanner) object(each func(key string)) {
	if !s.begin() {
		return
	}
	defer func() { s.depth-- }()
	var seen keySet
	if s.blank() == '}' {
		s.at++
		return
	}
	for !s.stopped {
		if s.blank() != '"' {
			s.fail("a member's name in quotes")
			return
		}
		key := s.text(mostKey, "the name of a member")
		if s.blank() != ':' && !s.stopped {
			s.fail("a colon")
		}
		if s.stopped {
			return
		}
		s.at++
		s.place = append(s.place, segment{key, -1})
		if seen.add(key) {
			each(key)
		} else {
			s.note(codeDuplicateKey, "%q stands twice in one object", key)
			s.skip()
		}
		s.place = s.place[:len(s.place)-1]
		if s.more('}') {
			continue
		}
		return
	}
}

// more passes over what stands between two members or elements: true after a
// comma, false after the end or if the grammar is broken.
func (s *scanner) more(end byte) bool {
	if s.stopped {
		return false
	}
	switch s.blank() {
	case ',':
		s.at++
		return true
	case end:
		s.at++
		return false
	}
	s.fail(fmt.Sprintf("a comma or %q", end))
	return false
}

// array reads an array that begins here and calls each for every element up to
// the limit; what is over it is noted once and passed over.
func (s *scanner) array(limit int, what string, each func(i int)) {
	if !s.begin() {
		return
	}
	defer func() { s.depth-- }()
	if s.blank() == ']' {
		s.at++
		return
	}
	for i := 0; !s.stopped; i++ {
		if i == limit {
			s.limit(s.pointer(), codeTooMany, strconv.Itoa(limit), "", "more than %d %s", limit, what)
		}
		s.place = append(s.place, segment{"", i})
		if i < limit {
			each(i)
		} else {
			s.skip()
		}
		s.place = s.place[:len(s.place)-1]
		if !s.more(']') {
			return
		}
	}
}

// boolean reads true or false.
func (s *scanner) boolean() bool {
	if s.word("true") {
		return true
	}
	if !s.word("false") {
		s.fail("true or false")
	}
	return false
}

// skip reads over any value, still strict.
func (s *scanner) skip() {
	switch s.next() {
	case '{':
		s.object(func(string) { s.skip() })
	case '[':
		s.array(mostElements, "elements in one array", func(int) { s.skip() })
	case '"':
		s.text(mostText, "a text")
	case 't':
		s.boolean()
	case '0':
		s.number()
	}
}

// pass goes over a container by its brackets alone, whatever its depth.
func (s *scanner) pass() {
	for level := 0; s.at < len(s.data); {
		switch s.data[s.at] {
		case '{', '[':
			level++
		case '}', ']':
			level--
		case '"':
			s.passText()
			continue
		}
		s.at++
		if level == 0 {
			return
		}
	}
	s.fail("the end of an object or array")
}
