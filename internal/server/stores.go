package server

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"kernelwake/internal/blob/fs"
	"kernelwake/internal/fault"
	"kernelwake/internal/sqlstore"
)

// The names inside a data folder.
const (
	databaseFile  = "kernelwake.db"
	blobsFolder   = "blobs"
	pendingFolder = "pending"
	addressFile   = "address"
	lockFile      = "lock"
)

// stores are the embedded stores of a data folder.
type stores struct {
	dir     string
	records *sqlstore.DB
	blobs   *fs.Store
	lock    *os.File
}

// openStores opens a data folder, made where there is none, for one server:
// a second one is refused.
func openStores(ctx context.Context, dir string) (*stores, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fault.New(fault.Unavailable, "data_folder_unavailable", "the data folder %s can't be made: %v", dir, err).WithCause(err).
			WithHint("choose another with --data DIR")
	}
	lock, err := lockFolder(filepath.Join(dir, lockFile))
	if err != nil {
		return nil, err
	}
	records, err := sqlstore.Open(ctx, filepath.Join(dir, databaseFile))
	if err != nil {
		lock.Close()
		return nil, fmt.Errorf("opening the data folder %s: %w", dir, err)
	}
	blobs, err := fs.Open(filepath.Join(dir, blobsFolder))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("opening the data folder %s: %w", dir, err), records.Close(), lock.Close())
	}
	return &stores{dir: dir, records: records, blobs: blobs, lock: lock}, nil
}

func (s *stores) close() error {
	return errors.Join(s.records.Close(), s.lock.Close())
}
