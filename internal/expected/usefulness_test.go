package expected

import (
	"slices"
	"strings"
	"testing"

	"kernelwake/internal/compare"
	"kernelwake/internal/sampledir"
)

// TestAtLeastHalfOfTheRecordedPairsGiveANumber guards against a product that
// refuses everything. A pair is two different recorded samples that the file
// compares; it gives a number if any of its cases does.
func TestAtLeastHalfOfTheRecordedPairsGiveANumber(t *testing.T) {
	sampledir.Find(t)
	s := newScenario()
	given := map[string]bool{}
	for _, b := range readFile(t, "testdata/expected.txt") {
		if b.word(0) != "case" {
			if b.word(0) != "show" {
				if err := s.define(b); err != nil {
					t.Fatalf("line %d: %v", b.number, err)
				}
			}
			continue
		}
		pair, recorded := s.pairOf(b)
		if !recorded {
			continue
		}
		r, err := compare.Compare(s.input(t, b))
		if err != nil {
			t.Fatalf("line %d: %v", b.number, err)
		}
		numbers := slices.ContainsFunc(r.Outcomes, func(o compare.Outcome) bool { return o.Effect.Known() })
		given[pair] = given[pair] || numbers
	}
	numbers := 0
	for pair, number := range given {
		if number {
			numbers++
		}
		t.Logf("%v %s", number, pair)
	}
	t.Logf("%d of %d pairs of recorded captures give a number", numbers, len(given))
	if len(given) < 15 || 2*numbers < len(given) {
		t.Errorf("only %d of %d pairs give a number", numbers, len(given))
	}
}

// pairOf names the two samples that a case compares.
func (s *scenario) pairOf(b block) (pair string, recorded bool) {
	var names []string
	for _, l := range b.body {
		if l.word(0) == "baseline" || l.word(0) == "candidate" {
			for _, name := range l.words[1:] {
				if _, ok := s.needs[name]; !ok {
					return "", false
				}
			}
			names = append(names, strings.Join(l.words[1:], " "))
		}
	}
	if len(names) != 2 || names[0] == names[1] {
		return "", false
	}
	slices.Sort(names)
	return strings.Join(names, " against "), true
}
