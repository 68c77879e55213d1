// Package fs keeps blobs as files ab/cd/<sha256> of one folder. Bytes arrive
// in a temporary file of the same file system; keeping them is fsync, rename,
// fsync of the folder, so that a digest names either all of its bytes or
// nothing.
package fs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	iofs "io/fs"
	"os"
	"path/filepath"
	"strings"

	"kernelwake/internal/blob"
	"kernelwake/internal/fault"
)

// stagingFolder holds files on their way in; no digest begins with it.
const stagingFolder = "staging"

// Store keeps blobs in a folder.
type Store struct{ dir string }

// Open returns the store in a folder, which is made if it isn't there.
func Open(dir string) (*Store, error) {
	if err := os.MkdirAll(filepath.Join(dir, stagingFolder), 0o700); err != nil {
		return nil, fmt.Errorf("making the blob folder: %w", err)
	}
	return &Store{dir: dir}, nil
}

// path is where the bytes of a digest are; the digest must have been checked.
func (s *Store) path(digest string) string {
	return filepath.Join(s.dir, digest[:2], digest[2:4], digest)
}

// Stage opens a temporary file.
func (s *Store) Stage(context.Context) (blob.Stage, error) {
	file, err := os.CreateTemp(filepath.Join(s.dir, stagingFolder), "import-*")
	if err != nil {
		return nil, unavailable("making a temporary file", err)
	}
	return &stage{store: s, file: file, sum: sha256.New()}, nil
}

// Open returns the bytes of a digest.
func (s *Store) Open(_ context.Context, digest string) (blob.Content, error) {
	if !blob.IsDigest(digest) {
		return nil, missing(digest)
	}
	file, err := os.Open(s.path(digest))
	if errors.Is(err, iofs.ErrNotExist) {
		return nil, missing(digest)
	}
	if err != nil {
		return nil, unavailable("opening blob "+digest, err)
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, unavailable("opening blob "+digest, err)
	}
	return content{file, info.Size()}, nil
}

// Delete removes the bytes of a digest.
func (s *Store) Delete(_ context.Context, digest string) error {
	if !blob.IsDigest(digest) {
		return nil
	}
	if err := os.Remove(s.path(digest)); err != nil && !errors.Is(err, iofs.ErrNotExist) {
		return unavailable("removing blob "+digest, err)
	}
	return nil
}

// Each visits every digest kept.
func (s *Store) Each(ctx context.Context, visit func(digest string, size int64) error) error {
	return filepath.WalkDir(s.dir, func(path string, entry iofs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if entry.IsDir() {
			if entry.Name() == stagingFolder {
				return iofs.SkipDir
			}
			return nil
		}
		if !blob.IsDigest(entry.Name()) {
			return nil
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		return visit(entry.Name(), info.Size())
	})
}

// Clear removes temporary files left by a process that is gone.
func (s *Store) Clear(context.Context) (int, error) {
	entries, err := os.ReadDir(filepath.Join(s.dir, stagingFolder))
	if err != nil {
		return 0, fmt.Errorf("listing temporary files: %w", err)
	}
	for i, entry := range entries {
		if err := os.Remove(filepath.Join(s.dir, stagingFolder, entry.Name())); err != nil {
			return i, fmt.Errorf("removing a temporary file: %w", err)
		}
	}
	return len(entries), nil
}

// Writable writes and removes a small file.
func (s *Store) Writable(context.Context) error {
	file, err := os.CreateTemp(filepath.Join(s.dir, stagingFolder), "probe-*")
	if err != nil {
		return unavailable("writing to the blob folder", err)
	}
	defer os.Remove(file.Name())
	_, err = io.WriteString(file, strings.Repeat("x", 4096))
	if err := errors.Join(err, file.Close()); err != nil {
		return unavailable("writing to the blob folder", err)
	}
	return nil
}

type content struct {
	*os.File
	size int64
}

func (c content) Size() int64 { return c.size }

type stage struct {
	store *Store
	file  *os.File
	sum   hash.Hash
	size  int64
	ended bool
}

// Write appends to the temporary file.
func (s *stage) Write(p []byte) (int, error) {
	n, err := s.file.Write(p)
	s.sum.Write(p[:n])
	s.size += int64(n)
	if err != nil {
		return n, unavailable("writing a temporary file", err)
	}
	return n, nil
}

func (s *stage) ReadAt(p []byte, offset int64) (int, error) { return s.file.ReadAt(p, offset) }
func (s *stage) Size() int64                                { return s.size }
func (s *stage) Digest() string                             { return hex.EncodeToString(s.sum.Sum(nil)) }

// Keep moves the file to its place.
func (s *stage) Keep(context.Context) error {
	if s.ended {
		return errors.New("keeping a stage that has ended")
	}
	target := s.store.path(s.Digest())
	if info, err := os.Stat(target); err == nil && info.Size() == s.size {
		// Another import may have renamed it a moment ago and not synced yet.
		return errors.Join(s.store.syncFolders(target), s.Discard())
	}
	if err := s.file.Sync(); err != nil {
		return unavailable("syncing a temporary file", err)
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
		return unavailable("making a blob folder", err)
	}
	if err := os.Chmod(s.file.Name(), 0o400); err != nil {
		return unavailable("protecting a blob", err)
	}
	if err := os.Rename(s.file.Name(), target); err != nil {
		return unavailable("moving a blob into place", err)
	}
	s.ended = true
	s.file.Close()
	return s.store.syncFolders(target)
}

// syncFolders makes the new name, and the folders that may be new too,
// survive a crash.
func (s *Store) syncFolders(target string) error {
	inner := filepath.Dir(target)
	for _, dir := range []string{inner, filepath.Dir(inner), s.dir} {
		folder, err := os.Open(dir)
		if err != nil {
			return unavailable("syncing a blob folder", err)
		}
		err = folder.Sync()
		folder.Close()
		if err != nil {
			return unavailable("syncing a blob folder", err)
		}
	}
	return nil
}

// Discard removes the temporary file.
func (s *stage) Discard() error {
	if s.ended {
		return nil
	}
	s.ended = true
	return errors.Join(s.file.Close(), os.Remove(s.file.Name()))
}

func missing(digest string) error {
	return fault.New(fault.NotFound, "blob_missing", "no bytes are kept under digest %s", digest).
		WithHint("import the file again")
}

// unavailable tells what failed without telling where: paths go to the log.
func unavailable(doing string, err error) error {
	reason := err
	if path, ok := errors.AsType[*iofs.PathError](err); ok {
		reason = path.Err
	} else if link, ok := errors.AsType[*os.LinkError](err); ok {
		reason = link.Err
	}
	return fault.New(fault.Unavailable, "blob_store_unavailable", "%s: %v", doing, reason).
		WithCause(err).WithHint("check that the data folder's disk is there, writable and not full")
}
