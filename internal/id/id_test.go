package id

import (
	"crypto/rand"
	"slices"
	"testing"
	"time"
)

func TestIdentifiersSortByTheTimeOfMakingAndNameTheirKind(t *testing.T) {
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	var made []string
	for i := range 100 {
		one, err := New(Run, start.Add(time.Duration(i)*time.Millisecond), rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		if !Is(Run, one) || Is(Capture, one) {
			t.Fatalf("%q is not told as a run", one)
		}
		made = append(made, one)
	}
	if !slices.IsSorted(made) {
		t.Error("identifiers don't sort by time")
	}
}

func TestWhatIsNoIdentifierIsTold(t *testing.T) {
	for _, text := range []string{"", "run_", "run_short", "run_" + "iiiiiiiiiiiiiiiiiiiiiiiiii", "../../etc/passwd"} {
		if Is(Run, text) {
			t.Errorf("%q was taken for a run", text)
		}
	}
}
