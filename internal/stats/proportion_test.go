package stats

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestSharesAtTheirBounds(t *testing.T) {
	none, err := Wilson(0, 300, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	if none.Low != 0 || none.High < 0.0125 || none.High > 0.0130 {
		t.Errorf("0 of 300: %+v, want from exactly 0 to about 3.84/(n+3.84)", none)
	}
	all, err := Wilson(300, 300, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	if all.High != 1 || math.Abs(all.Low-(1-none.High)) > 1e-12 {
		t.Errorf("300 of 300: %+v, want the mirror of %+v", all, none)
	}
	for _, test := range []struct{ k, n int }{{0, 0}, {-1, 5}, {6, 5}} {
		if _, err := Wilson(test.k, test.n, 0.95); !errors.Is(err, ErrTooFewSamples) {
			t.Errorf("%d of %d: %v, want a refusal", test.k, test.n, err)
		}
	}
	if _, err := Newcombe(1, 2, 0, 0, 0.95); !errors.Is(err, ErrTooFewSamples) {
		t.Errorf("no candidate samples: %v, want a refusal", err)
	}
	if p := Fisher(0, 10, 0, 10); p != 1 {
		t.Errorf("no failures on either side: Fisher p %g, want 1", p)
	}
}

func TestShareDifferences(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, m := rapid.IntRange(1, 400).Draw(t, "n"), rapid.IntRange(1, 400).Draw(t, "m")
		k, l := rapid.IntRange(0, n).Draw(t, "k"), rapid.IntRange(0, m).Draw(t, "l")
		got, err := Newcombe(k, n, l, m, 0.95)
		if err != nil {
			t.Fatal(err)
		}
		swapped, err := Newcombe(l, m, k, n, 0.95)
		if err != nil {
			t.Fatal(err)
		}
		if !sameInterval(got.Negate(), swapped) {
			t.Fatalf("swapping the sides must negate: %+v against %+v", got, swapped)
		}
		narrower, err := Newcombe(k, n, l, m, 0.9)
		if err != nil {
			t.Fatal(err)
		}
		if narrower.Low < got.Low-1e-12 || narrower.High > got.High+1e-12 || got.Low < -1-1e-12 || got.High > 1+1e-12 {
			t.Fatalf("95 %%: %+v, 90 %%: %+v", got, narrower)
		}
		p, q := Fisher(k, n, l, m), Fisher(l, m, k, n)
		if math.Abs(p-q) > 1e-9 || p < 0 || p > 1 {
			t.Fatalf("Fisher p %g, swapped %g", p, q)
		}
	})
}

func TestHolm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ps := rapid.SliceOfN(rapid.Float64Range(0, 1), 1, 12).Draw(t, "p")
		adjusted := Holm(ps)
		for i := range ps {
			if adjusted[i] < ps[i] || adjusted[i] > min(1, ps[i]*float64(len(ps)))+1e-15 {
				t.Fatalf("p %g adjusted to %g of %d", ps[i], adjusted[i], len(ps))
			}
			for j := range ps {
				if ps[i] < ps[j] && adjusted[i] > adjusted[j] {
					t.Fatalf("order turned: %v to %v", ps, adjusted)
				}
			}
		}
	})
	if got := Holm(nil); len(got) != 0 {
		t.Errorf("no p-values: %v", got)
	}
}
