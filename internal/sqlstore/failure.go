package sqlstore

import (
	"context"
	"errors"
	"fmt"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"kernelwake/internal/fault"
)

// isUnique reports whether an insert met a row that is already there.
func isUnique(err error) bool {
	var failure *sqlite.Error
	if !errors.As(err, &failure) {
		return false
	}
	return failure.Code() == lib.SQLITE_CONSTRAINT_UNIQUE || failure.Code() == lib.SQLITE_CONSTRAINT_PRIMARYKEY
}

// isReferred reports whether a row can't go because others refer to it.
func isReferred(err error) bool {
	var failure *sqlite.Error
	return errors.As(err, &failure) && failure.Code() == lib.SQLITE_CONSTRAINT_FOREIGNKEY
}

// writing is what a failed statement means: a broken rule of the schema is
// told to the caller, anything else is the database's own failure.
func writing(err error) error {
	var failure *sqlite.Error
	if errors.As(err, &failure) && failure.Code()&0xff == lib.SQLITE_CONSTRAINT {
		return fmt.Errorf("writing to the evidence database: %w", err)
	}
	return unavailable(err)
}

// unavailable is a failure of the database itself: full disk, lock, closed.
// A cancelled request stays what it is.
func unavailable(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("asking the evidence database: %w", err)
	}
	return fault.New(fault.Unavailable, "evidence_store_unavailable", "the evidence database doesn't answer: %v", err).
		WithCause(err).WithHint("check that the data folder's disk is there, writable and not full, then try again")
}

// stale says that an edit names a revision that is no longer current.
func stale(kind, name string, named, current int64) error {
	return fault.New(fault.Stale, "revision_stale", "%s %s is at revision %d, the edit was made on revision %d", kind, name, current, named).
		WithHint("read it again, look at what changed, and repeat the edit")
}
