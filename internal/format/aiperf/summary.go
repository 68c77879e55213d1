package aiperf

import (
	"errors"
	"io"
	"math"
	"time"

	"kernelwake/internal/evidence"
	"kernelwake/internal/secret"
)

// summary is profile_export_aiperf.json, or whatever the run's prefix made of
// that name.
type summary struct {
	path string
	// schema and version as the file says; empty before 0.4.
	schema, version, benchmark string
	// nested says that metrics stand under "records", as before 0.1.1.
	nested  bool
	metrics map[string]metric
	// configured is the run's input_config.
	configured configuration
	run        runInfo
	cancelled  bool
	complete   bool // false only where the file says so
	incomplete string
	failures   []failureGroup
	// started and ended bound the profiling phase by the client's clock on the
	// wall, whose zone isn't recorded; both are zero if unknown.
	started, ended time.Time
	gpus           []gpu
	secrets        secret.Report
	fork           bool
	publicDataset  string
	command        string
}

// runInfo says which cell and trial of a command a run is.
type runInfo struct {
	sweep            string
	seed             node
	trial, variation int64
	values           node
	label            string
}

// failureGroup is one line of a summary's error table.
type failureGroup struct {
	key   failureKey
	count int64
}

// errNoSummary says that a JSON document is no AIPerf summary.
var errNoSummary = errors.New("no summary")

// readSummary reads a summary, or reports that the document is none: it needs
// an input_config and a metric, or AIPerf's own marks.
func readSummary(path string, content io.Reader, limits evidence.Limits, keep bool) (*summary, error) {
	document, err := readDocument(path, content, limits)
	if err != nil {
		return nil, err
	}
	s := &summary{path: path, secrets: secret.Report{Keep: keep}}
	document = redactDocument(&s.secrets, document, path)
	s.schema = document.at("schema_version").text()
	s.version, s.benchmark = document.at("aiperf_version").text(), document.at("benchmark_id").text()
	s.metrics, s.complete = map[string]metric{}, true
	s.readMetrics(document)
	if records := document.at("records"); len(s.metrics) == 0 && records.object() != nil {
		s.readMetrics(records)
		s.nested = len(s.metrics) > 0
	}
	marked := s.version != "" || document.at("was_cancelled").known()
	if !document.at("input_config").known() || len(s.metrics) == 0 && !marked {
		return nil, errNoSummary
	}
	s.readRun(document)
	return s, nil
}

func (s *summary) readMetrics(document node) {
	for _, name := range document.names() {
		one := document.at(name)
		if one.at("unit").text() == "" || !one.at("avg").known() && !one.at("p50").known() {
			continue
		}
		read := emptyMetric(one.at("unit").text())
		for which, statisticName := range statisticNames {
			read.figures[which] = one.at(statisticName).orNaN()
		}
		if present, old := oldNames[name]; old {
			name = present
		}
		s.metrics[name] = read
	}
}

func (s *summary) readRun(document node) {
	input, run := document.at("input_config"), document.at("run_info")
	s.configured = readConfiguration(input, "summary input_config")
	if s.benchmark == "" {
		s.benchmark = input.at("benchmark_id").text()
	}
	s.command = run.at("cli_command").text()
	if s.command == "" {
		s.command = input.at("cli_command").text()
	}
	s.run = runInfo{sweep: run.at("sweep_id").text(), seed: run.at("random_seed"), values: run.at("variation_values"), label: run.at("run_label").text()}
	s.run.trial, _ = run.at("trial").integer()
	s.run.variation, _ = run.at("variation_index").integer()
	s.cancelled, _ = document.at("was_cancelled").flag()
	if complete, said := document.at("is_complete").flag(); said {
		s.complete = complete
	}
	s.incomplete = document.at("incomplete_reason").text()
	for _, group := range document.at("error_summary").list() {
		s.failures = append(s.failures, readFailureGroup(group))
	}
	s.started, s.ended = wallClock(document.at("start_time").text()), wallClock(document.at("end_time").text())
	s.gpus = summaryGPUs(document.at("telemetry_data"))
	// Official 0.8.0 writes schema 1.0; only a fork writes 1.2 under that name.
	s.fork = s.schema == "1.2"
	s.publicDataset = document.at("metadata", "dataset", "hf_dataset_name").text()
}

func readFailureGroup(group node) failureGroup {
	details := group.at("error_details")
	g := failureGroup{key: failureKey{kind: details.at("type").text(), code: missingInteger}}
	if code, ok := details.at("code").integer(); ok {
		g.key.code = code
	}
	g.count, _ = group.at("count").integer()
	return g
}

// wallClock reads a time without a zone; zero if there is none.
func wallClock(text string) time.Time {
	read, err := time.Parse("2006-01-02T15:04:05.999999999", text)
	if err != nil {
		return time.Time{}
	}
	return read
}

// value returns a metric's single number, NaN without one.
func (s *summary) value(name string) float64 {
	if s == nil {
		return math.NaN()
	}
	if m, ok := s.metrics[name]; ok {
		return m.value()
	}
	return math.NaN()
}

// requests returns how many good requests the summary counts; false if it
// doesn't say.
func (s *summary) requests() (int64, bool) {
	if s == nil {
		return 0, false
	}
	count := s.value("request_count")
	if math.IsNaN(count) {
		return 0, false
	}
	return int64(math.Round(count)), true
}

// wallSeconds is the length of the profiling phase by start_time and end_time.
func (s *summary) wallSeconds() (float64, bool) {
	if s == nil || s.started.IsZero() || s.ended.IsZero() || s.ended.Before(s.started) {
		return 0, false
	}
	return s.ended.Sub(s.started).Seconds(), true
}

// tool names what wrote the run.
func (s *summary) tool() string {
	switch {
	case s == nil:
		return "aiperf"
	case s.fork:
		return "aiperf " + s.version + " (fork, schema " + s.schema + ")"
	case s.version != "":
		return "aiperf " + s.version
	}
	return "aiperf, version not recorded"
}

// format is the version of the summary's format: its schema version, or what
// its shape tells.
func (s *summary) format() string {
	switch {
	case s == nil:
		return "records only"
	case s.nested:
		return "before 0.1.1"
	case s.schema == "":
		return "before 1.0"
	}
	return s.schema
}

// retained estimates the memory a summary holds, in bytes.
func (s *summary) retained() int64 { return int64(4096 + len(s.metrics)*(64+8*int(statisticCount))) }
