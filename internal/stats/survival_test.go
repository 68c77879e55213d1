package stats

import (
	"encoding/csv"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"kernelwake/internal/sampledir"
	"pgregory.net/rapid"
)

func TestKaplanMeierByHand(t *testing.T) {
	// Events at 1, 3, 3, 5; censored at 2, 3 and 6. At risk 7, then 5 (the one
	// censored at 3 still counts at 3), then 2.
	got := KaplanMeier([]Spell{
		{Duration: 3},
		{Duration: 1},
		{Duration: 2, Censored: true},
		{Duration: 3},
		{Duration: 3, Censored: true},
		{Duration: 5},
		{Duration: 6, Censored: true},
	})
	if got.Spells != 7 || got.Events != 4 || got.Longest != 6 || len(got.Steps) != 3 {
		t.Fatalf("%+v: want 7 spells, 4 events, longest 6, 3 steps", got)
	}
	for i, want := range []SurvivalStep{
		{Time: 1, AtRisk: 7, Events: 1, Survival: 6.0 / 7},
		{Time: 3, AtRisk: 5, Events: 2, Survival: 6.0 / 7 * 3 / 5},
		{Time: 5, AtRisk: 2, Events: 1, Survival: 6.0 / 7 * 3 / 5 / 2},
	} {
		step := got.Steps[i]
		if step.Time != want.Time || step.AtRisk != want.AtRisk || step.Events != want.Events || math.Abs(step.Survival-want.Survival) > 1e-15 {
			t.Errorf("step %d: %+v, want %+v", i, step, want)
		}
	}
	for _, test := range []struct{ at, want float64 }{{0, 1}, {.99, 1}, {1, 6.0 / 7}, {2.9, 6.0 / 7}, {3, 18.0 / 35}, {99, 9.0 / 35}} {
		wantNear(t, "survival", got.At(test.at), test.want, 1e-12)
	}
	for _, test := range []struct{ q, want float64 }{{.1, 1}, {.48, 3}, {.5, 5}, {.74, 5}} {
		if quantile, ok := got.Quantile(test.q); !ok || quantile != test.want {
			t.Errorf("quantile %g = %g, %t; want %g", test.q, quantile, ok, test.want)
		}
	}
	if quantile, ok := got.Quantile(0.75); ok {
		t.Errorf("quantile .75 = %g, want unknown: 26 %% outlast every spell followed", quantile)
	}
	// Greenwood: Σ d/(n(n−d)) = 1/42 + 2/15 at 3.
	spread := normalQuantile(0.95) * math.Sqrt(1.0/42+2.0/15) / -math.Log(18.0/35)
	interval, ok := got.AtInterval(4, 0.95)
	if !ok {
		t.Fatal("no interval at 4")
	}
	wantInterval(t, interval, 18.0/35, math.Pow(18.0/35, math.Exp(spread)), math.Pow(18.0/35, math.Exp(-spread)))
}

func TestKaplanMeierWithLateEntryByHand(t *testing.T) {
	// Under observation at 2: only the spells that entered before 2 and had
	// not ended, three of the four; at 5: two.
	got := KaplanMeier([]Spell{
		{Duration: 2},
		{Duration: 5, Entry: 1},
		{Duration: 6, Entry: 2, Censored: true},
		{Duration: 2, Censored: true},
		{Duration: 4, Entry: 4},
		{Duration: 3, Entry: 7},
	})
	if got.NeverAtRisk != 2 || got.Spells != 4 {
		t.Errorf("%d never at risk of %d, want 2 beside 4", got.NeverAtRisk, got.Spells)
	}
	want := []float64{2.0 / 3, 2.0 / 3 / 2}
	for i, risk := range []float64{3, 2} {
		if step := got.Steps[i]; step.AtRisk != risk || math.Abs(step.Survival-want[i]) > 1e-15 {
			t.Errorf("step %d: %+v, want %g at risk and survival %g", i, step, risk, want[i])
		}
	}
	if got.Collapsed {
		t.Error("the estimate did not reach zero")
	}
}

func TestKaplanMeierSaysWhenLateEntryCollapsesIt(t *testing.T) {
	got := KaplanMeier([]Spell{{Duration: 1}, {Duration: 9, Entry: 3}, {Duration: 11, Entry: 3}})
	if !got.Collapsed {
		t.Error("everything at risk at 1 ended there, while later events were seen: want Collapsed")
	}
	if ended := KaplanMeier([]Spell{{Duration: 1}, {Duration: 2}}); ended.Collapsed {
		t.Error("reaching zero at the last event is no collapse")
	}
}

func TestKaplanMeierOfWaitsThatEndAtOnce(t *testing.T) {
	got := KaplanMeier([]Spell{{Duration: 0}, {Duration: 0}, {Duration: 0, Censored: true}, {Duration: 7}})
	if got.Steps[0] != (SurvivalStep{Time: 0, AtRisk: 4, Events: 2, Survival: 0.5, greenSum: 2.0 / 8}) {
		t.Errorf("first step %+v, want 2 of 4 ending at 0", got.Steps[0])
	}
}

