package format

import (
	"errors"
	"fmt"
	"io"

	"kernelwake/internal/evidence"
	"kernelwake/internal/fault"
)

// headBytes is how much of a file is read to tell its format; formats read
// more where that doesn't tell.
const headBytes = 64 << 10

// Detect returns the format that reads the file, told from its content. A file
// over a limit is refused before more than its head is read, one that nothing
// reads is refused by what it looks like.
func Detect(file evidence.File) (evidence.Format, error) {
	if err := checkLargest(file); err != nil {
		return nil, err
	}
	if file.Bytes == 0 {
		return nil, fault.New(fault.Invalid, "file_empty", "%s is empty", named(file)).
			WithHint("check that the recording finished and was copied whole")
	}
	head, err := readHead(file)
	if err != nil {
		return nil, err
	}
	for _, format := range All {
		if format.Match(file, head) {
			return format, evidence.CheckReceived(format.ID(), file.Bytes)
		}
	}
	return nil, unknown(file, head)
}

// Find returns the format with the id.
func Find(id string) (evidence.Format, bool) {
	for _, format := range All {
		if format.ID() == id {
			return format, true
		}
	}
	return nil, false
}

func checkLargest(file evidence.File) error {
	largest := evidence.LargestReceived()
	if file.Bytes <= largest {
		return nil
	}
	return fault.New(fault.TooLarge, "file_too_large", "%s has %d bytes, and the largest capture of any format may have %d (%d MiB)", named(file), file.Bytes, largest, largest>>20).
		WithHint("record a shorter run, or send a trace compressed with gzip")
}

func readHead(file evidence.File) ([]byte, error) {
	head := make([]byte, min(file.Bytes, headBytes))
	n, err := file.Content.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("reading the head of %s: %w", named(file), err)
	}
	return head[:n], nil
}

func named(file evidence.File) string {
	if file.Name == "" {
		return "the file"
	}
	return fmt.Sprintf("%q", file.Name)
}
