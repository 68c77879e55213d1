package trace

import (
	"cmp"
	"fmt"
	"slices"
)

// WorkState is what two signatures say about the work of two traces.
type WorkState string

// The states of a reading.
const (
	// WorkEqual: the signatures are equal.
	WorkEqual WorkState = "equal"
	// WorkPerSample: one is a multiple of the other, and only leading
	// activation dimensions grew: the same model at another batch.
	WorkPerSample WorkState = "per_sample"
	// WorkDifferent: under half of the products are shared.
	WorkDifferent WorkState = "different"
	// OperatorsDiffer: the products are alike, the operators are not; another
	// compiler or version may have split them otherwise.
	OperatorsDiffer WorkState = "operators_differ"
	// WorkUnknown: at least one signature doesn't speak for its trace.
	WorkUnknown WorkState = "unknown"
)

// WorkReading is the reading of a pair of signatures, a first.
type WorkReading struct {
	State WorkState `json:"state"`
	// Because holds, where the state is unknown, the states of both sides.
	Because [2]SignatureState `json:"because,omitzero"`
	// Multiple (k) and Growth (r), under WorkPerSample: b has k times the
	// operators of a, and its leading activation dimensions are r times as
	// large. BatchFactor is k·r, 1 for gradient accumulation alone.
	Multiple    Fraction `json:"multiple,omitzero"`
	Growth      Fraction `json:"growth,omitzero"`
	BatchFactor Fraction `json:"batch_factor,omitzero"`
	// StepsUncounted is true where a side has no steps: Multiple counts steps
	// then, and nothing is known of the batch.
	StepsUncounted bool `json:"steps_uncounted,omitempty"`
	// SharedProducts is the part of the products that both sides have; under
	// WorkDifferent and OperatorsDiffer.
	SharedProducts float64 `json:"shared_products,omitempty"`
	// NamesDiffer is true where the state is unknown and the operator names
	// differ all the same: a hint, never proof of a difference.
	NamesDiffer bool `json:"names_differ,omitempty"`
}

// Fraction is a positive rational number in lowest terms.
type Fraction struct {
	Numerator   int64 `json:"numerator"`
	Denominator int64 `json:"denominator"`
}

func fraction(numerator, denominator int64) Fraction {
	d := gcd(numerator, denominator)
	return Fraction{numerator / d, denominator / d}
}

// Float returns the fraction as a number.
func (f Fraction) Float() float64 { return float64(f.Numerator) / float64(f.Denominator) }

// IsOne reports whether the fraction is 1.
func (f Fraction) IsOne() bool { return f.Numerator == f.Denominator }

// String is "3" or "3/2".
func (f Fraction) String() string {
	if f.Denominator == 1 {
		return fmt.Sprint(f.Numerator)
	}
	return fmt.Sprintf("%d/%d", f.Numerator, f.Denominator)
}

func (f Fraction) times(g Fraction) Fraction {
	left, right := fraction(f.Numerator, g.Denominator), fraction(g.Numerator, f.Denominator)
	return fraction(left.Numerator*right.Numerator, left.Denominator*right.Denominator)
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, 1)
}

// CompareWork reads two signatures of one rule against each other. It fails on
// a signature that is none, or of another rule.
func CompareWork(a, b Signature) (WorkReading, error) {
	if a.Rule != SignatureRule || b.Rule != SignatureRule {
		return WorkReading{}, fmt.Errorf("comparing work signatures: rules %q and %q, this version reads %q", a.Rule, b.Rule, SignatureRule)
	}
	workA, err := parseMultiset(a.Lines)
	if err != nil {
		return WorkReading{}, err
	}
	workB, err := parseMultiset(b.Lines)
	if err != nil {
		return WorkReading{}, err
	}
	if a.State != SignatureKnown || b.State != SignatureKnown {
		named := len(workA) > 0 && len(workB) > 0
		return WorkReading{State: WorkUnknown, Because: [2]SignatureState{a.State, b.State}, NamesDiffer: named && shared(workA.names(), workB.names()) < 1}, nil
	}
	if a.Digest == b.Digest {
		return WorkReading{State: WorkEqual}, nil
	}
	if k, r, ok := multiple(workA, workB); ok {
		uncounted := (a.StepKind == WholeWindow) || (b.StepKind == WholeWindow)
		return WorkReading{State: WorkPerSample, Multiple: k, Growth: r, BatchFactor: k.times(r), StepsUncounted: uncounted}, nil
	}
	return compareProducts(a, b)
}

func compareProducts(a, b Signature) (WorkReading, error) {
	productsA, err := parseMultiset(a.Products)
	if err != nil {
		return WorkReading{}, err
	}
	productsB, err := parseMultiset(b.Products)
	if err != nil {
		return WorkReading{}, err
	}
	reading := WorkReading{State: OperatorsDiffer, SharedProducts: shared(productsA, productsB)}
	if len(productsA)+len(productsB) > 0 && reading.SharedProducts < 0.5 {
		reading.State = WorkDifferent
	}
	return reading, nil
}

// multiple finds k and r so that b is k times a at leading activation
// dimensions r times as large; ok is false where there is no such pair.
func multiple(a, b multiset) (k, r Fraction, ok bool) {
	listA, unitA := reduced(a)
	listB, unitB := reduced(b)
	i, j := 0, 0
	for i < len(listA) && j < len(listB) {
		if !grows(listA[i], listB[j], &r) {
			return k, r, false
		}
		paired := min(listA[i].count, listB[j].count)
		if listA[i].count -= paired; listA[i].count == 0 {
			i++
		}
		if listB[j].count -= paired; listB[j].count == 0 {
			j++
		}
	}
	if i < len(listA) || j < len(listB) || len(listA) == 0 {
		return k, r, false
	}
	if r.Denominator == 0 {
		r = Fraction{1, 1}
	}
	return fraction(unitB, unitA), r, true
}

// grows reports whether y is x with some dimensions r times as large, and sets
// r where it was still open. In operators whose parameters are known by their
// place only the leading dimension of one activation may grow: another width or
// sequence length is not another batch. An addmm may have its bias expanded to
// the activation's rows.
func grows(x, y operatorEntry, r *Fraction) bool {
	if x.name != y.name || compareRanks(x.dims, y.dims) != 0 {
		return false
	}
	grownTensors, inner := 0, false
	for i := range x.dims {
		grown := false
		for j, from := range x.dims[i] {
			to := y.dims[i][j]
			if from == to {
				continue
			}
			if from < 1 || to < 1 {
				return false
			}
			ratio := fraction(to, from)
			if r.Denominator != 0 && *r != ratio {
				return false
			}
			*r = ratio
			grown, inner = true, inner || j > 0
		}
		if grown {
			grownTensors++
		}
	}
	if meaningOf(x.name)&weighted == 0 {
		return true
	}
	return !inner && (grownTensors <= 1 || x.name == "aten::addmm")
}

// reduced divides all counts by their common divisor and orders the entries by
// name, ranks and dimensions.
func reduced(m multiset) ([]operatorEntry, int64) {
	list := m.operators()
	var unit int64
	for _, entry := range list {
		unit = gcd(entry.count, unit)
	}
	for i := range list {
		list[i].count /= unit
	}
	slices.SortFunc(list, func(a, b operatorEntry) int {
		return cmp.Or(cmp.Compare(a.name, b.name), compareRanks(a.dims, b.dims), slices.CompareFunc(a.dims, b.dims, slices.Compare[[]int64]))
	})
	return list, unit
}

func compareRanks(a, b [][]int64) int {
	return slices.CompareFunc(a, b, func(x, y []int64) int { return cmp.Compare(len(x), len(y)) })
}
