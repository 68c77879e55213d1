package compare

import (
	"crypto/sha256"
	"encoding/hex"

	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
)

// measuredCapture is a capture with its statistics, computed once.
type measuredCapture struct {
	evidence.CaptureEvidence
	measurements map[string]evidence.Measurement
}

func measure(c evidence.CaptureEvidence, l lens.Lens) measuredCapture {
	measured := measuredCapture{CaptureEvidence: c, measurements: map[string]evidence.Measurement{}}
	for _, m := range evidence.MeasureAll(c.Parsed, l) {
		measured.measurements[m.Metric] = m
	}
	return measured
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
