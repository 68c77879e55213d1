package expected

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"kernelwake/internal/absent"
	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
)

// clock is when the captures of the file begin, if a capture names no start.
var clock = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// buildCapture makes a capture from a capture block.
func (s *scenario) buildCapture(b block) (*evidence.Parsed, error) {
	p := &evidence.Parsed{
		Format: evidence.FormatKernelwake, FormatVersion: "1.0", Importer: "test@1", Name: b.word(1), Lens: lens.Training, Origin: evidence.Recorded, MeasuredOn: evidence.GPU,
		Launch: evidence.LaunchID{Kind: evidence.Launch}, Dimensions: map[string]evidence.Dimension{},
		Rank: evidence.Rank{Rank: absent.Because[int64](absent.NotRecorded, ""), WorldSize: absent.Because[int64](absent.NotRecorded, "")},
	}
	if like := options(b.words[2:])["like"]; like != "" {
		other, ok := s.captures[like]
		if !ok {
			return nil, fmt.Errorf("there is no capture %q to be like", like)
		}
		p = clone(other)
		p.Name = b.word(1)
	}
	for _, l := range b.body {
		if err := applyLine(p, l); err != nil {
			return nil, fmt.Errorf("line %d: %w", l.number, err)
		}
	}
	return p, nil
}

func clone(p *evidence.Parsed) *evidence.Parsed {
	copied := *p
	copied.Dimensions = map[string]evidence.Dimension{}
	for key, d := range p.Dimensions {
		copied.Dimensions[key] = d
	}
	copied.Outcomes = append([]evidence.Outcome(nil), p.Outcomes...)
	return &copied
}

func applyLine(p *evidence.Parsed, l line) error {
	rest := l.words[1:]
	switch l.word(0) {
	case "format":
		p.Format = l.word(1)
	case "lens":
		p.Lens = lens.ID(l.word(1))
	case "measured_on":
		p.MeasuredOn = evidence.Device(l.word(1))
	case "origin":
		p.Origin = evidence.Origin(l.word(1))
	case "cell":
		p.Cell = l.word(1)
	case "rank":
		rank, err := strconv.ParseInt(l.word(1), 10, 64)
		p.Rank.Rank = absent.Of(rank)
		return err
	case "launch":
		p.Launch = evidence.LaunchID{Kind: evidence.LaunchKind(l.word(1)), Group: l.word(2)}
	case "started":
		return applyTimes(p, l)
	case "dim":
		return applyDimension(p, l)
	case "requests":
		return applyRequests(p, options(rest))
	case "definition":
		return applyDefinition(p, l)
	default:
		o, err := outcomeOf(p, l)
		if err != nil {
			return err
		}
		replace(p, o)
	}
	return nil
}

func replace(p *evidence.Parsed, o evidence.Outcome) {
	for i, other := range p.Outcomes {
		if other.Name == o.Name && other.Phase == o.Phase {
			p.Outcomes[i] = o
			return
		}
	}
	p.Outcomes = append(p.Outcomes, o)
}

// applyTimes reads "started +60s for 120s".
func applyTimes(p *evidence.Parsed, l line) error {
	after, err := time.ParseDuration(strings.TrimPrefix(l.word(1), "+"))
	if err != nil {
		return fmt.Errorf("a start is given as +60s, got %q", l.word(1))
	}
	p.Started = absent.Of(clock.Add(after))
	if l.word(2) == "for" {
		length, err := time.ParseDuration(l.word(3))
		if err != nil {
			return fmt.Errorf("a length is given as 120s, got %q", l.word(3))
		}
		p.Ended = absent.Of(clock.Add(after + length))
	}
	return nil
}

// applyDimension reads "dim KEY VALUE [SOURCE]"; a value of the form
// absent:REASON is an absence.
func applyDimension(p *evidence.Parsed, l line) error {
	if reason, ok := strings.CutPrefix(l.word(2), "absent:"); ok {
		p.Dimensions[l.word(1)] = evidence.Dimension{Absent: absent.Reason(reason)}
		return nil
	}
	source := evidence.Observed
	if l.word(3) != "" {
		source = evidence.Source(l.word(3))
	}
	p.Dimensions[l.word(1)] = evidence.Dimension{Value: valueOf(l.word(2)), Source: source, From: "test"}
	return nil
}

// valueOf reads JSON where it is some, and text otherwise.
func valueOf(text string) any {
	var value any
	if err := json.Unmarshal([]byte(text), &value); err == nil && value != nil {
		return value
	}
	return text
}

func applyRequests(p *evidence.Parsed, given map[string]string) error {
	count := func(key string) absent.Value[int64] {
		n, err := strconv.ParseInt(given[key], 10, 64)
		if err != nil {
			return absent.Because[int64](absent.NotRecorded, "")
		}
		return absent.Of(n)
	}
	p.Completeness = evidence.Completeness{Sent: count("sent"), OK: count("ok"), Failed: count("failed"), Cancelled: count("cancelled"), StoppedEarly: given["stopped_early"] == "true"}
	return nil
}

