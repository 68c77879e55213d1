// Package blobtest is the suite every blob.Store passes: run it from the
// store's own test with a function that opens an empty store.
package blobtest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"sync"
	"testing"

	"kernelwake/internal/blob"
	"kernelwake/internal/fault"
)

// Run checks every promise of blob.Store.
func Run(t *testing.T, open func(t *testing.T) blob.Store) {
	tests := []struct {
		name string
		run  func(t *testing.T, store blob.Store)
	}{
		{"kept bytes come back exactly", keptBytesComeBack},
		{"nothing is there before it is kept", nothingBeforeKeep},
		{"the same bytes twice are stored once", storedOnce},
		{"a discarded stage leaves nothing", discardLeavesNothing},
		{"deleted bytes are gone, twice is no error", deleted},
		{"empty content has a digest like any other", emptyContent},
		{"names that are no digest reach no file", hostileNames},
		{"many at once don't disturb each other", concurrent},
		{"abandoned stages are cleared", abandonedAreCleared},
		{"a stage reads back while it is written", readBack},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { test.run(t, open(t)) })
	}
}

func keep(t *testing.T, store blob.Store, data string) string {
	t.Helper()
	stage, err := store.Stage(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(stage, data); err != nil {
		t.Fatal(err)
	}
	digest := stage.Digest()
	if err := stage.Keep(t.Context()); err != nil {
		t.Fatal(err)
	}
	return digest
}

func read(t *testing.T, store blob.Store, digest string) string {
	t.Helper()
	content, err := store.Open(t.Context(), digest)
	if err != nil {
		t.Fatal(err)
	}
	defer content.Close()
	data, err := io.ReadAll(content)
	if err != nil {
		t.Fatal(err)
	}
	if int64(len(data)) != content.Size() {
		t.Errorf("Size() = %d, read %d bytes", content.Size(), len(data))
	}
	return string(data)
}

func digestOf(data string) string {
	sum := sha256.Sum256([]byte(data))
	return hex.EncodeToString(sum[:])
}

func all(t *testing.T, store blob.Store) map[string]int64 {
	t.Helper()
	found := map[string]int64{}
	err := store.Each(t.Context(), func(digest string, size int64) error {
		found[digest] = size
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func keptBytesComeBack(t *testing.T, store blob.Store) {
	const data = "exact \x00 bytes\n"
	digest := keep(t, store, data)
	if digest != digestOf(data) {
		t.Errorf("digest %s, want %s", digest, digestOf(data))
	}
	if got := read(t, store, digest); got != data {
		t.Errorf("read %q, kept %q", got, data)
	}
	if found := all(t, store); len(found) != 1 || found[digest] != int64(len(data)) {
		t.Errorf("Each found %v", found)
	}
	checked, err := blob.Scrub(t.Context(), store, func(damage blob.Damage) { t.Errorf("damage %v", damage) })
	if checked != 1 || err != nil {
		t.Errorf("Scrub = %d, %v", checked, err)
	}
}

func nothingBeforeKeep(t *testing.T, store blob.Store) {
	stage, err := store.Stage(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer stage.Discard()
	if _, err := io.WriteString(stage, "half"); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Open(t.Context(), digestOf("half")); !fault.Is(err, fault.NotFound) {
		t.Errorf("opening what is only staged: %v, want not_found", err)
	}
	if found := all(t, store); len(found) != 0 {
		t.Errorf("Each found %v", found)
	}
}

func storedOnce(t *testing.T, store blob.Store) {
	first, second := keep(t, store, "twice"), keep(t, store, "twice")
	if first != second || len(all(t, store)) != 1 {
		t.Errorf("digests %s and %s, %d blobs", first, second, len(all(t, store)))
	}
}

func discardLeavesNothing(t *testing.T, store blob.Store) {
	stage, err := store.Stage(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(stage, "gone"); err != nil {
		t.Fatal(err)
	}
	if err := stage.Discard(); err != nil {
		t.Fatal(err)
	}
	if removed, err := store.Clear(t.Context()); removed != 0 || err != nil {
		t.Errorf("Clear found %d stages, %v", removed, err)
	}
}

func deleted(t *testing.T, store blob.Store) {
	digest := keep(t, store, "short-lived")
	for range 2 {
		if err := store.Delete(t.Context(), digest); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := store.Open(t.Context(), digest); !fault.Is(err, fault.NotFound) {
		t.Errorf("opening deleted bytes: %v, want not_found", err)
	}
}

func emptyContent(t *testing.T, store blob.Store) {
	if digest := keep(t, store, ""); digest != digestOf("") || read(t, store, digest) != "" {
		t.Errorf("empty content has digest %s", digest)
	}
}

func hostileNames(t *testing.T, store blob.Store) {
	keep(t, store, "something")
	for _, name := range []string{"", "..", "../../etc/passwd", "staging", digestOf("x")[:63] + "/", digestOf("x") + "0", "A" + digestOf("x")[1:]} {
		if _, err := store.Open(t.Context(), name); !fault.Is(err, fault.NotFound) {
			t.Errorf("opening %q: %v, want not_found", name, err)
		}
		if err := store.Delete(t.Context(), name); err != nil {
			t.Errorf("deleting %q: %v", name, err)
		}
	}
	if len(all(t, store)) != 1 {
		t.Error("a name that is no digest deleted something")
	}
}

func concurrent(t *testing.T, store blob.Store) {
	var group sync.WaitGroup
	for i := range 16 {
		group.Go(func() {
			data := string(rune('a' + i%4))
			stage, err := store.Stage(context.Background())
			if err != nil {
				t.Error(err)
				return
			}
			if _, err := io.WriteString(stage, data); err != nil {
				t.Error(err)
			}
			if err := stage.Keep(context.Background()); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if found := all(t, store); len(found) != 4 {
		t.Errorf("%d blobs after 16 writers of 4 contents", len(found))
	}
}

func abandonedAreCleared(t *testing.T, store blob.Store) {
	stage, err := store.Stage(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(stage, "left by a crash"); err != nil {
		t.Fatal(err)
	}
	kept := keep(t, store, "kept")
	if removed, err := store.Clear(t.Context()); removed != 1 || err != nil {
		t.Errorf("Clear = %d, %v; want 1", removed, err)
	}
	if got := read(t, store, kept); got != "kept" {
		t.Errorf("Clear took kept bytes: %q", got)
	}
}

func readBack(t *testing.T, store blob.Store) {
	stage, err := store.Stage(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer stage.Discard()
	if _, err := io.WriteString(stage, "0123456789"); err != nil {
		t.Fatal(err)
	}
	part := make([]byte, 4)
	if _, err := stage.ReadAt(part, 3); err != nil || string(part) != "3456" {
		t.Errorf("ReadAt = %q, %v", part, err)
	}
	if stage.Size() != 10 {
		t.Errorf("Size() = %d", stage.Size())
	}
}
