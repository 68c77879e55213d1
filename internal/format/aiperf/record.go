package aiperf

import (
	"bytes"
	"encoding/json"
	"math"
)

// phase is the part of a run that a record belongs to.
type phase uint8

const (
	profiling phase = iota
	warmup
	otherPhase
)

// record is one line of profile_export.jsonl. Its byte slices point into the
// line and are valid until the next one is read.
type record struct {
	phase        phase
	start, end   int64 // epoch ns; missingInteger if not there
	session      int64
	turn         int64
	conversation []byte
	request      []byte
	failed       bool
	errorType    []byte
	errorCode    int64
	values       [tagCount]float64
	gaps         []float64
	// oddUnits counts metrics in a unit that can't be converted.
	oddUnits int
}

// recordScanner reads records one after another into the same memory.
type recordScanner struct {
	cursor
	record record
}

// scan reads one line; false if it is not a record.
func (s *recordScanner) scan(line []byte, maxDepth int) bool {
	s.cursor = newCursor(line, maxDepth)
	r := &s.record
	*r = record{start: missingInteger, end: missingInteger, session: missingInteger, turn: 0, errorCode: missingInteger, gaps: r.gaps[:0]}
	for i := range r.values {
		r.values[i] = math.NaN()
	}
	seen := 0
	for s.open('{'); s.more('}'); {
		switch string(s.key()) {
		case "metadata":
			s.metadata()
			seen |= 1
		case "metrics":
			s.metrics()
			seen |= 2
		case "error":
			s.failure()
		default:
			s.skip()
		}
	}
	return s.finished() && seen == 3
}

func (s *recordScanner) metadata() {
	r := &s.record
	byKind := false
	for s.open('{'); s.more('}'); {
		switch string(s.key()) {
		case "session_num":
			r.session = s.integer()
		case "x_request_id":
			r.request = s.word()
		case "conversation_id":
			r.conversation = s.word()
		case "turn_index":
			r.turn = s.integer()
		case "request_start_ns", "timestamp_ns": // the latter before 0.1.1
			r.start = s.integer()
		case "request_end_ns":
			r.end = s.integer()
		case "benchmark_phase", "credit_phase":
			if named := phaseNamed(s.word()); !byKind {
				r.phase = named
			}
		case "phase_kind": // says more than a name where there are many phases
			r.phase, byKind = phaseNamed(s.word()), true
		default:
			s.skip()
		}
	}
}

func phaseNamed(name []byte) phase {
	switch string(name) {
	case "profiling", "":
		return profiling
	case "warmup":
		return warmup
	}
	return otherPhase
}

func (s *recordScanner) metrics() {
	r := &s.record
	for s.open('{'); s.more('}'); {
		name := s.key()
		if string(name) == chunkLatency {
			s.gapList()
			continue
		}
		which, wanted := tagOf(name)
		if !wanted || s.next() != '{' {
			s.skip()
			continue
		}
		value, unit := math.NaN(), tagUnits[which]
		for s.open('{'); s.more('}'); {
			switch string(s.key()) {
			case "value":
				if next := s.next(); next == '[' || next == '{' || next == '"' {
					s.skip()
				} else {
					value = s.number()
				}
			case "unit":
				if given := s.word(); given != nil && string(given) != unit {
					unit = string(given)
				}
			default:
				s.skip()
			}
		}
		if unit != tagUnits[which] {
			value = r.converted(value, unit, tagUnits[which])
		}
		r.values[which] = value
	}
}

func (r *record) converted(value float64, from, to string) float64 {
	factor, ok := inUnit(from, to)
	if !ok {
		r.oddUnits++
		return math.NaN()
	}
	return value * factor
}

// gapList reads the gaps between chunks; null and single numbers occur too.
func (s *recordScanner) gapList() {
	r := &s.record
	if s.next() != '{' {
		s.skip()
		return
	}
	unit := "ms"
	for s.open('{'); s.more('}'); {
		switch string(s.key()) {
		case "value":
			if s.next() != '[' {
				s.skip()
				continue
			}
			r.gaps = s.numbers(r.gaps)
		case "unit":
			if given := s.word(); given != nil && string(given) != unit {
				unit = string(given)
			}
		default:
			s.skip()
		}
	}
	if unit == "ms" {
		return
	}
	for i, gap := range r.gaps {
		r.gaps[i] = r.converted(gap, unit, "ms")
	}
	if len(r.gaps) > 0 && math.IsNaN(r.gaps[0]) {
		r.gaps = r.gaps[:0]
	}
}

// failure reads the error of a request; null stands for none in old files. Its
// message is not read: it can hold anything the server answered.
func (s *recordScanner) failure() {
	if s.next() != '{' {
		s.skip()
		return
	}
	r := &s.record
	r.failed = true
	for s.open('{'); s.more('}'); {
		switch string(s.key()) {
		case "code":
			if next := s.next(); next == '"' || next == '{' || next == '[' {
				s.skip()
			} else {
				r.errorCode = s.integer()
			}
		case "type":
			r.errorType = s.word()
		default:
			s.skip()
		}
	}
}

// unescaped returns the text of a raw JSON string.
func unescaped(raw []byte) string {
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(bytes.ToValidUTF8(raw, []byte("�")))
	}
	var text string
	quoted := append(append([]byte{'"'}, raw...), '"')
	if json.Unmarshal(quoted, &text) != nil {
		return string(bytes.ToValidUTF8(raw, []byte("�")))
	}
	return text
}
