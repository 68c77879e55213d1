package chrometrace

import (
	"path/filepath"
	"strings"
	"testing"

	"kernelwake/internal/format/formattest"
)

func suite(t testing.TB) formattest.Suite {
	text := strings.TrimSpace(small().text())
	_, events, _ := strings.Cut(text, `"traceEvents":`)
	s := formattest.Suite{Format: Format{}, Golden: filepath.Join("testdata", "golden"), ToleratesDamage: true}
	for name, data := range map[string][]byte{
		"steps.pt.trace.json": []byte(text), "array.json": []byte(strings.TrimSuffix(events, "}")), "steps.json.gz": zipped(t, []byte(text)),
	} {
		s.Samples = append(s.Samples, formattest.Sample{Name: name, Data: data})
	}
	for code, data := range map[string]string{
		"no_events":                `{"schemaVersion":1,"traceEvents":[]}`,
		"no_trace_events":          `{"schemaVersion":1,"deviceProperties":[]}`,
		"nothing_timed":            `{"traceEvents":[{"ph":"B","name":"a","ts":1}]}`,
		"nested_too_deep":          `{"traceEvents":[{"ph":"X","args":` + strings.Repeat("[", 99) + strings.Repeat("]", 99) + `}]}`,
		"incomplete_before_events": `{"schemaVersion":1,"deviceProp`,
	} {
		s.Refused = append(s.Refused, formattest.Refused{Sample: formattest.Sample{Name: code, Data: []byte(data)}, Code: code})
	}
	return s
}

func TestTheFormatKeepsThePromisesOfAllFormats(t *testing.T) { formattest.Run(t, suite(t)) }