func TestKaplanMeierOfNothing(t *testing.T) {
	for name, spells := range map[string][]Spell{"no spells": nil, "only censored": {{Duration: 4, Censored: true}}} {
		got := KaplanMeier(spells)
		if _, ok := got.Quantile(0.5); ok || got.At(10) != 1 || got.Events != 0 {
			t.Errorf("%s: %+v, want no quantile and survival 1", name, got)
		}
		if _, ok := got.AtInterval(10, 0.95); ok {
			t.Errorf("%s: an interval without events", name)
		}
		if _, ok := got.QuantileInterval(0.5, 0.95); ok {
			t.Errorf("%s: a quantile interval without events", name)
		}
	}
}

func TestKaplanMeierWeightsCountAsCopies(t *testing.T) {
	weighted := KaplanMeier([]Spell{{Duration: 1, Weight: 2}, {Duration: 2, Weight: 3, Censored: true}, {Duration: 4}})
	copied := KaplanMeier([]Spell{{Duration: 1}, {Duration: 1}, {Duration: 2, Censored: true}, {Duration: 2, Censored: true}, {Duration: 2, Censored: true}, {Duration: 4}})
	for i := range copied.Steps {
		if weighted.Steps[i] != copied.Steps[i] {
			t.Errorf("step %d: %+v weighted, %+v copied", i, weighted.Steps[i], copied.Steps[i])
		}
	}
	if _, ok := weighted.AtInterval(2, 0.95); ok || !weighted.Weighted {
		t.Error("weights are no independent spells: want no interval")
	}
}

func TestKaplanMeierWithoutCensoringIsTheShareThatLasts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		durations := rapid.SliceOfN(rapid.Map(rapid.IntRange(0, 30), func(i int) float64 { return float64(i) }), 1, 60).Draw(t, "durations")
		var spells []Spell
		for _, d := range durations {
			spells = append(spells, Spell{Duration: d})
		}
		survival := KaplanMeier(spells)
		for at := -1.0; at <= 31; at++ {
			lasting := 0
			for _, d := range durations {
				if d > at {
					lasting++
				}
			}
			if want := float64(lasting) / float64(len(durations)); math.Abs(survival.At(at)-want) > 1e-12 {
				t.Fatalf("S(%g) = %g, want %g", at, survival.At(at), want)
			}
		}
		slices.Sort(durations)
		for _, q := range []float64{.01, .25, .5, .9, .99, 1} {
			nearestRank := durations[int(math.Ceil(q*float64(len(durations))-1e-9))-1]
			if got, ok := survival.Quantile(q); !ok || got != nearestRank {
				t.Fatalf("quantile %g = %g, %t; nearest rank %g", q, got, ok, nearestRank)
			}
		}
	})
}

func TestKaplanMeierCensoringNeverShortensWaits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 40).Draw(t, "n")
		var kept, started []Spell
		for range n {
			s := Spell{Duration: float64(rapid.IntRange(0, 20).Draw(t, "duration")), Censored: rapid.Bool().Draw(t, "censored")}
			kept = append(kept, s)
			if !s.Censored {
				started = append(started, s)
			}
		}
		with, without := KaplanMeier(kept), KaplanMeier(started)
		for at := range 21 {
			if len(started) > 0 && with.At(float64(at)) < without.At(float64(at))-1e-12 {
				t.Fatalf("S(%d) falls from %g to %g when censored spells are kept", at, without.At(float64(at)), with.At(float64(at)))
			}
		}
		for _, q := range []float64{.3, .5, .8} {
			if i, ok := with.QuantileInterval(q, 0.95); ok && !(i.Low <= i.Point && i.Point <= i.High) {
				t.Fatalf("quantile %g outside its interval %+v", q, i)
			}
		}
	})
}

func TestBootstrapOfSpellsIsKaplanMeierOfEveryResample(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spells := make([]Spell, rapid.IntRange(2, 60).Draw(t, "n"))
		for i := range spells {
			spells[i] = Spell{
				Duration: float64(rapid.IntRange(0, 9).Draw(t, "duration")), Censored: rapid.IntRange(0, 3).Draw(t, "state") == 0,
				Entry: float64(max(0, rapid.IntRange(-20, 9).Draw(t, "entry"))), Weight: float64(rapid.IntRange(0, 2).Draw(t, "weight")),
			}
		}
		plan := newBlockPlan(len(spells), rapid.IntRange(1, 9).Draw(t, "block length"))
		q := rapid.SampledFrom([]float64{.1, .5, .9}).Draw(t, "q")
		next := newSpellSeries(spells, plan, q).resampler()
		for seed := range uint64(20) {
			random := splitMix64{seed}
			var resample []Spell
			for len(resample) < plan.n {
				start := int(random.next() % uint64(plan.n))
				for j := 0; j < plan.length && len(resample) < plan.n; j++ {
					resample = append(resample, spells[(start+j)%plan.n])
				}
			}
			want, ok := KaplanMeier(resample).Quantile(q)
			if !ok {
				want = math.Inf(1)
			}
			if got := next(splitMix64{seed}); got != want {
				t.Fatalf("seed %d: quantile %g, of the resample itself %g", seed, got, want)
			}
		}
	})
}

