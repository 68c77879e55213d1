package sqlstore

import (
	"context"
	"database/sql"
	"strconv"
	"strings"

	"kernelwake/internal/absent"
	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
)

// RunRow is a run as a list shows it.
type RunRow struct {
	evidence.Run
	Formats  []string
	Captures int64
	Findings int64
	Headline evidence.Measurement
}

// RunFilter narrows a list of runs; empty fields don't.
type RunFilter struct {
	WorkloadID, Q, Label, Group, Format string
	Lens                                lens.ID
	Origin                              evidence.Origin
	MeasuredOn                          evidence.Device
	// Before is the id of the last run of the page before; the newest come first.
	Before string
	Limit  int
}

const runColumns = `SELECT r.id, r.workload_id, w.name, r.name, r.lens, r.replicate_group, r.started_at, r.launch_kind, r.launch_group, r.launch_index,
	r.origin, r.measured_on, r.formats, r.declared, r.labels, r.headline_metric, r.headline_value, r.headline_absent, r.headline_unit, r.headline_direction, r.headline_n,
	r.created_at, r.created_by, r.revision,
	(SELECT COUNT(*) FROM captures c WHERE c.run_id = r.id), (SELECT COALESCE(SUM(c.findings_count), 0) FROM captures c WHERE c.run_id = r.id)
	FROM runs r JOIN workloads w ON w.id = r.workload_id`

func scanRun(row scanner) (RunRow, error) {
	var r RunRow
	var started, n sql.NullInt64
	var value sql.NullFloat64
	var created int64
	var formats string
	h := &r.Headline
	err := row.Scan(&r.ID, &r.WorkloadID, &r.Workload, &r.Name, &r.Lens, &r.Group, &started, &r.Launch.Kind, &r.Launch.Group, &r.Launch.Index,
		&r.Origin, &r.MeasuredOn, &formats, stored{&r.Declared}, stored{&r.Labels}, &h.Metric, &value, &h.Absent, &h.Unit, &h.Direction, &n,
		&created, &r.By, &r.Revision, &r.Captures, &r.Findings)
	r.Started, r.Created = optionalTime(started), timeOf(created)
	if formats != "" {
		r.Formats = strings.Split(formats, ",")
	}
	if value.Valid {
		h.Value = &value.Float64
	}
	if n.Valid {
		h.N = absent.Of(n.Int64)
	}
	return r, err
}

// Runs returns a page of runs, the newest first, and how many the filter finds.
func (d *DB) Runs(ctx context.Context, in string, filter RunFilter) ([]RunRow, int64, error) {
	where := conditions{}
	where.add("r.workspace_id = ?", in)
	filter.narrow(&where)
	total, err := scalar[int64](ctx, d.read, "SELECT COUNT(*) FROM runs r JOIN workloads w ON w.id = r.workload_id"+where.where(), where.args...)
	if err != nil {
		return nil, 0, err
	}
	if filter.Before != "" {
		where.add("r.id < ?", filter.Before)
	}
	rows, err := many(ctx, d.read, scanRun, runColumns+where.where()+" ORDER BY r.id DESC LIMIT "+strconv.Itoa(filter.Limit), where.args...)
	return rows, total, err
}

func (f RunFilter) narrow(where *conditions) {
	equal := func(column, value string) {
		if value != "" {
			where.add(column+" = ?", value)
		}
	}
	equal("r.workload_id", f.WorkloadID)
	equal("r.lens", string(f.Lens))
	equal("r.replicate_group", f.Group)
	equal("r.origin", string(f.Origin))
	equal("r.measured_on", string(f.MeasuredOn))
	if f.Format != "" {
		where.add("',' || r.formats || ',' LIKE ?", "%,"+f.Format+",%")
	}
	if f.Q != "" {
		q := contains(f.Q)
		where.add(`(LOWER(r.name) LIKE ? ESCAPE '\' OR LOWER(w.name) LIKE ? ESCAPE '\' OR LOWER(r.labels) LIKE ? ESCAPE '\')`, q, q, q)
	}
	where.label("r.labels", f.Label)
}

// RunByName returns the run of a name in a workload, or nil.
func (d *DB) RunByName(ctx context.Context, in, workload, name string) (*RunRow, error) {
	rows, err := many(ctx, d.read, scanRun, runColumns+" WHERE r.workspace_id = $1 AND w.name = $2 AND r.name = $3", in, workload, name)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return &rows[0], nil
}
