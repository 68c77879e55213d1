package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestSmallestDetectable(t *testing.T) {
	interval := Interval{math.Log(1.1), math.Log(1.0), math.Log(1.32)}
	wantNear(t, "share", RelativeChange(SmallestDetectable(interval)), 0.2, 1e-12)
	wantNear(t, "log threshold and back", RelativeChange(LogThreshold(0.05)), 0.05, 1e-15)
}

func TestNeededRuns(t *testing.T) {
	base := Planning{Threshold: LogThreshold(0.05), SD: 0.04, Level: 0.95}
	for _, test := range []struct {
		name string
		edit func(*Planning)
		want NeededRuns
	}{
		{"an effect below the threshold is never settled", func(p *Planning) { p.Effect = LogThreshold(0.03) }, NeededRuns{Outlook: RunsBelowThreshold}},
		{"no effect, no threshold", func(p *Planning) { p.Effect, p.Threshold = 0, 0 }, NeededRuns{Outlook: RunsBelowThreshold}},
		// t₂ = 4.3027 and t₄ = 2.7764: half-widths .1721 and .0907.
		{"a large effect needs two", func(p *Planning) { p.Effect = 0.18 }, NeededRuns{2, RunsDecide}},
		{"a fall needs as many as a rise", func(p *Planning) { p.Effect = -0.18 }, NeededRuns{2, RunsDecide}},
		{"three for a tenth", func(p *Planning) { p.Effect = 0.1 }, NeededRuns{3, RunsDecide}},
		// With t₅+₂ of history two runs already have half-width .0946.
		{"history saves runs", func(p *Planning) { p.Effect, p.HistoryFreedom = 0.1, 5 }, NeededRuns{2, RunsDecide}},
		{"where four are the least", func(p *Planning) { p.Effect, p.LeastRunsToClaim = 0.18, 4 }, NeededRuns{4, RunsDecide}},
		{"out of reach", func(p *Planning) { p.Effect, p.SD = 0.05, 2 }, NeededRuns{Outlook: RunsOutOfReach}},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := base
			test.edit(&p)
			if got := p.NeededRuns(); got != test.want {
				t.Errorf("%+v, want %+v", got, test.want)
			}
		})
	}
}

func TestPredictedHalfWidthIsWhatRepetitionShows(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, runs := range []int{2, 3, 4, 5, 8, 20, 60} {
		p := Planning{SD: 0.05, Level: 0.95}
		const draws = 400
		var mean float64
		for range draws {
			b, c := make([]float64, runs), make([]float64, runs)
			for i := range b {
				b[i], c[i] = p.SD*random.NormFloat64(), p.SD*random.NormFloat64()
			}
			var interval Interval
			if runs < replicatedFrom {
				effect, err := FewRuns(b, c, 0.95)
				if err != nil {
					t.Fatal(err)
				}
				interval = effect.Interval
			} else {
				replication, err := Replicated(b, c, 0.95)
				if err != nil {
					t.Fatal(err)
				}
				interval = replication.Interval
			}
			mean += (interval.High - interval.Low) / 2 / draws
		}
		if predicted := p.PredictedHalfWidth(runs); math.Abs(predicted/mean-1) > 0.15 {
			t.Errorf("%d runs a side: predicted %.4f, repetitions show %.4f", runs, predicted, mean)
		}
	}
}
