package sqlstore

import (
	"context"

	"kernelwake/internal/evidence"
	"kernelwake/internal/workspace"
)

// EditCapture applies an edit of a capture's labels to the revision it was
// made on. What was imported never changes.
func (d *DB) EditCapture(ctx context.Context, actor workspace.Actor, in, captureID string, revision int64, edit func(*evidence.Capture) error) (evidence.Capture, error) {
	var edited evidence.Capture
	err := d.change(ctx, actor, func(t *tx) error {
		before, err := one(ctx, t, scanCapture, captureColumns+" WHERE c.workspace_id = $1 AND c.id = $2", in, captureID)
		if err != nil {
			return missing(err, "capture", captureID)
		}
		edited = before.Capture
		earlier, err := revise("capture", captureID, &edited, &edited.Revision, revision, edit)
		if err != nil {
			return err
		}
		labels, err := text(edited.Labels)
		if err != nil {
			return err
		}
		return t.saveRevised(in, "capture", captureID, earlier, edited, "UPDATE captures SET labels = $1, revision = $2 WHERE id = $3 AND revision = $4",
			labels, edited.Revision, captureID, revision)
	})
	return edited, err
}
