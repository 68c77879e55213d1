package lens

import (
	"slices"
	"testing"

	"kernelwake/internal/unit"
)

func TestEveryRowNamesFieldsTheLensKnowsAndEveryFieldItsRow(t *testing.T) {
	for _, l := range All {
		for _, row := range l.Rows {
			if row.Label == "" || row.Means == "" || row.Rule == "" || row.RuleVersion == 0 {
				t.Errorf("%s: row %q is not described", l.ID, row.Key)
			}
			if row.Class != Note && row.Class != Noise && row.Remedy == "" {
				t.Errorf("%s: row %q names no remedy", l.ID, row.Key)
			}
		}
		for _, field := range l.Fields {
			if field.Row == "" {
				continue
			}
			row, ok := l.Row(field.Row)
			if !ok || !slices.Contains(row.Fields, field.Key) {
				t.Errorf("%s: field %q says row %q, which doesn't hold it", l.ID, field.Key, field.Row)
			}
		}
		for _, row := range l.Rows {
			for _, key := range row.Fields {
				if _, ok := l.Field(key); !ok && !slices.Contains([]string{"lens", "capture_format", "metric_definition"}, key) {
					t.Errorf("%s: row %q holds %q, which is no field", l.ID, row.Key, key)
				}
			}
		}
	}
}

func TestEveryOutcomeHasAUnitItsRegistryCanConvertAndThresholdsForItsStatistics(t *testing.T) {
	for _, l := range All {
		seen := map[string]bool{}
		for _, outcome := range l.Outcomes {
			if seen[outcome.Name] {
				t.Errorf("%s: outcome %q stands twice", l.ID, outcome.Name)
			}
			seen[outcome.Name] = true
			for _, accepted := range outcome.Accepts {
				if !unit.Known(accepted) {
					t.Errorf("%s: unit %q of %s is unknown", l.ID, accepted, outcome.Name)
				}
			}
			if !slices.Contains(outcome.Accepts, outcome.Unit) {
				t.Errorf("%s: %s doesn't accept its own unit", l.ID, outcome.Name)
			}
			for statistic := range outcome.Thresholds {
				if !slices.Contains(outcome.Statistics, statistic) {
					t.Errorf("%s: %s has a threshold for %s, which it doesn't give", l.ID, outcome.Name, statistic)
				}
			}
		}
	}
}
