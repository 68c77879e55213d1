package compare

import (
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kernelwake/internal/absent"
	"kernelwake/internal/evidence"
	"kernelwake/internal/fault"
	"kernelwake/internal/lens"
)

// trainingRun is one launch with a total and known dimensions.
func trainingRun(name string, seconds float64, dimensions map[string]any) evidence.RunEvidence {
	p := &evidence.Parsed{
		Format: evidence.FormatKernelwake, Name: name, Lens: lens.Training, Origin: evidence.Recorded, MeasuredOn: evidence.GPU, Launch: evidence.LaunchID{Kind: evidence.Launch},
		Dimensions: map[string]evidence.Dimension{},
		Outcomes:   []evidence.Outcome{{Name: "elapsed_time", Unit: "s", Kind: lens.Total, Statistics: map[string]float64{"value": seconds}, N: absent.Of(int64(1))}},
	}
	base := map[string]any{"model": "net", "gpu_model": "NVIDIA H200", "gpu_count": 1.0, "world_size": 1.0, "effective_batch": 32.0, "progress_window": map[string]any{"from": 0.0, "to": 10.0}}
	for key, value := range dimensions {
		base[key] = value
	}
	for key, value := range base {
		if value != nil {
			p.Dimensions[key] = evidence.Dimension{Value: value, Source: evidence.Observed}
		}
	}
	digest := evidence.Digest([]byte(name))
	return evidence.RunEvidence{ID: name, Name: name, Declared: map[string]evidence.Dimension{}, Captures: []evidence.CaptureEvidence{{ID: name, SHA256: digest, ParsedSHA256: digest, Parsed: p}}}
}

func runsOf(prefix string, values []float64) []evidence.RunEvidence {
	var runs []evidence.RunEvidence
	for i, value := range values {
		runs = append(runs, trainingRun(prefix+string(rune('a'+i)), value, nil))
	}
	return runs
}

func mustCompare(t rapid.TB, in Input) *Result {
	t.Helper()
	r, err := Compare(in)
	if err != nil {
		t.Fatalf("comparing: %v", err)
	}
	return r
}

func digits(t rapid.TB, r *Result) string {
	t.Helper()
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatalf("encoding: %v", err)
	}
	return string(text)
}

func TestTheOrderInWhichRunsAreNamedChangesNoDigit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(1, 1000), 2, 12)
		b, c := runsOf("b", values.Draw(t, "baseline")), runsOf("c", values.Draw(t, "candidate"))
		first := digits(t, mustCompare(t, Input{Baseline: Side{Runs: b}, Candidate: Side{Runs: c}}))
		shuffledB, shuffledC := rapid.Permutation(b).Draw(t, "order b"), rapid.Permutation(c).Draw(t, "order c")
		second := digits(t, mustCompare(t, Input{Baseline: Side{Runs: shuffledB}, Candidate: Side{Runs: shuffledC}}))
		if first != second {
			t.Errorf("other digits:\n%s\n%s", first, second)
		}
	})
}

func TestSwappingTheSidesTurnsTheEffectAndTheFindingAround(t *testing.T) {
	turned := map[Finding]Finding{Improved: Regressed, Regressed: Improved, Equivalent: Equivalent, Unresolved: Unresolved}
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(50, 150), 2, 9)
		b, c := runsOf("b", values.Draw(t, "baseline")), runsOf("c", values.Draw(t, "candidate"))
		forth := mustCompare(t, Input{Baseline: Side{Runs: b}, Candidate: Side{Runs: c}}).Outcomes[0]
		back := mustCompare(t, Input{Baseline: Side{Runs: c}, Candidate: Side{Runs: b}}).Outcomes[0]
		x, _ := forth.Effect.Get()
		y, _ := back.Effect.Get()
		for _, pair := range [][2]float64{{x.Value, y.Value}, {x.Interval[0], y.Interval[1]}, {x.Interval[1], y.Interval[0]}} {
			if math.Abs(pair[0]*pair[1]-1) > 1e-9 {
				t.Errorf("%v and %v are not each other's inverse", x, y)
			}
		}
		f, _ := forth.Finding.Get()
		g, _ := back.Finding.Get()
		if turned[f] != g {
			t.Errorf("%s one way, %s the other", f, g)
		}
	})
}

