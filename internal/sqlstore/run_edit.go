package sqlstore

import (
	"context"
	"slices"
	"strings"

	"kernelwake/internal/evidence"
	"kernelwake/internal/workspace"
)

// EditRun applies an edit to the revision it was made on.
func (d *DB) EditRun(ctx context.Context, actor workspace.Actor, in, runID string, revision int64, edit func(*evidence.Run) error) (evidence.Run, error) {
	var edited evidence.Run
	err := d.change(ctx, actor, func(t *tx) error {
		before, err := one(ctx, t, scanRun, runColumns+" WHERE r.workspace_id = $1 AND r.id = $2", in, runID)
		if err != nil {
			return missing(err, "run", runID)
		}
		edited = before.Run
		earlier, err := revise("run", runID, &edited, &edited.Revision, revision, edit)
		if err != nil {
			return err
		}
		if err := checkName("run", edited.Name); err != nil {
			return err
		}
		if edited.WorkloadID != before.WorkloadID {
			workload, err := one(ctx, t, scanWorkload, workloadColumns+" WHERE w.workspace_id = $1 AND w.id = $2", in, edited.WorkloadID)
			if err != nil {
				return missing(err, "workload", edited.WorkloadID)
			}
			edited.Workload = workload.Name
		}
		return t.saveRun(in, earlier, edited)
	})
	return edited, err
}

func (t *tx) saveRun(in, earlier string, r evidence.Run) error {
	declared, err := text(r.Declared)
	if err != nil {
		return err
	}
	labels, err := text(r.Labels)
	if err != nil {
		return err
	}
	err = t.saveRevised(in, "run", r.ID, earlier, r, `UPDATE runs SET workload_id = $1, name = $2, replicate_group = $3, launch_kind = $4, declared = $5, labels = $6, revision = $7
		WHERE id = $8 AND revision = $9`, r.WorkloadID, r.Name, r.Group, string(r.Launch.Kind), declared, labels, r.Revision, r.ID, r.Revision-1)
	if isUnique(err) {
		return taken("run", r.Name)
	}
	if err != nil {
		return err
	}
	return t.refreshRun(in, r.ID)
}

// touchRun makes a new revision of a run that changed by what hangs on it.
func (t *tx) touchRun(in, runID string) error {
	if _, err := t.exec("UPDATE runs SET revision = revision + 1 WHERE id = $1", runID); err != nil {
		return err
	}
	return t.refreshRun(in, runID)
}

// refreshRun works out anew what a run's row repeats from its captures and
// declarations, so that lists read one table.
func (t *tx) refreshRun(in, runID string) error {
	runs, err := storedRuns(t.ctx, t, in, []string{runID})
	if err != nil {
		return err
	}
	run := runs[0]
	var ids, cells, formats []string
	var startedAt any
	origin := evidence.Recorded
	for _, capture := range run.Captures {
		ids, cells, formats = append(ids, capture.ID), append(cells, capture.Cell), append(formats, capture.Format)
		origin = weaker(origin, capture.Origin)
		if at := micros(capture.Started); at != nil && (startedAt == nil || at.(int64) < startedAt.(int64)) {
			startedAt = at
		}
	}
	measured, err := measurements(t.ctx, t, ids)
	if err != nil {
		return err
	}
	var of [][]evidence.Measurement
	for _, captureID := range ids {
		of = append(of, measured[captureID])
	}
	head := evidence.Headline(run.Lens, cells, of)
	var n any
	if count, known := head.N.Get(); known {
		n = count
	}
	slices.Sort(formats)
	_, err = t.exec(`UPDATE runs SET started_at = $1, origin = $2, measured_on = $3, formats = $4, headline_metric = $5, headline_value = $6,
		headline_absent = $7, headline_unit = $8, headline_direction = $9, headline_n = $10 WHERE id = $11`,
		startedAt, string(origin), string(run.measuredOn()), strings.Join(slices.Compact(formats), ","), head.Metric, head.Value,
		string(head.Absent), head.Unit, string(head.Direction), n, runID)
	return err
}

// weaker is the origin of what rests on both: synthetic is sticky, then
// unattested.
func weaker(a, b evidence.Origin) evidence.Origin {
	for _, origin := range []evidence.Origin{evidence.Synthetic, evidence.Unattested} {
		if a == origin || b == origin {
			return origin
		}
	}
	return evidence.Recorded
}
