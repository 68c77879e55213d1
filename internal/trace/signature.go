package trace

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"kernelwake/internal/absent"
)

// SignatureRule names the definition of the work signature; another definition
// gets another name.
const SignatureRule = "work/1"

// SignatureState says whether a signature speaks for the work of a trace.
type SignatureState string

// The states: known, or why it is not.
const (
	SignatureKnown SignatureState = "known"
	// NoOperators: no operator that counts was recorded in a complete step.
	NoOperators SignatureState = "no_operators"
	// NoShapes: operators were recorded without the shapes of their arguments.
	NoShapes SignatureState = "no_shapes"
	// ShapesVary: no multiset is shared by more than half of the steps.
	ShapesVary SignatureState = "shapes_vary"
	// GraphLaunched: under 90 % of compute-kernel time was launched under an
	// operator, so operators say little of what ran.
	GraphLaunched SignatureState = "graph_launched"
)

// LeastCoverage is the part of compute-kernel time that must be launched under
// an operator for a signature to speak for the work.
const LeastCoverage = 0.9

// Signature is the work of a trace's typical step: the multiset of operators
// with the shapes of their tensor arguments that more than half of the complete
// steps share. Equal digests mean equal work, whatever the hardware, the
// software version or the profiler options.
type Signature struct {
	Rule  string         `json:"rule"`
	State SignatureState `json:"state"`
	// Digest is the SHA-256 of Lines, each ended by a newline.
	Digest string `json:"digest,omitempty"`
	// Lines are the multiset in canonical order: "count name [dims]…". Without
	// shapes they hold names alone; empty where shapes vary.
	Lines []string `json:"lines,omitempty"`
	// Products are the matrix products, convolutions and attentions of the
	// typical step by size, nested ones too: "count product k m n".
	Products []string `json:"products,omitempty"`
	// StepKind says what a step is; Steps counts the complete ones, Alike
	// those that share the multiset.
	StepKind StepKind `json:"step_kind"`
	Steps    int64    `json:"steps"`
	Alike    int64    `json:"alike"`
	// Coverage is the part of compute-kernel time launched under an operator;
	// absent on a CPU alone.
	Coverage absent.Value[float64] `json:"coverage"`
}

// stepWork is what was counted in one step.
type stepWork struct {
	work     multiset
	products multiset
}

// signature finds the work signature.
func (r *analysis) signature() Signature {
	sig := Signature{Rule: SignatureRule, StepKind: r.stepKind, Coverage: r.coverage()}
	steps := r.workOfSteps()
	sig.Steps = int64(len(steps))
	typical, alike := typicalStep(steps)
	sig.Alike = alike
	switch coverage, known := sig.Coverage.Get(); {
	case typical == nil || len(typical.work) == 0:
		sig.State = NoOperators
		return sig
	case 2*alike <= int64(len(steps)):
		sig.State = ShapesVary
		return sig
	case !r.t.Observed.Shapes:
		sig.State = NoShapes
	case known && coverage < LeastCoverage:
		sig.State = GraphLaunched
	default:
		sig.State = SignatureKnown
	}
	sig.Lines, sig.Products = typical.work.lines(), typical.products.lines()
	sig.Digest = digestOf(sig.Lines)
	return sig
}

func digestOf(lines []string) string {
	sum := sha256.Sum256([]byte(strings.Join(lines, "\n") + "\n"))
	return hex.EncodeToString(sum[:])
}

// workOfSteps counts the operators of each complete step; of the whole window
// where the trace has no steps.
func (r *analysis) workOfSteps() []stepWork {
	entries := newEntries(r.t)
	if r.stepKind == WholeWindow {
		step := stepWork{multiset{}, multiset{}}
		for node := range r.tree.span {
			r.count(&step, entries, int32(node))
		}
		return []stepWork{step}
	}
	steps := make([]stepWork, len(r.steps))
	for i := range steps {
		steps[i] = stepWork{multiset{}, multiset{}}
	}
	for node, span := range r.tree.span {
		if step := r.stepAt(r.s.Start[span]); step >= 0 {
			r.count(&steps[step], entries, int32(node))
		}
	}
	complete := steps[:0]
	for i := range steps {
		if r.steps[i].Excluded != CutStep {
			complete = append(complete, steps[i])
		}
	}
	return complete
}

// count adds an operator to its step: to the work if it is outermost, to the
// products if it is one.
func (r *analysis) count(step *stepWork, entries *entries, node int32) {
	if r.tree.apart[node] {
		return
	}
	span, inside := r.tree.span[node], r.tree.inside[node]
	means := r.means(span)
	if means&counted != 0 && inside&barring == 0 {
		step.work[entries.work(r.s.Name[span], r.s.Detail[span])]++
	}
	if means&product == 0 || means&attention != 0 && inside&attention != 0 {
		return
	}
	if size := entries.product(means, r.s.Detail[span]); size != "" {
		step.products[size]++
	}
}

