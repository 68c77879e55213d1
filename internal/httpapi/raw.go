package httpapi

import (
	"encoding/json"

	"github.com/danielgtaylor/huma/v2"
)

// rawObject is a JSON object that is sent as it was stored.
type rawObject json.RawMessage

// MarshalJSON returns the bytes themselves.
func (r rawObject) MarshalJSON() ([]byte, error) {
	if len(r) == 0 {
		return []byte("{}"), nil
	}
	return r, nil
}

// UnmarshalJSON keeps the bytes.
func (r *rawObject) UnmarshalJSON(data []byte) error {
	*r = append((*r)[:0], data...)
	return nil
}

// Schema says that it is an object of any members.
func (rawObject) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true}
}
