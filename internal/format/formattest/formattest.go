// Package formattest is the conformance suite of capture formats: what every
// importer promises, whatever it reads. A format's own test calls Run with
// small files of its kind.
package formattest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"kernelwake/internal/evidence"
	"kernelwake/internal/fault"
)

// Sample is a small file of the format.
type Sample struct {
	Name string
	Data []byte
}

// Refused is a file that the format takes for its own and must refuse.
type Refused struct {
	Sample
	// Code is the code of the fault, or of one of its problems.
	Code string
}

// Suite is what is tested.
type Suite struct {
	Format evidence.Format
	// Samples are read, each into its golden form.
	Samples []Sample
	// Golden is the folder of golden forms; empty leaves them out.
	Golden string
	// Refused are bad files of the format.
	Refused []Refused
	// Foreign are files that are not of the format, beside the usual ones.
	Foreign []Sample
	// ToleratesDamage is set by formats that read what is left of a file cut
	// short; they must then say so in a finding.
	ToleratesDamage bool
}

// Run tests the promises of a format.
func Run(t *testing.T, suite Suite) {
	if len(suite.Samples) == 0 {
		t.Fatal("the suite needs at least one sample")
	}
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	t.Run("identity", suite.identity)
	t.Run("its own files match, whatever their name", suite.matches)
	t.Run("other files don't match", suite.leavesForeign)
	t.Run("golden forms", suite.golden)
	t.Run("reading again gives the same bytes", suite.repeats)
	t.Run("several files are read at once", suite.concurrent)
	t.Run("files cut short are refused or say so", suite.truncated)
	t.Run("files with a changed byte never harm", suite.flipped)
	t.Run("bad files are refused with their reason", suite.refuses)
	t.Run("one byte over the limit is refused unread", suite.limit)
	t.Run("a cancelled import stops", suite.cancelled)
	t.Run("an error of the receiver ends reading", suite.receiver)
	t.Run("a disk that fails is reported", suite.failingDisk)
	left, err := os.ReadDir(folder)
	if err != nil || len(left) > 0 {
		t.Errorf("reading left %d files behind (%v)", len(left), err)
	}
}

// Read reads a file in memory and returns its captures.
func Read(format evidence.Format, name string, data []byte) ([]*evidence.Parsed, error) {
	var all []*evidence.Parsed
	err := format.Read(context.Background(), File(name, data), evidence.ReadOptions{}, func(p *evidence.Parsed) error {
		all = append(all, p)
		return nil
	})
	return all, err
}

// File is a file in memory.
func File(name string, data []byte) evidence.File {
	return evidence.File{Name: name, Bytes: int64(len(data)), Content: bytes.NewReader(data)}
}

func head(data []byte) []byte { return data[:min(len(data), 64<<10)] }

func (s Suite) identity(t *testing.T) {
	if _, ok := evidence.LimitsOf[s.Format.ID()]; !ok {
		t.Errorf("evidence.LimitsOf has no limits for %q", s.Format.ID())
	}
	if s.Format.Importer() == "" || s.Format.Importer() == s.Format.ID() {
		t.Errorf("the importer is called %q, without a version of its own", s.Format.Importer())
	}
}

func (s Suite) matches(t *testing.T) {
	for _, sample := range s.Samples {
		for _, name := range []string{sample.Name, "download", "", "data.csv"} {
			if !s.Format.Match(File(name, sample.Data), head(sample.Data)) {
				t.Errorf("%s named %q isn't recognised", sample.Name, name)
			}
		}
	}
}

