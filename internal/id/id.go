// Package id makes sortable typed identifiers: a kind, an underscore, and 26
// characters that sort by the time of making.
package id

import (
	"encoding/base32"
	"encoding/binary"
	"io"
	"strings"
	"time"
)

// Kind is the part before the underscore.
type Kind string

// The kinds of things with an identifier.
const (
	Workspace  Kind = "ws"
	Member     Kind = "mem"
	Credential Kind = "cred"
	Workload   Kind = "wl"
	Run        Kind = "run"
	Capture    Kind = "cap"
	Setup      Kind = "set"
	Comparison Kind = "cmp"
	Request    Kind = "req"
)

// alphabet is Crockford's base 32: no letters that read like digits, in
// ascending byte order so that identifiers sort as text.
var alphabet = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

// New returns an identifier made at a time (millisecond resolution) from ten
// bytes of random.
func New(kind Kind, at time.Time, random io.Reader) (string, error) {
	var raw [16]byte
	binary.BigEndian.PutUint64(raw[:8], uint64(at.UnixMilli())<<16)
	if _, err := io.ReadFull(random, raw[6:]); err != nil {
		return "", err
	}
	return string(kind) + "_" + alphabet.EncodeToString(raw[:]), nil
}

// Is reports whether text has the form of an identifier of the kind.
func Is(kind Kind, text string) bool {
	rest, ok := strings.CutPrefix(text, string(kind)+"_")
	if !ok || len(rest) != 26 {
		return false
	}
	_, err := alphabet.DecodeString(rest)
	return err == nil
}
