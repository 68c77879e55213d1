package aiperf

import "math"

// window is the stretch that was measured.
type window struct {
	// span bounds it in epoch nanoseconds, if some file knows them.
	span span
	// origin is the moment that offsets in tables count from.
	origin int64
	// seconds is the length of the profiling phase, of whatever source.
	seconds float64
	// from names the source; empty if the phase's length is unknown.
	from string
	// exact is false where the length is known to the microsecond only.
	exact bool
}

// findWindow takes the phase's bounds from the best source there is: files
// with nanoseconds, the summary's wall clock, the records themselves.
func (m *material) findWindow() {
	w := window{span: span{missingInteger, missingInteger}, seconds: math.NaN()}
	seen := m.requests.span()
	if seen.known() {
		w.origin = seen.start
	}
	switch {
	case m.manifest != nil && m.manifest.profiling.known():
		w.span, w.from, w.exact = m.manifest.profiling, "phase_manifest.json", true
	case m.server != nil && m.server.profiling.known():
		w.span, w.from, w.exact = m.server.profiling, "server metrics phase_time_ranges", true
	}
	if w.exact {
		w.seconds, w.origin = w.span.seconds(), w.span.start
		m.window = w
		return
	}
	if wall, ok := m.summary.wallSeconds(); ok {
		w.seconds, w.from = wall, "summary start_time and end_time"
	}
	if seen.known() && m.whole {
		w.span = seen
		if w.from == "" {
			w.seconds, w.from = seen.seconds(), "records, first start to last end"
		}
	}
	m.window = w
}

// The denominators that a rate can have.
const (
	firstStartToLastContent = "first_start_to_last_content"
	benchmarkDuration       = "benchmark_duration"
	phaseWindow             = "phase_window"
)

// reportedDenominator tells what AIPerf divided by, which changes from version
// to version and when a run is cancelled: the candidate nearest to count ÷
// rate. It is empty where none fits.
func (m *material) reportedDenominator() (name string, seconds float64) {
	rate, count := m.summary.value("request_throughput"), m.summary.value("request_count")
	if math.IsNaN(rate) || math.IsNaN(count) || rate <= 0 || count <= 0 {
		return "", math.NaN()
	}
	divisor := count / rate
	best := 1e-5 // a wall clock to the microsecond, over a tenth of a second
	for _, candidate := range []struct {
		name    string
		seconds float64
	}{{benchmarkDuration, m.summary.value("benchmark_duration")}, {phaseWindow, m.phaseSeconds()}} {
		if off := math.Abs(candidate.seconds-divisor) / divisor; off < best {
			best, name, seconds = off, candidate.name, candidate.seconds
		}
	}
	if name == "" {
		return "", divisor
	}
	return name, seconds
}

// phaseSeconds is the phase's length if a file states it, NaN otherwise.
func (m *material) phaseSeconds() float64 {
	if m.window.exact {
		return m.window.seconds
	}
	if wall, ok := m.summary.wallSeconds(); ok {
		return wall
	}
	return math.NaN()
}
