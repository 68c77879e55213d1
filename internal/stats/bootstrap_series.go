package stats

import (
	"math"
	"slices"
)

// meanSeries resamples means from prefix sums of the deviations.
type meanSeries struct {
	plan   blockPlan
	mean   float64
	prefix []float64 // of the series followed by its first block again
}

func newMeanSeries(samples []float64, plan blockPlan) *meanSeries {
	s := &meanSeries{plan: plan, mean: Mean(samples), prefix: make([]float64, plan.n+plan.length+1)}
	for i := range plan.n + plan.length {
		s.prefix[i+1] = s.prefix[i] + (samples[i%plan.n] - s.mean)
	}
	return s
}

func (s *meanSeries) draws() uint64 { return uint64(s.plan.blocks) }

func (s *meanSeries) resampler() func(splitMix64) float64 { return s.resample }

func (s *meanSeries) resample(random splitMix64) float64 {
	var sum float64
	for range s.plan.blocks - 1 {
		start := s.plan.start.of(random.next())
		sum += s.prefix[start+uint64(s.plan.length)] - s.prefix[start]
	}
	start := s.plan.start.of(random.next())
	sum += s.prefix[start+uint64(s.plan.last)] - s.prefix[start]
	return s.mean + sum/float64(s.plan.n)
}

// quantileSeries resamples a quantile without building the resamples. Nearly
// all of them have their quantile among a few percent of the sorted values, the
// bracket: for each block it is enough to know how many samples lie below the
// bracket and which lie in it. A resample that falls outside is counted whole.
type quantileSeries struct {
	plan     blockPlan
	lower    int // order statistic at or below the quantile, from 0
	fraction float64

	bracket []float64 // distinct values in the bracket, ascending
	blocks  []blockCount
	inside  []uint32 // bracket index of each inside sample, in (circular) order
	samples []float64
}

// blockCount describes the samples from one position on: how many so far lie
// below the bracket and how many in it. The difference of two positions
// describes the block between them.
type blockCount struct{ below, inside uint32 }

// bracketWidth is the half-width of the bracket in standard deviations of the
// number of samples that a resample has below the quantile.
const bracketWidth = 4

func newQuantileSeries(samples []float64, plan blockPlan, q float64) *quantileSeries {
	s := &quantileSeries{plan: plan, samples: samples}
	s.lower, s.fraction = quantilePosition(plan.n, q)
	low, high := s.bracketEnds()
	s.fillBracket(low, high)
	return s
}

// bracketEnds chooses the values between which nearly every resample has its
// quantile, from the exact variance of the count below it.
func (s *quantileSeries) bracketEnds() (low, high float64) {
	work := slices.Clone(s.samples)
	selectRanks(work, []int{s.lower})
	centre := work[s.lower]
	sd := math.Sqrt(float64(s.plan.blocks) * s.blockCountVariance(centre))
	width := int(math.Ceil(bracketWidth*sd)) + 1
	first, last := max(0, s.lower-width), min(s.plan.n-1, s.lower+1+width)
	selectRanks(work, []int{first, last})
	return work[first], work[last]
}

// blockCountVariance returns the variance, over all starts, of the number of
// samples of a block that lie at or below the value.
func (s *quantileSeries) blockCountVariance(value float64) float64 {
	n, length := s.plan.n, s.plan.length
	count := 0
	for i := range length {
		if s.samples[i] <= value {
			count++
		}
	}
	var sum, squares float64
	for start := range n {
		sum += float64(count)
		squares += float64(count) * float64(count)
		if s.samples[start] <= value {
			count--
		}
		if s.samples[(start+length)%n] <= value {
			count++
		}
	}
	mean := sum / float64(n)
	return max(0, squares/float64(n)-mean*mean)
}

// fillBracket sorts every sample into below, inside and above.
func (s *quantileSeries) fillBracket(low, high float64) {
	for _, v := range s.samples {
		if v >= low && v <= high {
			s.bracket = append(s.bracket, v)
		}
	}
	slices.Sort(s.bracket)
	s.bracket = slices.Compact(s.bracket)
	n, length := s.plan.n, s.plan.length
	s.blocks = make([]blockCount, n+length+1)
	var at blockCount
	for i := range n + length {
		v := s.samples[i%n]
		if v < low {
			at.below++
		} else if v <= high {
			index, _ := slices.BinarySearch(s.bracket, v)
			s.inside = append(s.inside, uint32(index))
			at.inside++
		}
		s.blocks[i+1] = at
	}
}

func (s *quantileSeries) draws() uint64 { return uint64(s.plan.blocks) }

// quantileScratch is a goroutine's working memory for one series.
type quantileScratch struct {
	counts []uint32 // samples of the resample at each bracket value
	starts []uint32
	whole  []float64
}

func (s *quantileSeries) resampler() func(splitMix64) float64 {
	scratch := &quantileScratch{counts: make([]uint32, len(s.bracket)), starts: make([]uint32, s.plan.blocks)}
	return func(random splitMix64) float64 {
		for i := range scratch.starts {
			scratch.starts[i] = uint32(s.plan.start.of(random.next()))
		}
		if value, ok := s.fromCounts(scratch.counts, s.count(scratch)); ok {
			return value
		}
		return s.fromWhole(scratch)
	}
}

// count fills counts for the resample of the given starts and returns how many
// of its samples lie below the bracket.
func (s *quantileSeries) count(scratch *quantileScratch) (below int) {
	clear(scratch.counts)
	last := len(scratch.starts) - 1
	for _, start := range scratch.starts[:last] {
		below += s.add(scratch.counts, int(start), s.plan.length)
	}
	return below + s.add(scratch.counts, int(scratch.starts[last]), s.plan.last)
}

// add counts one block.
func (s *quantileSeries) add(counts []uint32, start, length int) (below int) {
	from, to := s.blocks[start], s.blocks[start+length]
	if len(counts) == 1 { // a value that most samples share: no need to go through them
		counts[0] += to.inside - from.inside
		return int(to.below - from.below)
	}
	for _, index := range s.inside[from.inside:to.inside] {
		counts[index]++
	}
	return int(to.below - from.below)
}

// fromCounts reads the quantile from the counts in the bracket; false when it
// does not lie in it.
func (s *quantileSeries) fromCounts(counts []uint32, below int) (float64, bool) {
	if below > s.lower {
		return 0, false
	}
	upper := min(s.lower+1, s.plan.n-1)
	reached, at := below, -1
	for reached <= s.lower {
		at++
		if at == len(counts) {
			return 0, false
		}
		reached += int(counts[at])
	}
	low := s.bracket[at]
	if s.fraction == 0 {
		return low, true
	}
	for reached <= upper {
		at++
		if at == len(counts) {
			return 0, false
		}
		reached += int(counts[at])
	}
	return interpolate(low, s.bracket[at], s.fraction), true
}

// fromWhole builds the resample and selects its quantile.
func (s *quantileSeries) fromWhole(scratch *quantileScratch) float64 {
	scratch.whole = scratch.whole[:0]
	for i, start := range scratch.starts {
		length := s.plan.length
		if i == s.plan.blocks-1 {
			length = s.plan.last
		}
		for j := range length {
			scratch.whole = append(scratch.whole, s.samples[(int(start)+j)%s.plan.n])
		}
	}
	upper := min(s.lower+1, s.plan.n-1)
	selectRanks(scratch.whole, slices.Compact([]int{s.lower, upper}))
	return interpolate(scratch.whole[s.lower], scratch.whole[upper], s.fraction)
}
