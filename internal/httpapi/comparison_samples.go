package httpapi

import (
	"slices"

	"kernelwake/internal/compare"
	"kernelwake/internal/evidence"
)

// samplesLimit is the most values of one outcome of one run in a picture.
const samplesLimit = 2000

// SampleSides are the values behind an outcome on both sides.
type SampleSides struct {
	Unit      string       `json:"unit"`
	Baseline  []RunSamples `json:"baseline"`
	Candidate []RunSamples `json:"candidate"`
}

// RunSamples are the values of a run, ascending: where there are more than
// the bound, the quantiles that are evenly spaced.
type RunSamples struct {
	Run    string    `json:"run"`
	Cell   string    `json:"cell,omitempty"`
	Values []float64 `json:"values"`
	Kept   int64     `json:"kept"`
	Of     int64     `json:"of"`
}

// sampleSets are the values behind each outcome compared, by the outcome's
// name. A refusal has none.
func sampleSets(in compare.Input, result *compare.Result) map[string]SampleSides {
	sets := map[string]SampleSides{}
	for _, outcome := range result.Outcomes {
		key := outcome.Name
		if outcome.Phase != "" {
			key += "/" + outcome.Phase
		}
		if _, done := sets[key]; done {
			continue
		}
		baseline, candidate := runSamples(in.Baseline.Runs, key), runSamples(in.Candidate.Runs, key)
		if len(baseline)+len(candidate) > 0 {
			sets[key] = SampleSides{Unit: outcome.Unit, Baseline: baseline, Candidate: candidate}
		}
	}
	return sets
}

func runSamples(runs []evidence.RunEvidence, key string) []RunSamples {
	all := []RunSamples{}
	for _, run := range runs {
		for _, capture := range run.Captures {
			for _, outcome := range capture.Outcomes {
				if outcomeKey(outcome) != key {
					continue
				}
				if values := slices.Sorted(slices.Values(outcome.Good())); len(values) > 0 {
					all = append(all, pictured(run.ID, capture.Cell, values))
				}
			}
		}
	}
	return all
}

func pictured(run, cell string, ascending []float64) RunSamples {
	rows := thinned(len(ascending), samplesLimit)
	values := make([]float64, len(rows))
	for i, row := range rows {
		values[i] = ascending[row]
	}
	return RunSamples{Run: run, Cell: cell, Values: values, Kept: int64(len(rows)), Of: int64(len(ascending))}
}
