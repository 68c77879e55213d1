package expected

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"kernelwake/internal/evidence"
	"kernelwake/internal/format"
	"kernelwake/internal/lens"
)

// readSample imports a recorded sample: a file, or a folder as the archive that
// a person would make of it. Captures are told apart by selector.
func readSample(root, path string, id lens.ID) ([]evidence.CaptureEvidence, error) {
	full := filepath.Join(root, filepath.FromSlash(path))
	info, err := os.Stat(full)
	if err != nil {
		return nil, err
	}
	var data []byte
	name := filepath.Base(full)
	if info.IsDir() {
		name += ".zip"
		data, err = zipped(full)
	} else {
		data, err = os.ReadFile(full)
	}
	if err != nil {
		return nil, fmt.Errorf("reading sample %s: %w", path, err)
	}
	file := evidence.File{Name: name, Bytes: int64(len(data)), Content: bytes.NewReader(data)}
	found, err := format.Detect(file)
	if err != nil {
		return nil, fmt.Errorf("telling the format of sample %s: %w", path, err)
	}
	var captures []evidence.CaptureEvidence
	err = found.Read(context.Background(), file, evidence.ReadOptions{Lens: id}, func(p *evidence.Parsed) error {
		c, err := captured(p)
		c.SHA256 = evidence.Digest(data)
		captures = append(captures, c)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("importing sample %s: %w", path, err)
	}
	return captures, nil
}

// captured gives a parsed form its digest.
func captured(p *evidence.Parsed) (evidence.CaptureEvidence, error) {
	encoded, err := p.Encode()
	if err != nil {
		return evidence.CaptureEvidence{}, fmt.Errorf("encoding %s: %w", p.Name, err)
	}
	return evidence.CaptureEvidence{ID: p.Name, ParsedSHA256: evidence.Digest(encoded), Parsed: p}, nil
}

// pick keeps the captures whose selector holds a text.
func pick(captures []evidence.CaptureEvidence, text string) []evidence.CaptureEvidence {
	if text == "" {
		return captures
	}
	var kept []evidence.CaptureEvidence
	for _, c := range captures {
		if strings.Contains(c.Selector, text) || strings.Contains(c.Name, text) {
			kept = append(kept, c)
		}
	}
	return kept
}
