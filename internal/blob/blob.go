// Package blob declares how exact bytes are kept: under the SHA-256 of what
// they are, written once, never changed. An import stages a file while it
// arrives, and keeps it once everything about it is known; blob/fs keeps them
// in a folder; blob/blobtest is the suite every store passes.
package blob

import (
	"context"
	"io"
)

// Store keeps bytes by their lower-case hexadecimal SHA-256.
type Store interface {
	// Stage opens a place for bytes whose digest isn't known yet.
	Stage(ctx context.Context) (Stage, error)
	// Open returns the bytes of a digest, or a fault of kind not_found.
	Open(ctx context.Context, digest string) (Content, error)
	// Delete removes the bytes of a digest; it is no error if there are none.
	Delete(ctx context.Context, digest string) error
	// Each calls visit with every digest kept, in no stated order, and stops
	// at its first error.
	Each(ctx context.Context, visit func(digest string, size int64) error) error
	// Clear removes what was staged and neither kept nor discarded, by a
	// process that is gone. Nothing may be staged while it runs.
	Clear(ctx context.Context) (removed int, err error)
	// Writable fails when nothing can be kept now, saying why.
	Writable(ctx context.Context) error
}

// Stage holds bytes on their way in. It can be read from any place once
// written. Exactly one of Keep and Discard ends it; Discard after Keep does
// nothing, so that it can be deferred.
type Stage interface {
	io.Writer
	io.ReaderAt
	// Size is how many bytes were written so far.
	Size() int64
	// Digest is the SHA-256 of the bytes written so far.
	Digest() string
	// Keep puts the bytes in place under their digest. When it returns
	// without error they survive a crash. Keeping what is already kept stores
	// nothing twice.
	Keep(ctx context.Context) error
	// Discard removes the bytes.
	Discard() error
}

// Content is kept bytes, open for reading.
type Content interface {
	io.Reader
	io.ReaderAt
	io.Seeker
	io.Closer
	Size() int64
}

// IsDigest reports whether text has the form of a digest. Nothing else ever
// becomes part of a file name.
func IsDigest(text string) bool {
	if len(text) != 64 {
		return false
	}
	for _, c := range []byte(text) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}
