package httpapi

import (
	"fmt"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
)

// encoding writes no null for an empty list or map, the members of a map in
// order, and omits what is empty as the standard library does.
var encoding = json.JoinOptions(
	json.FormatNilSliceAsNull(false),
	json.FormatNilMapAsNull(false),
	json.Deterministic(true),
	jsonv1.OmitEmptyWithLegacySemantics(true),
	jsontext.EscapeForHTML(false),
)

// marshal is the JSON of every answer.
func marshal(value any) ([]byte, error) {
	data, err := json.Marshal(value, encoding)
	if err != nil {
		return nil, fmt.Errorf("encoding an answer: %w", err)
	}
	return data, nil
}

// writeJSON writes a value whole or not at all.
func writeJSON(w io.Writer, value any) error {
	data, err := marshal(value)
	if err != nil {
		return err
	}
	_, err = w.Write(append(data, '\n'))
	return err
}

// readJSON reads a body strictly: names as they are spelled, none twice.
func readJSON(data []byte, into any) error {
	return json.Unmarshal(data, into, json.MatchCaseInsensitiveNames(false))
}
