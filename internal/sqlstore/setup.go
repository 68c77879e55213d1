package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"kernelwake/internal/evidence"
	"kernelwake/internal/fault"
	"kernelwake/internal/id"
	"kernelwake/internal/workspace"
)

const setupColumns = `SELECT s.id, s.name, v.version, v.entries, v.created_at, v.created_by FROM setups s JOIN setup_versions v ON v.setup_id = s.id`

func scanSetup(row scanner) (s evidence.Setup, err error) {
	var created int64
	err = row.Scan(&s.ID, &s.Name, &s.Version, stored{&s.Values}, &created, &s.By)
	s.Created = timeOf(created)
	return s, err
}

// SetupRow is a setup as a list shows it: its newest version, and how many
// runs it is attached to.
type SetupRow struct {
	evidence.Setup
	Runs int64 `json:"runs"`
}

// Setups returns setups after an id, each in its newest version, and how many
// there are.
func (d *DB) Setups(ctx context.Context, in, q, after string, limit int) ([]SetupRow, int64, error) {
	where := conditions{}
	where.add("s.workspace_id = ?", in)
	if q != "" {
		where.add(`LOWER(s.name) LIKE ? ESCAPE '\'`, contains(q))
	}
	total, err := scalar[int64](ctx, d.read, "SELECT COUNT(*) FROM setups s"+where.where(), where.args...)
	if err != nil {
		return nil, 0, err
	}
	if after != "" {
		where.add("s.id > ?", after)
	}
	where.add("v.version = (SELECT MAX(n.version) FROM setup_versions n WHERE n.setup_id = s.id)")
	query := strings.Replace(setupColumns, " FROM", ", (SELECT COUNT(*) FROM attachments a WHERE a.setup_id = s.id) FROM", 1)
	rows, err := many(ctx, d.read, func(row scanner) (s SetupRow, err error) {
		var created int64
		err = row.Scan(&s.ID, &s.Name, &s.Version, stored{&s.Values}, &created, &s.By, &s.Runs)
		s.Created = timeOf(created)
		return s, err
	}, query+where.where()+" ORDER BY s.id LIMIT "+strconv.Itoa(limit), where.args...)
	return rows, total, err
}

// SetupVersions returns every version of a setup, the newest first.
func (d *DB) SetupVersions(ctx context.Context, in, setupID string) ([]evidence.Setup, error) {
	versions, err := many(ctx, d.read, scanSetup, setupColumns+" WHERE s.workspace_id = $1 AND s.id = $2 ORDER BY v.version DESC", in, setupID)
	if err == nil && len(versions) == 0 {
		err = missing(sql.ErrNoRows, "setup", setupID)
	}
	return versions, err
}

// CreateSetup makes the first version of a setup, once for a key.
func (d *DB) CreateSetup(ctx context.Context, actor workspace.Actor, in, name string, values map[string]any, once Once) (evidence.Setup, error) {
	var made evidence.Setup
	err := d.change(ctx, actor, func(t *tx) error {
		existing, err := t.replay(in, once)
		if err != nil {
			return err
		}
		if existing != "" {
			made, err = one(ctx, t, scanSetup, setupColumns+" WHERE s.id = $1 AND v.version = 1", existing)
			return err
		}
		if err := checkName("setup", name); err != nil {
			return err
		}
		setupID, err := t.newID(id.Setup)
		if err != nil {
			return err
		}
		if _, err := t.exec("INSERT INTO setups (id, workspace_id, name, created_at, created_by) VALUES ($1, $2, $3, $4, $5)", setupID, in, name, t.at.UnixMicro(), t.actor.Name); err != nil {
			if isUnique(err) {
				return taken("setup", name)
			}
			return err
		}
		made = evidence.Setup{ID: setupID, Name: name, Version: 1, Values: values}
		if made, err = t.addVersion(in, made); err != nil {
			return err
		}
		return t.remember(in, once, setupID)
	})
	return made, err
}

// AddSetupVersion adds a version to a setup whose newest is the one named.
func (d *DB) AddSetupVersion(ctx context.Context, actor workspace.Actor, in, setupID string, newest int64, values map[string]any) (evidence.Setup, error) {
	var made evidence.Setup
	err := d.change(ctx, actor, func(t *tx) error {
		current, err := t.newestSetup(in, setupID)
		if err != nil {
			return err
		}
		if current.Version != newest {
			return stale("setup", setupID, newest, current.Version)
		}
		current.Version, current.Values = current.Version+1, values
		made, err = t.addVersion(in, current)
		return err
	})
	return made, err
}

func (t *tx) newestSetup(in, setupID string) (evidence.Setup, error) {
	found, err := one(t.ctx, t, scanSetup, setupColumns+" WHERE s.workspace_id = $1 AND s.id = $2 ORDER BY v.version DESC LIMIT 1", in, setupID)
	return found, missing(err, "setup", setupID)
}

