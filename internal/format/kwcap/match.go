package kwcap

import (
	"bytes"
	"io"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"

	"kernelwake/internal/evidence"
)

var gzipMagic = []byte{0x1f, 0x8b}

// matchBytes bounds how much of a file is looked at to find "schema", which a
// writer that sorts its keys puts behind the outcomes.
const matchBytes = 64 << 20

// characteristic are the members by which a capture without a right "schema"
// is still known, so that its writer is told what is wrong.
var characteristic = []string{"lens", "outcomes", "dimensions", "producer", "workload", "measured_on"}

// foreignMembers stand in files of other formats, which may be large.
var foreignMembers = []string{"traceEvents", "displayTimeUnit", "schemaVersion", "deviceProperties", "log_history", "input_config"}

// Match reports whether the content is a Kernelwake JSON capture: an object
// with "schema": "kernelwake.…", or with enough of its other members.
func (Format) Match(file evidence.File, head []byte) bool {
	reader := io.Reader(io.NewSectionReader(file.Content, 0, file.Bytes))
	if bytes.HasPrefix(head, gzipMagic) {
		expanded, err := gzip.NewReader(reader)
		if err != nil {
			return false
		}
		reader = expanded
	} else if !beginsAsObject(head) {
		return false
	}
	reader = io.LimitReader(reader, matchBytes)
	first := make([]byte, 64<<10)
	n, _ := io.ReadFull(reader, first)
	if first = first[:n]; !beginsAsObject(first) {
		return false
	}
	text := bytes.TrimPrefix(first, byteOrderMark)
	keys, schema, whole := topLevel(text)
	if verdict, certain := judge(keys, schema); certain {
		return verdict
	}
	if whole || n < cap(first) {
		// Too little to tell: an object under this name is meant as a capture.
		return strings.HasSuffix(file.Name, ".kwcap.json")
	}
	rest, _ := io.ReadAll(reader)
	keys, schema, _ = topLevel(append(text, rest...))
	verdict, _ := judge(keys, schema)
	return verdict
}

func beginsAsObject(head []byte) bool {
	text := bytes.TrimLeft(bytes.TrimPrefix(head, byteOrderMark), " \t\r\n")
	return len(text) > 0 && text[0] == '{'
}

// judge tells from the members seen; certain is false while more of them could
// still change it.
func judge(keys []string, schema string) (verdict, certain bool) {
	switch {
	case strings.HasPrefix(schema, "kernelwake."):
		return true, true
	case slices.ContainsFunc(keys, func(key string) bool { return slices.Contains(foreignMembers, key) }):
		return false, true
	}
	seen := 0
	for _, name := range characteristic {
		if slices.Contains(keys, name) {
			seen++
		}
	}
	return seen >= 3, seen >= 3
}

// topLevel returns the names of an object's members and the value of "schema"
// if it is a text, as far as the object goes; whole is false where it is cut.
func topLevel(data []byte) (keys []string, schema string, whole bool) {
	s := &scanner{data: data, valid: true, problems: new(problems)}
	s.blank()
	if s.at >= len(data) {
		return nil, "", false
	}
	s.at++
	for s.blank() == '"' {
		key := string(s.rawText())
		if s.stopped || s.blank() != ':' {
			return keys, schema, false
		}
		s.at++
		if len(keys) < 1000 {
			keys = append(keys, key)
		}
		switch s.blank() {
		case '"':
			value := s.rawText()
			if key == "schema" {
				schema = string(value)
			}
		case '{', '[':
			s.pass()
		default:
			for s.at < len(data) && data[s.at] != ',' && data[s.at] != '}' {
				s.at++
			}
		}
		if s.stopped || s.blank() != ',' {
			return keys, schema, s.at < len(data) && data[s.at] == '}'
		}
		s.at++
		s.blank()
	}
	return keys, schema, s.at < len(data) && data[s.at] == '}'
}
