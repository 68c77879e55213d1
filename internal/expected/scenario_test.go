package expected

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"kernelwake/internal/compare"
	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
	"kernelwake/internal/sampledir"
)

// scenario holds the captures that the file has named so far. A name stands
// for a run, or for several: the launches of a group.
type scenario struct {
	captures map[string]*evidence.Parsed
	runs     map[string][]evidence.RunEvidence
	// samples are read once, however many cases use them.
	samples map[string]sample
	needs   map[string]sample // name → the sample it comes from
}

// sample is a recorded file and the captures wanted from it.
type sample struct {
	path string
	lens lens.ID
	pick string
	made string
}

func newScenario() *scenario {
	return &scenario{captures: map[string]*evidence.Parsed{}, runs: map[string][]evidence.RunEvidence{}, samples: map[string]sample{}, needs: map[string]sample{}}
}

// define takes in a capture, launches, run or sample block.
func (s *scenario) define(b block) error {
	name := b.word(1)
	switch b.word(0) {
	case "capture":
		p, err := s.buildCapture(b)
		if err != nil {
			return err
		}
		s.captures[name] = p
		run, err := runOf(name, p)
		s.runs[name] = []evidence.RunEvidence{run}
		return err
	case "launches":
		return s.defineLaunches(b)
	case "run":
		return s.defineRun(b)
	case "recording":
		return s.defineRecordings(b)
	case "sample":
		given := options(b.words[2:])
		s.needs[name] = sample{path: b.word(2), lens: lens.ID(given["lens"]), pick: given["pick"], made: given["made"]}
		return nil
	}
	return fmt.Errorf("%q is no kind of block", b.word(0))
}

func runOf(name string, parsed ...*evidence.Parsed) (evidence.RunEvidence, error) {
	run := evidence.RunEvidence{ID: "run_" + name, Name: name}
	for _, p := range parsed {
		c, err := captured(p)
		if err != nil {
			return run, err
		}
		c.SHA256 = "file " + c.ParsedSHA256
		run.Captures = append(run.Captures, c)
	}
	return run, nil
}

// defineLaunches reads "launches NAME like CAPTURE KIND OUTCOME[.STAT] v v v":
// one launch a value.
func (s *scenario) defineLaunches(b block) error {
	name, like := b.word(1), b.word(3)
	other, ok := s.captures[like]
	if !ok || b.word(2) != "like" {
		return fmt.Errorf("launches are like a capture; there is no %q", like)
	}
	outcome, statistic, _ := strings.Cut(b.word(5), ".")
	values, err := numbers(b.words[6:])
	if err != nil {
		return err
	}
	for i, value := range values {
		p := clone(other)
		p.Name = name + "." + strconv.Itoa(i+1)
		text := strconv.FormatFloat(value, 'g', -1, 64)
		if statistic != "" {
			text = statistic + "=" + text
		}
		o, err := outcomeOf(p, line{b.number, []string{b.word(4), outcome, text}})
		if err != nil {
			return err
		}
		replace(p, o)
		run, err := runOf(p.Name, p)
		if err != nil {
			return err
		}
		s.runs[name] = append(s.runs[name], run)
	}
	return nil
}

// defineRun reads "run NAME A B …": one run with the captures of others.
func (s *scenario) defineRun(b block) error {
	run := evidence.RunEvidence{ID: "run_" + b.word(1), Name: b.word(1)}
	for _, name := range b.words[2:] {
		parts, ok := s.runs[name]
		if !ok {
			return fmt.Errorf("there is no capture %q", name)
		}
		for _, part := range parts {
			run.Captures = append(run.Captures, part.Captures...)
		}
	}
	s.runs[b.word(1)] = []evidence.RunEvidence{run}
	return nil
}

// defineRecordings reads "recording NAME PATH… [lens=…]": captures that are
// part of this repository, a run each.
func (s *scenario) defineRecordings(b block) error {
	given := options(b.words[2:])
	for i, path := range b.words[2:] {
		if strings.Contains(path, "=") {
			continue
		}
		captures, err := readSample(filepath.Join("..", "..", "examples", "recordings"), path, lens.ID(given["lens"]))
		if err != nil {
			return err
		}
		name := b.word(1) + "." + strconv.Itoa(i+1)
		s.runs[b.word(1)] = append(s.runs[b.word(1)], evidence.RunEvidence{ID: "run_" + name, Name: name, Captures: captures})
	}
	return nil
}

