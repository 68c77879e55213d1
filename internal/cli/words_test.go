package cli

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kernelwake/internal/absent"
	"kernelwake/internal/compare"
	"kernelwake/internal/lens"
)

func TestNumbersShowTheDigitsThatMatter(t *testing.T) {
	for _, c := range []struct {
		value float64
		unit  string
		want  string
	}{
		{176.273, "ms", "176.3 ms"},
		{1432.54, "ms", "1433 ms"},
		{0, "ms", "0 ms"},
		{29431, "s", "29,431 s"},
		{-1234567, "s", "−1,234,567 s"},
		{0.000012, "s", "1.20e-05 s"},
		{0.394, "1", "39.4 %"},
		{150754820096, "By", "140 GiB"},
		{512, "By", "512 B"},
		{58.68, "{token}/s", "58.68 tok/s"},
	} {
		if got := quantity(c.value, c.unit); got != c.want {
			t.Errorf("%g %s is shown as %q, want %q", c.value, c.unit, got, c.want)
		}
	}
	for ns, want := range map[float64]string{4.652e9: "4.652 s", 1_500: "1.500 µs", 7.2e12: "2 h", 999: "999 ns"} {
		if got := durationNS(ns); got != want {
			t.Errorf("%g ns is shown as %q, want %q", ns, got, want)
		}
	}
}

func TestAQualityIsNoShare(t *testing.T) {
	for of, want := range map[string]string{"{score}": "3.279", "1": "328 %"} {
		if got := quantity(3.279, of); got != want {
			t.Errorf("3.279 %s is shown as %q, want %q", of, got, want)
		}
	}
}

func TestAnEffectIsShownOnTheScalePeopleRead(t *testing.T) {
	effect := func(kind lens.Effect, value, low, high float64, unit string) compare.Outcome {
		return compare.Outcome{Unit: unit, Effect: absent.Of(compare.Effect{Kind: kind, Value: value, Interval: &compare.Interval{low, high}, Level: 0.95})}
	}
	for _, c := range []struct {
		promise string
		outcome compare.Outcome
		want    string
	}{
		{"a ratio is a change in percent", effect(lens.Ratio, 0.717909, 0.454295, 1.13449, "ms"), "−28.2 % [−54.6, +13.4]"},
		{"a ratio far from one is a factor", effect(lens.Ratio, 1.0/41478, 1.0/66654, 1.0/14724, "ms"), "÷41,478 [÷66,654, ÷14,724]"},
		{"a share's change is in points", effect(lens.Points, -0.161, -0.325, 0.00311, "1"), "−16.1 pp [−32.5, +0.311]"},
		{"a difference has its unit", effect(lens.Difference, -5879, -9367, -2391, "s"), "−5879 s [−9367, −2391]"},
		{"no effect is a dash with its reason", compare.Outcome{Effect: absent.Because[compare.Effect](absent.NotReached, "")}, "– (not reached)"},
	} {
		if got := effectText(c.outcome); got != c.want {
			t.Errorf("%s: %q, want %q", c.promise, got, c.want)
		}
	}
}

func TestGivenValuesKeepWhatWasWritten(t *testing.T) {
	for text, want := range map[string]any{
		"NVIDIA H200": "NVIDIA H200", "8": 8.0, "12.8": 12.8, "true": true,
		"12.10":                       "12.10", // a version, not the number 12.1
		"0123456":                     "0123456",
		"1e5":                         "1e5",
		"null":                        "null",
		`{"tp": 8}`:                   map[string]any{"tp": 8.0},
		`{"absent":"not_applicable"}`: map[string]any{"absent": "not_applicable"},
		`["--max-num-seqs=64"]`:       []any{"--max-num-seqs=64"},
		`{broken`:                     "{broken",
	} {
		if diff := cmp.Diff(want, valueOf(text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

func TestThresholdsAreReadAsPeopleWriteThem(t *testing.T) {
	for text, want := range map[string]float64{"5%": 0.05, "0.5 pp": 0.005, "0.5pp": 0.005, "0.02": 0.02} {
		got, err := thresholdOf(text)
		if err != nil || got < want-1e-12 || got > want+1e-12 {
			t.Errorf("%q is read as %g (%v), want %g", text, got, err, want)
		}
	}
	if _, err := thresholdOf("fast"); err == nil {
		t.Error(`"fast" was read as a size`)
	}
}

func TestARemedyIsInWordsThatCanBeTypedHere(t *testing.T) {
	for _, c := range []struct{ remedy, files, runs string }{
		{
			`declare it: --change input="reason" (button “Declare as the intended change”). Otherwise choose.`,
			`declare it: --change input="reason". Otherwise choose.`,
			`declare it: --change input="reason". Otherwise choose.`,
		},
		{
			`Record 3 more launches a side, and add them (repeat --baseline and --candidate; button “Add launches”).`,
			`Record 3 more launches a side, and add them.`,
			`Record 3 more launches a side, and add them.`,
		},
		{
			`Give --dim gpu_model=… --dim gpu_count=… (or attach a setup that names them), or vouch for it: --same hardware="reason" (button “Attest as equal”).`,
			`Give --dim gpu_model=… --dim gpu_count=… (or attach a setup that names them), or vouch for it: --same hardware="reason".`,
			"Give `run declare RUN gpu_model=… gpu_count=…` (or attach a setup that names them), or vouch for it: --same hardware=\"reason\".",
		},
		{
			`Give --candidate-dim driver=… (or attach a setup that names them)`,
			`Give --candidate-dim driver=… (or attach a setup that names them)`,
			"Give `run declare CANDIDATE-RUN driver=…` (or attach a setup that names them)",
		},
		{
			"give measured_on by a setup, or with --dim measured_on=gpu",
			"give measured_on by a setup, or with --dim measured_on=gpu",
			"give measured_on by a setup, or with `run declare RUN measured_on=gpu`",
		},
	} {
		if got := remedyForFiles(c.remedy); got != c.files {
			t.Errorf("beside files: %q, want %q", got, c.files)
		}
		if got := remedyForRuns(c.remedy); got != c.runs {
			t.Errorf("beside runs: %q, want %q", got, c.runs)
		}
	}
}

func TestWrappedTextLosesNoWordAndKeepsToItsWidth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOf(rapid.StringMatching(`[a-zé→]{1,12}`)).Draw(t, "words")
		width := rapid.IntRange(14, 60).Draw(t, "width")
		wrapped := wrap(strings.Join(words, " "), width, "  ")
		if diff := cmp.Diff(strings.Join(words, " "), strings.Join(strings.Fields(wrapped), " ")); diff != "" {
			t.Fatalf("words changed:\n%s", diff)
		}
		for line := range strings.Lines(wrapped) {
			if n := len([]rune(strings.TrimRight(line, "\n"))); n > width {
				t.Fatalf("a line of %d characters where %d are allowed: %q", n, width, line)
			}
		}
	})
}

func TestNothingInTextCommandsATerminal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for _, r := range plain(rapid.String().Draw(t, "text")) {
			if r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 || r == '‮' {
				t.Fatalf("%U is left", r)
			}
		}
	})
}
