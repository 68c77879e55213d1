package aiperf

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"sort"
	"strconv"

	"kernelwake/internal/evidence"
)

// largestDocument bounds a JSON document that is read whole: summaries have
// 20 to 90 KB, server metrics up to a few MB.
const largestDocument = 16 * mebibyte

// node is a value in a JSON document whose shape differs from version to
// version: asking for what isn't there gives a zero and false.
type node struct{ value any }

// readDocument reads one bounded JSON document. Numbers keep their digits.
// A document that isn't JSON is an error to report as a finding; one that
// breaks a limit is a fault.
func readDocument(path string, content io.Reader, limits evidence.Limits) (node, error) {
	text, err := readWhole(path, content, limits)
	if err != nil {
		return node{}, err
	}
	return parseDocument(text)
}

// readWhole reads a document's bytes within the limits.
func readWhole(path string, content io.Reader, limits evidence.Limits) ([]byte, error) {
	var text bytes.Buffer
	n, err := text.ReadFrom(io.LimitReader(newShallow(content, path, limits), largestDocument+1))
	if err != nil {
		return nil, err
	}
	if n > largestDocument {
		return nil, tooLargeDocument(path)
	}
	return text.Bytes(), nil
}

// errNotJSON marks a document that can't be parsed; it becomes a finding.
var errNotJSON = errors.New("not valid JSON")

func parseDocument(text []byte) (node, error) {
	decoder := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return node{}, fmt.Errorf("%w: %w", errNotJSON, err)
	}
	if decoder.More() {
		return node{}, fmt.Errorf("%w: something follows the document", errNotJSON)
	}
	return node{value}, nil
}

// at walks down through objects.
func (n node) at(names ...string) node {
	for _, name := range names {
		object, _ := n.value.(map[string]any)
		n = node{object[name]}
	}
	return n
}

// first returns the first of several members that is there.
func (n node) first(names ...string) node {
	for _, name := range names {
		if found := n.at(name); found.known() {
			return found
		}
	}
	return node{}
}

func (n node) known() bool { return n.value != nil }

// object returns an object's members, nil for anything else.
func (n node) object() map[string]any {
	object, _ := n.value.(map[string]any)
	return object
}

// names returns an object's member names in order.
func (n node) names() []string {
	object := n.object()
	names := make([]string, 0, len(object))
	for name := range object {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

func (n node) list() []node {
	values, _ := n.value.([]any)
	nodes := make([]node, len(values))
	for i, value := range values {
		nodes[i] = node{value}
	}
	return nodes
}

// text returns a string; empty if it is none.
func (n node) text() string {
	text, _ := n.value.(string)
	return text
}

// number returns a finite number, also from a string of digits.
func (n node) number() (float64, bool) {
	var digits string
	switch value := n.value.(type) {
	case json.Number:
		digits = string(value)
	case string:
		digits = value
	default:
		return 0, false
	}
	number, err := strconv.ParseFloat(digits, 64)
	if err != nil || math.IsNaN(number) || math.IsInf(number, 0) {
		return 0, false
	}
	return number, true
}

// orNaN returns a number, NaN if there is none.
func (n node) orNaN() float64 {
	if number, ok := n.number(); ok {
		return number
	}
	return math.NaN()
}

// integer returns an exact whole number.
func (n node) integer() (int64, bool) {
	digits, ok := n.value.(json.Number)
	if !ok {
		return 0, false
	}
	if whole, err := strconv.ParseInt(string(digits), 10, 64); err == nil {
		return whole, true
	}
	number, ok := n.number()
	if !ok || math.Abs(number) >= 1<<63 || number != math.Trunc(number) {
		return 0, false
	}
	return int64(number), true
}

// flag returns a boolean and whether there is one.
func (n node) flag() (value, known bool) {
	value, known = n.value.(bool)
	return value, known
}

// plain turns a value into what evidence.Dimension holds: numbers as float64.
func (n node) plain() any {
	switch value := n.value.(type) {
	case json.Number:
		if number, ok := n.number(); ok {
			return number
		}
		return string(value)
	case []any:
		all := make([]any, len(value))
		for i := range value {
			all[i] = node{value[i]}.plain()
		}
		return all
	case map[string]any:
		all := make(map[string]any, len(value))
		for name := range value {
			all[name] = node{value[name]}.plain()
		}
		return all
	}
	return n.value
}
