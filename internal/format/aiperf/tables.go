package aiperf

import (
	"math"

	"kernelwake/internal/evidence"
)

// requestTable has one row for each measured request, good or not, in the
// order of their starts.
func (m *material) requestTable() (evidence.Table, bool) {
	r := m.requests
	if !m.hasRecords() {
		return evidence.Table{}, false
	}
	order := r.byStart()
	origin := m.window.origin
	at, session, turn := make([]float64, len(order)), make([]int64, len(order)), make([]int64, len(order))
	status, class := make([]string, len(order)), make([]string, len(order))
	for i, request := range order {
		at[i] = offsetSeconds(r.start[request], origin)
		session[i] = r.session[request]
		if session[i] == missingInteger {
			session[i] = evidence.MissingInt
		}
		turn[i] = int64(r.turn[request])
		status[i] = "ok"
		if failure := r.failure[request]; failure != 0 {
			key := r.failures.keys[failure-1]
			status[i], class[i] = key.status(), key.class()
		}
	}
	table := evidence.Table{Name: "requests", Columns: []evidence.Column{{Name: "at", Floats: at}}}
	for _, column := range []struct {
		name  string
		which tag
	}{{"ttft", firstToken}, {"tpot", tokenLatency}, {"e2el", requestLatency}, {"isl", inputLength}, {"osl", outputLength}} {
		if r.values[column.which] == nil {
			continue
		}
		values := make([]float64, len(order))
		for i, request := range order {
			values[i] = r.values[column.which][request]
		}
		table.Columns = append(table.Columns, evidence.Column{Name: column.name, Floats: values})
	}
	table.Columns = append(table.Columns, evidence.Words("status", status), evidence.Words("error_class", class),
		evidence.Column{Name: "session", Ints: session}, evidence.Column{Name: "turn", Ints: turn})
	return table, true
}

// seriesTable has the GPU samples that were kept, in the order of the file.
func (m *material) seriesTable() (evidence.Table, bool) {
	t := m.telemetry
	if t == nil || len(t.at) == 0 {
		return evidence.Table{}, false
	}
	origin := m.window.origin
	if origin == 0 {
		origin = t.span.start
	}
	at, device := make([]float64, len(t.at)), make([]string, len(t.at))
	for i, moment := range t.at {
		at[i] = offsetSeconds(moment, origin)
		device[i] = "gpu:" + t.gpus[t.device[i]].digest()
	}
	table := evidence.Table{Name: "series", Columns: []evidence.Column{{Name: "at", Floats: at}, evidence.Words("device", device)}}
	for i, column := range telemetryColumns {
		if !allMissing(t.values[i]) {
			table.Columns = append(table.Columns, evidence.Column{Name: column.name, Floats: t.values[i]})
		}
	}
	if t.stride > 1 {
		m.find("telemetry_thinned", t.rows-int64(len(t.at)), t.path, "", "%d of %d GPU samples were kept, one of every %d", len(t.at), t.rows, t.stride)
	}
	return table, true
}

func allMissing(values []float64) bool {
	for _, value := range values {
		if !math.IsNaN(value) {
			return false
		}
	}
	return true
}
