package kwcap

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kernelwake/internal/evidence"
	"kernelwake/internal/format/formattest"
)

func sample(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func compressed(t testing.TB, data []byte) []byte {
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

func suite(t testing.TB) formattest.Suite {
	var all formattest.Suite
	all.Format, all.Golden = Format{}, filepath.Join("testdata", "golden")
	for _, name := range []string{"inference.kwcap.json", "training.kwcap.json", "fleet.kwcap.json"} {
		all.Samples = append(all.Samples, formattest.Sample{Name: name, Data: bytes.TrimSpace(sample(t, name))})
	}
	all.Samples = append(all.Samples, formattest.Sample{Name: "inference.kwcap.json.gz", Data: compressed(t, sample(t, "inference.kwcap.json"))})
	training := string(sample(t, "training.kwcap.json"))
	for _, bad := range []struct{ name, old, new, code string }{
		{"another version", `"version": "1.0"`, `"version": "2.0"`, "unsupported_version"},
		{"a later minor version", `"version": "1.0"`, `"version": "1.1"`, "unsupported_version"},
		{"another schema", `"kernelwake.capture"`, `"kernelwake.bundle"`, "wrong_format"},
		{"null", `"init": {"v": "random", "src": "declared"}`, `"init": null`, "null_value"},
		{"NaN", `[87, 89, 93.5, 93]`, `[87, NaN, 93.5, 93]`, "not_finite"},
		{"Infinity", `[87, 89, 93.5, 93]`, `[87, 89, -Infinity, 93]`, "not_finite"},
		{"a number beyond float64", `93.5`, `1e999`, "out_of_range"},
		{"an integer beyond 2^53", `93.5`, `9007199254740993`, "integer_too_large"},
		{"a duplicate key", `"lens": "training",`, `"lens": "training", "lens": "training",`, "duplicate_key"},
		{"a key in another case", `"lens": "training",`, `"lens": "training", "LENS": "fleet",`, "unknown_field"},
		{"a byte order mark", `{`, "\ufeff{", "byte_order_mark"},
		{"bad UTF-8", `random`, "r\xffndom", "bad_utf8"},
		{"a lone surrogate", `random`, `r\ud800ndom`, "lone_surrogate"},
		{"a control character", `random`, "r\x01ndom", "syntax"},
		{"a comma at the end", `"attempt": 1,`, `"attempt": 1,,`, "syntax"},
	} {
		first := 1
		all.Refused = append(all.Refused, formattest.Refused{Sample: formattest.Sample{Name: bad.name, Data: []byte(strings.Replace(training, bad.old, bad.new, first))}, Code: bad.code})
	}
	deep := strings.Replace(training, `"excluded"`, `"ext": {"org.example": `+strings.Repeat("[", 15)+strings.Repeat("]", 15)+`}, "excluded"`, 1)
	all.Refused = append(all.Refused,
		formattest.Refused{Sample: formattest.Sample{Name: "17 levels", Data: []byte(deep)}, Code: "too_deep"},
		formattest.Refused{Sample: formattest.Sample{Name: "trailing data", Data: []byte(training + "{}")}, Code: "trailing_data"},
		formattest.Refused{Sample: formattest.Sample{Name: "no schema", Data: []byte(strings.Replace(training, `"schema": "kernelwake.capture", `, "", 1))}, Code: "missing_field"},
		formattest.Refused{Sample: formattest.Sample{Name: "a bomb", Data: compressed(t, append([]byte(`{"schema":"kernelwake.capture"`), bytes.Repeat([]byte{' '}, 64<<20)...))}, Code: "expanded_too_large"},
	)
	all.Foreign = []formattest.Sample{
		{Name: "trace.json", Data: []byte(`{"schemaVersion":1,"traceEvents":[{"ph":"X","ts":1,"dur":2,"name":"schema"}]}`)},
		{Name: "trainer_state.json", Data: []byte(`{"log_history":[],"global_step":1}`)},
	}
	return all
}

func TestConformance(t *testing.T) { formattest.Run(t, suite(t)) }

func FuzzRead(f *testing.F) { formattest.Fuzz(f, suite(f)) }

func TestEveryPrefixIsRefused(t *testing.T) {
	for _, data := range [][]byte{bytes.TrimSpace(sample(t, "training.kwcap.json")), compressed(t, sample(t, "fleet.kwcap.json"))} {
		for length := range data {
			if _, err := formattest.Read(Format{}, "", data[:length]); err == nil {
				t.Fatalf("the first %d of %d bytes are accepted", length, len(data))
			}
		}
	}
}

func TestSixteenLevelsAreAccepted(t *testing.T) {
	training := string(sample(t, "training.kwcap.json"))
	deep := strings.Replace(training, `"excluded"`, `"ext": {"org.example": `+strings.Repeat("[", 14)+strings.Repeat("]", 14)+`}, "excluded"`, 1)
	if _, err := formattest.Read(Format{}, "", []byte(deep)); err != nil {
		t.Error(err)
	}
}

func TestExactlyTheLimitIsAccepted(t *testing.T) {
	data := bytes.TrimSpace(sample(t, "training.kwcap.json"))
	limit := evidence.LimitsOf[evidence.FormatKernelwake]
	full := append(bytes.Clone(data), bytes.Repeat([]byte{' '}, int(limit.Received)-len(data))...)
	if _, err := formattest.Read(Format{}, "", full); err != nil {
		t.Errorf("exactly %d bytes: %v", len(full), err)
	}
	expanded := append(bytes.Clone(data), bytes.Repeat([]byte{' '}, int(limit.Expanded)-len(data))...)
	if _, err := formattest.Read(Format{}, "", compressed(t, expanded)); err != nil {
		t.Errorf("gzip of exactly %d bytes: %v", len(expanded), err)
	}
	if _, err := formattest.Read(Format{}, "", compressed(t, append(expanded, ' '))); err == nil {
		t.Error("gzip of one byte more is accepted")
	}
}

func TestMatchFindsSchemaBehindALargeOutcome(t *testing.T) {
	values := strings.Repeat("1.5,", 1<<18) + "1"
	data := []byte(`{"created":"2026-01-01T00:00:00Z","x":[` + values + `],"schema":"kernelwake.capture"}`)
	if !(Format{}).Match(formattest.File("any", data), data[:64<<10]) {
		t.Error("it isn't recognised")
	}
	data = []byte(`{"created":"2026-01-01T00:00:00Z","x":[` + values + `],"schema":"1.1.1-chakra"}`)
	if (Format{}).Match(formattest.File("any", data), data[:64<<10]) {
		t.Error("another schema is taken for a capture")
	}
}