// find returns the runs that a name stands for, importing a sample if it is
// one. The test is skipped, loudly, where samples are absent.
func (s *scenario) find(t *testing.T, name string) []evidence.RunEvidence {
	t.Helper()
	if runs, ok := s.runs[name]; ok {
		return runs
	}
	wanted, ok := s.needs[name]
	if !ok {
		t.Fatalf("the name %q is not defined above", name)
	}
	root := sampledir.Find(t)
	if wanted.made != "" {
		runs, err := made(root, wanted)
		if err != nil {
			t.Fatalf("writing captures from %s: %v", wanted.path, err)
		}
		s.runs[name] = runs
		return runs
	}
	captures, err := readSample(root, wanted.path, wanted.lens)
	if err != nil {
		t.Fatal(err)
	}
	captures = pick(captures, wanted.pick)
	if len(captures) == 0 {
		t.Fatalf("sample %s has no capture %q", wanted.path, wanted.pick)
	}
	s.runs[name] = []evidence.RunEvidence{{ID: "run_" + name, Name: name, Captures: captures}}
	return s.runs[name]
}

// input builds the question of a case.
func (s *scenario) input(t *testing.T, b block) compare.Input {
	t.Helper()
	in := compare.Input{Declaration: compare.Declaration{Changes: map[string]string{}, Attested: map[string]string{}, Thresholds: map[string]float64{}, By: "a reader"}}
	for _, l := range b.body {
		switch l.word(0) {
		case "baseline":
			in.Baseline.Runs = append(in.Baseline.Runs, s.named(t, l)...)
		case "candidate":
			in.Candidate.Runs = append(in.Candidate.Runs, s.named(t, l)...)
		case "history":
			in.History = append(in.History, s.named(t, l)...)
		}
	}
	for _, l := range b.body {
		if err := apply(&in, l); err != nil {
			t.Fatalf("line %d: %v", l.number, err)
		}
	}
	return in
}

func (s *scenario) named(t *testing.T, l line) []evidence.RunEvidence {
	t.Helper()
	var runs []evidence.RunEvidence
	for _, name := range l.words[1:] {
		for _, run := range s.find(t, name) {
			run.Declared = map[string]evidence.Dimension{}
			runs = append(runs, run)
		}
	}
	return runs
}

// apply reads what is declared in a case.
func apply(in *compare.Input, l line) error {
	switch l.word(0) {
	case "lens":
		in.Declaration.Lens = lens.ID(l.word(1))
	case "change":
		in.Declaration.Changes[l.word(1)] = strings.Join(l.words[2:], " ")
	case "same":
		in.Declaration.Attested[l.word(1)] = strings.Join(l.words[2:], " ")
	case "threshold":
		value, err := strconv.ParseFloat(l.word(2), 64)
		in.Declaration.Thresholds[l.word(1)] = value
		return err
	case "workload":
		for _, run := range sidesOf(in, l.word(1)) {
			run.WorkloadID, run.Workload = "wl_"+l.word(2), l.word(2)
		}
	case "dim":
		for _, run := range sidesOf(in, l.word(1)) {
			run.Declared[l.word(2)] = evidence.Dimension{Value: valueOf(l.word(3))}
		}
	case "setup-file":
		data, err := os.ReadFile(filepath.Join("..", "..", "examples", "recordings", l.word(2)))
		if err != nil {
			return err
		}
		setup := evidence.Setup{ID: "set_file", Version: 1}
		if err := json.Unmarshal(data, &setup); err != nil {
			return fmt.Errorf("reading setup %s: %w", l.word(2), err)
		}
		for _, run := range sidesOf(in, l.word(1)) {
			run.Setups = append(run.Setups, setup)
		}
	case "setup":
		for _, run := range sidesOf(in, l.word(1)) {
			values := map[string]any{}
			for _, word := range l.words[2:] {
				key, value, _ := strings.Cut(word, "=")
				values[key] = valueOf(value)
			}
			run.Setups = append(run.Setups, evidence.Setup{ID: "set_1", Name: "test", Version: int64(len(run.Setups) + 1), Values: values})
		}
	}
	return nil
}

// sidesOf returns the runs that "both", "baseline" or "candidate" speaks of.
func sidesOf(in *compare.Input, which string) []*evidence.RunEvidence {
	var runs []*evidence.RunEvidence
	if which != "candidate" {
		for i := range in.Baseline.Runs {
			runs = append(runs, &in.Baseline.Runs[i])
		}
	}
	if which != "baseline" {
		for i := range in.Candidate.Runs {
			runs = append(runs, &in.Candidate.Runs[i])
		}
	}
	return runs
}
