package sqlstore

import (
	"context"
	"crypto/rand"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"time"

	"github.com/pressly/goose/v3"
	_ "modernc.org/sqlite" // the database driver "sqlite"
)

//go:embed migrations
var migrations embed.FS

// readers is how many connections answer reads; SQLite takes one writer.
const readers = 4

// DB is the evidence database.
type DB struct {
	path        string
	write, read *sql.DB
	now         func() time.Time
	random      io.Reader
}

// Open opens the SQLite database in a file, made and brought up to date where
// needed.
func Open(ctx context.Context, path string) (*DB, error) {
	write, err := sql.Open("sqlite", address(path, true))
	if err != nil {
		return nil, fmt.Errorf("opening the evidence database: %w", err)
	}
	write.SetMaxOpenConns(1)
	read, err := sql.Open("sqlite", address(path, false))
	if err != nil {
		write.Close()
		return nil, fmt.Errorf("opening the evidence database: %w", err)
	}
	read.SetMaxOpenConns(readers)
	read.SetMaxIdleConns(readers)
	db := &DB{path: path, write: write, read: read, now: time.Now, random: rand.Reader}
	if err := db.migrate(ctx); err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}

// address is the driver's address of a file: write-ahead log, every commit on
// disk, foreign keys checked. Writers take their lock at the start, so that
// two never wait for each other half-way.
func address(path string, write bool) string {
	values := url.Values{"_pragma": {
		"journal_mode(WAL)", "synchronous(FULL)", "busy_timeout(5000)", "foreign_keys(1)", "cache_size(-32768)",
	}}
	if write {
		values.Set("_txlock", "immediate")
	} else {
		values.Add("_pragma", "query_only(1)")
	}
	return (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: values.Encode()}).String()
}

func (d *DB) migrate(ctx context.Context) error {
	files, err := fs.Sub(migrations, "migrations/sqlite")
	if err != nil {
		return fmt.Errorf("reading the migrations: %w", err)
	}
	provider, err := goose.NewProvider(goose.DialectSQLite3, d.write, files, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return fmt.Errorf("reading the migrations: %w", err)
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("bringing the evidence database up to date: %w", err)
	}
	return nil
}

// Close closes the database. Nothing acknowledged depends on it.
func (d *DB) Close() error {
	return errors.Join(d.read.Close(), d.write.Close())
}

// Ping fails when the database can't be read or written now.
func (d *DB) Ping(ctx context.Context) error {
	var one int
	if err := d.read.QueryRowContext(ctx, "SELECT 1").Scan(&one); err != nil {
		return unavailable(err)
	}
	transaction, err := d.write.BeginTx(ctx, nil)
	if err != nil {
		return unavailable(err)
	}
	return transaction.Rollback()
}
