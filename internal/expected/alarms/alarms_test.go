package main

import (
	"path/filepath"
	"testing"

	"kernelwake/internal/sampledir"
)

// mostAlarms is the share of random draws of one configuration against itself
// that may be called a change.
const mostAlarms = 0.07

func TestOneConfigurationAgainstItselfIsSeldomCalledAChangeAtAnyTier(t *testing.T) {
	all, err := readRepeats()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all {
		l, err := r.fromValues()
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range plans {
			got, err := measure(r, l, p.runs, p.history, 1000, atRandom)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s, %s: %.1f %% (independent script: %.1f %%)", r.Name, p, 100*got.alarms(), reference[r.Name][p][0])
			if got.alarms() > mostAlarms {
				t.Errorf("%s, %s: %.1f %% false alarms", r.Name, p, 100*got.alarms())
			}
			if p.runs == 1 && got.improved > 0 {
				t.Errorf("%s, %s: one launch a side is called improved", r.Name, p)
			}
		}
	}
}

func TestARealDifferenceIsFoundMoreOftenWithMoreLaunches(t *testing.T) {
	all, err := readRepeats()
	if err != nil {
		t.Fatal(err)
	}
	r := all[0] // B takes 6.8 % longer than A
	l, err := r.fromValues()
	if err != nil {
		t.Fatal(err)
	}
	found := map[int]float64{}
	for _, runs := range []int{2, 5, 8} {
		got, err := measure(r, l, runs, 0, 400, againstB)
		if err != nil {
			t.Fatal(err)
		}
		if got.improved > 0.01 {
			t.Errorf("R=%d: %.1f %% of draws call the slower one improved", runs, 100*got.improved)
		}
		found[runs] = got.regressed
	}
	if found[2] >= found[5] || found[5] >= found[8] {
		t.Errorf("found in %v of draws", found)
	}
}

func TestOneLaunchJudgedByItsSamplesIsSeldomCalledAChange(t *testing.T) {
	folder := filepath.Join(sampledir.Find(t), "repeats")
	all, err := readRepeats()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all {
		l, err := r.fromSamples(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, history := range []int{0, 6} {
			got, err := measure(r, l, 1, history, 100, atRandom)
			if err != nil {
				t.Fatal(err)
			}
			if got.alarms() > mostAlarms || got.improved > 0 {
				t.Errorf("%s, R=1 with %d earlier launches: %.1f %% false alarms", r.Name, history, 100*got.alarms())
			}
		}
	}
}
