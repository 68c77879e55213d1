package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	iofs "io/fs"
	"os"
	"path/filepath"

	"kernelwake/internal/blob"
	"kernelwake/internal/blob/fs"
	"kernelwake/internal/evidence"
	"kernelwake/internal/fault"
	"kernelwake/internal/sqlstore"
)

// Copied says what a backup or a restore holds.
type Copied struct {
	Folder   string `json:"folder"`
	Captures int64  `json:"captures"`
	Blobs    int64  `json:"blobs"`
	Bytes    int64  `json:"bytes"`
}

// Backup copies a data folder, as of one moment, into a folder that is empty
// or not there. A server on it may go on. Bytes are linked where the target is
// on the same disk: they never change.
func Backup(ctx context.Context, data, into string) (Copied, error) {
	records, err := sqlstore.Inspect(ctx, filepath.Join(data, databaseFile))
	if err != nil {
		return Copied{}, err
	}
	defer records.Close()
	if err := emptyFolder(into); err != nil {
		return Copied{}, err
	}
	// Bytes before the snapshot, so that what is removed meanwhile is still
	// here; those that came in meanwhile after it.
	from, err := fs.Open(filepath.Join(data, blobsFolder))
	if err != nil {
		return Copied{}, err
	}
	copier := copier{from: filepath.Join(data, blobsFolder), into: filepath.Join(into, blobsFolder), linking: true}
	err = from.Each(ctx, func(digest string, _ int64) error {
		if err := copier.copy(digest); !errors.Is(err, iofs.ErrNotExist) {
			return err
		}
		return nil // removed a moment ago
	})
	if err != nil {
		return Copied{}, err
	}
	if err := records.Snapshot(ctx, filepath.Join(into, databaseFile)); err != nil {
		return Copied{}, err
	}
	return copier.complete(ctx, into)
}

// Restore makes a data folder of a backup, checking every byte it holds.
func Restore(ctx context.Context, from, data string) (Copied, error) {
	if _, err := os.Stat(filepath.Join(from, databaseFile)); err != nil {
		return Copied{}, fault.New(fault.NotFound, "backup_missing", "%s holds no backup: %v", from, err).WithHint("give the folder that `backup` wrote")
	}
	if err := emptyFolder(data); err != nil {
		return Copied{}, err
	}
	if err := copyFile(filepath.Join(from, databaseFile), filepath.Join(data, databaseFile)); err != nil {
		return Copied{}, err
	}
	copier := copier{from: filepath.Join(from, blobsFolder), into: filepath.Join(data, blobsFolder)}
	copied, err := copier.complete(ctx, data)
	if err != nil {
		return copied, err
	}
	restored, err := fs.Open(filepath.Join(data, blobsFolder))
	if err != nil {
		return copied, err
	}
	_, err = blob.Scrub(ctx, restored, func(damage blob.Damage) {
		err = errors.Join(err, fmt.Errorf("blob %s: found %s, %w", damage.Digest, damage.Got, damage.Err))
	})
	if err != nil {
		return copied, fault.New(fault.Invalid, "backup_damaged", "the backup holds bytes that changed: %v", err).WithHint("use another backup")
	}
	return copied, nil
}

// copier brings blobs over, each once.
type copier struct {
	from, into string
	// linking hard-links where it can.
	linking bool
	copied  Copied
}

func (c *copier) copy(digest string) error {
	part := filepath.Join(digest[:2], digest[2:4])
	source, target := filepath.Join(c.from, part, digest), filepath.Join(c.into, part, digest)
	if _, err := os.Stat(target); err == nil {
		return nil
	}
	info, err := os.Stat(source)
	if err != nil {
		return fmt.Errorf("copying blob %s: %w", digest, err)
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
		return fmt.Errorf("copying blob %s: %w", digest, err)
	}
	c.copied.Blobs++
	c.copied.Bytes += info.Size()
	if c.linking && os.Link(source, target) == nil {
		return nil
	}
	return copyFile(source, target)
}

// complete brings over every blob that a capture of the copied database names.
func (c *copier) complete(ctx context.Context, folder string) (Copied, error) {
	records, err := sqlstore.Inspect(ctx, filepath.Join(folder, databaseFile))
	if err != nil {
		return c.copied, err
	}
	defer records.Close()
	var failed error
	err = records.EachDigest(ctx, func(captureID string, p evidence.Provenance) {
		c.copied.Captures++
		for _, digest := range []string{p.SHA256, p.ParsedSHA256} {
			if err := c.copy(digest); err != nil && failed == nil {
				failed = fault.New(fault.Invalid, "bytes_lost", "the bytes of capture %s aren't there: %v", captureID, err).
					WithHint("run `doctor` on the folder they should be in")
			}
		}
	})
	c.copied.Folder = folder
	return c.copied, errors.Join(err, failed)
}

func emptyFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("making %s: %w", dir, err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("reading %s: %w", dir, err)
	}
	if len(entries) > 0 {
		return fault.New(fault.Conflict, "folder_not_empty", "%s is not empty", dir).WithHint("choose a folder that is empty or not there")
	}
	return nil
}

func copyFile(source, target string) (err error) {
	from, err := os.Open(source)
	if err != nil {
		return fmt.Errorf("copying %s: %w", source, err)
	}
	defer from.Close()
	into, err := os.OpenFile(target, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("copying %s: %w", source, err)
	}
	_, err = io.Copy(into, from)
	if err := errors.Join(err, into.Sync(), into.Close()); err != nil {
		return fmt.Errorf("copying %s: %w", source, err)
	}
	return nil
}
