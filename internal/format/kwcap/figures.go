package kwcap

import (
	"encoding/json"
	"fmt"
)

// figures are the members of the file that people look up beside its outcomes,
// as they stand there without secrets, and what a fleet capture's pool adds up
// to ("capacity", "waits").
func (r *reading) figures() error {
	figures := map[string]any{
		"created": r.Created,
		"window":  map[string]any{"start": r.Window.Start, "end": r.Window.End, "seconds": r.Window.seconds()},
	}
	for _, name := range sorted(r.raw) {
		s := newScanner(r.raw[name])
		figures[name] = r.secrets.Value(pointerTo("", name), "", s.anything())
	}
	if r.capacity != nil {
		figures["capacity"] = r.capacity
	}
	if r.waits != nil {
		figures["waits"] = r.waits
	}
	encoded, err := json.Marshal(figures)
	if err != nil {
		return fmt.Errorf("writing the figures of a capture: %w", err)
	}
	r.out.Figures = encoded
	return nil
}
