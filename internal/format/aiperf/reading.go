package aiperf

import (
	"bufio"
	"context"
	"errors"
	"io"
	"path"
	"strings"

	"kernelwake/internal/evidence"
	"kernelwake/internal/fault"
)

// reading is what was read of one entry: exactly one member is set, none for
// a kind that isn't read.
type reading struct {
	summary   *summary
	requests  *requests
	inputs    *inputs
	server    *serverMetrics
	telemetry *telemetry
	manifest  *manifest
	config    *runConfig
	ready     *ready
	log       *runLog
}

// retained estimates the memory a reading holds, in bytes.
func (r *reading) retained() int64 {
	switch {
	case r.summary != nil:
		return r.summary.retained()
	case r.requests != nil:
		return r.requests.retained()
	case r.inputs != nil:
		return r.inputs.retained()
	case r.server != nil:
		return r.server.retained()
	case r.telemetry != nil:
		return r.telemetry.retained()
	}
	return 1024
}

// archived is one entry with its kind and, while memory allows, its reading.
type archived struct {
	entry
	kind kind
	// unreadable says why an entry of a known kind could not be read.
	unreadable string
	// brief stays when the reading is let go.
	brief brief
	read  *reading
	// retained is what the reading takes when it is there.
	retained int64
}

// folder is the entry's folder inside the archive.
func (a *archived) folder() string { return path.Dir(a.path) }

// reader reads entries one after another through one buffer.
type reader struct {
	limits evidence.Limits
	// keep leaves secrets in what is read.
	keep   bool
	buffer *bufio.Reader
}

func newReader(limits evidence.Limits, keep bool) *reader {
	return &reader{limits: limits, keep: keep, buffer: bufio.NewReaderSize(nil, headBytes)}
}

// read tells an entry's kind and reads it to its end. A file that breaks a
// bound of its own is left out with the reason, unless the run can't do
// without it; what concerns the archive ends the import.
func (r *reader) read(ctx context.Context, file entry, content io.Reader) (*archived, error) {
	r.buffer.Reset(content)
	head, err := r.buffer.Peek(headBytes)
	if err != nil && err != io.EOF {
		return nil, err
	}
	one := &archived{entry: file, kind: classify(file.path, head)}
	marked := one.kind == jsonFile && hasMarks(file.path, head)
	one.read, err = r.parse(ctx, one.kind, file.path)
	switch {
	case err == nil:
	case errors.Is(err, errNoSummary):
		return one, nil
	case errors.Is(err, errNotJSON) || ownBound(err):
		if one.kind == recordsFile || ownBound(err) && marked {
			return nil, err
		}
		one.unreadable = plainReason(err)
		if marked {
			one.kind = summaryFile
		}
		return one, nil
	default:
		return nil, err
	}
	if one.read == nil {
		return one, nil
	}
	if one.read.summary != nil {
		one.kind = summaryFile
	}
	one.brief = briefOf(one.read)
	one.retained = one.read.retained()
	return one, nil
}

// hasMarks reports whether a JSON file claims to be a summary of AIPerf.
func hasMarks(name string, head []byte) bool {
	if strings.HasSuffix(name, "_aiperf.json") {
		return true
	}
	members := headMembers(head)
	_, version := members["aiperf_version"]
	_, input := members["input_config"]
	return version || input
}

// ownBound reports whether an error is about the bounds of one file.
func ownBound(err error) bool {
	var known *fault.Error
	if !errors.As(err, &known) {
		return false
	}
	switch known.Code {
	case "document_too_large", "nested_too_deep", "line_too_long":
		return true
	}
	return false
}

func plainReason(err error) string {
	var known *fault.Error
	if errors.As(err, &known) {
		return known.Message
	}
	return err.Error()
}

// parse reads the buffered entry as its kind says; nil for kinds not read.
func (r *reader) parse(ctx context.Context, kind kind, name string) (*reading, error) {
	var read reading
	var err error
	switch kind {
	case jsonFile:
		read.summary, err = readSummary(name, r.buffer, r.limits, r.keep)
	case recordsFile:
		read.requests, err = readRequests(ctx, name, r.buffer, r.limits)
	case inputsFile:
		read.inputs, err = readInputs(ctx, name, r.buffer, r.limits)
	case serverMetricsFile:
		read.server, err = readServerMetrics(name, r.buffer, r.limits, r.keep)
	case serverMetricsTable:
		read.server, err = readServerTable(name, r.buffer, r.keep)
	case telemetryFile:
		read.telemetry, err = readTelemetry(ctx, name, r.buffer, r.limits, r.keep)
	case manifestFile:
		read.manifest, err = readManifest(name, r.buffer, r.limits)
	case runConfigFile:
		read.config, err = readRunConfig(name, r.buffer, r.limits, r.keep)
	case readyFile:
		read.ready, err = readReady(name, r.buffer, r.limits)
	case logFile:
		read.log, err = readLog(name, r.buffer, r.keep)
	default:
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &read, nil
}
