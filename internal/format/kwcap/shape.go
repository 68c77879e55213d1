package kwcap

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"kernelwake/internal/absent"
)

// schema is a JSON Schema, draft 2020-12.
type schema map[string]any

// shape is what a value of the format looks like: how it is read into a T, and
// how the published schema describes it. Problems are noted while reading.
type shape[T any] struct {
	read     func(s *scanner, into *T)
	describe schema
}

// expect reports whether a value of the kind begins here. Another value is
// noted and passed over.
func (s *scanner) expect(kind byte, what string) bool {
	found := s.next()
	if found == kind {
		return true
	}
	if found != 0 {
		s.got(s.pointer(), codeType, kindWords[found], "%s is expected", what)
		s.skip()
	}
	return false
}

var kindWords = map[byte]string{'{': "an object", '[': "an array", '"': "a text", 't': "true or false", '0': "a number"}

// text is a string of at most limit bytes.
func text(limit int) shape[string] {
	return shape[string]{
		read: func(s *scanner, into *string) {
			if s.expect('"', "a text") {
				*into = s.text(limit, "the text")
			}
		},
		describe: schema{"type": "string", "maxLength": limit},
	}
}

// named is a text that says something: not empty.
func named() shape[string] {
	return matching(regexp.MustCompile(`(?s)^.*\S.*$`), "a text that isn't blank")
}

// matching is a string of the given form.
func matching(form *regexp.Regexp, what string) shape[string] {
	return shape[string]{
		read: func(s *scanner, into *string) {
			if !s.expect('"', what) {
				return
			}
			*into = s.text(mostText, "the text")
			if !s.stopped && !form.MatchString(*into) {
				s.got(s.pointer(), codeForm, *into, "%s is expected", what)
			}
		},
		describe: schema{"type": "string", "maxLength": mostText, "pattern": strings.TrimPrefix(form.String(), "(?s)"), "description": what},
	}
}

var sha256Text = matching(regexp.MustCompile(`^[0-9a-f]{64}$`), "a SHA-256 as 64 lower-case hexadecimal digits")

// choice is one of a few words.
func choice(words ...string) shape[string] {
	return shape[string]{
		read: func(s *scanner, into *string) {
			if !s.expect('"', "one of "+strings.Join(words, ", ")) {
				return
			}
			word := s.text(mostText, "the word")
			if slices.Contains(words, word) {
				*into = word
				return
			}
			s.got(s.pointer(), codeValue, word, "one of %s is expected%s", strings.Join(words, ", "), meant(word, words))
		},
		describe: schema{"type": "string", "enum": words},
	}
}

var boolean = shape[bool]{
	read: func(s *scanner, into *bool) {
		if s.expect('t', "true or false") {
			*into = s.boolean()
		}
	},
	describe: schema{"type": "boolean"},
}

var number = shape[float64]{
	read: func(s *scanner, into *float64) {
		if s.expect('0', "a number") {
			*into, _, _ = s.number()
		}
	},
	describe: schema{"type": "number"},
}

// integer is a whole number of at least least; one over 2^53 − 1 is a string.
func integer(least int64) shape[int64] {
	what := fmt.Sprintf("a whole number of at least %d", least)
	return shape[int64]{
		read: func(s *scanner, into *int64) {
			value, ok := s.integer(what)
			if ok && value < least {
				s.limit(s.pointer(), codeRange, strconv.FormatInt(least, 10), strconv.FormatInt(value, 10), "%s is expected", what)
			}
			*into = value
		},
		describe: schema{"anyOf": []schema{{"type": "integer", "minimum": least, "maximum": mostInteger}, {"type": "string", "pattern": `^-?[0-9]{1,19}$`}}},
	}
}

