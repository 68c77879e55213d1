package formattest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"kernelwake/internal/absent"
	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
	"kernelwake/internal/unit"
)

// Broken lists what a parsed form breaks of what its readers rely on.
func Broken(format evidence.Format, p *evidence.Parsed) []string {
	var broken []string
	say := func(format string, args ...any) { broken = append(broken, fmt.Sprintf(format, args...)) }
	if p.Format != format.ID() || p.Importer != format.Importer() || p.FormatVersion == "" {
		say("it is called format %q version %q of importer %q", p.Format, p.FormatVersion, p.Importer)
	}
	l, ok := lens.Find(p.Lens)
	if !ok {
		say("lens %q isn't in the registry", p.Lens)
		return broken
	}
	if !slices.Contains([]evidence.Origin{evidence.Recorded, evidence.Synthetic, evidence.Unattested}, p.Origin) {
		say("origin is %q", p.Origin)
	}
	if !slices.Contains([]evidence.Device{evidence.GPU, evidence.CPU, evidence.Simulator, evidence.NoDevice, evidence.UnknownDevice}, p.MeasuredOn) {
		say("measured on %q", p.MeasuredOn)
	}
	for key, d := range p.Dimensions {
		if _, known := l.Field(key); !known {
			say("dimension %q isn't in the registry", key)
		}
		if d.Known() == (d.Absent != "") || d.Known() && d.Source == "" {
			say("dimension %q is neither a value with its source nor an absence with its reason: %+v", key, d)
		}
	}
	broken = append(broken, brokenOutcomes(l, p)...)
	for _, table := range p.Tables {
		broken = append(broken, brokenTable("table "+table.Name, table)...)
	}
	for _, finding := range p.Findings {
		if finding.Code == "" || finding.Message == "" || finding.Count < 1 {
			say("a finding says too little: %+v", finding)
		}
	}
	if len(p.Figures) > 0 && !json.Valid(p.Figures) {
		say("the figures are no JSON")
	}
	return append(broken, brokenEncoding(p)...)
}

func brokenOutcomes(l lens.Lens, p *evidence.Parsed) (broken []string) {
	say := func(format string, args ...any) { broken = append(broken, fmt.Sprintf(format, args...)) }
	seen := map[string]bool{}
	for _, o := range p.Outcomes {
		name := "outcome " + o.Name + " " + o.Phase
		if seen[name] {
			say("%s stands twice", name)
		}
		seen[name] = true
		def, known := l.Outcome(o.Name)
		switch {
		case known && !slices.Contains(def.Accepts, o.Unit):
			say("%s is in %q, which the registry doesn't accept", name, o.Unit)
		case !known && !unit.Known(o.Unit):
			say("%s is in the unknown unit %q", name, o.Unit)
		case known && unit.Compatible(o.Unit, def.Unit) && o.Unit != def.Unit:
			say("%s is in %q and was not converted to %q", name, o.Unit, def.Unit)
		}
		if o.Absent == "" && o.Kind == "" {
			say("%s has neither data nor an absence", name)
		}
		if o.Definition.Metric == "" {
			say("%s has no definition", name)
		}
		for statistic, value := range o.Statistics {
			if math.IsNaN(value) || math.IsInf(value, 0) {
				say("%s has %s = %v", name, statistic, value)
			}
		}
		broken = append(broken, brokenTable(name, o.Data)...)
	}
	evidence.MeasureAll(p, l) // must not panic, whatever the data
	return broken
}

func brokenTable(name string, table evidence.Table) (broken []string) {
	names := map[string]bool{}
	for _, column := range table.Columns {
		if names[column.Name] || column.Name == "" {
			broken = append(broken, fmt.Sprintf("%s: column %q stands twice", name, column.Name))
		}
		names[column.Name] = true
		if column.Len() != table.Len() {
			broken = append(broken, fmt.Sprintf("%s: column %q has %d rows of %d", name, column.Name, column.Len(), table.Len()))
		}
		for _, value := range column.Floats {
			if math.IsInf(value, 0) {
				broken = append(broken, fmt.Sprintf("%s: column %q holds an infinity", name, column.Name))
				break
			}
		}
		for _, code := range column.Codes {
			if code != evidence.MissingCode && int(code) >= len(column.Dictionary) {
				broken = append(broken, fmt.Sprintf("%s: column %q names word %d of %d", name, column.Name, code, len(column.Dictionary)))
				break
			}
		}
	}
	return broken
}

// brokenEncoding reads the canonical form back and writes it again.
func brokenEncoding(p *evidence.Parsed) []string {
	encoded, err := p.Encode()
	if err != nil {
		return []string{fmt.Sprintf("it can't be encoded: %v", err)}
	}
	back, err := evidence.Decode(encoded)
	if err != nil {
		return []string{fmt.Sprintf("its encoded form can't be read: %v", err)}
	}
	again, err := back.Encode()
	if err != nil || !bytes.Equal(encoded, again) {
		return []string{fmt.Sprintf("encoding it twice gives other bytes (%v)", err)}
	}
	if p.Started.Known() != back.Started.Known() || p.Completeness.OK.Reason() != back.Completeness.OK.Reason() || back.Completeness.OK.Reason() == absent.Reason("") && !back.Completeness.OK.Known() {
		return []string{"absences are lost in encoding"}
	}
	return nil
}
