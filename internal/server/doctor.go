package server

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"kernelwake/internal/blob"
	"kernelwake/internal/blob/fs"
	"kernelwake/internal/evidence"
	"kernelwake/internal/fault"
	"kernelwake/internal/sqlstore"
)

// Check is one thing a doctor looked at.
type Check struct {
	Code string `json:"code"`
	OK   bool   `json:"ok"`
	// Message says what was found, Fix what to do where it is wrong.
	Message string `json:"message"`
	Fix     string `json:"fix,omitempty"`
}

// Doctor looks a data folder over, whether a server runs on it or not, and
// changes nothing: database, audit chains, every byte of every capture, and
// what was left behind.
func Doctor(ctx context.Context, data string) ([]Check, error) {
	records, err := sqlstore.Inspect(ctx, filepath.Join(data, databaseFile))
	if err != nil {
		failure := fault.Of(err)
		return []Check{{Code: "database", Message: failure.Message, Fix: failure.Hint}}, nil
	}
	defer records.Close()
	blobs, err := fs.Open(filepath.Join(data, blobsFolder))
	if err != nil {
		return nil, err
	}
	d := doctor{ctx: ctx, data: data, records: records, blobs: blobs}
	for _, look := range []func() error{d.folder, d.database, d.audit, d.bytes, d.leftovers} {
		if err := look(); err != nil {
			return d.checks, err
		}
	}
	return d.checks, nil
}

type doctor struct {
	ctx     context.Context
	data    string
	records *sqlstore.DB
	blobs   *fs.Store
	checks  []Check
	running bool
}

func (d *doctor) found(code string, ok bool, fix, format string, args ...any) {
	check := Check{Code: code, OK: ok, Message: fmt.Sprintf(format, args...)}
	if !ok {
		check.Fix = fix
	}
	d.checks = append(d.checks, check)
}

func (d *doctor) folder() error {
	lock, err := lockFolder(filepath.Join(d.data, lockFile))
	if d.running = fault.Of(err).Code == "data_folder_in_use"; !d.running && err != nil {
		return err
	}
	if lock != nil {
		lock.Close()
	}
	if err := d.blobs.Writable(d.ctx); err != nil {
		failure := fault.Of(err)
		d.found("folder", false, failure.Hint, "%s", failure.Message)
		return nil
	}
	state := "no server runs on it"
	if d.running {
		state = "a server runs on it"
	}
	d.found("folder", true, "", "%s is writable; %s", d.data, state)
	return nil
}

func (d *doctor) database() error {
	wrong, err := d.records.Integrity(d.ctx)
	if err != nil {
		return err
	}
	version, err := d.records.SchemaVersion(d.ctx)
	if err != nil {
		return err
	}
	if len(wrong) == 0 {
		d.found("database", true, "", "the evidence database is whole, schema version %d", version)
	}
	for _, line := range wrong {
		d.found("database", false, "restore the data folder from a backup", "%s", line)
	}
	return nil
}

func (d *doctor) audit() error {
	workspaces, err := d.records.Workspaces(d.ctx)
	if err != nil {
		return err
	}
	chains := map[string]string{sqlstore.ServerChain: "the server"}
	for _, one := range workspaces {
		chains[one.ID] = "workspace " + one.Name
	}
	for chain, name := range chains {
		rows, err := d.records.VerifyAudit(d.ctx, chain)
		if err != nil {
			d.found("audit", false, "someone changed the log: compare it with a backup", "the audit log of %s holds for %d rows, then: %v", name, rows, err)
			continue
		}
		d.found("audit", true, "", "the audit log of %s holds, %d rows", name, rows)
	}
	return nil
}

// bytes holds every capture's bytes against their digests.
func (d *doctor) bytes() error {
	named := map[string]string{}
	err := d.records.EachDigest(d.ctx, func(captureID string, p evidence.Provenance) {
		named[p.SHA256], named[p.ParsedSHA256] = captureID, captureID
	})
	if err != nil {
		return err
	}
	wrong, orphans := 0, 0
	seen := map[string]bool{}
	err = d.blobs.Each(d.ctx, func(digest string, _ int64) error {
		seen[digest] = true
		if named[digest] == "" {
			orphans++
		}
		return nil
	})
	if err != nil {
		return err
	}
	checked, err := blob.Scrub(d.ctx, d.blobs, func(damage blob.Damage) {
		wrong++
		d.found("bytes", false, "restore this file from a backup, or import the capture again", "blob %s of capture %s was changed", damage.Digest, named[damage.Digest])
	})
	if err != nil {
		return err
	}
	for digest, captureID := range named {
		if !seen[digest] {
			wrong++
			d.found("bytes", false, "restore this file from a backup, or import the capture again", "blob %s of capture %s is missing", digest, captureID)
		}
	}
	if wrong == 0 {
		d.found("bytes", true, "", "%d blobs are whole", checked)
	}
	if orphans > 0 && !d.running {
		d.found("orphans", false, "they are harmless; the next start clears those of unfinished imports", "%d blobs belong to no capture", orphans)
	}
	return nil
}

func (d *doctor) leftovers() error {
	if d.running {
		return nil
	}
	left := 0
	for _, folder := range []string{pendingFolder, filepath.Join(blobsFolder, "staging")} {
		entries, err := os.ReadDir(filepath.Join(d.data, folder))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("looking for what was left behind: %w", err)
		}
		left += len(entries)
	}
	d.found("leftovers", left == 0, "start the server: it clears them", "%d temporary files of an earlier process", left)
	return nil
}
