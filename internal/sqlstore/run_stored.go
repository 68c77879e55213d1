package sqlstore

import (
	"context"
	"slices"
	"strings"

	"kernelwake/internal/evidence"
	"kernelwake/internal/fault"
	"kernelwake/internal/lens"
)

// StoredRun is a run with everything said about it, short of its vectors.
type StoredRun struct {
	RunRow
	Captures    []StoredCapture
	Attachments []evidence.Attachment
	// Setups are the versions attached, in order of attachment.
	Setups   []evidence.Setup
	Workload evidence.Workload
}

// StoredRuns returns runs by id, in the order asked. A run that isn't there is
// a fault naming it.
func (d *DB) StoredRuns(ctx context.Context, in string, ids []string) ([]StoredRun, error) {
	return storedRuns(ctx, d.read, in, ids)
}

// StoredRun returns one run.
func (d *DB) StoredRun(ctx context.Context, in, runID string) (StoredRun, error) {
	runs, err := d.StoredRuns(ctx, in, []string{runID})
	if err != nil {
		return StoredRun{}, err
	}
	return runs[0], nil
}

func storedRuns(ctx context.Context, from querier, in string, ids []string) ([]StoredRun, error) {
	if len(ids) == 0 {
		return []StoredRun{}, nil
	}
	where := conditions{}
	where.add("r.workspace_id = ?", in)
	where.in("r.id", ids)
	rows, err := many(ctx, from, scanRun, runColumns+where.where(), where.args...)
	if err != nil {
		return nil, err
	}
	byID := make(map[string]*StoredRun, len(rows))
	for _, row := range rows {
		byID[row.ID] = &StoredRun{RunRow: row, Captures: []StoredCapture{}, Setups: []evidence.Setup{}, Attachments: []evidence.Attachment{}}
	}
	for _, runID := range ids {
		if byID[runID] == nil {
			return nil, fault.New(fault.NotFound, "run_not_found", "there is no run %q in this workspace", runID).WithHint("list the runs to see what there is")
		}
	}
	if err := fillRuns(ctx, from, in, byID); err != nil {
		return nil, err
	}
	all := make([]StoredRun, 0, len(ids))
	for _, runID := range ids {
		all = append(all, *byID[runID])
	}
	return all, nil
}

// fillRuns adds captures, setups and workloads by one query each.
func fillRuns(ctx context.Context, from querier, in string, byID map[string]*StoredRun) error {
	var ids, workloadIDs []string
	for runID, run := range byID {
		ids = append(ids, runID)
		workloadIDs = append(workloadIDs, run.WorkloadID)
	}
	slices.Sort(ids)
	captures, err := capturesOfRuns(ctx, from, ids)
	if err != nil {
		return err
	}
	for _, capture := range captures {
		byID[capture.RunID].Captures = append(byID[capture.RunID].Captures, capture)
	}
	attached, err := attachedTo(ctx, from, ids)
	if err != nil {
		return err
	}
	for _, one := range attached {
		run := byID[one.RunID]
		run.Attachments = append(run.Attachments, one.Attachment)
		run.Setups = append(run.Setups, one.Setup)
	}
	where := conditions{}
	where.add("w.workspace_id = ?", in)
	slices.Sort(workloadIDs)
	where.in("w.id", slices.Compact(workloadIDs))
	workloads, err := many(ctx, from, scanWorkload, workloadColumns+where.where(), where.args...)
	if err != nil {
		return err
	}
	for _, workload := range workloads {
		for _, run := range byID {
			if run.WorkloadID == workload.ID {
				run.Workload = workload
			}
		}
	}
	return nil
}

// RunIDs returns the ids of the newest runs of some workloads, without some,
// at most limit of them, in the order they were made.
func (d *DB) RunIDs(ctx context.Context, in string, workloads, without []string, limit int) ([]string, error) {
	where := conditions{}
	where.add("r.workspace_id = ?", in)
	where.in("r.workload_id", workloads)
	ids, err := many(ctx, d.read, func(row scanner) (found string, err error) {
		err = row.Scan(&found)
		return found, err
	}, "SELECT r.id FROM runs r"+where.where()+" ORDER BY r.id DESC", where.args...)
	if err != nil {
		return nil, err
	}
	ids = slices.DeleteFunc(ids, func(runID string) bool { return slices.Contains(without, runID) })
	ids = ids[:min(len(ids), limit)]
	slices.Sort(ids)
	return ids, nil
}

// Evidence is the run as a comparison reads it, each capture's parsed form by
// the function given.
func (r StoredRun) Evidence(parsed func(StoredCapture) *evidence.Parsed) evidence.RunEvidence {
	run := evidence.RunEvidence{
		ID: r.ID, Name: r.Name, WorkloadID: r.WorkloadID, Workload: r.RunRow.Workload, Group: r.Group,
		Declared: declaredBy(r.Declared, "declared for the run by "), Setups: r.Setups,
		WorkloadDeclared: declaredBy(r.Workload.Declared, "workload "+r.RunRow.Workload+", declared by "),
	}
	if r.Launch.Kind != "" {
		run.Launch = r.Launch
	}
	for _, capture := range r.Captures {
		run.Captures = append(run.Captures, evidence.CaptureEvidence{
			ID: capture.ID, SHA256: capture.Provenance.SHA256, ParsedSHA256: capture.Provenance.ParsedSHA256, Parsed: parsed(capture),
		})
	}
	return run
}

// declaredBy turns what people declared into dimensions that say who did.
func declaredBy(values map[string]evidence.DeclaredValue, from string) map[string]evidence.Dimension {
	said := make(map[string]evidence.Dimension, len(values))
	for key, value := range values {
		said[key] = evidence.Dimension{Value: value.Value, From: from + value.By}
	}
	return said
}

// measuredOn is what the run was measured on after all that was said about it.
func (r StoredRun) measuredOn() evidence.Device {
	found, ok := lens.Find(r.Lens)
	if !ok {
		return evidence.UnknownDevice
	}
	value := evidence.Resolve(r.Evidence(StoredCapture.Parsed), found)["measured_on"]
	if word, ok := value.Value.(string); ok && value.Usable() {
		switch device := evidence.Device(strings.ToLower(word)); device {
		case evidence.GPU, evidence.CPU, evidence.Simulator, evidence.NoDevice:
			return device
		}
	}
	return evidence.UnknownDevice
}
