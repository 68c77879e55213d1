package stats

// mserBatch is the batch size that gives MSER-5 its name.
const mserBatch = 5

// Steadiness says how much of a series' beginning is unlike the rest.
type Steadiness struct {
	// Drop is the number of samples before the steady part.
	Drop int
	// NotSteady is set when the best cut is the latest one allowed, half of the
	// series: then no steady part was found. Nothing is known about a series of
	// fewer than two batches, which is never called not steady.
	NotSteady bool
}

// MSER5 finds the initial transient by White's marginal standard error rule
// (1997) on means of batches of five: the cut d ≤ n/2, in batches, that
// minimises Σ(x − x̄_d)² / (n − d)² over the batches after it, the earliest if
// several do. Samples after the last whole batch are not looked at. Whether and
// from which length on the answer is used is the caller's rule.
func MSER5(samples []float64) Steadiness {
	batches := batchMeans(samples)
	n := len(batches)
	if n < 2 {
		return Steadiness{}
	}
	// Welford's recurrence from the end gives each suffix its sum of squares.
	var mean, squares, best float64
	latest, cut := n/2, -1
	for d := n - 1; d >= 0; d-- {
		count := float64(n - d)
		change := batches[d] - mean
		mean += change / count
		squares += float64(change * (batches[d] - mean))
		if d > latest {
			continue
		}
		if error := squares / (count * count); cut < 0 || error <= best {
			best, cut = error, d
		}
	}
	return Steadiness{Drop: cut * mserBatch, NotSteady: cut == latest}
}

func batchMeans(samples []float64) []float64 {
	batches := make([]float64, len(samples)/mserBatch)
	for i := range batches {
		batch := (*[mserBatch]float64)(samples[i*mserBatch:])
		batches[i] = (batch[0] + batch[1] + batch[2] + batch[3] + batch[4]) / mserBatch
	}
	return batches
}
