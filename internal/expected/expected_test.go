package expected

import (
	"encoding/json"
	"testing"

	"kernelwake/internal/compare"
	"kernelwake/internal/trace"
)

// TestExpectedAnswers runs every case of the text file. Its head describes the
// language; a new case needs no Go.
func TestExpectedAnswers(t *testing.T) {
	s := newScenario()
	seen := map[string]bool{}
	for _, b := range readFile(t, "testdata/expected.txt") {
		name := b.word(1)
		switch b.word(0) {
		case "case":
			if seen[name] {
				t.Errorf("line %d: the case %q stands twice", b.number, name)
			}
			seen[name] = true
			t.Run(name, func(t *testing.T) { s.runCase(t, b) })
		case "show":
			t.Run("show "+name, func(t *testing.T) { s.show(t, b) })
		default:
			if err := s.define(b); err != nil {
				t.Fatalf("line %d: %v", b.number, err)
			}
		}
	}
}

func (s *scenario) runCase(t *testing.T, b block) {
	in := s.input(t, b)
	r, err := compare.Compare(in)
	if err != nil {
		expectError(t, b, err)
		return
	}
	again, err := compare.Compare(in)
	if err != nil {
		t.Fatal(err)
	}
	if first, second := encoded(t, r), encoded(t, again); first != second {
		t.Errorf("recomputed, the result has other digits:\n%s\n%s", first, second)
	}
	expects := 0
	for _, l := range b.body {
		if l.word(0) == "expect" {
			expects++
			check(t, r, l)
		}
	}
	if expects == 0 {
		t.Errorf("line %d: the case expects nothing", b.number)
	}
	sound(t, r)
	if t.Failed() {
		t.Logf("%s\n%s", r.Sentence, encoded(t, r))
	}
}

// expectError is for questions that can't be asked.
func expectError(t *testing.T, b block, err error) {
	t.Helper()
	for _, l := range b.body {
		if l.word(0) == "expect" && l.word(1) == "error" {
			return
		}
	}
	t.Fatalf("line %d: %v", b.number, err)
}

func encoded(t *testing.T, r *compare.Result) string {
	t.Helper()
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatalf("encoding a result: %v", err)
	}
	return string(text)
}

// sound holds what every result promises.
func sound(t *testing.T, r *compare.Result) {
	t.Helper()
	if (r.Answer == compare.Refused) != (len(r.Refusals) > 0) {
		t.Errorf("answer %s with %d refusals", r.Answer, len(r.Refusals))
	}
	if r.Answer == compare.Refused && (len(r.Outcomes) > 0 || len(r.Caps) > 0) {
		t.Errorf("a refused pair shows %d outcomes and %d caps", len(r.Outcomes), len(r.Caps))
	}
	if r.Sentence == "" || r.InputsSHA256 == "" {
		t.Errorf("sentence %q, inputs %q", r.Sentence, r.InputsSHA256)
	}
	for _, refusal := range r.Refusals {
		if refusal.Message == "" || refusal.Remedy == "" {
			t.Errorf("refusal %s names no remedy", refusal.Code)
		}
	}
	for _, c := range r.Caps {
		if c.Message == "" || c.Remedy == "" || len(c.Actions) == 0 {
			t.Errorf("cap %s:%s names no action", c.Code, c.Dimension)
		}
	}
	for _, o := range r.Outcomes {
		if o.Verdict == compare.VerdictInconclusive && len(o.Reasons) == 0 {
			t.Errorf("%s is inconclusive for no reason", o.Metric)
		}
		if o.Tier == compare.SingleRun && o.Verdict == compare.VerdictImproved {
			t.Errorf("%s: one launch says improved", o.Metric)
		}
	}
}

// show holds a single capture's facts against what is expected of them.
func (s *scenario) show(t *testing.T, b block) {
	run := s.find(t, b.word(1))[0]
	for _, l := range b.body {
		c := run.Captures[0]
		switch l.word(1) {
		case "signature":
			var signature trace.Signature
			if err := json.Unmarshal(c.Work, &signature); err != nil {
				t.Fatal(err)
			}
			coverage, _ := signature.Coverage.Get()
			if string(signature.State) != l.word(2) {
				t.Errorf("line %d: the signature is %s", l.number, signature.State)
			}
			near(func(format string, args ...any) {
				t.Errorf("line %d: coverage: "+format, append([]any{l.number}, args...)...)
			}, coverage, l.word(3))
		default:
			checkMeasurement(t, c.Parsed, l)
		}
	}
}