func TestComparingChangesNothingItIsGiven(t *testing.T) {
	in := Input{Baseline: Side{Runs: runsOf("b", []float64{10, 11, 12})}, Candidate: Side{Runs: runsOf("c", []float64{10, 9, 14})}, History: runsOf("h", []float64{1, 2, 3, 4, 5, 6})}
	before, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	mustCompare(t, in)
	after, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(before), string(after)); diff != "" {
		t.Errorf("the input was changed:\n%s", diff)
	}
}

func TestAResultReadsBackAsItWasWritten(t *testing.T) {
	in := Input{Baseline: Side{Runs: runsOf("b", []float64{10, 11, 12, 13})}, Candidate: Side{Runs: runsOf("c", []float64{10, 9, 14, 12})}}
	first := digits(t, mustCompare(t, in))
	var r Result
	if err := json.Unmarshal([]byte(first), &r); err != nil {
		t.Fatal(err)
	}
	if second := digits(t, &r); first != second {
		t.Errorf("read back:\n%s\n%s", first, second)
	}
}

// flags finds the values that a remedy asks for.
var flags = regexp.MustCompile(`--(dim|baseline-dim|candidate-dim|change|same) ([a-z_]+)=`)

func TestDoingWhatACapNamesLiftsIt(t *testing.T) {
	for name, c := range map[string]struct{ baseline, candidate map[string]any }{
		"gate unknown on both sides":     {map[string]any{"gpu_model": nil}, map[string]any{"gpu_model": nil}},
		"gate unknown on a side":         {nil, map[string]any{"world_size": nil, "effective_batch": nil}},
		"model unknown":                  {map[string]any{"model": nil}, nil},
		"context on one side":            {map[string]any{"driver": "570"}, nil},
		"an object with a member less":   {map[string]any{"comms": map[string]any{"nccl": "2.21", "socket": "eth0"}}, map[string]any{"comms": map[string]any{"nccl": "2.21"}}},
		"context known to differ":        {map[string]any{"driver": "570"}, map[string]any{"driver": "580"}},
		"progress window of one outcome": {map[string]any{"progress_window": nil}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			build := func() Input {
				return Input{
					Baseline: Side{Runs: []evidence.RunEvidence{trainingRun("b", 10, c.baseline)}}, Candidate: Side{Runs: []evidence.RunEvidence{trainingRun("c", 11, c.candidate)}},
					Declaration: Declaration{Changes: map[string]string{}, Attested: map[string]string{}},
				}
			}
			caps := mustCompare(t, build()).Caps
			if len(caps) == 0 {
				t.Fatal("nothing is capped")
			}
			for _, cap := range caps {
				followed := 0
				for _, way := range []string{"dim", "change", "same"} {
					in := build()
					if !follow(&in, cap, way) {
						continue
					}
					followed++
					after := mustCompare(t, in)
					if slices.ContainsFunc(after.Caps, func(other Cap) bool { return other.Code == cap.Code && other.Dimension == cap.Dimension }) {
						t.Errorf("%s:%s stays after following %q of %q", cap.Code, cap.Dimension, way, cap.Remedy)
					}
				}
				if followed == 0 {
					t.Errorf("%s:%s names nothing to do: %q", cap.Code, cap.Dimension, cap.Remedy)
				}
			}
		})
	}
}

// follow does what a remedy says, by one of its ways.
func follow(in *Input, c Cap, way string) bool {
	done := false
	give := func(run *evidence.RunEvidence, key string, like evidence.RunEvidence) {
		value := like.Captures[0].Dimensions[key].Value
		if value == nil {
			value = map[string]any{"progress_window": map[string]any{"from": 0.0, "to": 10.0}}[key]
		}
		if value == nil {
			value = "given"
		}
		run.Declared[key] = evidence.Dimension{Value: value}
	}
	b, k := &in.Baseline.Runs[0], &in.Candidate.Runs[0]
	for _, match := range flags.FindAllStringSubmatch(c.Remedy, -1) {
		flag, key := match[1], match[2]
		if !strings.HasSuffix(flag, way) {
			continue
		}
		done = true
		switch flag {
		case "dim":
			give(b, key, *b)
			give(k, key, *b)
		case "baseline-dim":
			give(b, key, *k)
		case "candidate-dim":
			give(k, key, *b)
		case "change":
			in.Declaration.Changes[key] = "on purpose"
		case "same":
			in.Declaration.Attested[key] = "I saw it"
		}
	}
	return done
}

