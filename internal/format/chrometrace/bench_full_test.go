package chrometrace

import (
	"testing"

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
