package trace

// operatorTree holds the operators of all threads, nested by time. Operators
// come in the order of the sorted spans; parent indexes the tree's own rows.
type operatorTree struct {
	span   []uint32
	parent []int32
	// apart marks operators inside an annotation whose content belongs to
	// other dimension rows (optimizer, gradient reset, data loader).
	apart []bool
	// inside holds the meanings of all operators around this one.
	inside []meaning
	// children is how many nanoseconds direct children take.
	children []int64
}

// open is an operator or annotation that has begun and not ended.
type open struct {
	node       int32
	start, end int64
}

// operators nests the operators of each track. An operator that ends when
// another starts does not hold it, unless both are one empty instant: clocks
// of whole microseconds give nested calls one time and no duration.
func (t *Trace) operators(meanings []meaning) *operatorTree {
	tree := &operatorTree{}
	stacks := make([][]open, len(t.Tracks))
	apartUntil := make([]int64, len(t.Tracks))
	for i := range apartUntil {
		apartUntil[i] = Missing
	}
	s := &t.Spans
	for i := range s.Start {
		category, name := s.Kind(i), meanings[s.Name[i]]
		if category != Operator && category != Annotation {
			continue
		}
		track, start, end := s.Track[i], s.Start[i], s.End(i)
		stack := stacks[track]
		for len(stack) > 0 {
			top := stack[len(stack)-1]
			if top.end > start || top.end == start && top.start == start {
				break
			}
			stack = stack[:len(stack)-1]
		}
		stacks[track] = stack
		if category == Annotation || name&annotationName != 0 {
			if name&otherRows != 0 {
				apartUntil[track] = max(apartUntil[track], end)
			}
			continue
		}
		parent, inside := int32(-1), meaning(0)
		if len(stack) > 0 {
			parent = stack[len(stack)-1].node
			inside = tree.inside[parent] | meanings[s.Name[tree.span[parent]]]
			tree.children[parent] = plus(tree.children[parent], s.Duration[i])
		}
		stacks[track] = append(stack, open{int32(len(tree.span)), start, end})
		tree.span = append(tree.span, uint32(i))
		tree.parent = append(tree.parent, parent)
		tree.apart = append(tree.apart, apartUntil[track] > start)
		tree.inside = append(tree.inside, inside)
		tree.children = append(tree.children, 0)
	}
	return tree
}
