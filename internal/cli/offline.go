package cli

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"kernelwake/internal/evidence"
	"kernelwake/internal/fault"
	"kernelwake/internal/format"
	"kernelwake/internal/lens"
)

// localCapture is a capture of a file on this machine.
type localCapture struct {
	path string
	evidence.CaptureEvidence
}

// withFile opens a capture file and hands it on.
func withFile(path string, use func(evidence.File) error) error {
	file, err := os.Open(path)
	if err != nil {
		return unreadable(path, err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return unreadable(path, err)
	}
	if !info.Mode().IsRegular() {
		return fault.New(fault.Invalid, "no_regular_file", "%s is no regular file", path).WithHint("name a capture file")
	}
	return use(evidence.File{Name: filepath.Base(path), Bytes: info.Size(), Content: file})
}

// digestOf is the SHA-256 of a file's bytes, in hex.
func digestOf(file evidence.File) (string, error) {
	sum := sha256.New()
	if _, err := io.Copy(sum, io.NewSectionReader(file.Content, 0, file.Bytes)); err != nil {
		return "", fmt.Errorf("reading %s: %w", file.Name, err)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// readCaptures reads the captures of a file.
func readCaptures(ctx context.Context, path string, options evidence.ReadOptions) ([]localCapture, error) {
	var captures []localCapture
	err := withFile(path, func(file evidence.File) error {
		detected, err := format.Detect(file)
		if err != nil {
			return about(path, err)
		}
		digest, err := digestOf(file)
		if err != nil {
			return err
		}
		return about(path, detected.Read(ctx, file, options, func(p *evidence.Parsed) error {
			encoded, err := p.Encode()
			if err != nil {
				return fmt.Errorf("encoding the parsed form: %w", err)
			}
			// What a server would compare: the parsed form without what only
			// screens draw, by far the most of a trace.
			compared, _, err := evidence.DecodeOutcomes(bytes.NewReader(encoded))
			if err != nil {
				return fmt.Errorf("reading the parsed form back: %w", err)
			}
			captures = append(captures, localCapture{path: path, CaptureEvidence: evidence.CaptureEvidence{SHA256: digest, ParsedSHA256: evidence.Digest(encoded), Parsed: compared}})
			return nil
		}))
	})
	return captures, err
}

// readAll reads the captures of many files, in the order named. Files that a
// folder brought along and that are no captures are left out and told.
func (c *call) readAll(words []string, chosen lens.ID) ([]localCapture, error) {
	files, err := expand(words)
	if err != nil {
		return nil, err
	}
	var captures []localCapture
	var skipped []string
	for i, file := range files {
		c.progress("reading %s (%d of %d)", file.path, i+1, len(files))
		read, err := readCaptures(c.ctx, file.path, evidence.ReadOptions{Lens: chosen})
		if file.folder && noCapture(err) {
			skipped = append(skipped, file.path)
			continue
		}
		if err != nil {
			c.progress("")
			return nil, err
		}
		captures = append(captures, read...)
	}
	c.progress("")
	if len(captures) == 0 {
		return nil, fault.New(fault.Invalid, "no_capture", "none of %s is a capture", strings.Join(words, ", ")).
			WithHint("`graphsignal-server capture check FILE` says what is wrong with one")
	}
	if len(skipped) > 0 {
		c.note("left out, being no captures: %s", strings.Join(skipped, ", "))
	}
	return captures, nil
}

// noCapture reports whether a file was refused as one that no format reads.
func noCapture(err error) bool {
	return fault.Is(err, fault.Unsupported)
}

// progress shows what is being done where a person looks on; empty clears it.
func (c *call) progress(format string, args ...any) {
	if !c.errTerminal {
		return
	}
	fmt.Fprint(c.err, "\r\x1b[K")
	if format != "" {
		fmt.Fprint(c.err, clip(plain(fmt.Sprintf(format, args...)), c.width-1))
	}
}

// about names the file that a failure speaks of.
func about(path string, err error) error {
	var known *fault.Error
	if err == nil || !errors.As(err, &known) {
		return err
	}
	base := filepath.Base(path)
	if strings.Contains(known.Message, base) {
		return err
	}
	named := *known
	named.Message = path + ": " + known.Message
	return &named
}

// runsOf groups captures into runs by the rule of an import.
func runsOf(captures []localCapture) []evidence.RunEvidence {
	placed := make([]evidence.Placed, len(captures))
	for i, capture := range captures {
		placed[i] = evidence.PlacedOf(capture.path, capture.Parsed)
	}
	groups := evidence.Launches(placed)
	perFile := map[string]int{}
	for _, group := range groups {
		perFile[captures[group[0]].path]++
	}
	runs := make([]evidence.RunEvidence, len(groups))
	taken := map[string]bool{}
	for i, group := range groups {
		first := captures[group[0]]
		cell := ""
		if len(group) == 1 && perFile[first.path] > 1 {
			cell = first.Cell
		}
		run := evidence.RunEvidence{Name: evidence.RunName("", first.path, cell), Group: first.Group}
		if taken[run.Name] {
			run.Name = fmt.Sprintf("%s (%d)", run.Name, i+1)
		}
		taken[run.Name] = true
		for _, index := range group {
			run.Captures = append(run.Captures, captures[index].CaptureEvidence)
		}
		runs[i] = run
	}
	return runs
}

// detects is why no format reads a file; nil where one does.
func detects(path string) error {
	return withFile(path, func(file evidence.File) error {
		_, err := format.Detect(file)
		return err
	})
}
