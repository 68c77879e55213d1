package aiperf

import (
	"bytes"
	"path"
	"regexp"
	"strings"
)

// kind is what an entry is, told by its content.
type kind int

const (
	unknownFile kind = iota
	emptyFile
	systemFile // left by an operating system's packer
	summaryFile
	recordsFile
	inputsFile
	serverMetricsFile
	serverMetricsTable
	telemetryFile
	manifestFile
	runConfigFile
	readyFile
	logFile
	aggregateFile
	timeslicesFile
	rawRecordsFile
	outputsFile
	tableFile // CSV and console renderings of what the JSON holds
	archiveFile
	jsonFile // JSON of no known shape; a summary is looked for in it
)

// words name each kind in figures and messages.
var words = map[kind]string{
	unknownFile: "not written by AIPerf, or of no known form", emptyFile: "empty", systemFile: "files of an operating system",
	summaryFile: "summary", recordsFile: "records", inputsFile: "inputs", serverMetricsFile: "server metrics", serverMetricsTable: "server metrics as CSV",
	telemetryFile: "GPU telemetry", manifestFile: "phase manifest", runConfigFile: "run configuration", readyFile: "ready marker", logFile: "log",
	aggregateFile: "aggregates over runs", timeslicesFile: "time slices", rawRecordsFile: "raw requests and answers", outputsFile: "answers",
	tableFile: "renderings of the summary", archiveFile: "archives inside the archive", jsonFile: "not written by AIPerf, or of no known form",
}

// headBytes is how much of an entry is looked at to tell its kind.
const headBytes = 64 << 10

// classify tells the kind from the name, where only an operating system or a
// packer uses it, and else from the first bytes.
func classify(name string, head []byte) kind {
	base := path.Base(name)
	if strings.HasPrefix(base, "._") || base == ".DS_Store" || base == "Thumbs.db" || strings.HasPrefix(name, "__MACOSX/") {
		return systemFile
	}
	head = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	trimmed := bytes.TrimLeft(head, " \t\r\n")
	switch {
	case len(trimmed) == 0:
		return emptyFile
	case trimmed[0] == '{':
		return classifyJSON(trimmed)
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte{0x1f, 0x8b}), bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}), isTape(head):
		return archiveFile
	case bytes.HasPrefix(trimmed, []byte("# AIPerf Server Metrics")), bytes.HasPrefix(trimmed, []byte("Endpoint,Type,Metric,")):
		return serverMetricsTable
	case bytes.HasPrefix(trimmed, []byte("Metric,")), bytes.HasPrefix(trimmed, []byte("Timeslice,")), strings.HasSuffix(base, "_console.txt"):
		return tableFile
	case logLine.Match(trimmed):
		return logFile
	}
	return unknownFile
}

// logLine is how AIPerf's log begins: "2026-11-30 14:58:25.409 - name - INFO - ".
var logLine = regexp.MustCompile(`^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[.,]\d+ - \S+ - [A-Z]+ - `)

// classifyJSON tells the kind from the first object's own members, as far as
// the head shows them.
func classifyJSON(head []byte) kind {
	members := headMembers(head)
	has := func(name string) bool { _, ok := members[name]; return ok }
	switch {
	case has("timestamp_ns") && (has("telemetry_data") || has("gpu_uuid")):
		return telemetryFile
	case has("metadata") && (has("responses") || has("payload") || has("start_perf_ns")):
		return rawRecordsFile
	case bytes.Contains(head, []byte(`"aggregation_type"`)):
		return aggregateFile
	case has("metadata") && has("metrics") && !has("schema_version"):
		return recordsFile
	case has("timeslices"):
		return timeslicesFile
	case has("phases") && !has("input_config"):
		return manifestFile
	case has("cfg"):
		return runConfigFile
	case has("ready"):
		return readyFile
	case has("data"):
		if bytes.Contains(head, []byte(`"payloads"`)) {
			return inputsFile
		}
		return outputsFile
	case has("metrics_phase"), has("summary") && bytes.Contains(head, []byte(`"endpoints_configured"`)) && !has("telemetry_data"):
		return serverMetricsFile
	}
	return jsonFile
}

// headMembers returns the names of the first object's members that lie, or at
// least begin, within the head.
func headMembers(head []byte) map[string]struct{} {
	members := map[string]struct{}{}
	c := newCursor(head, 1<<20)
	for c.open('{'); c.more('}'); {
		name := c.key()
		if c.bad {
			break
		}
		members[string(name)] = struct{}{}
		c.skip()
	}
	return members
}
