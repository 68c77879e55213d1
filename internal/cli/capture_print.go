package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"kernelwake/internal/absent"
	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
)

// widestValue bounds a value inside a table, in characters.
const widestValue = 60

// printCapture shows a capture to a person; all shows what is absent too.
func printCapture(c *call, capture evidence.CaptureDetail, all bool) {
	c.printf("%s\n", headOf(capture))
	if capture.LensGuessed {
		c.paragraph("  ", "the lens is a guess from the content; choose it with --lens")
	}
	if capture.Origin == evidence.Synthetic {
		c.paragraph("  ", "SYNTHETIC: "+orDash(capture.OriginNote))
	}
	printDimensions(c, capture, all)
	printMeasurements(c, capture.Outcomes, all)
	printCompleteness(c, capture.Completeness)
	printFigures(c, capture.Figures, all)
	printFindings(c, capture.Findings)
}

func headOf(capture evidence.CaptureDetail) string {
	parts := []string{}
	if capture.ID != "" {
		parts = append(parts, capture.ID)
	}
	if name := cmp.Or(capture.Cell, capture.Selector); name != "" {
		parts = append(parts, name)
	}
	of := string(capture.Lens) + " lens"
	parts = append(parts, of, strings.TrimSpace(capture.Format+" "+capture.FormatVersion))
	if capture.Tool != "" {
		parts = append(parts, "made by "+capture.Tool)
	}
	parts = append(parts, string(capture.Origin), "measured on "+string(capture.MeasuredOn))
	if capture.Started != nil {
		parts = append(parts, "started "+capture.Started.UTC().Format(time.RFC3339))
	}
	return strings.Join(parts, " · ")
}

func printDimensions(c *call, capture evidence.CaptureDetail, all bool) {
	of, _ := lens.Find(capture.Lens)
	c.printf("\ndimensions\n")
	rows := table{indent: "  "}
	var unknown []string
	seen := map[string]bool{}
	show := func(key string, dimension evidence.Dimension) {
		seen[key] = true
		if !dimension.Known() && dimension.Absent != absent.NotApplicable && !all {
			unknown = append(unknown, key)
			return
		}
		rows.row(key, dimensionText(dimension), string(dimension.Source), clip(dimension.From, widestValue))
	}
	for _, field := range of.Fields {
		if dimension, ok := capture.Dimensions[field.Key]; ok {
			show(field.Key, dimension)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(capture.Dimensions)) {
		if !seen[key] {
			show(key, capture.Dimensions[key])
		}
	}
	rows.print(c.out)
	if len(unknown) > 0 {
		c.paragraph("  absent: ", strings.Join(unknown, ", ")+" (--all shows why)")
	}
}

func dimensionText(d evidence.Dimension) string {
	if !d.Known() {
		text := spaced(string(cmp.Or(d.Absent, absent.Unknown)))
		if d.Note != "" {
			text += ": " + d.Note
		}
		return clip(text, widestValue)
	}
	return clip(valueText(d.Value), widestValue)
}

// valueText writes a value as a person would.
func valueText(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case float64:
		return digits(v, 12)
	case nil:
		return dash
	}
	encoded, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(encoded)
}

func printMeasurements(c *call, measured []evidence.Measurement, all bool) {
	c.printf("\noutcomes\n")
	rows := table{indent: "  "}
	var missing []string
	agree, reported := 0, 0
	for _, m := range measured {
		value, known := m.Known()
		if !known {
			reason := spaced(string(m.Absent))
			if !all {
				missing = append(missing, m.Metric+" ("+reason+")")
				continue
			}
			rows.row(m.Metric, dash, "", reason, m.Note)
			continue
		}
		beside := []string{}
		if m.Reported != nil {
			reported++
			if number(*m.Reported) == number(value) {
				agree++
			} else {
				beside = append(beside, "its own summary says "+quantity(*m.Reported, m.Unit))
			}
		}
		if m.Censored > 0 {
			beside = append(beside, count(m.Censored)+" had not ended")
		}
		rows.row(m.Metric, quantity(value, m.Unit), samplesText(m), m.Basis, spaced(strings.Join(append(beside, m.Marks...), ", ")))
	}
	rows.print(c.out)
	if reported > 0 {
		c.printf("  the file's own summary agrees with %d of %d\n", agree, reported)
	}
	if len(missing) > 0 {
		c.paragraph("  absent: ", strings.Join(missing, ", "))
	}
}

func samplesText(m evidence.Measurement) string {
	if n, known := m.N.Get(); known {
		return "n " + count(n)
	}
	return "n " + dash
}

func printCompleteness(c *call, of evidence.Completeness) {
	if !of.Sent.Known() && !of.OK.Known() && !of.Failed.Known() {
		return
	}
	var words []string
	for _, part := range []struct {
		name  string
		value absent.Value[int64]
	}{{"sent", of.Sent}, {"good", of.OK}, {"failed", of.Failed}, {"cancelled", of.Cancelled}} {
		text := "not known"
		if n, known := part.value.Get(); known {
			text = count(n)
		}
		words = append(words, part.name+" "+text)
	}
	if of.StoppedEarly {
		words = append(words, "stopped early")
	}
	c.printf("\nrequests: %s\n", strings.Join(words, ", "))
}

func printFindings(c *call, findings []evidence.Finding) {
	if len(findings) == 0 {
		return
	}
	c.printf("\nfindings\n")
	for _, finding := range findings {
		text := finding.Message
		if finding.Count > 1 {
			text += fmt.Sprintf(" (%s times)", count(finding.Count))
		}
		if finding.Pointer != "" {
			text += " at " + finding.Pointer
		}
		c.paragraph("  "+finding.Code+": ", text)
		if finding.Remedy != "" {
			c.paragraph("    → ", finding.Remedy)
		}
	}
}

// printOverview shows the captures of one file in a line each, and what was
// found in any of them.
func printOverview(c *call, captures []evidence.CaptureDetail) {
	rows := table{indent: "  "}
	var findings []evidence.Finding
	for _, capture := range captures {
		of, _ := lens.Find(capture.Lens)
		cells := []string{cmp.Or(capture.Cell, capture.Name, dash), orDash(capture.Selector), "measured on " + string(capture.MeasuredOn)}
		for _, m := range capture.Outcomes {
			outcome, ok := of.Outcome(m.Name)
			value, known := m.Known()
			if ok && known && outcome.Headline && m.Statistic == outcome.Statistics[0] {
				cells = append(cells, m.Metric+" "+quantity(value, m.Unit)+" ("+samplesText(m)+")")
			}
		}
		rows.row(cells...)
		for _, finding := range capture.Findings {
			at := slices.IndexFunc(findings, func(f evidence.Finding) bool { return f.Code == finding.Code && f.Message == finding.Message })
			if at < 0 {
				findings = append(findings, finding)
			} else {
				findings[at].Count += finding.Count
			}
		}
	}
	rows.print(c.out)
	c.printf("  --all shows each of them whole\n")
	printFindings(c, findings)
}
