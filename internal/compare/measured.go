package compare

import (
	"crypto/sha256"
	"encoding/hex"

	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
)

// measuredCapture is a capture with its statistics, computed when first asked
// for and kept.
type measuredCapture struct {
	evidence.CaptureEvidence
	kept *kept
}

type kept struct {
	lens         lens.Lens
	measurements map[string]evidence.Measurement
	// good are each outcome's ordered good samples.
	good map[string][]float64
}

func measure(c evidence.CaptureEvidence, l lens.Lens) measuredCapture {
	return measuredCapture{c, &kept{lens: l, good: map[string][]float64{}}}
}

// measurement returns a statistic by its metric id.
func (c measuredCapture) measurement(metric string) (evidence.Measurement, bool) {
	if c.kept.measurements == nil {
		c.kept.measurements = map[string]evidence.Measurement{}
		for _, m := range evidence.MeasureAll(c.Parsed, c.kept.lens) {
			c.kept.measurements[m.Metric] = m
		}
	}
	m, ok := c.kept.measurements[metric]
	return m, ok
}

// samplesOf returns the ordered good samples of an outcome.
func (c measuredCapture) samplesOf(o evidence.Outcome) []float64 {
	key := evidence.MetricID(o.Name, o.Phase, "")
	samples, ok := c.kept.good[key]
	if !ok {
		samples = o.Good()
		c.kept.good[key] = samples
	}
	return samples
}

// digest returns the capture's parsed digest as bytes.
func (c measuredCapture) digest() [sha256.Size]byte {
	var digest [sha256.Size]byte
	if raw, err := hex.DecodeString(c.ParsedSHA256); err == nil && len(raw) == sha256.Size {
		copy(digest[:], raw)
		return digest
	}
	encoded, err := c.Encode()
	if err != nil {
		return digest
	}
	return sha256.Sum256(encoded)
}
