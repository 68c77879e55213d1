package aiperf

import (
	"fmt"

	"kernelwake/internal/evidence"
)

// material is all that was read of one run while its capture is made.
type material struct {
	run     *run
	options evidence.ReadOptions

	summary   *summary
	requests  *requests
	inputs    *inputs
	server    *serverMetrics
	telemetry *telemetry
	manifest  *manifest
	config    *runConfig
	ready     *ready
	log       *runLog

	configured configuration
	info       runInfo
	window     window
	// whole says that the records hold every request the summary counts, so
	// that figures are recomputed from them; otherwise the summary speaks.
	whole      bool
	recomputed map[string]metric
	agreement  agreement
	findings   []evidence.Finding
}

// gather takes a run's readings apart by what they are.
func gather(one *run, options evidence.ReadOptions) *material {
	m := &material{run: one, options: options}
	for _, file := range one.files {
		if file.read == nil {
			continue
		}
		switch read := file.read; {
		case read.summary != nil:
			m.summary = read.summary
		case read.requests != nil:
			m.requests = read.requests
		case read.inputs != nil:
			m.inputs = read.inputs
		case read.telemetry != nil:
			m.telemetry = read.telemetry
		case read.manifest != nil:
			m.manifest = read.manifest
		case read.config != nil:
			m.config = read.config
		case read.ready != nil:
			m.ready = read.ready
		case read.log != nil:
			m.log = read.log
		}
	}
	for _, kind := range []kind{serverMetricsTable, serverMetricsFile} { // the JSON wins
		if file := one.file(kind); file != nil && file.read != nil && file.read.server != nil {
			m.server = file.read.server
		}
	}
	if m.requests == nil {
		m.requests = &requests{gaps: newGapColumn(mostGaps)}
	}
	return m
}

// hasRecords reports whether there are records of profiling requests.
func (m *material) hasRecords() bool { return m.requests.count() > 0 }

// find notes something for the person who imports.
func (m *material) find(code string, count int64, pointer, remedy, format string, args ...any) {
	m.findings = append(m.findings, evidence.Finding{Code: code, Count: count, Pointer: pointer, Remedy: remedy, Message: fmt.Sprintf(format, args...)})
}