// typicalStep returns the step whose work most steps share, the first among
// equals, and how many do.
func typicalStep(steps []stepWork) (typical *stepWork, alike int64) {
	counts := map[string]int64{}
	digests := make([]string, len(steps))
	for i := range steps {
		digests[i] = digestOf(steps[i].work.lines())
		counts[digests[i]]++
	}
	for i := range steps {
		if counts[digests[i]] > alike {
			typical, alike = &steps[i], counts[digests[i]]
		}
	}
	return typical, alike
}

// coverage is the part of compute-kernel time whose launch call lies in an
// operator of its thread.
func (r *analysis) coverage() absent.Value[float64] {
	under := make([][]Interval, len(r.t.Tracks))
	for _, span := range r.tree.span {
		track := r.s.Track[span]
		under[track] = extend(under[track], r.s.Start[span], r.s.End(int(span)))
	}
	var total, covered float64
	for k, i := range r.device {
		if r.workSort(i) != computeWork {
			continue
		}
		ns := float64(r.s.Duration[i])
		total += ns
		if call := r.launch[k]; call >= 0 && covers(under[r.s.Track[call]], r.s.Start[call]) {
			covered += ns
		}
	}
	if total == 0 {
		return absent.Because[float64](absent.NotApplicable, "no compute kernel ran on a GPU")
	}
	return absent.Of(covered / total)
}

// entries names what a signature counts, each distinct pair of name and
// arguments once.
type entries struct {
	t        *Trace
	texts    map[[2]uint32]string
	products map[[2]uint32]string
}

func newEntries(t *Trace) *entries {
	return &entries{t, map[[2]uint32]string{}, map[[2]uint32]string{}}
}

func (e *entries) arguments(detail uint32) Arguments {
	if detail == MissingCode {
		return nil
	}
	return e.t.Arguments[detail]
}

// work is "name [dims] [dims]".
func (e *entries) work(name, detail uint32) string {
	key := [2]uint32{name, detail}
	text, ok := e.texts[key]
	if !ok {
		text = e.t.Names[name]
		for _, tensor := range e.arguments(detail) {
			text += " " + dimsText(tensor.Dims)
		}
		e.texts[key] = text
	}
	return text
}

func dimsText(dims []int64) string {
	out := []byte{'['}
	for i, dim := range dims {
		if i > 0 {
			out = append(out, ',')
		}
		out = strconv.AppendInt(out, dim, 10)
	}
	return string(append(out, ']'))
}

// product is a product's size: "product k m n", with the batch first where
// there is one, "convolution [input] [weight]", "attention [q] [k] [v]". m and
// n are put in order, so that a product and its transpose are equal.
func (e *entries) product(means meaning, detail uint32) string {
	key := [2]uint32{uint32(means), detail}
	text, ok := e.products[key]
	if !ok {
		text = productSize(means, e.arguments(detail))
		e.products[key] = text
	}
	return text
}

func productSize(means meaning, arguments Arguments) string {
	switch {
	case means&attention != 0:
		return sizeText("attention", arguments, 3)
	case means&convolution != 0:
		return sizeText("convolution", arguments, 2)
	}
	rank := 2
	if means&batchedProduct != 0 {
		rank = 3
	}
	factors := ofRank(arguments, rank)
	if len(factors) < 2 {
		return ""
	}
	left, right := factors[0].Dims[rank-2:], factors[1].Dims[rank-2:]
	text := "product"
	if rank == 3 {
		text += " " + strconv.FormatInt(factors[0].Dims[0], 10)
	}
	small, large := min(left[0], right[1]), max(left[0], right[1])
	return text + " " + strconv.FormatInt(left[1], 10) + " " + strconv.FormatInt(small, 10) + " " + strconv.FormatInt(large, 10)
}

// ofRank returns the factors of a product. A bias that has their rank stands
// before them: left × right must fit, else the pair after is meant.
func ofRank(arguments Arguments, rank int) []Tensor {
	var found []Tensor
	for _, tensor := range arguments {
		if len(tensor.Dims) == rank {
			found = append(found, tensor)
		}
	}
	if len(found) >= 3 && len(arguments[0].Dims) == rank && !fit(found[0], found[1]) && fit(found[1], found[2]) {
		return found[1:]
	}
	return found
}

func fit(left, right Tensor) bool {
	return left.Dims[len(left.Dims)-1] == right.Dims[len(right.Dims)-2]
}

func sizeText(kind string, arguments Arguments, most int) string {
	for _, tensor := range arguments[:min(most, len(arguments))] {
		kind += " " + dimsText(tensor.Dims)
	}
	return kind
}
