package chrometrace

import (
	"errors"
	"io"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"

	"kernelwake/internal/fault"
)

// damage counts what was wrong with a file and what was done about it.
type damage struct {
	// gaps counts stretches that were skipped, gapBytes what they hold,
	// firstGap where the first begins.
	gaps, gapBytes, firstGap int64
	// cutEvents counts events that the file ends in.
	cutEvents int64
	// otherElements counts elements of the array that are no objects.
	otherElements int64
	missingCommas int64
	// replacedEvents counts events of an array that a later one of the same
	// key replaced.
	replacedEvents int64
	// trailing counts bytes after the outermost value or the gzip file.
	trailing       int64
	incomplete     bool
	arrayNotClosed bool
	// checksum and truncated tell damage of the compressed stream.
	checksum, truncated, corrupt bool
}

func (d *damage) skip(from, to int64) {
	if d.gaps == 0 {
		d.firstGap = from
	}
	d.gaps++
	d.gapBytes += max(0, to-from)
}

// ofSource takes down damage of the compressed stream; a limit that was hit is
// an error.
func (d *damage) ofSource(err error) error {
	var limit *fault.Error
	var corrupt flate.CorruptInputError
	var behind trailingBytes
	switch {
	case errors.As(err, &limit):
		return err
	case errors.As(err, &behind):
		d.trailing += int64(behind)
	case errors.Is(err, gzip.ErrChecksum):
		d.checksum = true
	case errors.Is(err, io.ErrUnexpectedEOF):
		d.truncated = true
	case errors.Is(err, gzip.ErrHeader), errors.As(err, &corrupt):
		d.corrupt = true
	default:
		return fault.New(fault.Unavailable, "read_failed", "the file can't be read: %v", err).WithCause(err)
	}
	return nil
}