func applyDefinition(p *evidence.Parsed, l line) error {
	for i := range p.Outcomes {
		if p.Outcomes[i].Name != l.word(1) {
			continue
		}
		given := options(l.words[2:])
		d := &p.Outcomes[i].Definition
		d.Denominator, d.FirstToken, d.TokenSource, d.Success = given["denominator"], given["first_token"], given["tokens"], given["success"]
		if given["metric"] != "" {
			d.Metric = given["metric"]
		}
		return nil
	}
	return fmt.Errorf("no outcome %q to define", l.word(1))
}

// outcomeOf reads an outcome line: its kind, its name (NAME or NAME/PHASE),
// and its values.
func outcomeOf(p *evidence.Parsed, l line) (evidence.Outcome, error) {
	name, phase, _ := strings.Cut(l.word(1), "/")
	definition, _ := lens.Find(p.Lens)
	registered, ok := definition.Outcome(name)
	if !ok {
		return evidence.Outcome{}, fmt.Errorf("%q is neither a property nor an outcome of the %s lens", strings.Join(l.words[:min(2, len(l.words))], " "), p.Lens)
	}
	o := evidence.Outcome{Name: name, Phase: phase, Unit: registered.Unit, Kind: lens.Kind(l.word(0)), N: absent.Because[int64](absent.NotRecorded, "")}
	switch o.Kind {
	case lens.Samples:
		values, err := numbers(l.words[2:])
		o.Data = evidence.Table{Name: "samples", Columns: []evidence.Column{{Name: "v", Floats: values}}}
		o.N = absent.Of(int64(len(values)))
		return o, err
	case lens.Summary, lens.Total:
		return statedOutcome(o, l)
	case lens.RatioKind:
		return ratio(o, l)
	case lens.Spells:
		return spells(o, l)
	case lens.Series:
		values, err := numbers(l.words[2:])
		o.Data = evidence.Table{Name: "series", Columns: []evidence.Column{{Name: "v", Floats: values}}}
		return o, err
	case "absent":
		o.Kind, o.Absent, o.Note = lens.Samples, absent.Reason(l.word(2)), l.word(3)
		return o, nil
	}
	return o, fmt.Errorf("%q is no kind of outcome", l.word(0))
}

func statedOutcome(o evidence.Outcome, l line) (evidence.Outcome, error) {
	o.Statistics = map[string]float64{}
	for _, word := range l.words[2:] {
		key, text, ok := strings.Cut(word, "=")
		if !ok {
			key, text = "value", word
		}
		value, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return o, fmt.Errorf("%q is no number", text)
		}
		if key == "n" {
			o.N = absent.Of(int64(value))
			continue
		}
		o.Statistics[key] = value
	}
	return o, nil
}

// ratio reads "3/1000", or "0.25" where only the share is known.
func ratio(o evidence.Outcome, l line) (evidence.Outcome, error) {
	top, bottom, ok := strings.Cut(l.word(2), "/")
	numerator, err := strconv.ParseFloat(top, 64)
	if err != nil {
		return o, fmt.Errorf("%q is no number", top)
	}
	if !ok {
		o.Statistics = map[string]float64{"value": numerator}
		return o, nil
	}
	denominator, err := strconv.ParseFloat(bottom, 64)
	if err != nil {
		return o, fmt.Errorf("%q is no number", bottom)
	}
	o.Numerator, o.Denominator, o.Basis = &numerator, &denominator, l.word(3)
	return o, nil
}

// spells reads lengths; "148.2!" is one that had not ended.
func spells(o evidence.Outcome, l line) (evidence.Outcome, error) {
	var start, end, censored []float64
	for _, word := range l.words[2:] {
		open := 0.0
		text, unfinished := strings.CutSuffix(word, "!")
		if unfinished {
			open = 1
		}
		length, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return o, fmt.Errorf("%q is no number", text)
		}
		start, end, censored = append(start, 0), append(end, length), append(censored, open)
	}
	o.Data = evidence.Table{Name: "spells", Columns: []evidence.Column{{Name: "start", Floats: start}, {Name: "end", Floats: end}, {Name: "censored", Floats: censored}}}
	return o, nil
}

// numbers reads numbers; "100x40" stands for a hundred times 40.
func numbers(words []string) ([]float64, error) {
	var values []float64
	for _, word := range words {
		times := 1
		if count, text, ok := strings.Cut(word, "x"); ok {
			n, err := strconv.Atoi(count)
			if err != nil {
				return nil, fmt.Errorf("%q is no number of times", count)
			}
			times, word = n, text
		}
		value, err := strconv.ParseFloat(word, 64)
		if err != nil {
			return nil, fmt.Errorf("%q is no number", word)
		}
		for range times {
			values = append(values, value)
		}
	}
	return values, nil
}
