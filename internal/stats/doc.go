// Package stats holds the numbers behind a comparison: quantiles, exact rank
// tests and intervals over repeated launches, the block bootstrap within one
// launch, proportions, censored waits, steadiness and planning of repeats.
//
// It is the last step before a decision and takes none: lens registries say
// which statistic to show, package compare gathers the samples of two sides,
// asks this package for effects and intervals, and judges them. Everything
// here is a pure function of its arguments; equal input gives equal output.
//
// Effects are candidate against baseline. A ratio is handled as a difference of
// natural logarithms: take Logs of the run values, read the answer with
// Interval.Exp. Differences and points are handled on the values themselves.
// Values must be finite; the caller leaves out what is absent.
package stats

// Version stamps every result (stats_version). It changes when any number this
// package returns for the same input can change.
const Version = "1"

// Names of the methods a result can name as its source.
const (
	MethodHodgesLehmann    = "hodges_lehmann"     // Replicated
	MethodPooledT          = "pooled_t"           // FewRuns
	MethodBlockBootstrap   = "block_bootstrap"    // Bootstrap.Run
	MethodWithinT          = "within_t"           // WithinT
	MethodNewcombe         = "newcombe"           // Newcombe
	MethodWilson           = "wilson"             // Wilson
	MethodOrderStatistic   = "order_statistic"    // QuantileRanks
	MethodKaplanMeier      = "kaplan_meier"       // KaplanMeier
	MethodMannWhitneyExact = "mann_whitney_exact" // RankTest with Exact set
	MethodMannWhitneyNorm  = "mann_whitney_norm"  // RankTest without Exact
)
