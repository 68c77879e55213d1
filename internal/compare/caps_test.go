package compare

import (
	"strings"
	"testing"

	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
)

// Where both sides have a value and the two can't be held against each other,
// the cap shows both and names the members to give, on the side that lacks
// them; given literally, they lift it.
func TestValuesOfAnotherFormNameTheFormToGive(t *testing.T) {
	perRank := map[string]any{"count": 8.0, "unit": "{sample}", "per": "rank"}
	whole := map[string]any{"count": 8.0, "unit": "{sample}"}
	nccl := map[string]any{"nccl": "2.21", "socket": "eth0"}
	for name, c := range map[string]struct {
		key                 string
		baseline, candidate any
		message, remedy     string
		given               map[string]any
	}{
		"a batch without its per": {
			"effective_batch", whole, perRank, "effective batch, given as 8 {sample} against 8 {sample} a rank",
			`Give --baseline-dim effective_batch='{"per":"rank"}' (`,
			map[string]any{"per": "rank"},
		},
		"a word for an object": {
			"comms", "fast", nccl, "communication, given as fast against ",
			`Give --baseline-dim comms='{"nccl":…,"socket":…}' (`, nil,
		},
		"a member less": {
			"comms",
			map[string]any{"nccl": "2.21"},
			nccl, "communication, given as nccl=2.21 against nccl=2.21, socket=eth0",
			`Give --baseline-dim comms='{"socket":…}' (`,
			map[string]any{"socket": "eth0"},
		},
		"members on either side": {
			"comms",
			map[string]any{"nccl": "2.21", "ring": "off"},
			nccl, "communication, given as ",
			`Give --baseline-dim comms='{"socket":…}' --candidate-dim comms='{"ring":…}' (`, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			b, k := trainingRun("b", 10, map[string]any{c.key: c.baseline}), trainingRun("c", 11, map[string]any{c.key: c.candidate})
			row := func() *Cap {
				for _, one := range mustCompare(t, Input{Baseline: Side{Runs: []evidence.RunEvidence{b}}, Candidate: Side{Runs: []evidence.RunEvidence{k}}}).Caps {
					if one.Dimension == c.key {
						return &one
					}
				}
				return nil
			}
			found := row()
			if found == nil || !strings.Contains(found.Message, c.message) || !strings.HasPrefix(found.Remedy, c.remedy) {
				t.Fatalf("cap %+v, want %q and %q", found, c.message, c.remedy)
			}
			if c.given == nil {
				return
			}
			b.Declared[c.key] = evidence.Dimension{Value: c.given}
			if left := row(); left != nil {
				t.Errorf("after giving %v: %+v", c.given, left)
			}
		})
	}
}

// Turns that one side tells are asked of the other; where neither tells them,
// nobody is asked.
func TestTurnsAreAskedOfTheSideThatLacksThem(t *testing.T) {
	value := func(known bool) FieldValue {
		if known {
			return FieldValue{Raw: 1.0, Normalised: "1"}
		}
		return FieldValue{}
	}
	for want, f := range map[string]Field{
		"Give --candidate-dim turns=…": {Baseline: value(true), Candidate: value(false)},
		"Give --baseline-dim turns=…":  {Baseline: value(false), Candidate: value(true)},
		"Fallback":                     {Baseline: value(false), Candidate: value(false)},
	} {
		f.Key, f.State = "turns", Unknown
		if got := giveValues(Row{Key: "request_mix"}, reading{row: lens.Row{Remedy: "fallback"}, fields: []Field{f}}); !strings.HasPrefix(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
