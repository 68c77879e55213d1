package main

import (
	"fmt"
	"math/rand/v2"

	"kernelwake/internal/compare"
)

// threshold is the smallest effect that counts, as in the independent script.
const threshold = 0.02

// rates are shares of draws by verdict.
type rates struct{ improved, regressed float64 }

func (r rates) alarms() float64 { return r.improved + r.regressed }

// measure draws sides and has them judged by the product's own comparison.
func measure(r repeats, l launches, runs, history, draws int, design string) (rates, error) {
	random := rand.New(rand.NewPCG(1, uint64(runs)))
	improved, regressed := 0, 0
	for range draws {
		baseline, candidate := draw(random, l, runs, design)
		in := compare.Input{
			Baseline: compare.Side{Runs: baseline}, Candidate: compare.Side{Runs: candidate},
			Declaration: compare.Declaration{Thresholds: map[string]float64{r.metric(): threshold}},
		}
		if history > 0 {
			in.History = earlier(random, l, history, baseline, candidate)
		}
		verdict, err := verdictOf(in, r.metric())
		if err != nil {
			return rates{}, err
		}
		switch verdict {
		case compare.VerdictImproved:
			improved++
		case compare.VerdictRegressed:
			regressed++
		}
	}
	return rates{float64(improved) / float64(draws), float64(regressed) / float64(draws)}, nil
}

func verdictOf(in compare.Input, metric string) (compare.Verdict, error) {
	result, err := compare.Compare(in)
	if err != nil {
		return "", err
	}
	for _, o := range result.Outcomes {
		if o.Metric == metric {
			return o.Verdict, nil
		}
	}
	return "", fmt.Errorf("%s was not compared: %s", metric, result.Sentence)
}

// plan is what is measured: how many launches a side, with how many earlier
// ones.
type plan struct{ runs, history int }

var plans = []plan{{1, 0}, {1, 6}, {2, 0}, {2, 6}, {3, 0}, {3, 6}, {4, 0}, {5, 0}, {8, 0}}

func (p plan) String() string {
	if p.history > 0 {
		return fmt.Sprintf("R=%d, %d earlier", p.runs, p.history)
	}
	return fmt.Sprintf("R=%d", p.runs)
}

func designsOf(l launches) []string {
	designs := []string{atRandom, inBlocks, interleaved, farApart}
	if len(l.b) > 0 {
		designs = append(designs, againstB)
	}
	return designs
}
