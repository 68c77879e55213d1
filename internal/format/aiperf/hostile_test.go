package aiperf

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"kernelwake/internal/evidence"
	"kernelwake/internal/fault"
)

// madeUp is a small run with everything a plain one needs.
func madeUp(t testing.TB, of load) []member {
	t.Helper()
	var records bytes.Buffer
	if err := of.records(&records); err != nil {
		t.Fatal(err)
	}
	return []member{{"run/profile_export.jsonl", records.Bytes()}, {"run/profile_export_aiperf.json", of.summary()}}
}

var small = load{requests: 12, tokens: 8, warmups: 3, failures: 2, seed: 3}

// tarWith packs a made-up run and one more entry as its header says.
func tarWith(t testing.TB, header tar.Header, text string) []byte {
	t.Helper()
	var out bytes.Buffer
	writer := tar.NewWriter(&out)
	for _, one := range madeUp(t, small) {
		if err := writer.WriteHeader(&tar.Header{Name: one.name, Mode: 0o644, Size: int64(len(one.text)), Typeflag: tar.TypeReg}); err != nil {
			t.Fatal(err)
		}
		if _, err := writer.Write(one.text); err != nil {
			t.Fatal(err)
		}
	}
	if header.Typeflag == 0 {
		header.Typeflag = tar.TypeReg
	}
	header.Mode, header.Size = 0o644, int64(len(text))
	if err := writer.WriteHeader(&header); err != nil {
		t.Fatal(err)
	}
	if _, err := writer.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	return gzipped(t, out.Bytes())
}

