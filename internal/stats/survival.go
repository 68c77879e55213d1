package stats

import (
	"cmp"
	"math"
	"slices"
)

// Spell is one wait or one way to a target, measured from its own beginning.
type Spell struct {
	// Duration is how long it was followed.
	Duration float64
	// Censored says that following it ended before the event did: still
	// pending when the window closed, cancelled, stopped.
	Censored bool
	// Entry is how old the spell was when it came under observation, 0 when it
	// was seen from its beginning. It counts as at risk only after that, since
	// shorter ones of its kind could not have been seen.
	Entry float64
	// Weight counts the spell that many times (its GPUs, say); 0 means 1.
	Weight float64
}

// Survival is a Kaplan–Meier estimate (1958) of the share of spells that last
// longer than a time, with right censoring and late entry. An event that is
// known only to lie between two looks (interval censoring) is taken at the time
// given; callers give the look at which it was first seen.
type Survival struct {
	// Steps are the times at which events happened, ascending.
	Steps []SurvivalStep
	// Spells and Events count what went in, unweighted. Spells that were never
	// at risk (entry at or after their end) are left out and counted in
	// NeverAtRisk.
	Spells, Events, NeverAtRisk int
	// Longest is the longest time any spell was followed.
	Longest float64
	// Weighted says that weights other than 1 took part. Greenwood's variance
	// does not hold then, so intervals are absent.
	Weighted bool
	// Collapsed says that the estimate reached zero while later events were
	// still seen: with late entry the few at risk early on can all end. The
	// quantiles above are then too small and should be shown with a mark.
	Collapsed bool
}

// SurvivalStep is the estimate from one event time up to the next.
type SurvivalStep struct {
	Time     float64
	AtRisk   float64 // weight under observation just before
	Events   float64 // weight of the events
	Survival float64
	greenSum float64 // Greenwood's Σ d/(n(n−d)) up to here
}

// KaplanMeier estimates the survival function. At equal times events come
// before censorings. Spells of negative duration must not be given.
func KaplanMeier(spells []Spell) Survival {
	result := Survival{}
	var entries, exits []Spell
	for _, s := range spells {
		if s.Weight == 0 {
			s.Weight = 1
		}
		result.Weighted = result.Weighted || s.Weight != 1
		if s.Entry > 0 && s.Entry >= s.Duration {
			result.NeverAtRisk++
			continue
		}
		result.Spells++
		result.Longest = max(result.Longest, s.Duration)
		if !s.Censored {
			result.Events++
		}
		exits = append(exits, s)
	}
	entries = slices.Clone(exits)
	slices.SortFunc(entries, func(a, b Spell) int { return cmp.Compare(a.Entry, b.Entry) })
	slices.SortFunc(exits, func(a, b Spell) int { return cmp.Compare(a.Duration, b.Duration) })
	result.Steps = survivalSteps(entries, exits)
	for i, step := range result.Steps {
		if step.Survival == 0 && i < len(result.Steps)-1 {
			result.Collapsed = true
		}
	}
	return result
}

// survivalSteps walks through the exits in order, keeping the weight at risk.
func survivalSteps(entries, exits []Spell) []SurvivalStep {
	var steps []SurvivalStep
	var atRisk, greenSum float64
	survival, entered := 1.0, 0
	for i := 0; i < len(exits); {
		time := exits[i].Duration
		for entered < len(entries) && (entries[entered].Entry < time || entries[entered].Entry <= 0) {
			atRisk += entries[entered].Weight
			entered++
		}
		var events, leaving float64
		for ; i < len(exits) && exits[i].Duration == time; i++ {
			leaving += exits[i].Weight
			if !exits[i].Censored {
				events += exits[i].Weight
			}
		}
		if events > 0 {
			survival *= max(0, 1-events/atRisk) // fractional weights may miss 0 by a bit
			greenSum += events / (atRisk * (atRisk - events))
			steps = append(steps, SurvivalStep{time, atRisk, events, survival, greenSum})
		}
		atRisk -= leaving
	}
	return steps
}

// At returns the share that lasts longer than t. Beyond Longest it is only
// known to be no larger than the value returned.
func (s Survival) At(t float64) float64 {
	after, found := slices.BinarySearchFunc(s.Steps, t, func(step SurvivalStep, t float64) int {
		return cmp.Compare(step.Time, t)
	})
	if found {
		after++
	}
	if after == 0 {
		return 1
	}
	return s.Steps[after-1].Survival
}

// survivalSlack keeps products such as (3/4)·(2/3) from missing ½ by a bit.
const survivalSlack = 1e-12

// Quantile returns the shortest time by which at least the share q of spells
// has ended. False when the estimate never gets there: the quantile is then
// beyond Longest, and how far is not known.
func (s Survival) Quantile(q float64) (float64, bool) {
	return s.firstAt(func(step SurvivalStep) bool { return step.Survival <= 1-q+survivalSlack })
}

func (s Survival) firstAt(holds func(SurvivalStep) bool) (float64, bool) {
	for _, step := range s.Steps {
		if holds(step) {
			return step.Time, true
		}
	}
	return 0, false
}

// AtInterval returns the share that lasts longer than t with the interval of
// Greenwood's variance (1926) on the log(−log) scale, which stays within
// [0, 1]. False where there is none: before the first event, at zero, or for
// weighted spells.
func (s Survival) AtInterval(t, level float64) (Interval, bool) {
	if s.Weighted {
		return Interval{}, false
	}
	var at *SurvivalStep
	for i := range s.Steps {
		if s.Steps[i].Time <= t {
			at = &s.Steps[i]
		}
	}
	if at == nil || at.Survival <= 0 {
		return Interval{}, false
	}
	return at.interval(level), true
}

func (step SurvivalStep) interval(level float64) Interval {
	logSurvival := math.Log(step.Survival)
	spread := normalQuantile(level) * math.Sqrt(step.greenSum) / -logSurvival
	return Interval{
		Point: step.Survival,
		Low:   math.Exp(logSurvival * math.Exp(spread)),
		High:  math.Exp(logSurvival * math.Exp(-spread)),
	}
}

// QuantileInterval returns a quantile with the interval of Brookmeyer & Crowley
// (1982): the times at which the pointwise intervals of the survival function
// reach 1 − q. The upper end is +Inf when they never do. False when the
// quantile itself is unknown, or for weighted spells.
func (s Survival) QuantileInterval(q, level float64) (Interval, bool) {
	point, ok := s.Quantile(q)
	if !ok || s.Weighted {
		return Interval{}, false
	}
	ends := func(step SurvivalStep) Interval {
		if step.Survival <= 0 {
			return Interval{}
		}
		return step.interval(level)
	}
	low, _ := s.firstAt(func(step SurvivalStep) bool { return ends(step).Low <= 1-q+survivalSlack })
	high, ok := s.firstAt(func(step SurvivalStep) bool { return ends(step).High < 1-q-survivalSlack })
	if !ok {
		high = math.Inf(1)
	}
	return Interval{Point: point, Low: low, High: high}, true
}
