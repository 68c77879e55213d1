package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"kernelwake/internal/fault"
)

// Inspect opens the database in a file to read, whether a server uses it or
// not, and changes nothing in it.
func Inspect(ctx context.Context, path string) (*DB, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, fault.New(fault.NotFound, "database_missing", "there is no evidence database at %s", path).WithHint("check that this is a server's data folder")
	}
	read, err := sql.Open("sqlite", address(path, false))
	if err != nil {
		return nil, fmt.Errorf("opening the evidence database: %w", err)
	}
	read.SetMaxOpenConns(readers)
	if err := read.PingContext(ctx); err != nil {
		read.Close()
		return nil, unavailable(err)
	}
	return &DB{path: path, write: read, read: read, now: time.Now}, nil
}

// Integrity returns what the database itself finds wrong with its pages and
// references; nothing where all is well.
func (d *DB) Integrity(ctx context.Context) ([]string, error) {
	found, err := many(ctx, d.read, func(row scanner) (line string, err error) {
		err = row.Scan(&line)
		return line, err
	}, "PRAGMA integrity_check(20)")
	if err != nil {
		return nil, err
	}
	if len(found) == 1 && found[0] == "ok" {
		found = nil
	}
	broken, err := many(ctx, d.read, func(row scanner) (line string, err error) {
		var table, parent string
		var rowid sql.NullInt64
		var key int64
		err = row.Scan(&table, &rowid, &parent, &key)
		return fmt.Sprintf("row %d of %s refers to no row of %s", rowid.Int64, table, parent), err
	}, "PRAGMA foreign_key_check")
	return append(found, broken...), err
}

// SchemaVersion is the number of the last migration applied.
func (d *DB) SchemaVersion(ctx context.Context) (int64, error) {
	return scalar[int64](ctx, d.read, "SELECT MAX(version_id) FROM goose_db_version")
}

// Snapshot writes a copy of the database, as of one moment, to a file that
// isn't there yet. Writers go on meanwhile.
func (d *DB) Snapshot(ctx context.Context, path string) error {
	// A connection that may write: a reader's refuses to write even the copy.
	from, err := sql.Open("sqlite", address(d.path, true))
	if err != nil {
		return fmt.Errorf("opening the evidence database: %w", err)
	}
	defer from.Close()
	if _, err := from.ExecContext(ctx, "VACUUM INTO $1", path); err != nil {
		return fault.New(fault.Unavailable, "snapshot_failed", "the evidence database can't be copied to %s: %v", path, err).
			WithCause(err).WithHint("check that the disk is writable and not full")
	}
	return nil
}
