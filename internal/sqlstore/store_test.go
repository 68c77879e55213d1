package sqlstore_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kernelwake/internal/absent"
	"kernelwake/internal/evidence"
	"kernelwake/internal/fault"
	"kernelwake/internal/lens"
	"kernelwake/internal/sqlstore"
	"kernelwake/internal/workspace"
)

var actor = workspace.Actor{MemberID: "mem_test", Name: "tester", Role: workspace.Admin, Method: "token", RequestID: "req_1"}

func open(t testing.TB) (*sqlstore.DB, string) {
	t.Helper()
	db, err := sqlstore.Open(context.Background(), filepath.Join(t.TempDir(), "test.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	made, err := db.CreateWorkspace(context.Background(), actor, "one")
	if err != nil {
		t.Fatal(err)
	}
	return db, made.ID
}

// launch is a run of one capture as an importer keeps it.
func launch(workload, name string, value float64, digest string) sqlstore.NewRun {
	started := time.Date(2026, 1, 2, 3, 4, 5, 123456000, time.UTC)
	n := absent.Of(int64(5))
	return sqlstore.NewRun{
		Workload: workload, Name: name, Lens: lens.Training, Declared: map[string]any{"driver": "570"},
		Captures: []sqlstore.NewCapture{{
			Capture: evidence.Capture{
				Format: evidence.FormatKernelwake, FormatVersion: "1.0", Lens: lens.Training, Origin: evidence.Recorded, MeasuredOn: evidence.UnknownDevice, Started: &started,
				Provenance: evidence.Provenance{SHA256: digest, ParsedSHA256: "p" + digest, Bytes: 10, ParsedBytes: 20, Importer: "kernelwake-json@1", FileName: name + ".json"},
				Findings:   []evidence.Finding{{Code: "x", Message: "y", Count: 2}},
			},
			Launch:     evidence.LaunchID{Kind: evidence.Launch},
			Dimensions: map[string]evidence.Dimension{"gpu_model": {Value: "NVIDIA H200", Source: evidence.Observed}},
			Figures:    json.RawMessage(`{"a":1}`),
			Measurements: []evidence.Measurement{
				{Metric: "step_time.p50", Name: "step_time", Statistic: lens.P50, Label: "step time", Unit: "ms", Direction: lens.Lower, Value: &value, N: n, Basis: evidence.FromSamples, Marks: []string{"few"}},
				{Metric: "elapsed_time", Name: "elapsed_time", Statistic: lens.Value, Unit: "s", Direction: lens.Lower, Absent: absent.NotRecorded, Note: "no clock", N: absent.Because[int64](absent.NotRecorded, "")},
			},
		}},
	}
}

func keep(t testing.TB, db *sqlstore.DB, in string, runs ...sqlstore.NewRun) []sqlstore.StoredRun {
	t.Helper()
	kept, err := db.Keep(context.Background(), actor, in, sqlstore.Batch{Runs: runs})
	if err != nil {
		t.Fatal(err)
	}
	return kept
}

func TestWhatIsKeptComesBack(t *testing.T) {
	db, in := open(t)
	run := keep(t, db, in, launch("w", "r1", 12.5, "d1"))[0]
	if run.RunRow.Workload != "w" || run.Name != "r1" || run.RunRow.Captures != 1 || run.Findings != 1 || run.Formats[0] != evidence.FormatKernelwake || run.Started == nil || run.Started.Nanosecond() != 123456000 {
		t.Errorf("run %+v", run.RunRow)
	}
	if said := run.Declared["driver"]; said.Value != "570" || said.By != "tester" || said.At.IsZero() {
		t.Errorf("declared %+v", run.Declared)
	}
	if h := run.Headline; h.Metric != "step_time.p50" || h.Value == nil || *h.Value != 12.5 {
		t.Errorf("headline %+v", h)
	}
	capture := run.Captures[0]
	measured, err := db.Measurements(t.Context(), []string{capture.ID})
	if err != nil {
		t.Fatal(err)
	}
	value := 12.5
	want := launch("w", "r1", value, "d1").Captures[0].Measurements
	if diff := cmp.Diff(want, measured[capture.ID], cmp.AllowUnexported(absent.Value[int64]{})); diff != "" {
		t.Errorf("measurements (-want +got):\n%s", diff)
	}
	if figures, err := db.Figures(t.Context(), capture.ID); err != nil || string(figures) != `{"a":1}` {
		t.Errorf("figures %s, %v", figures, err)
	}
}

func TestAnImportIsOneTransaction(t *testing.T) {
	db, in := open(t)
	keep(t, db, in, launch("w", "r1", 1, "d1"))
	_, err := db.Keep(t.Context(), actor, in, sqlstore.Batch{Runs: []sqlstore.NewRun{launch("new", "r2", 2, "d2"), launch("w", "r3", 3, "d1")}})
	if fault.Of(err).Code != sqlstore.CaptureExists {
		t.Fatalf("bytes that are there: %v", err)
	}
	rows, total, err := db.Runs(t.Context(), in, sqlstore.RunFilter{Limit: 10})
	if err != nil || total != 1 || rows[0].Name != "r1" {
		t.Errorf("%d runs, %v", total, err)
	}
	if _, total, err := db.Workloads(t.Context(), in, "", "", 10); err != nil || total != 1 {
		t.Errorf("%d workloads, %v", total, err)
	}
}

func TestConcurrentEditsLoseNothing(t *testing.T) {
	db, in := open(t)
	runID := keep(t, db, in, launch("w", "r1", 1, "d1"))[0].ID
	var wait sync.WaitGroup
	for worker := range 8 {
		wait.Go(func() {
			for done := 0; done < 5; {
				current, err := db.StoredRun(context.Background(), in, runID)
				if err != nil {
					t.Error(err)
					return
				}
				_, err = db.EditRun(context.Background(), actor, in, runID, current.Revision, func(r *evidence.Run) error {
					r.Labels[fmt.Sprintf("%d-%d", worker, done)] = "x"
					return nil
				})
				switch {
				case err == nil:
					done++
				case !fault.Is(err, fault.Stale):
					t.Error(err)
					return
				}
			}
		})
	}
	wait.Wait()
	run, err := db.StoredRun(t.Context(), in, runID)
	if err != nil || len(run.Labels) != 40 || run.Revision != 41 {
		t.Errorf("%d labels at revision %d, %v; want 40 at 41", len(run.Labels), run.Revision, err)
	}
}

func TestSavedComparisonsAndTheAuditLogCannotBeChanged(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "test.db")
	db, err := sqlstore.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	made, err := db.CreateWorkspace(t.Context(), actor, "one")
	if err != nil {
		t.Fatal(err)
	}
	capture := keep(t, db, made.ID, launch("w", "r1", 1, "d1"))[0].Captures[0]
	saved, err := db.SaveComparison(t.Context(), actor, made.ID, sqlstore.Comparison{
		Name: "c", Request: json.RawMessage(`{}`), Inputs: json.RawMessage(`{}`), Result: json.RawMessage(`{}`),
		Captures: []sqlstore.ComparedCapture{{CaptureID: capture.ID, RunID: capture.RunID, Side: "baseline"}, {CaptureID: capture.ID, RunID: capture.RunID, Side: "candidate"}},
	}, sqlstore.Once{})
	if err != nil || saved.ResultSHA256 != evidence.Digest([]byte("{}")) {
		t.Fatalf("saved %+v, %v", saved, err)
	}
	raw, err := sql.Open("sqlite", path+"?_pragma=foreign_keys(1)")
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	for _, statement := range []string{
		"UPDATE comparisons SET name = 'changed'", "UPDATE audit SET actor_name = 'nobody'", "DELETE FROM audit", "DELETE FROM captures",
	} {
		if _, err := raw.Exec(statement); err == nil {
			t.Errorf("%s: done", statement)
		}
	}
	if _, err := raw.Exec("DROP TRIGGER audit_stays; UPDATE audit SET actor_name = 'nobody' WHERE seq = 2"); err != nil {
		t.Fatal(err)
	}
	if n, err := db.VerifyAudit(t.Context(), made.ID); err == nil || n != 1 {
		t.Errorf("a changed audit row: %d rows hold, %v", n, err)
	}
}

func TestListsArePagedInAStableOrder(t *testing.T) {
	db, in := open(t)
	var want []string
	for i := range 7 {
		run := keep(t, db, in, launch("w", fmt.Sprintf("run %d", i), float64(i), fmt.Sprint("d", i)))[0]
		want = append([]string{run.ID}, want...)
	}
	var got []string
	for before := ""; ; {
		rows, total, err := db.Runs(t.Context(), in, sqlstore.RunFilter{Before: before, Limit: 3})
		if err != nil || total != 7 {
			t.Fatalf("total %d, %v", total, err)
		}
		for _, row := range rows {
			got = append(got, row.ID)
		}
		if len(rows) < 3 {
			break
		}
		before = rows[2].ID
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("pages (-want +got):\n%s", diff)
	}
}

func TestFilters(t *testing.T) {
	db, in := open(t)
	special := launch("other", "100%_done", 1, "d1")
	special.Labels = map[string]string{"team": "a b", "t%": "x"}
	special.Group = "g"
	keep(t, db, in, special, launch("w", "plain", 2, "d2"))
	if _, err := db.CreateWorkspace(t.Context(), actor, "two"); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name   string
		filter sqlstore.RunFilter
		want   int64
	}{
		{"nothing", sqlstore.RunFilter{}, 2},
		{"part of a name, whatever its case", sqlstore.RunFilter{Q: "PLAI"}, 1},
		{"a wildcard is a character", sqlstore.RunFilter{Q: "%_d"}, 1},
		{"a wildcard that isn't there", sqlstore.RunFilter{Q: "%x"}, 0},
		{"the workload's name", sqlstore.RunFilter{Q: "other"}, 1},
		{"a label", sqlstore.RunFilter{Label: "team=a b"}, 1},
		{"a label's beginning is no label", sqlstore.RunFilter{Label: "team=a"}, 0},
		{"a label's name", sqlstore.RunFilter{Label: "team"}, 1},
		{"a group", sqlstore.RunFilter{Group: "g"}, 1},
		{"a format", sqlstore.RunFilter{Format: evidence.FormatKernelwake}, 2},
		{"part of a format", sqlstore.RunFilter{Format: "kernel"}, 0},
		{"a lens", sqlstore.RunFilter{Lens: lens.Inference}, 0},
		{"an injection", sqlstore.RunFilter{Q: "' OR 1=1 --"}, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.filter.Limit = 10
			rows, total, err := db.Runs(t.Context(), in, test.filter)
			if err != nil || total != test.want || int64(len(rows)) != test.want {
				t.Errorf("found %d in %d rows, %v; want %d", total, len(rows), err, test.want)
			}
		})
	}
}

