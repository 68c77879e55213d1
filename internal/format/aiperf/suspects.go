package aiperf

import "math"

// checkSuccesses looks for answers that AIPerf counts as good though something
// went wrong inside: a stream that broke off ends shorter than asked and often
// without the server's usage.
func (m *material) checkSuccesses() {
	r := m.requests
	if m.hasRecords() {
		usage, good := r.values[usageCompletion], r.good()
		var short, odd, without, both int64
		for i, failure := range r.failure {
			if failure != 0 {
				continue
			}
			got, asked, off := r.lengthOff(i)
			noUsage := usage != nil && math.IsNaN(usage[i])
			shorter := off && got < asked
			if off {
				odd++
			}
			if shorter {
				short++
			}
			if noUsage {
				without++
			}
			if shorter && noUsage {
				both++
			}
		}
		m.reportSuccesses(good, short, odd, without, both)
		return
	}
	if odd := m.summary.value("osl_mismatch_count"); odd > 0 {
		m.find("osl_mismatch", int64(odd), m.summary.path, ignoreEnd, "%d answers are not as long as asked for", int64(odd))
	}
}

const ignoreEnd = "ask for fixed lengths with --extra-inputs ignore_eos:true and min_tokens, and look at the server's log"

func (m *material) reportSuccesses(good, short, odd, without, both int64) {
	pointer := m.requests.path
	if odd > 0 {
		m.find("osl_mismatch", odd, pointer, ignoreEnd, "%d of %d good answers are not as long as asked for, %d of them shorter", odd, good, short)
	}
	if without > 0 {
		m.find("usage_missing", without, pointer, "look at the server's log",
			"%d of %d good answers came without the server's usage, which the others have: their streams may have ended early", without, good)
	}
	if both > 0 {
		m.find("hidden_errors", both, pointer, "look for errors inside the streams in the server's log",
			"%d of %d requests count as good though their answers are shorter than asked and lack usage: AIPerf doesn't see errors sent inside a stream", both, good)
	}
}

// checkRecords reports what was wrong with the records themselves.
func (m *material) checkRecords() {
	r := m.requests
	if r.malformed > 0 {
		m.find("records_damaged", r.malformed, r.path, "copy the artifact folder again", "%d lines are no records, the first is line %d: they were left out", r.malformed, r.firstMalformed)
	}
	if r.cutLine {
		m.find("records_cut", 1, r.path, "copy the artifact folder again", "the last line is cut: it was left out")
	}
	if r.oddUnits > 0 {
		m.find("unit_unknown", r.oddUnits, r.path, "", "%d values are in units that can't be converted: they were left out", r.oddUnits)
	}
	if twice := r.duplicates(); twice > 0 {
		m.find("duplicate_records", twice, r.path, "record each run into a folder of its own", "%d records repeat the request id of another", twice)
	}
	if r.others > 0 {
		m.find("other_phases", r.others, r.path, "", "%d records belong to phases that are neither warm-up nor profiling: they were left out", r.others)
	}
	if m.summary == nil {
		m.find("no_summary", 1, r.path, "look at AIPerf's log; a run in which no request succeeded, or that was killed, writes none",
			"the run has no summary: %d requests ended well, %d failed", r.good(), r.failed())
	}
	if m.summary != nil && m.run.file(recordsFile) == nil {
		m.find("no_records", 1, m.summary.path, "record with --export-level records and pack profile_export.jsonl too",
			"there are no per-request records: figures are the summary's, and can't be checked or given an interval")
	}
}

// knownSchemas are the schema versions that released AIPerf and the one known
// fork write, and the empty one of before 0.4.
var knownSchemas = map[string]bool{"": true, "1.0": true, "1.1": true, "1.2": true, "1.3": true, "1.4": true}

// lastKnownMinor is the latest 0.x that this reader was tested with.
const lastKnownMinor = 13

// checkVersion says where a version is newer than this reader: the file is
// read by its shape all the same.
func (m *material) checkVersion() {
	s := m.summary
	if s == nil {
		return
	}
	major, minor, ok := versionOf(s.version)
	if knownSchemas[s.schema] && (s.version == "" || ok && major == 0 && minor <= lastKnownMinor) {
		return
	}
	m.find("version_unknown", 1, s.path, "check the figures against AIPerf's own console output",
		"written by AIPerf %q, schema %q, which this version of Kernelwake was not tested with: it was read by its shape", s.version, s.schema)
}
