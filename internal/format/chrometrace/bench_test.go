package chrometrace

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"kernelwake/internal/evidence"
	"kernelwake/internal/sampledir"
	"kernelwake/internal/trace"
)

// largest are the two samples of 33 MiB of JSON.
var largest = []string{"not-comparable/a100-world8-rank3.json.gz", "kineto-resnet50-v100/workers0.pt.trace.json.gz"}

func sampleBytes(b *testing.B, name string) []byte {
	b.Helper()
	data, err := os.ReadFile(filepath.Join(sampledir.Find(b), "traces", name))
	if err != nil {
		b.Fatal(err)
	}
	return data
}

// expandedSize is how many bytes of JSON a gzip file holds.
func expandedSize(b *testing.B, data []byte) int64 {
	b.Helper()
	unzipped, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		b.Fatal(err)
	}
	size, err := io.Copy(io.Discard, unzipped)
	if err != nil {
		b.Fatal(err)
	}
	return size
}

// BenchmarkReadAndAnalyse is bytes of a file to figures and signature.
func BenchmarkReadAndAnalyse(b *testing.B) {
	for _, name := range largest {
		b.Run(filepath.Dir(name), func(b *testing.B) {
			data := sampleBytes(b, name)
			b.SetBytes(expandedSize(b, data))
			b.ReportAllocs()
			for b.Loop() {
				r, err := readBytes(b, data)
				if err != nil {
					b.Fatal(err)
				}
				if a := trace.Analyse(r.t); a.Figures.GPUEvents == 0 {
					b.Fatal("no GPU events")
				}
			}
		})
	}
}

// BenchmarkRead is reading alone.
func BenchmarkRead(b *testing.B) {
	for _, name := range largest {
		b.Run(filepath.Dir(name), func(b *testing.B) {
			data := sampleBytes(b, name)
			b.SetBytes(expandedSize(b, data))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := readBytes(b, data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkBareTokenScan is what reading is held against: the same bytes
// decompressed and cut into JSON tokens, and nothing made of them.
func BenchmarkBareTokenScan(b *testing.B) {
	for _, name := range largest {
		b.Run(filepath.Dir(name), func(b *testing.B) {
			data := sampleBytes(b, name)
			b.SetBytes(expandedSize(b, data))
			b.ReportAllocs()
			for b.Loop() {
				scanTokens(b, data)
			}
		})
	}
}

func scanTokens(b *testing.B, data []byte) {
	b.Helper()
	source, err := expand(bytes.NewReader(data), int64(len(data)), evidence.LimitsOf[evidence.FormatChromeTrace].Expanded)
	if err != nil {
		b.Fatal(err)
	}
	decoder := jsontext.NewDecoder(source)
	for {
		if _, err := decoder.ReadToken(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			b.Fatal(err)
		}
	}
}