func TestWhatPeopleSayOfTheMachineReachesTheRunsRow(t *testing.T) {
	db, in := open(t)
	run := keep(t, db, in, launch("w", "r1", 1, "d1"))[0]
	if run.MeasuredOn != evidence.UnknownDevice {
		t.Fatalf("measured on %s", run.MeasuredOn)
	}
	measured := func() evidence.Device {
		t.Helper()
		run, err := db.StoredRun(t.Context(), in, run.ID)
		if err != nil {
			t.Fatal(err)
		}
		return run.MeasuredOn
	}
	setup, err := db.CreateSetup(t.Context(), actor, in, "box", map[string]any{"measured_on": "gpu"}, sqlstore.Once{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.AttachSetup(t.Context(), actor, in, run.ID, setup.ID, 0); err != nil || measured() != evidence.GPU {
		t.Errorf("with the setup attached: %s, %v", measured(), err)
	}
	if err := db.DetachSetup(t.Context(), actor, in, run.ID, setup.ID); err != nil || measured() != evidence.UnknownDevice {
		t.Errorf("with the setup gone: %s, %v", measured(), err)
	}
	_, err = db.EditWorkload(t.Context(), actor, in, run.WorkloadID, 1, func(w *evidence.Workload) error {
		w.Declared = map[string]evidence.DeclaredValue{"measured_on": {Value: "cpu"}}
		return nil
	})
	if err != nil || measured() != evidence.CPU {
		t.Errorf("with the workload's word: %s, %v", measured(), err)
	}
}

func TestASetupsVersionsStayAndARunKeepsTheOneAttached(t *testing.T) {
	db, in := open(t)
	run := keep(t, db, in, launch("w", "r1", 1, "d1"))[0]
	setup, err := db.CreateSetup(t.Context(), actor, in, "box", map[string]any{"driver": "1"}, sqlstore.Once{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.AttachSetup(t.Context(), actor, in, run.ID, setup.ID, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := db.AddSetupVersion(t.Context(), actor, in, setup.ID, 1, map[string]any{"driver": "2"}); err != nil {
		t.Fatal(err)
	}
	if _, err := db.AddSetupVersion(t.Context(), actor, in, setup.ID, 1, map[string]any{"driver": "3"}); !fault.Is(err, fault.Stale) {
		t.Errorf("a version written on an old one: %v", err)
	}
	stored, err := db.StoredRun(t.Context(), in, run.ID)
	if err != nil || len(stored.Setups) != 1 || stored.Setups[0].Values["driver"] != "1" {
		t.Errorf("the run's setups %+v, %v", stored.Setups, err)
	}
	versions, err := db.SetupVersions(t.Context(), in, setup.ID)
	if err != nil || len(versions) != 2 || versions[0].Version != 2 || versions[1].Values["driver"] != "1" {
		t.Errorf("versions %+v, %v", versions, err)
	}
}

func TestCredentialsEnd(t *testing.T) {
	db, in := open(t)
	member, err := db.CreateMember(t.Context(), actor, workspace.Member{Name: "m"}, in, workspace.Viewer)
	if err != nil {
		t.Fatal(err)
	}
	create := func(secret string, c workspace.Credential) workspace.Credential {
		t.Helper()
		c.MemberID = member.ID
		made, err := db.CreateCredential(t.Context(), actor, c, secret)
		if err != nil {
			t.Fatal(err)
		}
		return made
	}
	now := time.Now()
	create("expires", workspace.Credential{Kind: workspace.Token, Expires: now.Add(time.Hour)})
	revoked := create("revoked", workspace.Credential{Kind: workspace.Token})
	create("link", workspace.Credential{Kind: workspace.SignInLink})
	if caller, err := db.Caller(t.Context(), "expires"); err != nil || caller.Member.Name != "m" || caller.Memberships[0].Role != workspace.Viewer {
		t.Errorf("a valid token: %+v, %v", caller, err)
	}
	if _, err := db.Caller(t.Context(), "link"); !fault.Is(err, fault.Unsigned) {
		t.Errorf("a sign-in link as a token: %v", err)
	}
	if err := db.Revoke(t.Context(), actor, revoked.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Caller(t.Context(), "revoked"); !fault.Is(err, fault.Unsigned) {
		t.Errorf("a revoked token: %v", err)
	}
	db.SetClock(func() time.Time { return now.Add(time.Hour) })
	if _, err := db.Caller(t.Context(), "expires"); !fault.Is(err, fault.Unsigned) {
		t.Errorf("a token at its end: %v", err)
	}
}

func TestADataFolderOpensAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	for range 3 {
		db, err := sqlstore.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAClosedDatabaseIsUnavailableNotAFault(t *testing.T) {
	db, in := open(t)
	db.Close()
	_, _, err := db.Runs(t.Context(), in, sqlstore.RunFilter{Limit: 1})
	if !fault.Is(err, fault.Unavailable) || fault.Of(err).Hint == "" {
		t.Errorf("error %v", err)
	}
}

// A list of thousands of runs answers at once, from any page.
func BenchmarkRunsAmong10000(b *testing.B) {
	db, in := open(b)
	var middle string
	for batch := range 100 {
		var runs []sqlstore.NewRun
		for i := range 100 {
			runs = append(runs, launch("w", fmt.Sprintf("run %d-%d", batch, i), float64(i), fmt.Sprintf("d%d-%d", batch, i)))
		}
		kept := keep(b, db, in, runs...)
		if batch == 50 {
			middle = kept[0].ID
		}
	}
	for _, bench := range []struct {
		name   string
		filter sqlstore.RunFilter
	}{
		{"first page of 100", sqlstore.RunFilter{Limit: 100}},
		{"middle page of 100", sqlstore.RunFilter{Limit: 100, Before: middle}},
		{"search that finds one", sqlstore.RunFilter{Limit: 100, Q: "run 77-33"}},
		{"page of 500", sqlstore.RunFilter{Limit: 500}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				rows, _, err := db.Runs(context.Background(), in, bench.filter)
				if err != nil {
					b.Fatal(err)
				}
				var ids []string
				for _, row := range rows {
					ids = append(ids, row.ID)
				}
				if _, err := db.StoredRuns(context.Background(), in, ids); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
