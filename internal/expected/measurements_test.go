package expected

import (
	"strings"
	"testing"

	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
)

// checkMeasurement reads "expect METRIC VALUE" and "expect METRIC absent
// REASON [NOTE]".
func checkMeasurement(t *testing.T, p *evidence.Parsed, l line) {
	t.Helper()
	definition, _ := lens.Find(p.Lens)
	for _, m := range evidence.MeasureAll(p, definition) {
		if m.Metric != l.word(1) {
			continue
		}
		value, ok := m.Known()
		if l.word(2) == "absent" {
			if ok || string(m.Absent) != l.word(3) || !strings.Contains(m.Note, l.word(4)) {
				t.Errorf("line %d: %s is %v, absent %q (%s)", l.number, m.Metric, value, m.Absent, m.Note)
			}
			return
		}
		near(func(format string, args ...any) {
			t.Errorf("line %d: "+m.Metric+": "+format, append([]any{l.number}, args...)...)
		}, value, l.word(2))
		return
	}
	t.Errorf("line %d: there is no measurement %s", l.number, l.word(1))
}
