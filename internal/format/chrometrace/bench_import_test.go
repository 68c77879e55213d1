package chrometrace

import (
	"testing"
	"time"

	"kernelwake/internal/evidence"
)

// BenchmarkImport is bytes of a file to the stored parsed form: what an import
// does between spool and store.
func BenchmarkImport(b *testing.B) {
	for _, name := range largest {
		b.Run(name, func(b *testing.B) {
			data := sampleBytes(b, name)
			b.SetBytes(expandedSize(b, data))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := parse(b, name, data, evidence.ReadOptions{}).Encode(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkImportAgainstBareScan reports how many bare token scans an import
// costs, the two taken in turns so that a busy machine slows both.
func BenchmarkImportAgainstBareScan(b *testing.B) {
	for _, name := range largest {
		b.Run(name, func(b *testing.B) {
			data := sampleBytes(b, name)
			var imports, scans time.Duration
			for b.Loop() {
				begun := time.Now()
				if _, err := parse(b, name, data, evidence.ReadOptions{}).Encode(); err != nil {
					b.Fatal(err)
				}
				between := time.Now()
				scanTokens(b, data)
				imports, scans = imports+between.Sub(begun), scans+time.Since(between)
			}
			b.ReportMetric(float64(imports)/float64(scans), "bare-scans/op")
		})
	}
}