// zipWith packs a made-up run and one more entry as its header says.
func zipWith(t testing.TB, header zip.FileHeader, text string) []byte {
	t.Helper()
	var out bytes.Buffer
	writer := zip.NewWriter(&out)
	for _, one := range madeUp(t, small) {
		into, err := writer.Create(one.name)
		if err == nil {
			_, err = into.Write(one.text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	into, err := writer.CreateRaw(&header)
	if err == nil {
		_, err = into.Write([]byte(text))
	}
	if err == nil {
		err = writer.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func zipMode(name string, mode fs.FileMode) zip.FileHeader {
	header := zip.FileHeader{Name: name}
	header.SetMode(mode)
	return header
}

func TestHostileArchivesAreRefusedByNameCauseLimitAndRemedy(t *testing.T) {
	limits := evidence.LimitsOf[evidence.FormatAIPerf]
	manyEntries := make([]member, 10_001)
	for i := range manyEntries {
		manyEntries[i] = member{fmt.Sprintf("run/%05d", i), nil}
	}
	truncated := packTarGz(t, madeUp(t, small))
	cases := map[string]struct {
		data  []byte
		limit bounds
		kind  fault.Kind
		code  string
		says  string // in the line a person reads
	}{
		"tar: up and out":            {data: tarWith(t, tar.Header{Name: "run/../../etc/passwd"}, "x"), code: "entry_path_escapes", says: "etc/passwd"},
		"tar: absolute":              {data: tarWith(t, tar.Header{Name: "/etc/passwd"}, "x"), code: "entry_path_escapes", says: "absolute"},
		"tar: drive letter":          {data: tarWith(t, tar.Header{Name: "C:/run/a"}, "x"), code: "entry_path_escapes", says: "drive letter"},
		"tar: backslash":             {data: tarWith(t, tar.Header{Name: `run\..\a`}, "x"), code: "entry_path_escapes", says: "backslash"},
		"tar: symbolic link":         {data: tarWith(t, tar.Header{Name: "run/a", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"}, ""), code: "entry_not_a_file", says: "a link"},
		"tar: hard link":             {data: tarWith(t, tar.Header{Name: "run/a", Typeflag: tar.TypeLink, Linkname: "run/profile_export.jsonl"}, ""), code: "entry_not_a_file", says: "a link"},
		"tar: character device":      {data: tarWith(t, tar.Header{Name: "run/a", Typeflag: tar.TypeChar}, ""), code: "entry_not_a_file", says: "device"},
		"tar: pipe":                  {data: tarWith(t, tar.Header{Name: "run/a", Typeflag: tar.TypeFifo}, ""), code: "entry_not_a_file", says: "pipe"},
		"tar: twice the same name":   {data: tarWith(t, tar.Header{Name: "./run/profile_export.jsonl"}, "x"), code: "entry_duplicate", says: "profile_export.jsonl"},
		"tar: control character":     {data: tarWith(t, tar.Header{Name: "run/a\x01b"}, "x"), code: "entry_name_bad", says: "control"},
		"tar: name too long":         {data: tarWith(t, tar.Header{Name: "run/" + strings.Repeat("a", 2000)}, "x"), code: "entry_name_bad", says: "1024"},
		"tar: too many folders":      {data: tarWith(t, tar.Header{Name: strings.Repeat("a/", 70) + "b"}, "x"), code: "entry_name_bad", says: "64"},
		"tar: sparse":                {data: sparseTape(t), code: "entry_not_a_file", says: "sparse"},
		"tar: too many entries":      {data: packTarGz(t, manyEntries), kind: fault.TooLarge, code: "too_many_entries", says: "10000"},
		"tar: bomb":                  {data: tarWith(t, tar.Header{Name: "run/zeros"}, strings.Repeat("\x00", 4<<20)), limit: bounds{limits: evidence.Limits{Received: 64 * mebibyte, Expanded: mebibyte, Entries: 100, Depth: 64}}, kind: fault.TooLarge, code: "expanded_too_large", says: "1 MiB"},
		"tar: cut":                   {data: truncated[:len(truncated)/2], code: "archive_truncated", says: "copy the file again"},
		"tar: one byte changed":      {data: flipped(truncated, len(truncated)/2), code: "archive_damaged", says: "damaged"},
		"zip: up and out":            {data: zipWith(t, zipMode("../a", 0o644), ""), code: "entry_path_escapes", says: ".."},
		"zip: absolute":              {data: zipWith(t, zipMode("/a", 0o644), ""), code: "entry_path_escapes", says: "absolute"},
		"zip: backslash":             {data: zipWith(t, zipMode(`run\a`, 0o644), ""), code: "entry_path_escapes", says: "backslash"},
		"zip: link":                  {data: zipWith(t, zipMode("run/a", fs.ModeSymlink|0o777), ""), code: "entry_not_a_file", says: "a link"},
		"zip: device":                {data: zipWith(t, zipMode("run/a", fs.ModeDevice|0o600), ""), code: "entry_not_a_file", says: "device"},
		"zip: twice the same name":   {data: zipWith(t, zipMode("run/profile_export.jsonl", 0o644), ""), code: "entry_duplicate", says: "two entries"},
		"zip: encrypted":             {data: zipWith(t, zip.FileHeader{Name: "run/a", Flags: 1}, ""), code: "entry_encrypted", says: "without a password"},
		"zip: unknown compression":   {data: zipWith(t, zip.FileHeader{Name: "run/a", Method: 93}, ""), kind: fault.Unsupported, code: "compression_unsupported", says: "method 93"},
		"zip: too many entries":      {data: packZip(t, manyEntries), kind: fault.TooLarge, code: "too_many_entries", says: "10000"},
		"zip: huge directory":        {data: hugeDirectory(t), kind: fault.TooLarge, code: "too_many_entries", says: "10000"},
		"zip: says it is too large":  {data: zipWith(t, zip.FileHeader{Name: "run/a", UncompressedSize64: 2 << 30}, ""), kind: fault.TooLarge, code: "expanded_too_large", says: "1024 MiB"},
		"zip: holds more than said":  {data: liar(t), code: "archive_damaged", says: "lies.jsonl"},
		"zip: cut":                   {data: packZip(t, madeUp(t, small))[:900], code: "archive_truncated", says: "copy the file again"},
		"no run inside":              {data: packZip(t, []member{{"notes.txt", []byte("hello")}}), code: "no_aiperf_run", says: "1 files"},
		"an archive inside":          {data: packZip(t, []member{{"run.tar.gz", packTarGz(t, madeUp(t, small))}}), code: "no_aiperf_run", says: "another archive"},
		"received one byte too much": {data: packZip(t, madeUp(t, small)), limit: bounds{limits: evidence.Limits{Received: 100, Expanded: mebibyte, Entries: 10, Depth: 64}}, kind: fault.TooLarge, code: "file_too_large", says: "100"},
		"not an archive":             {data: []byte(strings.Repeat("no archive ", 100)), code: "not_an_archive", says: "tar czf"},
		"a line too long":            {data: packTarGz(t, []member{{"run/profile_export.jsonl", append([]byte(`{"metadata":{},"metrics":{},"x":"`), bytes.Repeat([]byte{'a'}, 17<<20)...)}}), kind: fault.TooLarge, code: "line_too_long", says: "line 1"},
		"records nested too deep":    {data: packTarGz(t, []member{{"run/profile_export.jsonl", []byte(`{"metadata":{},"metrics":{},"x":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + "}\n")}}), code: "nested_too_deep", says: "64"},
		"summary nested too deep":    {data: packTarGz(t, []member{{"run/profile_export_aiperf.json", []byte(`{"aiperf_version":"0.13.0","x":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + "}")}}), code: "nested_too_deep", says: "64"},
		"summary too large":          {data: packTarGz(t, []member{{"run/profile_export_aiperf.json", append([]byte(`{"aiperf_version":"0.13.0","x":"`), bytes.Repeat([]byte{'a'}, 17<<20)...)}}), kind: fault.TooLarge, code: "document_too_large", says: "16 MiB"},
		"summary is no JSON":         {data: packTarGz(t, []member{{"run/profile_export_aiperf.json", []byte(`{"aiperf_version":"0.13.0",`)}}), code: "summary_unreadable", says: "profile_export_aiperf.json"},
	}
	for name, one := range cases {
		t.Run(name, func(t *testing.T) {
			limit := one.limit
			if limit.limits == (evidence.Limits{}) {
				limit = bounds{limits: limits, budget: retainedBudget}
			}
			captures, err := readBounded(one.data, limit)
			if err == nil {
				t.Fatalf("it was accepted with %d captures", len(captures))
			}
			said := fault.Of(err)
			kind := one.kind
			if kind == "" {
				kind = fault.Invalid
			}
			if said.Kind != kind || said.Code != one.code {
				t.Errorf("refused as %s %s (%v), want %s %s", said.Kind, said.Code, err, kind, one.code)
			}
			if !strings.Contains(said.Error(), one.says) {
				t.Errorf("%q doesn't say %q", said.Error(), one.says)
			}
			if said.Hint == "" && one.code != "file_too_large" {
				t.Errorf("%q names no remedy", said.Error())
			}
		})
	}
}

// sparseTape holds one file that claims a tebibyte of holes.
func sparseTape(t testing.TB) []byte {
	t.Helper()
	block := tapeStart(t, 0)
	copy(block[156:], "S")               // the type
	copy(block[257:], "ustar  \x00")     // GNU's magic
	copy(block[483:], "20000000000\x00") // the real size, in octal
	copy(block[148:], "        ")
	var sum int
	for _, b := range block {
		sum += int(b)
	}
	copy(block[148:], fmt.Sprintf("%06o\x00 ", sum))
	return append(block, make([]byte, 1024)...)
}

func flipped(data []byte, at int) []byte {
	changed := bytes.Clone(data)
	changed[at] ^= 0x55
	return changed
}

// hugeDirectory is a zip whose end record counts few entries while its
// directory holds 200,000.
func hugeDirectory(t testing.TB) []byte {
	t.Helper()
	var entry, out bytes.Buffer
	entry.WriteString("PK\x01\x02")
	entry.Write(make([]byte, 42))
	binary.LittleEndian.PutUint16(entry.Bytes()[28:], 1)
	entry.WriteByte('a')
	out.WriteString("PK\x03\x04")
	out.Write(make([]byte, 600))
	start := out.Len()
	const count = 200_000
	out.Write(bytes.Repeat(entry.Bytes(), count))
	size := out.Len() - start
	end := append([]byte("PK\x05\x06"), make([]byte, 18)...)
	binary.LittleEndian.PutUint16(end[8:], count&0xffff)
	binary.LittleEndian.PutUint16(end[10:], count&0xffff)
	binary.LittleEndian.PutUint32(end[12:], uint32(size))
	binary.LittleEndian.PutUint32(end[16:], uint32(start))
	out.Write(end)
	return out.Bytes()
}

// liar is a zip whose records hold more than their header says.
func liar(t testing.TB) []byte {
	t.Helper()
	data := packZip(t, []member{{"run/lies.jsonl", bytes.Repeat([]byte("{\"metadata\":{},\"metrics\":{}}\n"), 100)}})
	// The directory's uncompressed size stands 24 bytes into its entry.
	at := bytes.LastIndex(data, []byte("PK\x01\x02"))
	binary.LittleEndian.PutUint32(data[at+24:], 50)
	return data
}

func TestExactlyTheExpandedLimitIsAccepted(t *testing.T) {
	tape := packTar(t, madeUp(t, small))
	limits := evidence.Limits{Received: mebibyte, Expanded: int64(len(tape)), Entries: 2, Depth: 64}
	if _, err := readBounded(gzipped(t, tape), bounds{limits: limits}); err != nil {
		t.Errorf("exactly the limits were refused: %v", err)
	}
	limits.Expanded--
	if _, err := readBounded(gzipped(t, tape), bounds{limits: limits}); !fault.Is(err, fault.TooLarge) {
		t.Errorf("one byte more than the limit gave %v", err)
	}
}

func TestABombStopsAtTheLimitWhateverItDeclares(t *testing.T) {
	// 2 GiB of zeros in 2 MB: reading must end at 1 GiB, and without growth.
	var packed bytes.Buffer
	block := gzipped(t, make([]byte, 64<<20))
	header := gzipped(t, tapeStart(t, 2<<30))
	packed.Write(header)
	for range 32 {
		packed.Write(block)
	}
	var err error
	grown := peak(func() { _, err = readAll(packed.Bytes(), evidence.ReadOptions{}) })
	if !fault.Is(err, fault.TooLarge) || fault.Of(err).Code != "expanded_too_large" {
		t.Errorf("the bomb gave %v", err)
	}
	if grown > 64 {
		t.Errorf("the heap grew by %.0f MiB", grown)
	}
}

// tapeStart is a tar header alone, for a file of the size.
func tapeStart(t testing.TB, size int64) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := tar.NewWriter(&out).WriteHeader(&tar.Header{Name: "run/zeros", Mode: 0o644, Size: size, Typeflag: tar.TypeReg}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestArchivesCutAnywhereAreRefusedOrReadWhole(t *testing.T) {
	members := madeUp(t, load{requests: 3, tokens: 4, seed: 5})
	for form, whole := range map[string][]byte{"tar.gz": packTarGz(t, members), "zip": packZip(t, members)} {
		for length := range whole {
			captures, err := readAll(whole[:length], evidence.ReadOptions{})
			if err == nil {
				t.Fatalf("%s: the first %d of %d bytes were accepted with %d captures", form, length, len(whole), len(captures))
			}
			if fault.Of(err).Kind != fault.Invalid {
				t.Fatalf("%s: the first %d bytes gave %v", form, length, err)
			}
		}
	}
	// A plain tar carries no checksum: where it ends between two entries, a
	// finding says so.
	tape := packTar(t, members)
	for length := 0; length < len(tape)-1024; length += 128 {
		captures, err := readAll(tape[:length], evidence.ReadOptions{})
		if err != nil {
			continue
		}
		for _, one := range captures {
			if _, ok := finding(one, "archive_unterminated"); !ok {
				t.Errorf("tar: the first %d of %d bytes were accepted without a word", length, len(tape))
			}
		}
	}
}

func TestReadingEndsWhenItIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, data := range [][]byte{packTarGz(t, madeUp(t, small)), packZip(t, madeUp(t, small))} {
		err := Format{}.Read(ctx, fileOf(data), evidence.ReadOptions{}, func(*evidence.Parsed) error { return nil })
		if err == nil {
			t.Error("a cancelled import went on")
		}
	}
}
