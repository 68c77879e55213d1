package importing

import (
	"context"
	"fmt"
	"slices"
	"time"

	"kernelwake/internal/evidence"
	"kernelwake/internal/fault"
	"kernelwake/internal/lens"
	"kernelwake/internal/sqlstore"
	"kernelwake/internal/workspace"
)

// Request is what a person says about the files of one import.
type Request struct {
	// Workload is the name the runs go under; empty takes the file's own.
	Workload string
	// Run is one name for one run of all files; empty lets the files tell.
	Run string
	// Lens is the person's choice; empty lets the importer suggest.
	Lens  lens.ID
	Group string
	// Dims are values declared for every run.
	Dims map[string]any
	// SetupID is a setup to attach to every run.
	SetupID string
	// Via says how it came: "web", "cli", "demo".
	Via string
	// KeepSecrets leaves in the parsed form what would be redacted.
	KeepSecrets bool
}

// Import keeps the files of an upload, all or none.
func (u *Upload) Import(ctx context.Context, actor workspace.Actor, workspaceID string, request Request) (Answer, error) {
	if len(u.files) == 0 {
		return Answer{}, fault.New(fault.Invalid, "file_missing", "the import holds no file").WithHint("send at least one part named file")
	}
	i := u.importer
	i.Reached(Spooled)
	keys := make([]string, len(u.files))
	for n, file := range u.files {
		keys[n] = workspaceID + " " + file.stage.Digest()
	}
	defer i.busy.lock(keys)()
	return i.keep(ctx, actor, workspaceID, u.files, request)
}

func (i *Importer) keep(ctx context.Context, actor workspace.Actor, workspaceID string, files []*spooled, request Request) (Answer, error) {
	fresh, before, err := i.recognise(ctx, workspaceID, files, request.Lens)
	if err != nil {
		return Answer{}, err
	}
	var drafts []*draft
	defer func() { discard(drafts) }()
	for _, file := range fresh {
		parsed, err := i.drafts(ctx, file, evidence.ReadOptions{Lens: request.Lens, KeepSecrets: request.KeepSecrets}, true)
		if err != nil {
			return Answer{}, err
		}
		drafts = append(drafts, parsed...)
	}
	i.Reached(Parsed)
	runIDs := before.runIDs
	if len(drafts) > 0 {
		batch, err := i.batch(ctx, workspaceID, drafts, request)
		if err != nil {
			return Answer{}, err
		}
		kept, err := i.commit(ctx, actor, workspaceID, fresh, drafts, batch)
		if err != nil {
			return Answer{}, err
		}
		for _, run := range kept {
			runIDs = append(runIDs, run.ID)
		}
	}
	runs, err := i.Records.StoredRuns(ctx, workspaceID, distinct(runIDs))
	if err != nil {
		return Answer{}, err
	}
	sent := map[string]bool{}
	for _, file := range files {
		sent[file.stage.Digest()] = true
	}
	return answer(runs, sent, before.captures, request), nil
}

// known is what a workspace already has of an upload.
type known struct {
	runIDs []string
	// captures maps the id of a capture to the name its file was sent under.
	captures map[string]string
}

// recognise parts the files into those to read and those that the workspace
// has, read by the same importer. A file sent twice at once is read once.
func (i *Importer) recognise(ctx context.Context, workspaceID string, files []*spooled, chosen lens.ID) ([]*spooled, known, error) {
	before := known{captures: map[string]string{}}
	var fresh []*spooled
	seen := map[string]bool{}
	for _, file := range files {
		digest := file.stage.Digest()
		if seen[digest] {
			continue
		}
		seen[digest] = true
		captures, err := i.Records.Recognise(ctx, workspaceID, digest, file.format.Importer(), string(chosen))
		if err != nil {
			return nil, before, err
		}
		if len(captures) == 0 {
			fresh = append(fresh, file)
			continue
		}
		for _, capture := range captures {
			before.captures[capture.ID] = file.name
			before.runIDs = append(before.runIDs, capture.RunID)
		}
	}
	return fresh, before, nil
}

