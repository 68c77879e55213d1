package sqlstore

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"kernelwake/internal/evidence"
	"kernelwake/internal/fault"
	"kernelwake/internal/id"
	"kernelwake/internal/lens"
	"kernelwake/internal/workspace"
)

// CaptureExists is the code of the fault that a capture of a batch was kept by
// another import meanwhile.
const CaptureExists = "capture_exists"

// NewCapture is a capture to keep, with what was parsed from it but its
// vectors.
type NewCapture struct {
	evidence.Capture
	OriginNote   string
	Launch       evidence.LaunchID
	Rank         evidence.Rank
	Dimensions   map[string]evidence.Dimension
	Completeness evidence.Completeness
	Figures      json.RawMessage
	Measurements []evidence.Measurement
}

// NewRun is a run to make, or one to add captures to.
type NewRun struct {
	// Join is the id of a run that is there already; the other fields but
	// Captures then say nothing.
	Join string
	// Workload is the name of a workload, made where there is none.
	Workload string
	Name     string
	Lens     lens.ID
	Group    string
	Launch   evidence.LaunchID
	Declared map[string]any
	Labels   map[string]string
	Captures []NewCapture
}

// Batch is what one import keeps, whole or not at all.
type Batch struct {
	// SetupID is a setup to attach to every run, in its newest version.
	SetupID string
	Runs    []NewRun
}

// Keep writes an import in one transaction and returns its runs.
func (d *DB) Keep(ctx context.Context, actor workspace.Actor, in string, batch Batch) ([]StoredRun, error) {
	var kept []StoredRun
	err := d.change(ctx, actor, func(t *tx) error {
		var ids []string
		for _, run := range batch.Runs {
			runID, err := t.keepRun(in, batch, run)
			if err != nil {
				return err
			}
			ids = append(ids, runID)
		}
		var err error
		kept, err = storedRuns(ctx, t, in, ids)
		return err
	})
	return kept, err
}

func (t *tx) keepRun(in string, batch Batch, run NewRun) (string, error) {
	runID := run.Join
	if runID == "" {
		var err error
		if runID, err = t.createRun(in, run); err != nil {
			return "", err
		}
	}
	for i := range run.Captures {
		if err := t.keepCapture(in, runID, &run.Captures[i]); err != nil {
			return "", err
		}
	}
	if batch.SetupID != "" {
		if _, err := t.attach(in, runID, batch.SetupID, 0); err != nil {
			return "", err
		}
	}
	if run.Join != "" {
		return runID, t.touchRun(in, runID)
	}
	return runID, t.refreshRun(in, runID)
}

func (t *tx) workloadNamed(in, name string, of lens.ID) (evidence.Workload, error) {
	found, err := one(t.ctx, t, scanWorkload, workloadColumns+" WHERE w.workspace_id = $1 AND w.name = $2", in, name)
	if errors.Is(err, sql.ErrNoRows) {
		return t.createWorkload(in, evidence.Workload{Name: name, Lens: of})
	}
	if err != nil {
		return found, err
	}
	if found.Lens != of {
		return found, fault.New(fault.Conflict, "workload_lens", "workload %q has the %s lens, the capture is read under %s", name, found.Lens, of).
			WithHint("import it into another workload, or choose --lens %s where the format allows it", found.Lens)
	}
	return found, nil
}

func (t *tx) createRun(in string, run NewRun) (string, error) {
	if err := checkName("run", run.Name); err != nil {
		return "", err
	}
	workload, err := t.workloadNamed(in, run.Workload, run.Lens)
	if err != nil {
		return "", err
	}
	name, err := t.freeRunName(workload.ID, run.Name)
	if err != nil {
		return "", err
	}
	runID, err := t.newID(id.Run)
	if err != nil {
		return "", err
	}
	said := make(map[string]evidence.DeclaredValue, len(run.Declared))
	for key, value := range run.Declared {
		said[key] = evidence.DeclaredValue{Value: value, By: t.actor.Name, At: t.at}
	}
	declared, err := text(said)
	if err != nil {
		return "", err
	}
	if run.Labels == nil {
		run.Labels = map[string]string{}
	}
	labels, err := text(run.Labels)
	if err != nil {
		return "", err
	}
	_, err = t.exec(`INSERT INTO runs (id, workspace_id, workload_id, name, lens, replicate_group, launch_kind, launch_group, launch_index, origin, measured_on, formats,
		declared, labels, headline_metric, headline_absent, headline_unit, headline_direction, created_at, created_by, revision)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, '', '', '', $10, $11, '', '', '', '', $12, $13, 1)`,
		runID, in, workload.ID, name, string(run.Lens), run.Group, string(run.Launch.Kind), run.Launch.Group, run.Launch.Index,
		declared, labels, t.at.UnixMicro(), t.actor.Name)
	if err != nil {
		return "", err
	}
	return runID, t.audit(event{chain: in, action: "run.create", kind: "run", id: runID, after: name + " in " + workload.ID})
}

