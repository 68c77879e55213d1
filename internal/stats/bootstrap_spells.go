package stats

import (
	"cmp"
	"math"
	"slices"
)

// spellSeries resamples a Kaplan–Meier quantile. Durations and entries are
// replaced once by their places among the distinct durations, so that a resample
// is counted without sorting it.
type spellSeries struct {
	plan   blockPlan
	q      float64
	times  []float64 // distinct durations, ascending
	places []spellPlace
}

// spellPlace is a spell in terms of the distinct durations.
type spellPlace struct {
	weight      float64
	exit, enter uint32 // at risk from times[enter] to times[exit]; never if enter > exit
	event       bool
}

func newSpellSeries(spells []Spell, plan blockPlan, q float64) *spellSeries {
	s := &spellSeries{plan: plan, q: q, times: durations(spells), places: make([]spellPlace, len(spells))}
	slices.Sort(s.times)
	s.times = slices.Compact(s.times)
	for i, spell := range spells {
		exit, _ := slices.BinarySearch(s.times, spell.Duration)
		enter := 0
		if spell.Entry > 0 {
			// The first duration that is longer than the entry.
			enter, _ = slices.BinarySearchFunc(s.times, spell.Entry, func(time, entry float64) int {
				if time <= entry {
					return -1
				}
				return 1
			})
		}
		s.places[i] = spellPlace{weight: cmp.Or(spell.Weight, 1), exit: uint32(exit), enter: uint32(enter), event: !spell.Censored}
	}
	return s
}

func durations(spells []Spell) []float64 {
	result := make([]float64, len(spells))
	for i, spell := range spells {
		result[i] = spell.Duration
	}
	return result
}

func (s *spellSeries) draws() uint64 { return uint64(s.plan.blocks) }

// spellCounts is what happens at one of the distinct durations.
type spellCounts struct{ entering, events, leaving float64 }

func (s *spellSeries) resampler() func(splitMix64) float64 {
	counts := make([]spellCounts, len(s.times))
	return func(random splitMix64) float64 {
		clear(counts)
		for block := range s.plan.blocks {
			length := s.plan.length
			if block == s.plan.blocks-1 {
				length = s.plan.last
			}
			start := int(s.plan.start.of(random.next()))
			untilEnd := min(length, s.plan.n-start)
			count(counts, s.places[start:start+untilEnd])
			count(counts, s.places[:length-untilEnd])
		}
		return s.quantile(counts)
	}
}

// count adds spells to the counts.
func count(counts []spellCounts, places []spellPlace) {
	for _, place := range places {
		if place.enter > place.exit {
			continue
		}
		counts[place.enter].entering += place.weight
		counts[place.exit].leaving += place.weight
		if place.event {
			counts[place.exit].events += place.weight
		}
	}
}

// quantile is Survival.Quantile of the counts, +Inf when it is not reached.
func (s *spellSeries) quantile(counts []spellCounts) float64 {
	atRisk, survival := 0.0, 1.0
	for i, at := range counts {
		atRisk += at.entering
		if at.events > 0 {
			survival *= max(0, 1-at.events/atRisk)
			if survival <= 1-s.q+survivalSlack {
				return s.times[i]
			}
		}
		atRisk -= at.leaving
	}
	return math.Inf(1)
}
