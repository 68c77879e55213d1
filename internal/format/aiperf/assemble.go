package aiperf

import (
	"cmp"
	"math"
	"slices"
	"time"

	"kernelwake/internal/absent"
	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
)

// assemble makes a capture of one run. Nothing in it depends on the file's
// name, so that equal bytes always give an equal parsed form.
func assemble(one *run, rest []*archived, remarks []evidence.Finding, options evidence.ReadOptions) (*evidence.Parsed, error) {
	m := gather(one, options)
	m.crossCheck()
	m.configure()
	m.whole = m.recordsWhole()
	m.findWindow()
	m.recompute()
	m.checkVersion()
	m.checkRecords()
	m.checkCounts()
	m.agree()
	m.checkSuccesses()
	parsed := &evidence.Parsed{
		Format: evidence.FormatAIPerf, FormatVersion: m.summary.format(), Importer: importer, Tool: m.summary.tool(),
		Selector: one.selector, Cell: one.cell, Launch: one.launch, Lens: lens.Inference,
		Origin: evidence.Recorded, MeasuredOn: evidence.UnknownDevice, Rank: noRank(),
		Dimensions: m.dimensions(), Outcomes: m.outcomes(), Completeness: m.completeness(), Labels: m.labels(),
	}
	parsed.Name = m.name()
	parsed.Started, parsed.Ended = m.bounds()
	if table, ok := m.requestTable(); ok {
		parsed.Tables = append(parsed.Tables, table)
	}
	if table, ok := m.seriesTable(); ok {
		parsed.Tables = append(parsed.Tables, table)
	}
	var err error
	if parsed.Figures, err = m.figures(parsed.Completeness, rest); err != nil {
		return nil, err
	}
	m.reportFiles()
	parsed.Findings = slices.Concat(remarks, m.findings, m.allSecrets())
	return parsed, nil
}

// configure takes the run's configuration from the summary, else from the
// files that repeat it.
func (m *material) configure() {
	if m.summary != nil {
		m.configured, m.info = m.summary.configured, m.summary.run
	}
	if m.config != nil {
		if m.configured.shape == "" {
			m.configured = m.config.configured
		}
		if m.info.sweep == "" && !m.info.seed.known() {
			m.info = m.config.run
		}
	}
	if m.configured.shape == "" && m.server != nil {
		m.configured = m.server.configured
	}
}

func noRank() evidence.Rank {
	note := "a load run has no ranks"
	return evidence.Rank{Rank: absent.Because[int64](absent.NotApplicable, note), WorldSize: absent.Because[int64](absent.NotApplicable, note)}
}

// bounds are when the measured phase began and ended. Times without a zone
// can't say.
func (m *material) bounds() (started, ended absent.Value[time.Time]) {
	if m.window.span.known() {
		return absent.Of(instant(m.window.span.start)), absent.Of(instant(m.window.span.end))
	}
	first, last := m.summary.value("min_request_timestamp"), m.summary.value("max_response_timestamp")
	if first > 0 && last >= first && last < math.MaxInt64 { // as float64, to 256 ns
		return absent.Of(instant(int64(first))), absent.Of(instant(int64(last)))
	}
	note := "AIPerf wrote only the client's local time, without its zone"
	return absent.Because[time.Time](absent.NotRecorded, note), absent.Because[time.Time](absent.NotRecorded, note)
}

// name suggests a name for the run: its folder, or what it measured.
func (m *material) name() string {
	if m.run.selector != "" {
		return m.run.selector
	}
	name := "AIPerf run"
	if len(m.configured.models) > 0 {
		name = m.configured.models[0]
	}
	if load := m.configured.load(); load != "" {
		name += " " + load
	}
	return name
}

// labels make a run findable by AIPerf's own ids.
func (m *material) labels() map[string]string {
	all := map[string]string{}
	if m.summary != nil && m.summary.benchmark != "" {
		all["aiperf_benchmark_id"] = m.summary.benchmark
	}
	if m.info.sweep != "" {
		all["aiperf_sweep_id"] = m.info.sweep
	}
	if m.info.label != "" {
		all["aiperf_run_label"] = m.info.label
	}
	return all
}

// reportFiles says which of the run's files could not be read.
func (m *material) reportFiles() {
	for _, file := range sortedFiles(m.run) {
		if file.unreadable != "" {
			m.find("file_unreadable", 1, file.path, "copy the artifact folder again", "%s (%s) can't be read: %s", shown(file.path), words[file.kind], file.unreadable)
		}
		switch file.kind {
		case inputsFile:
			m.find("prompts_present", 1, file.path, "leave inputs.json out of archives that others may see", "inputs.json holds the prompts: only digests of them are kept in the parsed form")
		case rawRecordsFile, outputsFile:
			m.find("prompts_present", 1, file.path, "leave the file out of archives that others may see", "%s holds prompts or answers: it was not read", shown(file.path))
		}
	}
}

func sortedFiles(one *run) []*archived {
	files := make([]*archived, 0, len(one.files))
	for _, file := range one.files {
		files = append(files, file)
	}
	slices.SortFunc(files, func(a, b *archived) int { return cmp.Compare(a.path, b.path) })
	return files
}