func TestAGlanceSaysWhatIsTheSameAndWhatDiffers(t *testing.T) {
	base := trainingRun("b", 10, nil)
	for _, c := range []struct {
		name  string
		other evidence.RunEvidence
		want  string
	}{
		{"a repeat", trainingRun("c", 11, nil), "same model and objective, hardware, rank count, effective batch and progress window: repeats of each other"},
		{"a context change", trainingRun("c", 11, map[string]any{"input": 4.0}), "same model and objective, hardware, rank count, effective batch and progress window: repeats of each other"},
		{"other hardware", trainingRun("c", 11, map[string]any{"gpu_model": "NVIDIA B200"}), "same model and objective, rank count, effective batch and progress window, hardware differs: refused unless it is the change you are testing"},
		{"unknown hardware", trainingRun("c", 11, map[string]any{"gpu_model": nil}), "same model and objective, rank count, effective batch and progress window, hardware not known"},
		{"the same bytes", base, "the same bytes: nothing to compare"},
	} {
		if got := Glance(base, c.other); got != c.want {
			t.Errorf("%s: %q", c.name, got)
		}
	}
	a, b := trainingRun("b", 10, map[string]any{"input": 0.0}), trainingRun("c", 11, map[string]any{"input": 4.0})
	if got := Glance(a, b); !strings.HasSuffix(got, "input pipeline differs: looks like the change you are testing") {
		t.Errorf("a declared-looking change: %q", got)
	}
}

// Vouching lifts unknown rows only; where it lifts nothing, the result says so.
func TestVouchingInVainIsSaid(t *testing.T) {
	for name, c := range map[string]struct {
		baseline, candidate map[string]any
		said                string
	}{
		"a row that is the same":       {nil, nil, "known to be the same"},
		"a row that differs":           {nil, map[string]any{"gpu_model": "NVIDIA B200"}, "never overridden"},
		"a row that is really vouched": {map[string]any{"gpu_model": nil}, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := mustCompare(t, Input{
				Baseline: Side{Runs: []evidence.RunEvidence{trainingRun("b", 10, c.baseline)}}, Candidate: Side{Runs: []evidence.RunEvidence{trainingRun("c", 11, c.candidate)}},
				Declaration: Declaration{Attested: map[string]string{"hardware": "I saw it"}},
			})
			i := slices.IndexFunc(r.Findings, func(n Note) bool { return n.Code == "attestation_unused" && n.Dimension == "hardware" })
			if (i >= 0) != (c.said != "") || r.Attested != (c.said == "") {
				t.Fatalf("attested %t, findings %+v", r.Attested, r.Findings)
			}
			if i >= 0 && (!strings.Contains(r.Findings[i].Message, c.said) || r.Findings[i].Remedy == "") {
				t.Errorf("%+v", r.Findings[i])
			}
		})
	}
}

func TestAQuestionThatCannotBeAskedIsAFaultWithAHint(t *testing.T) {
	side := Side{Runs: runsOf("b", []float64{1})}
	other := Side{Runs: runsOf("c", []float64{1})}
	for name, in := range map[string]Input{
		"an empty side":                   {Baseline: side},
		"an unknown row":                  {Baseline: side, Candidate: other, Declaration: Declaration{Changes: map[string]string{"gpu_model": "new"}}},
		"another format":                  {Baseline: side, Candidate: other, Declaration: Declaration{Changes: map[string]string{"profiler": "off"}}},
		"a change without a reason":       {Baseline: side, Candidate: other, Declaration: Declaration{Changes: map[string]string{"hardware": " "}}},
		"an attestation without a reason": {Baseline: side, Candidate: other, Declaration: Declaration{Attested: map[string]string{"hardware": ""}}},
		"an unknown metric":               {Baseline: side, Candidate: other, Declaration: Declaration{Thresholds: map[string]float64{"speed": 1}}},
		"a threshold of 0":                {Baseline: side, Candidate: other, Declaration: Declaration{Thresholds: map[string]float64{"elapsed_time": 0}}},
	} {
		_, err := Compare(in)
		if !fault.Is(err, fault.Invalid) || fault.Of(err).Hint == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}
