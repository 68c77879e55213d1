package library_test

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"kernelwake/internal/absent"
	"kernelwake/internal/blob/fs"
	"kernelwake/internal/evidence"
	"kernelwake/internal/fault"
	"kernelwake/internal/lens"
	"kernelwake/internal/library"
)

// store keeps parsed forms and returns the blobs with their digests.
func store(t testing.TB, count, rows int) (*fs.Store, string, []string) {
	t.Helper()
	dir := t.TempDir()
	blobs, err := fs.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	var digests []string
	for i := range count {
		parsed := &evidence.Parsed{
			Format: evidence.FormatKernelwake, Name: fmt.Sprint("capture ", i), Lens: lens.Training,
			Outcomes: []evidence.Outcome{{Name: "step_time", Unit: "ms", Kind: lens.Samples, N: absent.Of(int64(2)), Data: evidence.Table{Columns: []evidence.Column{{Name: "v", Floats: []float64{1, 2}}}}}},
			Tables:   []evidence.Table{{Name: "spans", Columns: []evidence.Column{{Name: "start_ns", Ints: make([]int64, rows)}}}},
		}
		encoded, err := parsed.Encode()
		if err != nil {
			t.Fatal(err)
		}
		stage, err := blobs.Stage(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := stage.Write(encoded); err != nil {
			t.Fatal(err)
		}
		digests = append(digests, stage.Digest())
		if err := stage.Keep(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	return blobs, dir, digests
}

func TestParsedFormsComeBackWholeOrAsAComparisonReadsThem(t *testing.T) {
	blobs, _, digests := store(t, 1, 1000)
	l := library.New(nil, blobs, 1<<20)
	outcomes, err := l.Outcomes(t.Context(), digests[0])
	if err != nil || len(outcomes.Tables) != 0 || outcomes.Outcomes[0].Data.Floats("v")[1] != 2 {
		t.Errorf("outcomes %+v, %v", outcomes, err)
	}
	whole, err := l.Parsed(t.Context(), digests[0])
	if err != nil || whole.Tables[0].Len() != 1000 {
		t.Errorf("whole: %v", err)
	}
	again, err := l.Outcomes(t.Context(), digests[0])
	if err != nil || again != whole {
		t.Error("with the whole form at hand, the outcomes are read again")
	}
}

func TestTheCacheHoldsNoMoreThanItsBound(t *testing.T) {
	blobs, dir, digests := store(t, 10, 10_000)
	l := library.New(nil, blobs, 250_000) // three of about 80 kB
	for _, digest := range digests {
		if _, err := l.Parsed(t.Context(), digest); err != nil {
			t.Fatal(err)
		}
	}
	held := 0
	for _, digest := range digests {
		if err := blobs.Delete(t.Context(), digest); err != nil {
			t.Fatal(err)
		}
		if _, err := l.Parsed(t.Context(), digest); err == nil {
			held++
		} else if !fault.Is(err, fault.NotFound) {
			t.Error(err)
		}
	}
	if held < 2 || held > 3 {
		t.Errorf("%d of 10 forms are at hand in %s", held, dir)
	}
}

func TestChangedBytesAreNotShown(t *testing.T) {
	blobs, dir, digests := store(t, 1, 10)
	path := filepath.Join(dir, digests[0][:2], digests[0][2:4], digests[0])
	damage(t, path)
	_, err := library.New(nil, blobs, 1<<20).Parsed(t.Context(), digests[0])
	if fault.Of(err).Code != "parsed_form_changed" {
		t.Errorf("a changed form: %v", err)
	}
}

func TestManyReadersOfOneFormReadItOnce(t *testing.T) {
	blobs, _, digests := store(t, 1, 100_000)
	l := library.New(nil, blobs, 16<<20)
	var wait sync.WaitGroup
	forms := make([]*evidence.Parsed, 16)
	for i := range forms {
		wait.Go(func() {
			parsed, err := l.Parsed(t.Context(), digests[0])
			if err != nil {
				t.Error(err)
			}
			forms[i] = parsed
		})
	}
	wait.Wait()
	for _, form := range forms {
		if form != forms[0] {
			t.Error("readers hold different copies")
			break
		}
	}
}

// BenchmarkOutcomes shows what leaving the tables of a large trace aside saves.
func BenchmarkOutcomes(b *testing.B) {
	blobs, _, digests := store(b, 1, 1_000_000)
	for name, read := range map[string]func(*library.Library) error{
		"outcomes": func(l *library.Library) error { _, err := l.Outcomes(b.Context(), digests[0]); return err },
		"whole":    func(l *library.Library) error { _, err := l.Parsed(b.Context(), digests[0]); return err },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := read(library.New(nil, blobs, 1)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// damage changes one byte of a file.
func damage(t *testing.T, path string) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	content[len(content)-1] ^= 1
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}
