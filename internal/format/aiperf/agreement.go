package aiperf

import (
	"fmt"
	"math"
	"sort"
	"strings"
)

// agreement is how the summary's figures compare with those recomputed.
type agreement struct {
	compared, equal int
	// worst is the largest relative difference of an equal figure.
	worst float64
	// unchecked are the summary's metrics that no rule recomputes.
	unchecked []string
	differing []difference
}

type difference struct {
	metric, figure      string
	reported, recounted float64
}

// The rule is equality: only rounding may differ.
const (
	equalWithin = 1e-9
	// wallClockWithin is for rates whose denominator is known to the
	// microsecond only.
	wallClockWithin = 1e-5
)

// agree holds every figure of the summary against the records.
func (m *material) agree() {
	if m.summary == nil || !m.hasRecords() {
		return
	}
	names := make([]string, 0, len(m.summary.metrics))
	for name := range m.summary.metrics {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		mine, ok := m.recomputed[name]
		if !ok {
			m.agreement.unchecked = append(m.agreement.unchecked, name)
			continue
		}
		if m.whole {
			m.compareMetric(name, m.summary.metrics[name], mine)
		}
	}
	if count := len(m.agreement.differing); count > 0 {
		m.reportDifferences(count)
	}
}

// recordsWhole reports whether the records are all that the summary counts.
func (m *material) recordsWhole() bool {
	counted, said := m.summary.requests()
	return m.hasRecords() && (!said || m.requests.good() >= counted)
}

// checkCounts reports records that are fewer or more than the summary counts.
func (m *material) checkCounts() {
	counted, said := m.summary.requests()
	if !said || !m.hasRecords() {
		return
	}
	switch good := m.requests.good(); {
	case good < counted:
		m.find("records_incomplete", counted-good, m.requests.path, "import the whole profile_export.jsonl",
			"the summary counts %d good requests, the records hold %d: figures are the summary's", counted, good)
	case good > counted && !m.summary.cancelled:
		m.find("records_exceed_summary", good-counted, m.requests.path, "record each run into a folder of its own",
			"the records hold %d good requests, the summary counts %d", good, counted)
	}
}

func (m *material) compareMetric(name string, reported, mine metric) {
	tolerance := equalWithin
	if denominator, _ := m.reportedDenominator(); denominator == phaseWindow && !m.window.exact && mine.unit == "per sec" {
		tolerance = wallClockWithin
	}
	for which := range statisticCount {
		a, b := reported.figures[which], mine.figures[which]
		if math.IsNaN(a) || math.IsNaN(b) {
			continue
		}
		m.agreement.compared++
		scale := max(math.Abs(a), math.Abs(b))
		if which == deviation { // of equal values it is rounding alone
			scale = max(scale, math.Abs(mine.figures[average]))
		}
		off := math.Abs(a - b)
		if scale > 0 {
			off /= scale
		}
		if off > tolerance {
			m.agreement.differing = append(m.agreement.differing, difference{name, statisticNames[which], a, b})
			continue
		}
		m.agreement.equal++
		m.agreement.worst = max(m.agreement.worst, off)
	}
}

func (m *material) reportDifferences(count int) {
	metrics := map[string]bool{}
	var names []string
	for _, one := range m.agreement.differing {
		if !metrics[one.metric] {
			metrics[one.metric] = true
			names = append(names, one.metric)
		}
	}
	first := m.agreement.differing[0]
	detail := fmt.Sprintf("%s.%s is %v in the summary and %v by the records", first.metric, first.figure, first.reported, first.recounted)
	if len(names) > 8 {
		names = append(names[:8], "…")
	}
	if m.summary.cancelled {
		m.find("summary_differs_after_cancel", int64(count), m.summary.path, "", "the run was cancelled, and its summary holds less than its records (%s): %s; figures are the records'", strings.Join(names, ", "), detail)
		return
	}
	m.find("summary_differs", int64(count), m.summary.path, "record again with one released version of AIPerf; figures are the records'",
		"the summary disagrees with the records in %s: %s", strings.Join(names, ", "), detail)
}
