package sqlstore

import (
	"context"

	"kernelwake/internal/evidence"
	"kernelwake/internal/fault"
	"kernelwake/internal/workspace"
)

// Reliance is something kept that rests on a capture.
type Reliance struct {
	// Kind is "comparison".
	Kind string `json:"kind"`
	ID   string `json:"id"`
	Name string `json:"name"`
	// As says how it rests on it: baseline, candidate or history.
	As string `json:"as"`
}

func scanReliance(row scanner) (r Reliance, err error) {
	r.Kind = "comparison"
	err = row.Scan(&r.ID, &r.Name, &r.As)
	return r, err
}

// ReliedOnBy returns what rests on any capture of a run, the newest first.
func (d *DB) ReliedOnBy(ctx context.Context, in, runID string) ([]Reliance, error) {
	return many(ctx, d.read, scanReliance, `SELECT DISTINCT c.id, c.name, l.side FROM comparison_captures l JOIN comparisons c ON c.id = l.comparison_id
		WHERE c.workspace_id = $1 AND l.run_id = $2 ORDER BY c.id DESC`, in, runID)
}

// RemoveCapture takes away a capture that nothing relies on, and its run when
// it was the last. It returns the digests that no capture of any workspace
// names any more.
func (d *DB) RemoveCapture(ctx context.Context, actor workspace.Actor, in, captureID string) ([]string, error) {
	var orphaned []string
	err := d.change(ctx, actor, func(t *tx) error {
		capture, err := one(ctx, t, scanCapture, captureColumns+" WHERE c.workspace_id = $1 AND c.id = $2", in, captureID)
		if err != nil {
			return missing(err, "capture", captureID)
		}
		if err := t.nothingReliesOn(captureID); err != nil {
			return err
		}
		if _, err := t.exec("DELETE FROM captures WHERE id = $1", captureID); err != nil {
			return err
		}
		if err := t.audit(event{chain: in, action: "capture.remove", kind: "capture", id: captureID, before: "sha256:" + capture.Provenance.SHA256}); err != nil {
			return err
		}
		if err := t.leaveRun(in, capture); err != nil {
			return err
		}
		orphaned, err = t.unnamed(capture.Provenance.SHA256, capture.Provenance.ParsedSHA256)
		return err
	})
	return orphaned, err
}

func (t *tx) nothingReliesOn(captureID string) error {
	relying, err := many(t.ctx, t, scanReliance, `SELECT c.id, c.name, l.side FROM comparison_captures l JOIN comparisons c ON c.id = l.comparison_id
		WHERE l.capture_id = $1 ORDER BY c.id DESC`, captureID)
	if err != nil || len(relying) == 0 {
		return err
	}
	refused := fault.New(fault.Conflict, "capture_relied_on", "capture %s can't be removed: %d saved comparisons rely on it", captureID, len(relying)).
		WithHint("saved comparisons are kept for ever, and so is what they rest on")
	for _, one := range relying {
		refused.WithProblems(fault.Problem{Code: "relied_on", Pointer: "/comparisons/" + one.ID, Message: "comparison " + one.Name + " rests on it as " + one.As})
	}
	return refused
}

// leaveRun removes the run when its last capture is gone.
func (t *tx) leaveRun(in string, capture StoredCapture) error {
	left, err := scalar[int64](t.ctx, t, "SELECT COUNT(*) FROM captures WHERE run_id = $1", capture.RunID)
	if err != nil {
		return err
	}
	if left > 0 {
		return t.touchRun(in, capture.RunID)
	}
	if _, err := t.exec("DELETE FROM runs WHERE id = $1", capture.RunID); err != nil {
		return err
	}
	return t.audit(event{chain: in, action: "run.remove", kind: "run", id: capture.RunID, reason: "its last capture was removed"})
}

// unnamed returns those digests that no capture names.
func (t *tx) unnamed(digests ...string) ([]string, error) {
	var free []string
	for _, digest := range digests {
		n, err := scalar[int64](t.ctx, t, "SELECT COUNT(*) FROM captures WHERE sha256 = $1 OR parsed_sha256 = $2", digest, digest)
		if err != nil {
			return nil, err
		}
		if n == 0 {
			free = append(free, digest)
		}
	}
	return free, nil
}

// Named reports which of some digests a capture names.
func (d *DB) Named(ctx context.Context, digests []string) (map[string]bool, error) {
	named := make(map[string]bool, len(digests))
	for _, digest := range digests {
		n, err := scalar[int64](ctx, d.read, "SELECT COUNT(*) FROM captures WHERE sha256 = $1 OR parsed_sha256 = $2", digest, digest)
		if err != nil {
			return nil, err
		}
		named[digest] = n > 0
	}
	return named, nil
}

// EachDigest calls visit with the digests of every capture, to hold them
// against the blobs.
func (d *DB) EachDigest(ctx context.Context, visit func(captureID string, provenance evidence.Provenance)) error {
	_, err := many(ctx, d.read, func(row scanner) (none struct{}, err error) {
		var captureID string
		var p evidence.Provenance
		err = row.Scan(&captureID, &p.SHA256, &p.Bytes, &p.ParsedSHA256, &p.ParsedBytes)
		visit(captureID, p)
		return none, err
	}, "SELECT id, sha256, bytes, parsed_sha256, parsed_bytes FROM captures ORDER BY id")
	return err
}
