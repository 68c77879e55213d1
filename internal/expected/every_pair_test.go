package expected

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kernelwake/internal/compare"
	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
	"kernelwake/internal/sampledir"
)

// TestEveryPairOfRecordedCapturesGetsASoundAnswer holds every sample against
// every other, most of them unlike: each gets an answer that keeps what every
// result promises, and the answer the other way round is of the same kind.
func TestEveryPairOfRecordedCapturesGetsASoundAnswer(t *testing.T) {
	root := sampledir.Find(t)
	if testing.Short() {
		t.Skip("skipped in short mode: about 2,500 pairs")
	}
	var runs []evidence.RunEvidence
	for _, path := range importable(t, root) {
		captures, err := readSample(root, path, lensFor(path))
		if err != nil {
			continue // refused at import: another test's business
		}
		for _, c := range captures {
			runs = append(runs, evidence.RunEvidence{ID: "run_" + path + c.Selector, Name: path + " " + c.Cell, Captures: []evidence.CaptureEvidence{c}})
		}
	}
	if len(runs) < 40 {
		t.Fatalf("only %d captures were read", len(runs))
	}
	answers := map[compare.Answer]int{}
	for i, a := range runs {
		for _, b := range runs[i+1:] {
			forth := answerOf(t, a, b)
			answers[forth.Answer]++
			if back := answerOf(t, b, a); (back.Answer == compare.Refused) != (forth.Answer == compare.Refused) {
				t.Errorf("%s against %s: %s; the other way round %s", a.Name, b.Name, forth.Sentence, back.Sentence)
			}
			if compare.Glance(a, b) == "" {
				t.Errorf("%s against %s: nothing to say at a glance", a.Name, b.Name)
			}
		}
	}
	t.Logf("%d captures: %v", len(runs), answers)
}

func answerOf(t *testing.T, a, b evidence.RunEvidence) *compare.Result {
	t.Helper()
	r, err := compare.Compare(compare.Input{Baseline: compare.Side{Runs: []evidence.RunEvidence{a}}, Candidate: compare.Side{Runs: []evidence.RunEvidence{b}}})
	if err != nil {
		t.Fatalf("%s against %s: %v", a.Name, b.Name, err)
	}
	sound(t, r)
	return r
}

// importable lists the samples that hold one capture or more: trace files, and
// the folders of AIPerf runs.
func importable(t *testing.T, root string) []string {
	t.Helper()
	var paths []string
	for _, pattern := range []string{"traces/*/*.json.gz", "aiperf/v*"} {
		found, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range found {
			info, err := os.Stat(path)
			small := err == nil && (info.IsDir() || info.Size() < 300<<10) // the large traces are compared by name elsewhere
			relative, err := filepath.Rel(root, path)
			if err == nil && small && !strings.Contains(relative, "odd") {
				paths = append(paths, filepath.ToSlash(relative))
			}
		}
	}
	slices.Sort(paths)
	return paths
}

// lensFor reads traces of training under the training lens whatever they
// suggest.
func lensFor(path string) lens.ID {
	if strings.HasPrefix(path, "traces/torch") {
		return lens.Training
	}
	return ""
}
