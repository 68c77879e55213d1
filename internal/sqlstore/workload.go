package sqlstore

import (
	"context"
	"strconv"

	"kernelwake/internal/evidence"
	"kernelwake/internal/fault"
	"kernelwake/internal/id"
	"kernelwake/internal/lens"
	"kernelwake/internal/workspace"
)

const workloadColumns = `SELECT w.id, w.name, w.lens, w.declared, w.labels, w.created_at, w.created_by, w.revision,
	(SELECT COUNT(*) FROM runs r WHERE r.workload_id = w.id) FROM workloads w`

func scanWorkload(row scanner) (w evidence.Workload, err error) {
	var created int64
	err = row.Scan(&w.ID, &w.Name, &w.Lens, stored{&w.Declared}, stored{&w.Labels}, &created, &w.By, &w.Revision, &w.Runs)
	w.Created = timeOf(created)
	return w, err
}

// Workload returns a workload by id.
func (d *DB) Workload(ctx context.Context, in, workloadID string) (evidence.Workload, error) {
	found, err := one(ctx, d.read, scanWorkload, workloadColumns+" WHERE w.workspace_id = $1 AND w.id = $2", in, workloadID)
	return found, missing(err, "workload", workloadID)
}

// Workloads returns workloads in the order they were made, after an id, and
// how many there are in all.
func (d *DB) Workloads(ctx context.Context, in, q, after string, limit int) ([]evidence.Workload, int64, error) {
	where := conditions{}
	where.add("w.workspace_id = ?", in)
	if q != "" {
		where.add(`LOWER(w.name) LIKE ? ESCAPE '\'`, contains(q))
	}
	total, err := scalar[int64](ctx, d.read, "SELECT COUNT(*) FROM workloads w"+where.where(), where.args...)
	if err != nil {
		return nil, 0, err
	}
	if after != "" {
		where.add("w.id > ?", after)
	}
	rows, err := many(ctx, d.read, scanWorkload, workloadColumns+where.where()+" ORDER BY w.id LIMIT "+strconv.Itoa(limit), where.args...)
	return rows, total, err
}

// CreateWorkload makes a workload. Sent again under the same idempotency key
// it returns what the first one made.
func (d *DB) CreateWorkload(ctx context.Context, actor workspace.Actor, in string, w evidence.Workload, once Once) (evidence.Workload, error) {
	var made evidence.Workload
	err := d.change(ctx, actor, func(t *tx) error {
		if existing, err := t.replay(in, once); err != nil || existing != "" {
			if err == nil {
				made, err = one(ctx, t, scanWorkload, workloadColumns+" WHERE w.id = $1", existing)
			}
			return err
		}
		var err error
		if made, err = t.createWorkload(in, w); err != nil {
			return err
		}
		return t.remember(in, once, made.ID)
	})
	return made, err
}

func (t *tx) createWorkload(in string, w evidence.Workload) (evidence.Workload, error) {
	if err := checkName("workload", w.Name); err != nil {
		return w, err
	}
	if _, ok := lens.Find(w.Lens); !ok {
		return w, fault.New(fault.Invalid, "lens_unknown", "%q is no lens", w.Lens).WithHint("use inference, training or fleet")
	}
	var err error
	if w.ID, err = t.newID(id.Workload); err != nil {
		return w, err
	}
	w.Created, w.By, w.Revision = t.at, t.actor.Name, 1
	if w.Declared == nil {
		w.Declared = map[string]evidence.DeclaredValue{}
	}
	if w.Labels == nil {
		w.Labels = map[string]string{}
	}
	declared, err := text(w.Declared)
	if err != nil {
		return w, err
	}
	labels, err := text(w.Labels)
	if err != nil {
		return w, err
	}
	_, err = t.exec(`INSERT INTO workloads (id, workspace_id, name, lens, declared, labels, created_at, created_by, revision)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`, w.ID, in, w.Name, string(w.Lens), declared, labels, t.at.UnixMicro(), w.By, w.Revision)
	if isUnique(err) {
		return w, taken("workload", w.Name)
	}
	if err != nil {
		return w, err
	}
	return w, t.audit(event{chain: in, action: "workload.create", kind: "workload", id: w.ID, after: declared})
}

// EditWorkload applies an edit to the revision it was made on.
func (d *DB) EditWorkload(ctx context.Context, actor workspace.Actor, in, workloadID string, revision int64, edit func(*evidence.Workload) error) (evidence.Workload, error) {
	var edited evidence.Workload
	err := d.change(ctx, actor, func(t *tx) error {
		before, err := one(ctx, t, scanWorkload, workloadColumns+" WHERE w.workspace_id = $1 AND w.id = $2", in, workloadID)
		if err != nil {
			return missing(err, "workload", workloadID)
		}
		edited = before
		earlier, err := revise("workload", workloadID, &edited, &edited.Revision, revision, edit)
		if err != nil {
			return err
		}
		if err := checkName("workload", edited.Name); err != nil {
			return err
		}
		if err := t.saveWorkload(in, earlier, edited); err != nil {
			return err
		}
		return t.refreshRuns(in, edited.ID)
	})
	return edited, err
}

func (t *tx) saveWorkload(in, earlier string, w evidence.Workload) error {
	declared, err := text(w.Declared)
	if err != nil {
		return err
	}
	labels, err := text(w.Labels)
	if err != nil {
		return err
	}
	err = t.saveRevised(in, "workload", w.ID, earlier, w, "UPDATE workloads SET name = $1, declared = $2, labels = $3, revision = $4 WHERE id = $5 AND revision = $6",
		w.Name, declared, labels, w.Revision, w.ID, w.Revision-1)
	if isUnique(err) {
		return taken("workload", w.Name)
	}
	return err
}

// refreshRuns works out anew the rows of a workload's runs.
func (t *tx) refreshRuns(in, workloadID string) error {
	ids, err := many(t.ctx, t, func(row scanner) (found string, err error) {
		err = row.Scan(&found)
		return found, err
	}, "SELECT id FROM runs WHERE workload_id = $1", workloadID)
	if err != nil {
		return err
	}
	for _, runID := range ids {
		if err := t.refreshRun(in, runID); err != nil {
			return err
		}
	}
	return nil
}
