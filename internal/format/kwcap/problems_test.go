package kwcap

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"kernelwake/internal/evidence"
	"kernelwake/internal/fault"
)

// A refusal lists 50 problems and counts the rest; a check that asks for all
// gets all.
func TestARefusalListsAsManyProblemsAsWereAskedFor(t *testing.T) {
	var text strings.Builder
	text.WriteString(`{"schema":"kernelwake.capture","version":"1.0"`)
	for i := range 200 {
		fmt.Fprintf(&text, `,"extra%d":1`, i)
	}
	text.WriteString("}")
	file := evidence.File{Name: "x.json", Bytes: int64(text.Len()), Content: bytes.NewReader([]byte(text.String()))}
	const all = 210 // and ten members that are missing
	for most, want := range map[int]int{0: 50, 7: 7, 10_000: all} {
		err := Format{}.Read(t.Context(), file, evidence.ReadOptions{Problems: most}, func(*evidence.Parsed) error { return nil })
		failure := fault.Of(err)
		if len(failure.Problems) != want {
			t.Errorf("asked for %d: %d problems listed, want %d", most, len(failure.Problems), want)
		}
		if rest := strings.Contains(failure.Message, "more are not"); rest != (want < all) {
			t.Errorf("asked for %d: %s", most, failure.Message)
		}
	}
}
