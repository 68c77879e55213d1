package aiperf

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"regexp"
	"strconv"

	"kernelwake/internal/secret"
)

// runLog is what logs/aiperf.log alone tells: how many requests of the
// profiling phases were sent, and how many were cancelled without a record.
type runLog struct {
	path                            string
	sent, completed, cancelled, bad int64
	// counted says that a profiling phase's sending was seen to its end;
	// finished that its completion was.
	counted, finished bool
	stopped           bool
	secrets           secret.Report
}

// longestLogLine is how much of a line is looked at.
const longestLogLine = 64 << 10

var (
	phaseLine = regexp.MustCompile(`Phase (\S+)(?: \((\w+)\))? (sending complete|complete) \| (.*)$`)
	phaseText = []byte("Phase ")
	countText = regexp.MustCompile(`\b(sent|completed|cancelled|errors)=(\d+)`)
)

// readLog reads a log to its end; lines that say nothing of interest pass by.
func readLog(path string, content io.Reader, keep bool) (*runLog, error) {
	log := &runLog{path: path, secrets: secret.Report{Keep: keep}}
	reader := bufio.NewReaderSize(content, longestLogLine)
	for {
		line, err := reader.ReadSlice('\n')
		log.line(line)
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = reader.ReadSlice('\n')
		}
		if err == io.EOF {
			return log, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

func (l *runLog) line(line []byte) {
	l.secrets.Text(l.path, string(line))
	if bytes.Contains(line, []byte("profile cancel command")) {
		l.stopped = true
	}
	if !bytes.Contains(line, phaseText) {
		return
	}
	parts := phaseLine.FindSubmatch(bytes.TrimRight(line, "\r\n"))
	if parts == nil {
		return
	}
	name := parts[2]
	if name == nil {
		name = parts[1]
	}
	if phaseNamed(name) != profiling {
		return
	}
	l.phase(string(parts[3]), parts[4])
}

// phase adds the counts of one profiling phase; "sessions: …" counts
// conversations and comes after a second bar.
func (l *runLog) phase(event string, rest []byte) {
	rest, _, _ = bytes.Cut(rest, []byte("|"))
	counts := map[string]int64{}
	for _, pair := range countText.FindAllSubmatch(rest, -1) {
		counts[string(pair[1])], _ = strconv.ParseInt(string(pair[2]), 10, 64)
	}
	if event == "sending complete" {
		l.sent += counts["sent"]
		l.completed += counts["completed"]
		l.counted = true
		return
	}
	l.cancelled += counts["cancelled"]
	l.bad += counts["errors"]
	l.finished = true
}