func (t *tx) addVersion(in string, s evidence.Setup) (evidence.Setup, error) {
	s.Created, s.By = t.at, t.actor.Name
	entries, err := text(s.Values)
	if err != nil {
		return s, err
	}
	if _, err := t.exec("INSERT INTO setup_versions (setup_id, version, entries, created_at, created_by) VALUES ($1, $2, $3, $4, $5)", s.ID, s.Version, entries, t.at.UnixMicro(), s.By); err != nil {
		return s, err
	}
	return s, t.audit(event{chain: in, action: "setup.version", kind: "setup", id: s.ID, after: fmt.Sprintf("v%d %s", s.Version, entries)})
}

// attached is a setup version with the attachment that ties it to a run.
type attached struct {
	evidence.Attachment
	Setup evidence.Setup
}

func attachedTo(ctx context.Context, from querier, runIDs []string) ([]attached, error) {
	where := conditions{}
	where.in("a.run_id", runIDs)
	return many(ctx, from, func(row scanner) (a attached, err error) {
		var at, created int64
		err = row.Scan(&a.RunID, &at, &a.Attachment.By, &a.Setup.ID, &a.Setup.Name, &a.Setup.Version, stored{&a.Setup.Values}, &created, &a.Setup.By)
		a.Attached, a.Setup.Created = timeOf(at), timeOf(created)
		a.SetupID, a.Attachment.Name, a.Attachment.Version = a.Setup.ID, a.Setup.Name, a.Setup.Version
		return a, err
	}, `SELECT a.run_id, a.attached_at, a.attached_by, s.id, s.name, v.version, v.entries, v.created_at, v.created_by
		FROM attachments a JOIN setups s ON s.id = a.setup_id JOIN setup_versions v ON v.setup_id = a.setup_id AND v.version = a.version`+
		where.where()+" ORDER BY a.run_id, a.position", where.args...)
}

// AttachSetup ties a version of a setup (0 for the newest) to a run, in place
// of another version of the same setup.
func (d *DB) AttachSetup(ctx context.Context, actor workspace.Actor, in, runID, setupID string, version int64) (evidence.Attachment, error) {
	var made evidence.Attachment
	err := d.change(ctx, actor, func(t *tx) (err error) {
		made, err = t.attach(in, runID, setupID, version)
		if err != nil {
			return err
		}
		return t.touchRun(in, runID)
	})
	return made, err
}

func (t *tx) attach(in, runID, setupID string, version int64) (evidence.Attachment, error) {
	setup, err := t.newestSetup(in, setupID)
	if err != nil {
		return evidence.Attachment{}, err
	}
	if version == 0 {
		version = setup.Version
	}
	if version < 1 || version > setup.Version {
		return evidence.Attachment{}, fault.New(fault.NotFound, "setup_version_not_found", "setup %q has no version %d", setup.Name, version).
			WithHint("its newest version is %d", setup.Version)
	}
	before, err := scalar[int64](t.ctx, t, "SELECT version FROM attachments WHERE run_id = $1 AND setup_id = $2", runID, setupID)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return evidence.Attachment{}, err
	}
	if _, err := t.exec("DELETE FROM attachments WHERE run_id = $1 AND setup_id = $2", runID, setupID); err != nil {
		return evidence.Attachment{}, err
	}
	_, err = t.exec(`INSERT INTO attachments (run_id, setup_id, version, position, attached_at, attached_by)
		VALUES ($1, $2, $3, (SELECT COALESCE(MAX(position), 0) + 1 FROM attachments WHERE run_id = $4), $5, $6)`,
		runID, setupID, version, runID, t.at.UnixMicro(), t.actor.Name)
	if err != nil {
		return evidence.Attachment{}, err
	}
	made := evidence.Attachment{RunID: runID, SetupID: setupID, Name: setup.Name, Version: version, Attached: t.at, By: t.actor.Name}
	e := event{chain: in, action: "setup.attach", kind: "run", id: runID, after: fmt.Sprintf("%s v%d", setupID, version)}
	if before > 0 {
		e.before = fmt.Sprintf("%s v%d", setupID, before)
	}
	return made, t.audit(e)
}

// DetachSetup takes a setup off a run.
func (d *DB) DetachSetup(ctx context.Context, actor workspace.Actor, in, runID, setupID string) error {
	return d.change(ctx, actor, func(t *tx) error {
		removed, err := t.exec(`DELETE FROM attachments WHERE run_id = $1 AND setup_id = $2
			AND run_id IN (SELECT id FROM runs WHERE workspace_id = $3)`, runID, setupID, in)
		if err != nil {
			return err
		}
		if removed == 0 {
			return fault.New(fault.NotFound, "setup_not_attached", "setup %q isn't attached to run %q", setupID, runID).WithHint("read the run to see its setups")
		}
		if err := t.audit(event{chain: in, action: "setup.detach", kind: "run", id: runID, before: setupID}); err != nil {
			return err
		}
		return t.touchRun(in, runID)
	})
}
