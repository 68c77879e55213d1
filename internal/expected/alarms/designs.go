package main

import (
	"math/rand/v2"
	"slices"

	"kernelwake/internal/evidence"
)

// Designs by which launches are drawn to two sides.
const (
	atRandom    = "random"      // any launches
	inBlocks    = "blocks"      // R in a row against the next R
	interleaved = "interleaved" // in turns: b c b c …
	farApart    = "far"         // R against R from the other half
	againstB    = "A:B"         // launches of the other configuration, at random
)

// draw takes R launches a side by a design.
func draw(random *rand.Rand, l launches, runs int, design string) (baseline, candidate []evidence.RunEvidence) {
	a := l.a
	switch design {
	case inBlocks:
		at := random.IntN(len(a) - 2*runs + 1)
		return a[at : at+runs], a[at+runs : at+2*runs]
	case interleaved:
		at := random.IntN(len(a) - 2*runs + 1)
		for i, run := range a[at : at+2*runs] {
			if i%2 == 0 {
				baseline = append(baseline, run)
			} else {
				candidate = append(candidate, run)
			}
		}
		return baseline, candidate
	case farApart:
		half := len(a) / 2
		i, j := random.IntN(half-runs+1), half+random.IntN(len(a)-half-runs+1)
		return a[i : i+runs], a[j : j+runs]
	case againstB:
		return some(random, a, runs), some(random, l.b, runs)
	}
	both := some(random, a, 2*runs)
	return both[:runs], both[runs:]
}

// some takes n launches at random.
func some(random *rand.Rand, from []evidence.RunEvidence, n int) []evidence.RunEvidence {
	order := random.Perm(len(from))
	taken := make([]evidence.RunEvidence, n)
	for i := range taken {
		taken[i] = from[order[i]]
	}
	return taken
}

// earlier takes up to n launches of A that are on neither side.
func earlier(random *rand.Rand, l launches, n int, sides ...[]evidence.RunEvidence) []evidence.RunEvidence {
	rest := slices.DeleteFunc(slices.Clone(l.a), func(run evidence.RunEvidence) bool {
		return slices.ContainsFunc(slices.Concat(sides...), func(other evidence.RunEvidence) bool { return other.ID == run.ID })
	})
	return some(random, rest, min(n, len(rest)))
}
