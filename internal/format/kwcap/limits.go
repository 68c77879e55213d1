package kwcap

import "kernelwake/internal/evidence"

// The limits of format 1.0, beside those of the file as a whole. Exactly the
// limit is accepted.
const (
	mostElements  = 1_000_000 // of one array
	mostOutcomes  = 200
	mostIntervals = 10_000 // of one outcome
	mostLabels    = 64
	mostGPUs      = 1_000  // groups of equal GPUs
	mostSoftware  = 1_000  // names of software
	mostNotes     = 10_000 // entries of excluded, truncated, derived_from
	mostText      = 4 << 10
	mostCommand   = 16 << 10
	mostKey       = 128
	mostExt       = 1 << 20
	// mostInteger is the largest integer that every JSON reader keeps exact,
	// 2^53 − 1; larger ones are written as strings.
	mostInteger = 1<<53 - 1
	// mostNumber keeps sums and products of what is read finite.
	mostNumber = 1e100
)

var fileLimits = evidence.LimitsOf[evidence.FormatKernelwake]
