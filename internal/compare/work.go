package compare

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"kernelwake/internal/trace"
)

// workReading is what the work signatures of both sides say of each other,
// over all ranks and launches.
type workReading struct {
	// state is empty where no capture carries a signature.
	state trace.WorkState
	// conflict: launches of one side did different work.
	conflict bool
	factor   trace.Fraction
	// uncounted: a side has no steps, so nothing is known of the batch.
	uncounted bool
	// accumulation: the same batch in another number of micro-batches.
	accumulation bool
	states       [2][]trace.SignatureState
	namesDiffer  bool
	coverage     [2]string
	shared       float64
	// digests are those of each side's first known signature.
	digests [2]string
}

// readSignatures reads the sides' signatures rank by rank.
func readSignatures(sides [2][]launch) (workReading, error) {
	var result workReading
	var byRank [2]map[int64]trace.Signature
	carried := false
	for i, side := range sides {
		signatures, has, conflict, err := sideSignatures(side, &result, i)
		if err != nil {
			return workReading{}, err
		}
		byRank[i], carried = signatures, carried || has
		result.conflict = result.conflict || conflict
	}
	if !carried {
		return workReading{}, nil
	}
	if result.conflict {
		result.state = trace.WorkUnknown
		return result, nil
	}
	return result.overRanks(byRank)
}

// sideSignatures returns one signature a rank; a capture that names no rank is
// rank −1.
func sideSignatures(side []launch, result *workReading, index int) (byRank map[int64]trace.Signature, has, conflict bool, err error) {
	byRank = map[int64]trace.Signature{}
	for _, c := range capturesOf(side) {
		rank, known := c.Rank.Rank.Get()
		if !known {
			rank = -1
		}
		signature := trace.Signature{Rule: trace.SignatureRule, State: trace.NoOperators}
		if len(c.Work) > 0 {
			has = true
			if err := json.Unmarshal(c.Work, &signature); err != nil {
				return nil, false, false, fmt.Errorf("reading the work signature of a capture of %s: %w", c.Name, err)
			}
		}
		result.note(index, signature)
		first, seen := byRank[rank]
		switch {
		case !seen:
			byRank[rank] = signature
		case first.State != trace.SignatureKnown:
		case signature.State != trace.SignatureKnown:
			byRank[rank] = signature
		case first.Digest != signature.Digest:
			conflict = true
		}
	}
	return byRank, has, conflict, nil
}

func (w *workReading) note(index int, signature trace.Signature) {
	if signature.State == trace.SignatureKnown {
		w.digests[index] = cmp.Or(w.digests[index], signature.Digest)
		return
	}
	if !slices.Contains(w.states[index], signature.State) {
		w.states[index] = append(w.states[index], signature.State)
	}
	if coverage, ok := signature.Coverage.Get(); ok && w.coverage[index] == "" {
		w.coverage[index] = fmt.Sprintf("%.1f %%", 100*coverage)
	}
}

// overRanks puts the readings of all ranks together: one that differs decides,
// and equality needs all.
func (w workReading) overRanks(byRank [2]map[int64]trace.Signature) (workReading, error) {
	pairs, matched := pairRanks(byRank)
	severity := []trace.WorkState{trace.WorkEqual, trace.WorkPerSample, trace.WorkUnknown, trace.OperatorsDiffer, trace.WorkDifferent}
	w.state = trace.WorkEqual
	if !matched {
		w.state = trace.WorkUnknown
	}
	for _, pair := range pairs {
		read, err := trace.CompareWork(pair[0], pair[1])
		if err != nil {
			return workReading{}, fmt.Errorf("comparing the work of two captures: %w", err)
		}
		w.namesDiffer = w.namesDiffer || read.NamesDiffer
		if read.State == trace.WorkPerSample {
			if w.factor.Denominator != 0 && w.factor != read.BatchFactor {
				read.State = trace.WorkUnknown
			}
			w.factor = read.BatchFactor
			w.uncounted = w.uncounted || read.StepsUncounted
			w.accumulation = w.accumulation || read.BatchFactor.IsOne()
		}
		if slices.Index(severity, read.State) > slices.Index(severity, w.state) {
			w.state, w.shared = read.State, read.SharedProducts
		}
	}
	return w, nil
}

// pairRanks pairs equal ranks; single captures are a pair whatever their rank.
// matched is false where a rank stands alone.
func pairRanks(byRank [2]map[int64]trace.Signature) (pairs [][2]trace.Signature, matched bool) {
	if len(byRank[0]) == 1 && len(byRank[1]) == 1 {
		var pair [2]trace.Signature
		for i, side := range byRank {
			for _, signature := range side {
				pair[i] = signature
			}
		}
		return [][2]trace.Signature{pair}, true
	}
	matched = len(byRank[0]) == len(byRank[1])
	for _, rank := range sortedRanks(byRank[0]) {
		other, ok := byRank[1][rank]
		if !ok {
			matched = false
			continue
		}
		pairs = append(pairs, [2]trace.Signature{byRank[0][rank], other})
	}
	return pairs, matched && len(pairs) > 0
}

func sortedRanks(side map[int64]trace.Signature) []int64 {
	ranks := make([]int64, 0, len(side))
	for rank := range side {
		ranks = append(ranks, rank)
	}
	slices.Sort(ranks)
	return ranks
}

// why says in words why the work is not known.
func (w workReading) why() string {
	var parts []string
	for i, states := range w.states {
		for _, state := range states {
			text := map[trace.SignatureState]string{
				trace.NoShapes: "no shapes were recorded", trace.ShapesVary: "shapes vary from step to step", trace.NoOperators: "no operator was recorded", trace.GraphLaunched: "a graph hides the work",
			}[state]
			if state == trace.GraphLaunched && w.coverage[i] != "" {
				text += " (" + w.coverage[i] + " of kernel time was launched under an operator)"
			}
			parts = append(parts, sideName(i == 1)+": "+text)
		}
	}
	if w.conflict {
		parts = append(parts, "launches of one side did different work")
	}
	return strings.Join(parts, "; ")
}

// workSource names what a signature is.
const workSource = "work signature " + trace.SignatureRule + ", derived"