func (s *scanner) integer(what string) (int64, bool) {
	if s.next() == '"' {
		word := s.text(mostText, "the number")
		value, err := strconv.ParseInt(word, 10, 64)
		if err != nil && !s.stopped {
			s.got(s.pointer(), codeType, word, "%s is expected", what)
		}
		return value, err == nil
	}
	if !s.expect('0', what) {
		return 0, false
	}
	value, _, ok := s.number()
	if !ok {
		return 0, false
	}
	if value != math.Trunc(value) || math.Abs(value) > mostInteger {
		s.got(s.pointer(), codeType, strconv.FormatFloat(value, 'g', -1, 64), "%s is expected", what)
		return 0, false
	}
	return int64(value), true
}

var utcForm = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$`)

// timestamp is RFC 3339 in UTC with at most nine decimals.
var timestamp = shape[time.Time]{
	read: func(s *scanner, into *time.Time) {
		const what = "a time in UTC such as 2026-01-31T12:00:00.5Z"
		if !s.expect('"', what) {
			return
		}
		word := s.text(mostText, "the time")
		value, err := time.Parse(time.RFC3339Nano, word)
		if (err != nil || !utcForm.MatchString(word)) && !s.stopped {
			s.got(s.pointer(), codeForm, word, "%s is expected", what)
			return
		}
		*into = value.UTC()
	},
	describe: schema{"type": "string", "format": "date-time", "pattern": utcForm.String()},
}

// orAbsent is a value or the reason why there is none; the value's own shape
// is no object.
func orAbsent[T any](of shape[T]) shape[absent.Value[T]] {
	return shape[absent.Value[T]]{
		read: func(s *scanner, into *absent.Value[T]) {
			if s.next() == '{' {
				var none gap
				gapShape.read(s, &none)
				*into = absent.Because[T](none.Reason, none.Note)
				return
			}
			var value T
			before := s.count
			of.read(s, &value)
			if s.count == before && !s.stopped {
				*into = absent.Of(value)
			}
		},
		describe: schema{"anyOf": []schema{of.describe, {"$ref": "#/$defs/absent"}}},
	}
}

// list is an array of at most limit values.
func list[T any](of shape[T], limit int, what string) shape[[]T] {
	return shape[[]T]{
		read: func(s *scanner, into *[]T) {
			if !s.expect('[', "an array") {
				return
			}
			*into = []T{}
			s.array(limit, what, func(int) {
				var value T
				of.read(s, &value)
				*into = append(*into, value)
			})
		},
		describe: schema{"type": "array", "maxItems": limit, "items": of.describe},
	}
}

// dictionary is an object of free names.
func dictionary[T any](of shape[T], limit int, what string) shape[map[string]T] {
	return shape[map[string]T]{
		read: func(s *scanner, into *map[string]T) {
			if !s.expect('{', "an object") {
				return
			}
			*into = map[string]T{}
			s.object(func(key string) {
				if len(*into) == limit {
					s.limit(s.pointer(), codeTooMany, strconv.Itoa(limit), "", "more than %d %s", limit, what)
				}
				if len(*into) >= limit {
					s.skip()
					return
				}
				var value T
				of.read(s, &value)
				(*into)[key] = value
			})
		},
		describe: schema{"type": "object", "maxProperties": limit, "propertyNames": schema{"maxLength": mostKey}, "additionalProperties": of.describe},
	}
}

// anything is any JSON value, as encoding/json decodes it, within the limits.
var anything = shape[any]{
	read:     func(s *scanner, into *any) { *into = s.anything() },
	describe: schema{"type": []string{"string", "number", "boolean", "array", "object"}},
}

func (s *scanner) anything() any {
	switch s.next() {
	case '{':
		object := map[string]any{}
		s.object(func(key string) { object[key] = s.anything() })
		return object
	case '[':
		array := []any{}
		s.array(mostElements, "elements in one array", func(int) { array = append(array, s.anything()) })
		return array
	case '"':
		return s.text(mostText, "the text")
	case 't':
		return s.boolean()
	case '0':
		value, _, _ := s.number()
		return value
	}
	return nil
}