// strangers are files of no format; no importer may take them for its own.
var strangers = []Sample{
	{"empty", nil},
	{"one byte", []byte("{")},
	{"blank", []byte(" \n\t ")},
	{"text", []byte("hello, world\n")},
	{"csv", []byte("time,value\n1,2\n3,4\n")},
	{"json list", []byte("[1,2,3]")},
	{"json object", []byte(`{"a":1,"b":[2]}`)},
	{"json lines", []byte("{\"a\":1}\n{\"a\":2}\n")},
	{"picture", []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR")},
	{"sqlite", append([]byte("SQLite format 3\x00"), make([]byte, 100)...)},
	{"pickle", []byte("\x80\x04\x95\x10\x00\x00\x00\x00\x00\x00\x00}\x94.")},
	{"cut gzip", []byte{0x1f, 0x8b, 8, 0, 0, 0}},
	{"empty zip", []byte("PK\x05\x06" + string(make([]byte, 18)))},
	{"utf-16", []byte("\xff\xfe{\x00}\x00")},
}

func (s Suite) leavesForeign(t *testing.T) {
	for _, sample := range append(append([]Sample{}, strangers...), s.Foreign...) {
		if s.Format.Match(File(sample.Name, sample.Data), head(sample.Data)) {
			t.Errorf("%s is taken for %s", sample.Name, s.Format.ID())
		}
	}
}

func (s Suite) golden(t *testing.T) {
	for _, sample := range s.Samples {
		all, err := Read(s.Format, sample.Name, sample.Data)
		if err != nil {
			t.Errorf("%s: %v", sample.Name, err)
			continue
		}
		if len(all) == 0 {
			t.Errorf("%s: no capture was emitted, and no error", sample.Name)
		}
		for _, p := range all {
			for _, broken := range Broken(s.Format, p) {
				t.Errorf("%s: %s", sample.Name, broken)
			}
		}
		if s.Golden != "" {
			compareGolden(t, filepath.Join(s.Golden, filepath.Base(sample.Name)+".golden.json"), all)
		}
	}
}

func (s Suite) repeats(t *testing.T) {
	for _, sample := range s.Samples {
		first, again := s.digests(t, sample.Name, sample.Data), s.digests(t, "another name.bin", sample.Data)
		if len(first) != len(again) {
			t.Errorf("%s: %d captures, then %d", sample.Name, len(first), len(again))
			continue
		}
		for i := range first {
			if first[i] != again[i] {
				t.Errorf("%s: capture %d is read differently the second time, or by its name", sample.Name, i)
			}
		}
	}
}

// digests are those of the parsed forms, but for the name suggested for the
// run, which may be the file's.
func (s Suite) digests(t *testing.T, name string, data []byte) []string {
	t.Helper()
	all, err := Read(s.Format, name, data)
	if err != nil {
		t.Errorf("%s: %v", name, err)
	}
	var digests []string
	for _, p := range all {
		p.Name = ""
		encoded, err := p.Encode()
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		digests = append(digests, evidence.Digest(encoded))
	}
	return digests
}

func (s Suite) concurrent(t *testing.T) {
	var wait sync.WaitGroup
	for range 4 {
		for _, sample := range s.Samples {
			wait.Go(func() {
				if _, err := Read(s.Format, sample.Name, sample.Data); err != nil {
					t.Errorf("%s: %v", sample.Name, err)
				}
			})
		}
	}
	wait.Wait()
}

func (s Suite) limit(t *testing.T) {
	counting := &countingReader{}
	file := evidence.File{Name: "large", Bytes: evidence.LimitsOf[s.Format.ID()].Received + 1, Content: counting}
	err := s.Format.Read(t.Context(), file, evidence.ReadOptions{}, func(*evidence.Parsed) error { return nil })
	if !fault.Is(err, fault.TooLarge) {
		t.Errorf("it is not refused as too large: %v", err)
	} else {
		explained(t, err)
	}
	if counting.bytes > 64<<10 {
		t.Errorf("%d bytes were read first", counting.bytes)
	}
}

// countingReader is a file of zeros that counts what is read of it.
type countingReader struct{ bytes int64 }

func (c *countingReader) ReadAt(p []byte, _ int64) (int, error) {
	c.bytes += int64(len(p))
	clear(p)
	return len(p), nil
}

func (s Suite) cancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, sample := range s.Samples {
		err := s.Format.Read(ctx, File(sample.Name, sample.Data), evidence.ReadOptions{}, func(*evidence.Parsed) error { return nil })
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: the error is %v", sample.Name, err)
		}
	}
}

func (s Suite) receiver(t *testing.T) {
	full := errors.New("no room")
	calls := 0
	err := s.Format.Read(t.Context(), File(s.Samples[0].Name, s.Samples[0].Data), evidence.ReadOptions{}, func(*evidence.Parsed) error { calls++; return full })
	if !errors.Is(err, full) || calls != 1 {
		t.Errorf("after %d calls the error is %v", calls, err)
	}
}

func (s Suite) failingDisk(t *testing.T) {
	broken := errors.New("the disk is gone")
	for _, sample := range s.Samples {
		file := File(sample.Name, sample.Data)
		file.Content = failingReader{bytes.NewReader(sample.Data), int64(len(sample.Data) / 2), broken}
		emitted := 0
		err := s.Format.Read(t.Context(), file, evidence.ReadOptions{}, func(*evidence.Parsed) error { emitted++; return nil })
		if !errors.Is(err, broken) || emitted > 0 {
			t.Errorf("%s: %d captures were emitted, the error is %v", sample.Name, emitted, err)
		}
	}
}

// failingReader fails from a place on.
type failingReader struct {
	io.ReaderAt
	from int64
	err  error
}

func (f failingReader) ReadAt(p []byte, at int64) (int, error) {
	if at+int64(len(p)) > f.from {
		n, _ := f.ReaderAt.ReadAt(p[:max(0, f.from-at)], at)
		return n, f.err
	}
	return f.ReaderAt.ReadAt(p, at)
}
