package aiperf

import (
	"math"
	"time"
)

// crossCheck tests whether the files of a run belong together, and sets aside
// what is of another run.
func (m *material) crossCheck() {
	m.checkSummary()
	m.checkServer()
	m.checkTelemetry()
	m.checkInputs()
	m.checkManifest()
	if m.config != nil && m.summary != nil && m.config.benchmark != "" && m.summary.benchmark != "" && m.config.benchmark != m.summary.benchmark {
		m.ofAnotherRun("run_config_of_another_run", m.config.path, "run_config.json names benchmark %s, the summary %s", m.config.benchmark, m.summary.benchmark)
		m.config = nil
	}
}

func (m *material) ofAnotherRun(code, pointer, format string, args ...any) {
	m.find(code, 1, pointer, "record each run into a folder of its own", format+": it was left out", args...)
}

// slack is how far clocks and flushes may carry a file beyond its run.
const slack = 60 * time.Second

// checkSummary sets a summary aside that is older than the records beside it:
// a failed run unlinks the records of the one before, and leaves its summary.
func (m *material) checkSummary() {
	if m.summary == nil || !m.hasRecords() {
		return
	}
	seen := m.requests.span()
	if !seen.known() {
		return
	}
	stale := false
	if first := m.summary.value("min_request_timestamp"); !math.IsNaN(first) {
		// An absolute time, to 256 ns; up to ~0.6.
		start := first - 1e9
		end := m.summary.value("max_response_timestamp") + float64(slack)
		stale = float64(seen.start) < start || float64(seen.end) > end
	} else if !m.summary.started.IsZero() && !m.summary.ended.IsZero() {
		stale = !withinWallClock(seen, m.summary.started, m.summary.ended)
	}
	if !stale {
		return
	}
	m.find("summary_stale", 1, m.summary.path, "import the folder of one run; AIPerf leaves an old summary behind when a run into the same folder fails",
		"the summary is of another time than the records: it was set aside, with the configuration in it")
	m.summary = nil
}

// withinWallClock reports whether a span could lie between two times of a wall
// clock whose zone is unknown: zones are whole quarters of an hour.
func withinWallClock(seen span, started, ended time.Time) bool {
	const quarter = 15 * time.Minute
	offset := time.Duration(started.UnixNano() - seen.start)
	for _, zone := range []time.Duration{offset.Round(quarter), offset.Round(quarter) + quarter, offset.Round(quarter) - quarter} {
		if zone.Abs() > 15*time.Hour {
			continue
		}
		from, to := started.Add(-zone).UnixNano(), ended.Add(-zone).UnixNano()
		if seen.start >= from-int64(2*time.Second) && seen.end <= to+int64(slack) {
			return true
		}
	}
	// Records that were cut begin anywhere in a long run.
	length := ended.Sub(started)
	return length >= quarter && time.Duration(seen.end-seen.start) <= length+slack
}

func (m *material) checkServer() {
	if m.server == nil {
		return
	}
	seen := m.requests.span()
	switch {
	case m.summary != nil && m.server.benchmark != "" && m.summary.benchmark != "" && m.server.benchmark != m.summary.benchmark:
		m.ofAnotherRun("server_metrics_of_another_run", m.server.path, "server metrics name benchmark %s, the summary %s", m.server.benchmark, m.summary.benchmark)
	case m.server.profiling.known() && seen.known() && !m.server.profiling.overlaps(seen, slack):
		m.ofAnotherRun("server_metrics_of_another_run", m.server.path, "server metrics are of %s, the records of %s", day(m.server.profiling), day(seen))
	default:
		if m.server.damaged {
			m.find("server_metrics_damaged", 1, m.server.path, "", "server metrics could be read in part only")
		}
		return
	}
	m.server = nil
}

func (m *material) checkTelemetry() {
	if m.telemetry == nil {
		return
	}
	if m.telemetry.damaged > 0 {
		m.find("telemetry_damaged", m.telemetry.damaged, m.telemetry.path, "", "%d lines of GPU telemetry can't be read", m.telemetry.damaged)
	}
	seen := m.requests.span()
	if m.telemetry.span.known() && seen.known() && !m.telemetry.span.overlaps(seen, slack) {
		m.ofAnotherRun("telemetry_of_another_run", m.telemetry.path, "GPU telemetry is of %s, the records of %s", day(m.telemetry.span), day(seen))
		m.telemetry = nil
	}
}

// day names when something was, for a message.
func day(s span) string { return instant(s.start).Format("2006-01-02 15:04:05 UTC") }

// checkInputs asks whether any conversation of the records is in inputs.json.
func (m *material) checkInputs() {
	if m.inputs == nil {
		return
	}
	if m.inputs.damaged {
		m.find("inputs_damaged", 1, m.inputs.path, "copy the artifact folder again", "inputs.json can't be read to its end: no digest of the request bodies")
		m.inputs = nil
		return
	}
	named, found := 0, 0
	for _, id := range m.requests.conversation {
		if id == 0 {
			continue
		}
		named++
		if _, ok := m.inputs.bySession[id]; ok {
			found++
			break
		}
	}
	if named > 0 && found == 0 && m.inputs.sessions <= mostSessions {
		m.ofAnotherRun("inputs_of_another_run", m.inputs.path, "no conversation of the records is in inputs.json")
		m.inputs = nil
	}
}

func (m *material) checkManifest() {
	if m.manifest == nil {
		return
	}
	seen := m.requests.span()
	if m.manifest.profiling.known() && seen.known() && !m.manifest.profiling.overlaps(seen, slack) {
		m.ofAnotherRun("manifest_of_another_run", m.manifest.path, "phase_manifest.json is of %s, the records of %s", day(m.manifest.profiling), day(seen))
		m.manifest = nil
		return
	}
	if m.manifest.phases > 1 {
		m.find("several_profiling_phases", int64(m.manifest.phases), m.manifest.path, "record one profiling phase a run",
			"%d profiling phases stand in one summary; they were read as one", m.manifest.phases)
	}
}