func TestBootstrapOfSpells(t *testing.T) {
	var short, long []Spell
	for i := range 200 {
		wait := float64(i%40) + 1
		short = append(short, Spell{Duration: wait})
		long = append(long, Spell{Duration: 2 * wait, Censored: i%10 == 0})
	}
	run := func(b, c []Spell, q float64) (BootstrapEffect, error) {
		return Bootstrap{Seed: 3}.Run(Side{Spells: [][]Spell{b}}, Side{Spells: [][]Spell{c}}, QuantileStatistic(q), Difference)
	}
	effect, err := run(short, long, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	before, _ := KaplanMeier(short).Quantile(0.5)
	after, _ := KaplanMeier(long).Quantile(0.5)
	interval := effect.Interval(0.95)
	if interval.Point != after-before || !(interval.Low > 0 && interval.Low < interval.Point && interval.High > interval.Point) {
		t.Errorf("%+v, want above 0 around %g", interval, after-before)
	}

	t.Run("an end beyond what was observed is infinite", func(t *testing.T) {
		for i := range long {
			long[i].Censored = i%40 > 20
		}
		effect, err := run(short, long, 0.5)
		if err != nil {
			t.Fatal(err)
		}
		if got := effect.Interval(0.95); !math.IsInf(got.High, 1) || math.IsInf(got.Low, 0) {
			t.Errorf("%+v, want a finite low end and no high one", got)
		}
		if both, err := run(long, long, 0.5); err != nil || !math.IsInf(both.Interval(0.95).Low, -1) || !math.IsInf(both.Interval(0.95).High, 1) {
			t.Errorf("%+v, %v: want no ends when neither side's quantile is certain", both.Interval(0.95), err)
		}
	})
	t.Run("a mean of spells that go on is no value", func(t *testing.T) {
		side := Side{Spells: [][]Spell{long}}
		if _, err := (Bootstrap{Seed: 3}).Run(side, side, MeanStatistic(), Difference); !errors.Is(err, ErrBeyondObservation) {
			t.Errorf("%v, want ErrBeyondObservation", err)
		}
	})
	t.Run("a ratio of waits that end at once is no value", func(t *testing.T) {
		side := Side{Spells: [][]Spell{{{Duration: 0}, {Duration: 3}, {Duration: 4}}}}
		if _, err := (Bootstrap{Seed: 3}).Run(side, side, QuantileStatistic(0.5), LogRatio); !errors.Is(err, ErrNotPositive) {
			t.Errorf("%v, want ErrNotPositive", err)
		}
	})
	t.Run("a quantile beyond what was observed is no value", func(t *testing.T) {
		if _, err := run(short, long, 0.9); !errors.Is(err, ErrBeyondObservation) {
			t.Errorf("%v, want ErrBeyondObservation", err)
		}
	})
}

// openbWaits reads the recorded waits of GPU pods: scheduled − created, or, for
// the pods that never were, censored at deletion.
func openbWaits(t *testing.T) (all, started []Spell) {
	path := filepath.Join(sampledir.Find(t), "fleet", "alibaba-openb-2023", "openb_pod_list_default.csv")
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("SKIPPED: the recorded pod list is absent from the samples")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	column := map[string]int{}
	for i, name := range rows[0] {
		column[name] = i
	}
	seconds := func(row []string, name string) float64 {
		value, err := strconv.ParseFloat(row[column[name]], 64)
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
	for _, row := range rows[1:] {
		if seconds(row, "num_gpu") == 0 {
			continue
		}
		created := seconds(row, "creation_time")
		if row[column["scheduled_time"]] == "" {
			all = append(all, Spell{Duration: seconds(row, "deletion_time") - created, Censored: true})
			continue
		}
		spell := Spell{Duration: seconds(row, "scheduled_time") - created}
		all, started = append(all, spell), append(started, spell)
	}
	return all, started
}

func TestKaplanMeierOfRecordedQueueWaits(t *testing.T) {
	all, started := openbWaits(t)
	if len(all) != 7064 || len(started) != 6203 {
		t.Fatalf("%d waits, %d of them ended; want 7064 and 6203", len(all), len(started))
	}
	with, without := KaplanMeier(all), KaplanMeier(started)
	for _, test := range []struct{ q, with, without float64 }{{.5, 3, 2}, {.9, 313, 139}, {.95, 667, 277}, {.99, 3354, 1110}} {
		if got, ok := with.Quantile(test.q); !ok || got != test.with {
			t.Errorf("p%g with the waits that never ended: %g, want %g", 100*test.q, got, test.with)
		}
		if got, ok := without.Quantile(test.q); !ok || got != test.without {
			t.Errorf("p%g without them: %g, want %g", 100*test.q, got, test.without)
		}
	}
}
