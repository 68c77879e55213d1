package aiperf

import (
	"fmt"
	"strings"
)

// failureKey is what tells one kind of failure from another in a record.
type failureKey struct {
	kind string
	code int64
}

// failures numbers the kinds of failures of a run; 0 is none.
type failures struct {
	index  map[failureKey]uint16
	keys   []failureKey
	counts []int64
}

// mostFailureKinds bounds the kinds told apart; the rest share the last one.
const mostFailureKinds = 200

func (f *failures) add(kind string, code int64) uint16 {
	if f.index == nil {
		f.index = map[failureKey]uint16{}
	}
	key := failureKey{kind, code}
	number, known := f.index[key]
	if !known {
		if len(f.keys) >= mostFailureKinds-1 {
			key = failureKey{"other kinds", missingInteger}
			number, known = f.index[key]
		}
		if !known {
			f.keys = append(f.keys, key)
			f.counts = append(f.counts, 0)
			number = uint16(len(f.keys))
			f.index[key] = number
		}
	}
	f.counts[number-1]++
	return number
}

// status says how a request ended, in the words of a capture's samples.
func (k failureKey) status() string {
	switch k.class() {
	case "cancelled":
		return "cancelled"
	case "timeout":
		return "timeout"
	}
	return "error"
}

// class puts a failure into one of a few documented classes.
func (k failureKey) class() string {
	kind := strings.ToLower(k.kind)
	switch {
	case k.code == 499 || strings.Contains(kind, "cancellation"):
		return "cancelled"
	case strings.Contains(kind, "timeout"):
		return "timeout"
	case k.code == 429:
		return "http_429"
	case k.code >= 400 && k.code < 500:
		return "http_4xx"
	case k.code >= 500 && k.code < 600:
		return "http_5xx"
	case strings.Contains(kind, "payload"), strings.Contains(kind, "incompleteread"):
		return "cut_stream"
	case strings.Contains(kind, "invalidinferenceresult"):
		return "no_content"
	case strings.Contains(kind, "disconnected"), strings.Contains(kind, "connect"), strings.Contains(kind, "oserror"):
		return "connection"
	}
	return "other"
}

// label names a failure for a person: its HTTP code or AIPerf's own type.
func (k failureKey) label() string {
	switch {
	case k.code != missingInteger && k.kind != "":
		return fmt.Sprintf("%d %s", k.code, k.kind)
	case k.code != missingInteger:
		return fmt.Sprint(k.code)
	case k.kind != "":
		return k.kind
	}
	return "unnamed"
}
