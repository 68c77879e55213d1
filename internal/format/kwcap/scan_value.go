package kwcap

import (
	"bytes"
	"math"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// text reads a string that begins here. One over the limit is noted and cut.
func (s *scanner) text(limit int, what string) string {
	return s.checked(s.rawText(), limit, what)
}

func (s *scanner) checked(raw []byte, limit int, what string) string {
	if len(raw) > limit {
		s.limit(s.pointer(), codeTooLong, strconv.Itoa(limit), strconv.Itoa(len(raw)), "%s has %d bytes, %d are allowed", what, len(raw), limit)
		raw = bytes.ToValidUTF8(raw[:limit], nil)
	}
	return string(raw)
}

// rawText reads a string and returns its bytes.
func (s *scanner) rawText() []byte {
	s.at++
	start := s.at
	for s.at < len(s.data) {
		switch c := s.data[s.at]; {
		case c == '"':
			raw := s.data[start:s.at]
			s.at++
			return s.checkUTF8(raw)
		case c == '\\':
			return s.escapedText(start)
		case c < 0x20:
			s.fail("a control character written as an escape")
			return nil
		default:
			s.at++
		}
	}
	s.fail("the closing quote of a string")
	return nil
}

func (s *scanner) checkUTF8(raw []byte) []byte {
	if !s.valid && !utf8.Valid(raw) {
		s.note(codeUTF8, "the text holds bytes that are no UTF-8")
		return bytes.ToValidUTF8(raw, []byte("\ufffd"))
	}
	return raw
}

// escapedText reads the rest of a string from its first escape on.
func (s *scanner) escapedText(start int) []byte {
	out := append([]byte(nil), s.data[start:s.at]...)
	for s.at < len(s.data) {
		switch c := s.data[s.at]; {
		case c == '"':
			s.at++
			return s.checkUTF8(out)
		case c == '\\':
			out = s.escape(out)
			if s.stopped {
				return nil
			}
		case c < 0x20:
			s.fail("a control character written as an escape")
			return nil
		default:
			out = append(out, c)
			s.at++
		}
	}
	s.fail("the closing quote of a string")
	return nil
}

var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// escape reads one escape sequence and appends what it stands for.
func (s *scanner) escape(out []byte) []byte {
	s.at++
	if s.at >= len(s.data) {
		s.fail("the rest of an escape")
		return out
	}
	c := s.data[s.at]
	if plain := escapes[c]; plain != 0 {
		s.at++
		return append(out, plain)
	}
	if c != 'u' {
		s.fail(`one of "\/bfnrtu after a backslash`)
		return out
	}
	s.at++
	first, ok := s.hex4()
	if !ok {
		return out
	}
	if !utf16.IsSurrogate(first) {
		return utf8.AppendRune(out, first)
	}
	if s.at+1 < len(s.data) && s.data[s.at] == '\\' && s.data[s.at+1] == 'u' {
		mark := s.at
		s.at += 2
		second, ok := s.hex4()
		if !ok {
			return out
		}
		if both := utf16.DecodeRune(first, second); both != utf8.RuneError {
			return utf8.AppendRune(out, both)
		}
		s.at = mark
	}
	s.note(codeSurrogate, "\\u%04x is one half of a character without the other", first)
	return utf8.AppendRune(out, utf8.RuneError)
}

func (s *scanner) hex4() (rune, bool) {
	if s.at+4 > len(s.data) {
		s.at = len(s.data)
		s.fail("four hexadecimal digits")
		return 0, false
	}
	value, err := strconv.ParseUint(string(s.data[s.at:s.at+4]), 16, 16)
	if err != nil || s.data[s.at] == '+' || s.data[s.at] == '-' {
		s.fail("four hexadecimal digits")
		return 0, false
	}
	s.at += 4
	return rune(value), true
}

// passText goes over a string without looking at it.
func (s *scanner) passText() {
	for s.at++; s.at < len(s.data); s.at++ {
		switch s.data[s.at] {
		case '\\':
			s.at++
		case '"':
			s.at++
			return
		}
	}
	s.at = len(s.data)
}

// pow10 are the powers of ten that float64 holds exactly.
var pow10 = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// number reads a number that begins here. ok is false if it breaks a rule,
// which was then noted; integer says that it was written without a fraction or
// an exponent.
func (s *scanner) number() (value float64, integer, ok bool) {
	start := s.at
	value, integer, next := parseNumber(s.data, s.at)
	if next < 0 {
		s.at = min(-next-1, len(s.data))
		s.fail("a digit")
		return 0, false, false
	}
	s.at = next
	if next < len(s.data) && (isLetter(s.data[next]) || s.data[next] == '.') {
		s.fail("the end of the number")
		return 0, false, false
	}
	if math.Abs(value) > mostNumber {
		s.limit(s.pointer(), codeRange, "1e100", string(s.data[start:next]), "no quantity is so large")
		return 0, false, false
	}
	if integer && math.Abs(value) > mostInteger {
		s.limit(s.pointer(), codeBigInteger, strconv.Itoa(mostInteger), string(s.data[start:next]), "an integer beyond 2^53 − 1 is not kept exact by every reader: write it as a string")
		return value, integer, false
	}
	return value, integer, true
}

// parseNumber reads a JSON number at place i: the value, whether it has
// neither fraction nor exponent, and the place after it; a negative place −n−1
// where the grammar breaks at n. Few digits with a small exponent are exact in
// float64 arithmetic (Clinger, 1990); the others go through strconv.
func parseNumber(data []byte, i int) (value float64, integer bool, next int) {
	start := i
	negative := false
	if data[i] == '-' {
		negative = true
		i++
	}
	if i >= len(data) || data[i] < '0' || data[i] > '9' {
		return 0, false, -i - 1
	}
	var mantissa uint64
	if data[i] == '0' {
		i++
	} else {
		for ; i < len(data) && data[i] >= '0' && data[i] <= '9'; i++ {
			mantissa = mantissa*10 + uint64(data[i]-'0')
		}
	}
	digits, exponent := i-start, 0
	integer = true
	if i < len(data) && data[i] == '.' {
		integer = false
		i++
		fraction := i
		for ; i < len(data) && data[i] >= '0' && data[i] <= '9'; i++ {
			mantissa = mantissa*10 + uint64(data[i]-'0')
		}
		if i == fraction {
			return 0, false, -i - 1
		}
		exponent = fraction - i
		digits += i - fraction
	}
	if i < len(data) && (data[i] == 'e' || data[i] == 'E') {
		integer = false
		power, end := parseExponent(data, i+1)
		if end < 0 {
			return 0, false, end
		}
		exponent, i = exponent+power, end
	}
	if digits <= 19 && mantissa <= 1<<53 && exponent >= -22 && exponent <= 22 {
		value = float64(mantissa)
		if exponent < 0 {
			value /= pow10[-exponent]
		} else {
			value *= pow10[exponent]
		}
		if negative && value != 0 { // −0 is written 0 (RFC 8785)
			value = -value
		}
		return value, integer, i
	}
	value, _ = strconv.ParseFloat(string(data[start:i]), 64)
	return value + 0, integer, i // + 0 drops the sign of zero
}

// parseExponent reads what follows the e of a number; end is negative as in
// parseNumber.
func parseExponent(data []byte, i int) (power, end int) {
	sign := 1
	if i < len(data) && (data[i] == '+' || data[i] == '-') {
		if data[i] == '-' {
			sign = -1
		}
		i++
	}
	first := i
	for ; i < len(data) && data[i] >= '0' && data[i] <= '9'; i++ {
		power = min(power*10+int(data[i]-'0'), 1_000_000)
	}
	if i == first {
		return 0, -i - 1
	}
	return sign * power, i
}
