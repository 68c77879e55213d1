package sqlstore

import "fmt"

// revise applies an edit to a thing, where it is still at the revision the
// edit was made on, and returns how it was, as the audit log keeps it.
func revise[T any](kind, thingID string, thing *T, revision *int64, on int64, edit func(*T) error) (earlier string, err error) {
	if *revision != on {
		return "", stale(kind, thingID, on, *revision)
	}
	if earlier, err = text(*thing); err != nil {
		return "", err
	}
	if err := edit(thing); err != nil {
		return "", err
	}
	*revision = on + 1
	return earlier, nil
}

// saveRevised writes a revised thing by an update of its one row, and the edit
// into the audit log of the workspace.
func (t *tx) saveRevised(in, kind, thingID, earlier string, thing any, update string, args ...any) error {
	changed, err := t.exec(update, args...)
	if err != nil {
		return err
	}
	if changed != 1 {
		return fmt.Errorf("editing %s %s changed %d rows", kind, thingID, changed)
	}
	later, err := text(thing)
	if err != nil {
		return err
	}
	return t.audit(event{chain: in, action: kind + ".edit", kind: kind, id: thingID, before: earlier, after: later})
}