// freeRunName is the name, or the first of "name (2)", "name (3)" … that no
// run of the workload has.
func (t *tx) freeRunName(workloadID, name string) (string, error) {
	for i := 1; ; i++ {
		candidate := name
		if i > 1 {
			candidate = fmt.Sprintf("%s (%d)", name, i)
		}
		n, err := scalar[int64](t.ctx, t, "SELECT COUNT(*) FROM runs WHERE workload_id = $1 AND name = $2", workloadID, candidate)
		if err != nil || n == 0 {
			return candidate, err
		}
	}
}

func (t *tx) keepCapture(in, runID string, c *NewCapture) error {
	captureID, err := t.newID(id.Capture)
	if err != nil {
		return err
	}
	c.ID, c.RunID = captureID, runID
	p := c.Provenance
	columns := make([]string, 0, 6)
	for _, value := range []any{p.DerivedFrom, c.Launch, c.Rank, c.Dimensions, c.Completeness, c.Findings} {
		column, err := text(value)
		if err != nil {
			return err
		}
		columns = append(columns, column)
	}
	figures := string(c.Figures)
	if figures == "" {
		figures = "{}"
	}
	_, err = t.exec(`INSERT INTO captures (id, workspace_id, run_id, format, format_version, tool, lens, cell, selector, origin, origin_note, measured_on, started_at, ended_at,
		importer, product, sha256, bytes, parsed_sha256, parsed_bytes, declared_sha256, file_name, via, imported_by, imported_at, derived_from,
		launch, rank, dimensions, completeness, findings, figures, findings_count)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33)`,
		captureID, in, runID, c.Format, c.FormatVersion, c.Tool, string(c.Lens), c.Cell, p.Selector, string(c.Origin), c.OriginNote, string(c.MeasuredOn), micros(c.Started), micros(c.Ended),
		p.Importer, p.Product, p.SHA256, p.Bytes, p.ParsedSHA256, p.ParsedBytes, p.DeclaredSHA256, p.FileName, p.Via, t.actor.Name, t.at.UnixMicro(), columns[0],
		columns[1], columns[2], columns[3], columns[4], columns[5], figures, int64(len(c.Findings)))
	if isUnique(err) {
		return fault.New(fault.Conflict, CaptureExists, "the same bytes were imported meanwhile").WithHint("send the import again: it will be recognised")
	}
	if err != nil {
		return err
	}
	if err := t.keepMeasurements(captureID, c.Measurements); err != nil {
		return err
	}
	return t.audit(event{chain: in, action: "capture.import", kind: "capture", id: captureID, after: fmt.Sprintf("sha256:%s parsed:%s run:%s", p.SHA256, p.ParsedSHA256, runID)})
}

func (t *tx) keepMeasurements(captureID string, all []evidence.Measurement) error {
	if len(all) == 0 {
		return nil
	}
	insert, err := t.PrepareContext(t.ctx, `INSERT INTO measurements (capture_id, position, metric, name, statistic, phase, label, unit, direction, value, absent, note, n, n_absent, basis, reported, marks, censored)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)`)
	if err != nil {
		return unavailable(err)
	}
	defer insert.Close()
	for i, m := range all {
		var n any
		if count, known := m.N.Get(); known {
			n = count
		}
		marks, err := text(m.Marks)
		if err != nil {
			return err
		}
		_, err = insert.ExecContext(t.ctx, captureID, i, m.Metric, m.Name, string(m.Statistic), m.Phase, m.Label, m.Unit, string(m.Direction),
			m.Value, string(m.Absent), m.Note, n, string(m.N.Reason()), m.Basis, m.Reported, marks, m.Censored)
		if err != nil {
			return fmt.Errorf("writing measurement %s: %w", m.Metric, err)
		}
	}
	return nil
}
