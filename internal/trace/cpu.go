package trace

import (
	"cmp"
	"slices"
	"strings"
)

// OperatorFigures sums up the operators of one name. Self time is an
// operator's duration without the operators inside it on its thread.
type OperatorFigures struct {
	Name   string `json:"name"`
	Count  int64  `json:"count"`
	SumNS  int64  `json:"sum_ns"`
	SelfNS int64  `json:"self_ns"`
}

// operatorFigures sums up operators by name, the most self time first.
func (r *analysis) operatorFigures() []OperatorFigures {
	index := map[uint32]int{}
	var out []OperatorFigures
	for node, span := range r.tree.span {
		name := r.s.Name[span]
		at, ok := index[name]
		if !ok {
			at = len(out)
			index[name] = at
			out = append(out, OperatorFigures{Name: r.t.Names[name]})
		}
		out[at].Count++
		out[at].SumNS = plus(out[at].SumNS, r.s.Duration[span])
		out[at].SelfNS = plus(out[at].SelfNS, max(0, r.s.Duration[span]-r.tree.children[node]))
	}
	slices.SortFunc(out, func(a, b OperatorFigures) int {
		return cmp.Or(cmp.Compare(b.SelfNS, a.SelfNS), strings.Compare(a.Name, b.Name))
	})
	return out
}

// CollectiveFigures sums up the collective kernels of one kind.
type CollectiveFigures struct {
	Collective
	Count int64 `json:"count"`
	SumNS int64 `json:"sum_ns"`
	MaxNS int64 `json:"max_ns"`
}

// collectives sums up the kernels that say which collective they are part of.
func (r *analysis) collectives() []CollectiveFigures {
	index := map[uint32]int{}
	var out []CollectiveFigures
	for _, i := range r.device {
		kind := r.t.Device[r.s.Detail[i]].Collective
		if kind == MissingCode {
			continue
		}
		at, ok := index[kind]
		if !ok {
			at = len(out)
			index[kind] = at
			out = append(out, CollectiveFigures{Collective: r.t.Collectives[kind]})
		}
		out[at].Count++
		out[at].SumNS = plus(out[at].SumNS, r.s.Duration[i])
		out[at].MaxNS = max(out[at].MaxNS, r.s.Duration[i])
	}
	slices.SortStableFunc(out, func(a, b CollectiveFigures) int { return cmp.Compare(b.SumNS, a.SumNS) })
	return out
}
