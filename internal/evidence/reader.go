package evidence

import (
	"context"
	"io"

	"kernelwake/internal/lens"
)

// File is a spooled file to import.
type File struct {
	// Name is the file's name as it was sent; it is never trusted for facts.
	Name string
	// Bytes is the size; Content reads it from any place.
	Bytes   int64
	Content io.ReaderAt
}

// ReadOptions are a person's choices for an import.
type ReadOptions struct {
	// Lens chosen by the person; empty lets the importer suggest.
	Lens lens.ID
	// KeepSecrets leaves in the parsed form what would be redacted.
	KeepSecrets bool
	// Problems is how many problems a refusal lists at most; 0 leaves it to
	// the format.
	Problems int
}

// Format reads one kind of capture file.
type Format interface {
	// ID is the format id ("aiperf").
	ID() string
	// Importer is the id and version of the reader ("aiperf@1").
	Importer() string
	// Match reports whether the content is this format, from its first bytes
	// and, where they don't tell, from more of it. It never uses the name alone.
	Match(file File, head []byte) bool
	// Read parses the file and calls emit once for each capture in it, in a
	// stable order. An error from Read means that nothing is to be kept. Read
	// checks the format's Limits; memory is bounded by one capture.
	Read(ctx context.Context, file File, options ReadOptions, emit func(*Parsed) error) error
}
