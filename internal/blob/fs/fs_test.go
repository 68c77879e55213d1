package fs_test

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"kernelwake/internal/blob"
	"kernelwake/internal/blob/blobtest"
	"kernelwake/internal/blob/fs"
)

func TestStore(t *testing.T) {
	blobtest.Run(t, func(t *testing.T) blob.Store {
		store, err := fs.Open(filepath.Join(t.TempDir(), "blobs"))
		if err != nil {
			t.Fatal(err)
		}
		return store
	})
}

func TestBytesLieUnderTheirDigest(t *testing.T) {
	dir := t.TempDir()
	store, err := fs.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	digest := keep(t, store, "abc")
	const want = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	if digest != want {
		t.Fatalf("digest %s", digest)
	}
	data, err := os.ReadFile(filepath.Join(dir, "ba", "78", want))
	if err != nil || string(data) != "abc" {
		t.Errorf("read %q, %v", data, err)
	}
}

func TestScrubFindsChangedBytes(t *testing.T) {
	dir := t.TempDir()
	store, err := fs.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	keep(t, store, "stays")
	digest := keep(t, store, "will be damaged")
	path := filepath.Join(dir, digest[:2], digest[2:4], digest)
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("was damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	var found []blob.Damage
	checked, err := blob.Scrub(t.Context(), store, func(damage blob.Damage) { found = append(found, damage) })
	if err != nil || checked != 2 || len(found) != 1 || found[0].Digest != digest {
		t.Errorf("Scrub = %d, %v, found %v", checked, err, found)
	}
}

func TestUnwritableFolderSaysSo(t *testing.T) {
	dir := t.TempDir()
	store, err := fs.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Writable(t.Context()); err != nil {
		t.Fatalf("a fresh folder: %v", err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := store.Writable(t.Context()); err == nil {
		t.Error("a folder that is gone is called writable")
	}
}

func keep(t *testing.T, store *fs.Store, data string) string {
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
