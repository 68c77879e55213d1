package trace

import (
	"testing"

	"pgregory.net/rapid"
)

func signatureOf(kind StepKind, lines, products []string) Signature {
	return Signature{Rule: SignatureRule, State: SignatureKnown, Lines: lines, Products: products, Digest: digestOf(lines), StepKind: kind, Steps: 3, Alike: 3}
}

// twoLayers is the work of two layers at a batch and a width.
func twoLayers(count, batch, width string) []string {
	return []string{
		count + " aten::addmm [" + width + "] [" + batch + ",32] [32," + width + "]",
		count + " aten::linear [" + batch + ",32] [" + width + ",32] [" + width + "]",
		count + " aten::relu [" + batch + "," + width + "]",
	}
}

func TestReadingOfAPair(t *testing.T) {
	base := signatureOf(ProfilerSteps, twoLayers("2", "8", "64"), []string{"2 product 32 8 64"})
	for _, test := range []struct {
		name                    string
		other                   Signature
		state                   WorkState
		multiple, growth, batch string
		uncounted               bool
	}{
		{"the same lines", signatureOf(ProfilerSteps, twoLayers("2", "8", "64"), nil), WorkEqual, "", "", "", false},
		{"twice the batch", signatureOf(ProfilerSteps, twoLayers("2", "16", "64"), []string{"2 product 32 16 64"}), WorkPerSample, "1", "2", "2", false},
		{"half the batch, two micro-batches: accumulation", signatureOf(ProfilerSteps, twoLayers("4", "4", "64"), []string{"4 product 32 4 64"}), WorkPerSample, "2", "1/2", "1", false},
		{"three steps in one window", signatureOf(WholeWindow, twoLayers("6", "8", "64"), []string{"6 product 32 8 64"}), WorkPerSample, "3", "1", "3", true},
		{"another width is no batch", signatureOf(ProfilerSteps, twoLayers("2", "8", "128"), []string{"2 product 32 8 128"}), WorkDifferent, "", "", "", false},
		{"the same products in other operators", signatureOf(ProfilerSteps, []string{"2 aten::mm [8,32] [32,64]"}, []string{"2 product 32 8 64"}), OperatorsDiffer, "", "", "", false},
		{"half of the products shared", signatureOf(ProfilerSteps, []string{"4 aten::mm [8,32] [32,64]"}, []string{"2 product 32 8 64", "2 product 9 9 9"}), OperatorsDiffer, "", "", "", false},
		{"under half of the products shared", signatureOf(ProfilerSteps, []string{"5 aten::mm [8,32] [32,64]"}, []string{"2 product 32 8 64", "3 product 9 9 9"}), WorkDifferent, "", "", "", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := CompareWork(base, test.other)
			if err != nil {
				t.Fatal(err)
			}
			if got.State != test.state || got.StepsUncounted != test.uncounted {
				t.Fatalf("%+v, wanted %s (steps uncounted %v)", got, test.state, test.uncounted)
			}
			if test.multiple != "" && (got.Multiple.String() != test.multiple || got.Growth.String() != test.growth || got.BatchFactor.String() != test.batch) {
				t.Errorf("k %s, r %s, k·r %s; wanted %s, %s, %s", got.Multiple, got.Growth, got.BatchFactor, test.multiple, test.growth, test.batch)
			}
		})
	}
}

func TestWithoutProductsOnEitherSideNothingIsCalledDifferent(t *testing.T) {
	a, b := signatureOf(ProfilerSteps, []string{"1 aten::relu [8]"}, nil), signatureOf(ProfilerSteps, []string{"1 aten::gelu [8]"}, nil)
	if got, err := CompareWork(a, b); err != nil || got.State != OperatorsDiffer {
		t.Errorf("%v, %v", got.State, err)
	}
}

func TestAnUnknownSideLeavesThePairUnknownAndNamesOnlyHint(t *testing.T) {
	known := signatureOf(ProfilerSteps, []string{"1 aten::relu [8]"}, nil)
	unknown := signatureOf(ProfilerSteps, []string{"1 aten::relu"}, nil)
	unknown.State = NoShapes
	for _, test := range []struct {
		lines  []string
		differ bool
	}{{[]string{"1 aten::relu"}, false}, {[]string{"2 aten::relu"}, true}, {[]string{"1 aten::gelu"}, true}, {nil, false}} {
		unknown.Lines = test.lines
		got, err := CompareWork(known, unknown)
		if err != nil || got.State != WorkUnknown || got.NamesDiffer != test.differ || got.Because != [2]SignatureState{SignatureKnown, NoShapes} {
			t.Errorf("%q: %+v, %v", test.lines, got, err)
		}
	}
}

func TestOnlySignaturesOfThisRuleAreCompared(t *testing.T) {
	good := signatureOf(ProfilerSteps, []string{"1 aten::relu [8]"}, nil)
	for _, bad := range []Signature{{}, {Rule: "work/2"}, {Rule: SignatureRule, State: SignatureKnown, Lines: []string{"relu"}}, {Rule: SignatureRule, Lines: []string{"-1 a"}}} {
		if _, err := CompareWork(good, bad); err == nil {
			t.Errorf("%+v was compared", bad)
		}
		if _, err := CompareWork(bad, good); err == nil {
			t.Errorf("%+v was compared", bad)
		}
	}
}

func TestLinesKeepNamesThatLookLikeShapes(t *testing.T) {
	for text, want := range map[string]struct {
		name string
		dims int
	}{
		"aten::mm [8,32] [32,64]": {"aten::mm", 2},
		"aten::relu":              {"aten::relu", 0},
		"my::op [1] of [x] [2,3]": {"my::op [1] of [x]", 1},
		"my::op []":               {"my::op []", 0},
	} {
		if name, dims := parseOperator(text); name != want.name || len(dims) != want.dims {
			t.Errorf("%q: name %q and %d shapes, wanted %q and %d", text, name, len(dims), want.name, want.dims)
		}
	}
}

// TestReadingAPairBackwardsInvertsIt: whatever the batch and the repetition.
func TestReadingAPairBackwardsInvertsIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := func(label string) string {
			return rapid.SampledFrom([]string{"1", "2", "3", "4", "6", "8", "12"}).Draw(t, label)
		}
		a := signatureOf(ProfilerSteps, twoLayers(number("count a"), number("batch a"), "64"), []string{"1 product 1 1 1"})
		b := signatureOf(ProfilerSteps, twoLayers(number("count b"), number("batch b"), "64"), []string{"1 product 2 2 2"})
		forth, err := CompareWork(a, b)
		if err != nil {
			t.Fatal(err)
		}
		back, err := CompareWork(b, a)
		if err != nil {
			t.Fatal(err)
		}
		if forth.State != back.State || forth.State != WorkEqual && forth.State != WorkPerSample {
			t.Fatalf("%s forth, %s back", forth.State, back.State)
		}
		if forth.State == WorkPerSample && (!forth.Multiple.times(back.Multiple).IsOne() || !forth.Growth.times(back.Growth).IsOne() || !forth.BatchFactor.times(back.BatchFactor).IsOne()) {
			t.Fatalf("%+v forth, %+v back", forth, back)
		}
	})
}