// batch decides which captures make which run.
func (i *Importer) batch(ctx context.Context, workspaceID string, drafts []*draft, request Request) (sqlstore.Batch, error) {
	batch := sqlstore.Batch{SetupID: request.SetupID}
	if err := checkDims(drafts, request.Dims); err != nil {
		return batch, err
	}
	runs := launches(drafts, request.Run)
	group := replicateGroup(request.Group, runs, time.Now())
	for _, of := range runs {
		run := sqlstore.NewRun{Workload: request.Workload, Name: request.Run, Lens: of[0].capture.Lens, Group: group(of), Declared: request.Dims, Labels: of[0].labels}
		if run.Workload == "" {
			run.Workload = of[0].workload
		}
		if run.Workload == "" {
			return batch, fault.New(fault.Invalid, "workload_missing", "%s names no workload, and none was given", of[0].file.name).
				WithHint("say which workload it belongs to: the thing whose performance is being decided on (--workload NAME)")
		}
		if run.Name == "" {
			run.Name = nameOf(of, len(runs))
		} else if err := i.join(ctx, workspaceID, &run, of); err != nil {
			return batch, err
		}
		for _, one := range of {
			one.capture.Provenance.Via = request.Via
			run.Captures = append(run.Captures, one.capture)
		}
		batch.Runs = append(batch.Runs, run)
	}
	return batch, nil
}

// join lets files of a named run come in by several imports.
func (i *Importer) join(ctx context.Context, workspaceID string, run *sqlstore.NewRun, of []*draft) error {
	for _, one := range of {
		if one.capture.Lens != run.Lens {
			return fault.New(fault.Invalid, "lens_mixed", "one run can't hold captures of the %s and the %s lens", run.Lens, one.capture.Lens).
				WithHint("choose one lens for all files, or import them as different runs")
		}
	}
	existing, err := i.Records.RunByName(ctx, workspaceID, run.Workload, run.Name)
	if err != nil || existing == nil {
		return err
	}
	if existing.Lens != run.Lens {
		return fault.New(fault.Conflict, "run_lens", "run %q has the %s lens, the capture is read under %s", run.Name, existing.Lens, run.Lens).
			WithHint("give the run another name")
	}
	run.Join = existing.ID
	return nil
}

func checkDims(drafts []*draft, dims map[string]any) error {
	var lenses []lens.Lens
	for _, one := range drafts {
		if found, ok := lens.Find(one.capture.Lens); ok && !slices.ContainsFunc(lenses, func(l lens.Lens) bool { return l.ID == found.ID }) {
			lenses = append(lenses, found)
		}
	}
	return evidence.CheckDeclared(dims, lenses...)
}

// commit moves the bytes into place and writes the transaction. Where that
// fails, what was moved goes again.
func (i *Importer) commit(ctx context.Context, actor workspace.Actor, workspaceID string, files []*spooled, drafts []*draft, batch sqlstore.Batch) ([]sqlstore.StoredRun, error) {
	announced, err := i.announce(files, drafts)
	if err != nil {
		return nil, err
	}
	kept, err := i.move(ctx, actor, workspaceID, files, drafts, batch)
	if err != nil {
		i.settle(announced)
		return nil, err
	}
	i.Reached(Committed)
	announced.done()
	return kept, nil
}

func (i *Importer) move(ctx context.Context, actor workspace.Actor, workspaceID string, files []*spooled, drafts []*draft, batch sqlstore.Batch) ([]sqlstore.StoredRun, error) {
	i.gate.RLock()
	defer i.gate.RUnlock()
	for _, file := range files {
		if err := file.stage.Keep(ctx); err != nil {
			return nil, fmt.Errorf("keeping the bytes of %s: %w", file.name, err)
		}
	}
	i.Reached(BlobMoved)
	for _, one := range drafts {
		if err := one.parsed.Keep(ctx); err != nil {
			return nil, fmt.Errorf("keeping the parsed form of %s: %w", one.file.name, err)
		}
	}
	i.Reached(ParsedMoved)
	return i.Records.Keep(ctx, actor, workspaceID, batch)
}

// distinct leaves out what was named before.
func distinct(ids []string) []string {
	var all []string
	for _, one := range ids {
		if !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	return all
}
