package format

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"strings"

	"kernelwake/internal/evidence"
	"kernelwake/internal/fault"
)

// look is a sort of file that people have and no format reads, with what to do
// instead.
type look struct {
	// as completes "it looks like …".
	as string
	// remedy is the next action that helps.
	remedy string
}

const (
	writeCapture = "write a Kernelwake JSON capture from it with examples/kwcap.py"
	zipTheFolder = "zip the whole run folder of AIPerf (profile_export.jsonl, profile_export_aiperf.json and what stands beside them) and import the archive"
)

// names of the formats that are read, for people.
var readable = map[string]string{
	evidence.FormatAIPerf:      "AIPerf run folders (.zip, .tar.gz)",
	evidence.FormatChromeTrace: "Chrome or PyTorch traces (.json, .json.gz)",
	evidence.FormatKernelwake:  "Kernelwake JSON captures (.kwcap.json, .json.gz)",
}

// unknown refuses a file that no format reads, naming what it looks like.
func unknown(file evidence.File, head []byte) error {
	seen := recognise(head)
	var known []string
	for _, format := range All {
		known = append(known, readable[format.ID()])
	}
	return fault.New(fault.Unsupported, "unknown_format", "%s looks like %s; what is read: %s", named(file), seen.as, strings.Join(known, ", ")).
		WithHint("%s", seen.remedy)
}

// recognise names what a file looks like from its first bytes.
func recognise(head []byte) look {
	if bytes.HasPrefix(head, []byte{0x1f, 0x8b}) {
		inner := recognise(expandHead(head))
		inner.as = "a gzip file of " + strings.TrimPrefix(inner.as, "an unknown sort of file, ")
		return inner
	}
	if seen, ok := recogniseBinary(head); ok {
		return seen
	}
	if seen, ok := recogniseJSON(head); ok {
		return seen
	}
	return recogniseText(head)
}

// expandHead returns the first bytes of what a gzip file holds. The head may
// be cut anywhere, so what can be read counts and errors don't.
func expandHead(head []byte) []byte {
	reader, err := gzip.NewReader(bytes.NewReader(head))
	if err != nil {
		return nil
	}
	inner := make([]byte, headBytes)
	n, _ := io.ReadFull(reader, inner)
	return inner[:n]
}

var magics = []struct {
	magic string
	look
}{
	{"SQLite format 3\x00", look{"an SQLite database (nsys export or rocpd output)", "record the run with torch.profiler and import its trace, or " + writeCapture}},
	{"PK\x03\x04", look{"a zip archive without an AIPerf run in it", zipTheFolder}},
	{"PK\x05\x06", look{"an empty zip archive", zipTheFolder}},
	{"\x28\xb5\x2f\xfd", look{"a Zstandard file", "expand it with `zstd -d` and import what was in it, compressed with gzip if it is large"}},
	{"BZh", look{"a bzip2 file", "expand it with `bunzip2` and import what was in it"}},
	{"\xfd7zXZ\x00", look{"an xz file", "expand it with `unxz` and import what was in it"}},
	{"7z\xbc\xaf\x27\x1c", look{"a 7z archive", "expand it and import what was in it, run folders as .zip"}},
	{"\x89HDF\r\n", look{"an HDF5 file", writeCapture}},
	{"PAR1", look{"a Parquet file", "export it as CSV and use examples/converters/csv_samples.py"}},
	{"\x93NUMPY", look{"a NumPy array", writeCapture}},
	{"\x7fELF", look{"a program", "import what it recorded"}},
	{"%PDF-", look{"a PDF document", "import the recording behind it"}},
	{"\x89PNG", look{"a picture", "import the recording behind it"}},
	{"QDSTRM", look{"an Nsight Systems stream (.qdstrm)", "record the run with torch.profiler and import its trace"}},
	{"NVDA", look{"an Nsight report", "record the run with torch.profiler and import its trace"}},
}

func recogniseBinary(head []byte) (look, bool) {
	for _, known := range magics {
		if bytes.HasPrefix(head, []byte(known.magic)) {
			return known.look, true
		}
	}
	switch {
	case len(head) > 2 && head[0] == 0x80 && head[1] >= 2 && head[1] <= 5:
		return look{"a Python pickle, which is never read because reading it runs code", "export the trace as JSON (`export_chrome_trace`), or " + writeCapture}, true
	case len(head) > 262 && string(head[257:262]) == "ustar":
		return look{"a tar archive that isn't compressed", "compress it with gzip, or " + zipTheFolder}, true
	case bytes.Contains(head[:min(len(head), 64)], []byte("brain.Event:")):
		return look{"TensorBoard events", "export the scalars as CSV and use examples/converters/csv_samples.py"}, true
	case bytes.Contains(head[:min(len(head), 4096)], []byte("nsys")) && bytes.IndexByte(head, 0) >= 0:
		return look{"an Nsight Systems report (.nsys-rep)", "record the run with torch.profiler and import its trace, or " + writeCapture}, true
	case bytes.IndexByte(head, 0) >= 0:
		return look{fmt.Sprintf("an unknown sort of file, binary (first bytes % x)", head[:min(len(head), 8)]), writeCapture}, true
	}
	return look{}, false
}
