package aiperf

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"kernelwake/internal/evidence"
)

// member is a file to put into an archive.
type member struct {
	name string
	text []byte
}

// folder reads all files below a folder, under its own name.
func folder(t testing.TB, root string) []member {
	t.Helper()
	var all []member
	err := filepath.WalkDir(root, func(path string, found fs.DirEntry, err error) error {
		if err != nil || found.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(filepath.Dir(root), path)
		all = append(all, member{filepath.ToSlash(name), text})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func packZip(t testing.TB, members []member) []byte {
	t.Helper()
	var out bytes.Buffer
	writer := zip.NewWriter(&out)
	for _, one := range members {
		into, err := writer.Create(one.name)
		if err == nil {
			_, err = into.Write(one.text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func packTar(t testing.TB, members []member) []byte {
	t.Helper()
	var out bytes.Buffer
	writer := tar.NewWriter(&out)
	for _, one := range members {
		err := writer.WriteHeader(&tar.Header{Name: one.name, Mode: 0o644, Size: int64(len(one.text)), Typeflag: tar.TypeReg})
		if err == nil {
			_, err = writer.Write(one.text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func gzipped(t testing.TB, data []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	writer := gzip.NewWriter(&out)
	if _, err := writer.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func packTarGz(t testing.TB, members []member) []byte { return gzipped(t, packTar(t, members)) }

func fileOf(data []byte) evidence.File {
	return evidence.File{Name: "sent.bin", Bytes: int64(len(data)), Content: bytes.NewReader(data)}
}

// readAll imports an archive and returns its captures.
func readAll(data []byte, options evidence.ReadOptions) ([]*evidence.Parsed, error) {
	var all []*evidence.Parsed
	err := Format{}.Read(context.Background(), fileOf(data), options, func(parsed *evidence.Parsed) error {
		all = append(all, parsed)
		return nil
	})
	return all, err
}

func mustRead(t testing.TB, data []byte) []*evidence.Parsed {
	t.Helper()
	all, err := readAll(data, evidence.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func findingCodes(parsed *evidence.Parsed) []string {
	var codes []string
	for _, finding := range parsed.Findings {
		codes = append(codes, finding.Code)
	}
	slices.Sort(codes)
	return codes
}

func finding(parsed *evidence.Parsed, code string) (evidence.Finding, bool) {
	for _, one := range parsed.Findings {
		if one.Code == code {
			return one, true
		}
	}
	return evidence.Finding{}, false
}

// readBounded imports with bounds of its own.
func readBounded(data []byte, limit bounds) ([]*evidence.Parsed, error) {
	var all []*evidence.Parsed
	err := limit.run(context.Background(), fileOf(data), evidence.ReadOptions{}, func(parsed *evidence.Parsed) error {
		all = append(all, parsed)
		return nil
	})
	return all, err
}
