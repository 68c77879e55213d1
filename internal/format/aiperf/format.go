package aiperf

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sort"

	"kernelwake/internal/evidence"
	"kernelwake/internal/fault"
)

// importer is the id and version of this reader; the version changes whenever
// the same bytes would give another parsed form.
const importer = "aiperf@1"

// Format reads AIPerf profile exports; it implements evidence.Format.
type Format struct{}

// ID is the format id.
func (Format) ID() string { return evidence.FormatAIPerf }

// Importer is the id and version of the reader.
func (Format) Importer() string { return importer }

// Match reports whether the file is a zip, a tar or a gzipped tar. Whether an
// AIPerf run is inside, Read tells with a reason.
func (Format) Match(file evidence.File, head []byte) bool {
	if len(head) < tapeHeader {
		whole := make([]byte, min(tapeHeader, file.Bytes))
		if n, err := file.Content.ReadAt(whole, 0); err == nil || errors.Is(err, io.EOF) {
			head = whole[:n]
		}
	}
	return kindOf(file, head) != notAnArchive
}

// Read emits one capture for each run in the archive, in the natural order of
// their paths. Memory is bounded by retainedBudget and the columns of one run.
func (Format) Read(ctx context.Context, file evidence.File, options evidence.ReadOptions, emit func(*evidence.Parsed) error) error {
	return bounds{limits: evidence.LimitsOf[evidence.FormatAIPerf], budget: retainedBudget}.run(ctx, file, options, emit)
}

// retainedBudget is how much of the readings of several runs is held at once,
// in bytes. What goes beyond is read again when its turn comes.
const retainedBudget = 96 * mebibyte

// bounds are the limits of one import; tests make them small.
type bounds struct {
	limits evidence.Limits
	budget int64
}

func (b bounds) run(ctx context.Context, file evidence.File, options evidence.ReadOptions, emit func(*evidence.Parsed) error) error {
	if file.Bytes > b.limits.Received {
		return tooLargeReceived(file.Bytes, b.limits)
	}
	disk := &disk{ReaderAt: file.Content}
	file.Content = disk
	err := b.read(ctx, file, options, emit)
	if failed := disk.failed(); failed != nil {
		return fmt.Errorf("reading the archive: %w", failed)
	}
	return err
}

func (b bounds) read(ctx context.Context, file evidence.File, options evidence.ReadOptions, emit func(*evidence.Parsed) error) error {
	archive, err := openContainer(file, b.limits)
	if err != nil {
		return err
	}
	one := &archiveImport{archive: archive, reader: newReader(b.limits, options.KeepSecrets), budget: b.budget, options: options}
	if err := one.survey(ctx); err != nil {
		return err
	}
	if len(one.runs) == 0 {
		return one.nothingFound()
	}
	return one.emitAll(ctx, emit)
}

func tooLargeReceived(bytes int64, limits evidence.Limits) error {
	if limits == evidence.LimitsOf[evidence.FormatAIPerf] {
		return evidence.CheckReceived(evidence.FormatAIPerf, bytes)
	}
	return fault.New(fault.TooLarge, "file_too_large", "the file has %d bytes, at most %d are allowed", bytes, limits.Received)
}

// archiveImport is the state of reading one archive.
type archiveImport struct {
	archive container
	reader  *reader
	budget  int64
	options evidence.ReadOptions
	files   []*archived
	runs    []*run
	rest    []*archived
	held    int64
}

// survey reads every entry once and keeps as many readings as the budget
// allows, then groups the entries into runs.
func (a *archiveImport) survey(ctx context.Context) error {
	err := a.archive.each(ctx, func(file entry, content io.Reader) error {
		one, err := a.reader.read(ctx, file, content)
		if err != nil {
			return err
		}
		a.keep(one)
		a.files = append(a.files, one)
		return nil
	})
	if err != nil {
		return err
	}
	a.runs, a.rest = findRuns(a.files)
	for _, one := range a.rest {
		a.let(one)
	}
	assignLaunches(a.runs)
	assignCells(a.runs)
	return nil
}

// keep holds an entry's reading if the budget allows.
func (a *archiveImport) keep(one *archived) {
	if a.held+one.retained > a.budget {
		one.read = nil
		return
	}
	a.held += one.retained
}

// let lets an entry's reading go.
func (a *archiveImport) let(one *archived) {
	if one.read != nil {
		a.held -= one.retained
		one.read = nil
	}
}

// emitAll makes a capture of each run in turn.
func (a *archiveImport) emitAll(ctx context.Context, emit func(*evidence.Parsed) error) error {
	remarks := a.archive.remarks()
	for i, one := range a.runs {
		if err := ctx.Err(); err != nil {
			return err
		}
		if one.lacks() {
			if err := a.fetch(ctx, a.runs[i:]); err != nil {
				return err
			}
		}
		parsed, err := assemble(one, a.rest, remarks, a.options)
		if err != nil {
			return err
		}
		for _, file := range one.files {
			a.let(file)
		}
		if err := emit(parsed); err != nil {
			return err
		}
	}
	return nil
}

// lacks reports whether a reading of the run was let go.
func (r *run) lacks() bool {
	for _, file := range r.files {
		if file.read == nil && file.retained > 0 {
			return true
		}
	}
	return false
}

// fetch walks the archive again for the first run, and for as many of those
// after it as fill the budget. What was held of them is let go first, so that
// every walk but the last fills the budget, in whatever order the archive is:
// the number of walks is bounded by what all readings take.
func (a *archiveImport) fetch(ctx context.Context, runs []*run) error {
	for _, one := range runs {
		for _, file := range one.files {
			a.let(file)
		}
	}
	wanted := map[string]*archived{}
	for i, one := range runs {
		var bytes int64
		for _, file := range one.files {
			bytes += file.retained
		}
		if i > 0 && a.held+bytes > a.budget {
			break
		}
		a.held += bytes
		for _, file := range one.files {
			if file.retained > 0 {
				wanted[file.path] = file
			}
		}
	}
	return a.archive.each(ctx, func(file entry, content io.Reader) error {
		one, ok := wanted[file.path]
		if !ok {
			return nil
		}
		again, err := a.reader.read(ctx, file, content)
		if err != nil {
			return err
		}
		one.read = again.read
		delete(wanted, file.path)
		if len(wanted) == 0 {
			return errStop
		}
		return nil
	})
}

// nothingFound says what the archive holds in place of a run.
func (a *archiveImport) nothingFound() error {
	counts := map[kind]int{}
	for _, file := range a.files {
		counts[file.kind]++
		if file.kind == summaryFile && file.unreadable != "" {
			return fault.New(fault.Invalid, "summary_unreadable", "the summary %s can't be read: %s", shown(file.path), file.unreadable).
				WithHint("copy the artifact folder again")
		}
	}
	hint := "pack the folder in which AIPerf wrote profile_export_aiperf.json and profile_export.jsonl"
	if counts[archiveFile] > 0 {
		hint = "the archive holds another archive: unpack it and send the inner one"
	}
	var held []string
	for kind, count := range counts {
		held = append(held, fmt.Sprintf("%d × %s", count, words[kind]))
	}
	sort.Strings(held)
	return fault.New(fault.Invalid, "no_aiperf_run", "the archive holds no AIPerf run: neither a summary nor records were found among its %d files", len(a.files)).
		WithProblems(fault.Problem{Code: "no_aiperf_run", Message: fmt.Sprintf("found: %v", held)}).
		WithHint("%s", hint)
}
