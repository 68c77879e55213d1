package sqlstore_test

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kernelwake/internal/evidence"
	"kernelwake/internal/fault"
	"kernelwake/internal/sqlstore"
)

func label(name, value string) func(*evidence.Capture) error {
	return func(c *evidence.Capture) error {
		c.Labels[name] = value
		return nil
	}
}

func TestACaptureIsLabelledAtTheRevisionReadAndNothingElseOfItChanges(t *testing.T) {
	db, in := open(t)
	capture := keep(t, db, in, launch("w", "r1", 1, "d1"))[0].Captures[0]
	if len(capture.Labels) != 0 || capture.Labels == nil || capture.Revision != 1 {
		t.Fatalf("as imported: labels %#v at revision %d", capture.Labels, capture.Revision)
	}
	edited, err := db.EditCapture(t.Context(), actor, in, capture.ID, 1, label("ticket", "PERF-12"))
	if err != nil || edited.Revision != 2 {
		t.Fatalf("edited %+v, %v", edited, err)
	}
	if _, err := db.EditCapture(t.Context(), actor, in, capture.ID, 1, label("ticket", "other")); !fault.Is(err, fault.Stale) {
		t.Errorf("an edit of the revision before: %v", err)
	}
	if _, err := db.EditCapture(t.Context(), actor, in, "cap_none", 1, label("a", "b")); !fault.Is(err, fault.NotFound) {
		t.Errorf("an edit of no capture: %v", err)
	}
	stored, err := db.Capture(t.Context(), in, capture.ID)
	if err != nil {
		t.Fatal(err)
	}
	want := capture
	want.Labels, want.Revision = map[string]string{"ticket": "PERF-12"}, 2
	if diff := cmp.Diff(want.Capture, stored.Capture); diff != "" {
		t.Errorf("stored (-want +got):\n%s", diff)
	}
	log, _, err := db.Audit(t.Context(), in, 0, 1)
	if err != nil || len(log) != 1 {
		t.Fatalf("audit %+v, %v", log, err)
	}
	if row := log[0]; row.Action != "capture.edit" || row.ObjectID != capture.ID || !strings.Contains(row.Before, `"labels":{}`) || !strings.Contains(row.After, "PERF-12") {
		t.Errorf("audit row %+v", row)
	}
}

func TestCapturesAreFoundByLabel(t *testing.T) {
	db, in := open(t)
	runs := keep(t, db, in, launch("w", "r1", 1, "d1"), launch("w", "r2", 2, "d2"))
	if _, err := db.EditCapture(t.Context(), actor, in, runs[0].Captures[0].ID, 1, label("team", "a b")); err != nil {
		t.Fatal(err)
	}
	for asked, want := range map[string]int64{"": 2, "team": 1, "team=a b": 1, "team=a": 0, "tea": 0, "t%m": 0} {
		rows, total, err := db.Captures(t.Context(), in, sqlstore.CaptureFilter{Label: asked, Limit: 10})
		if err != nil || total != want || int64(len(rows)) != want {
			t.Errorf("%q found %d in %d rows, %v; want %d", asked, total, len(rows), err, want)
		}
	}
}

func TestAFolderFromBeforeCapturesHadLabelsIsBroughtUpToDate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	db, err := sqlstore.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	made, err := db.CreateWorkspace(t.Context(), actor, "one")
	if err != nil {
		t.Fatal(err)
	}
	capture := keep(t, db, made.ID, launch("w", "r1", 1, "d1"))[0].Captures[0]
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	raw, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := raw.Exec("ALTER TABLE captures DROP COLUMN labels; ALTER TABLE captures DROP COLUMN revision; DELETE FROM goose_db_version WHERE version_id > 1"); err != nil {
		t.Fatal(err)
	}
	if err := raw.Close(); err != nil {
		t.Fatal(err)
	}
	if db, err = sqlstore.Open(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	stored, err := db.Capture(t.Context(), made.ID, capture.ID)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(capture.Capture, stored.Capture); diff != "" {
		t.Errorf("after the upgrade (-want +got):\n%s", diff)
	}
	if edited, err := db.EditCapture(t.Context(), actor, made.ID, capture.ID, 1, label("a", "b")); err != nil || edited.Labels["a"] != "b" {
		t.Errorf("labelled after the upgrade: %+v, %v", edited, err)
	}
}
