package kwcap

import (
	"bytes"
	"strconv"
	"strings"
)

var byteOrderMark = []byte("\xef\xbb\xbf")

// decode reads a capture and checks it against every rule. The error lists
// what is wrong, in the order of the file, then between its members.
func decode(data []byte, most int) (*document, error) {
	s := newScanner(data)
	s.most = most
	if bytes.HasPrefix(data, byteOrderMark) {
		s.at = len(byteOrderMark)
		s.note(codeByteOrder, "the file begins with a byte order mark: write UTF-8 without one")
	}
	d := new(document)
	documentShape.read(s, d)
	if !s.stopped && s.blank() == 0 && s.at >= len(s.data) {
		s.at = len(s.data)
	} else if !s.stopped {
		s.note(codeTrailing, "something follows the capture, from byte %d on", s.at)
	}
	if err := d.foreign(); err != nil {
		return nil, err
	}
	if !s.stopped {
		d.check(s.problems)
	}
	if s.count > 0 {
		return nil, s.refusal()
	}
	return d, nil
}

// foreign refuses another format or version at once: everything else that
// could be said of such a file misleads.
func (d *document) foreign() error {
	only := new(problems)
	major, minor, _ := strings.Cut(d.Version, ".")
	knownMajor, knownMinor, _ := strings.Cut(schemaVersion, ".")
	switch {
	case d.Schema != "" && d.Schema != schemaName:
		only.got("/schema", codeFormat, d.Schema, "%q is expected here", schemaName)
	case versionForm.MatchString(d.Version) && (number64(major) != number64(knownMajor) || number64(minor) > number64(knownMinor)):
		only.got("/version", codeVersion, d.Version, "the capture has version %s, this importer reads up to %s", d.Version, schemaVersion)
	default:
		return nil
	}
	return only.refusal()
}

func number64(digits string) int64 {
	n, _ := strconv.ParseInt(digits, 10, 64)
	return n
}
