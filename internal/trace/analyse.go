package trace

// Analysis is everything that is derived from one trace.
type Analysis struct {
	Figures   Figures
	Signature Signature
	Facts     Facts
	Findings  []Finding
}

// Analyse derives the figures, the work signature, the facts about how the
// work was run, and the findings of a trace with sorted spans.
func Analyse(t *Trace) *Analysis {
	r := newAnalysis(t)
	a := &Analysis{Figures: r.figures(), Signature: r.signature(), Facts: r.facts()}
	a.Findings = r.findings(&a.Figures, &a.Signature)
	return a
}

// analysis holds what several derivations need: found once.
type analysis struct {
	t        *Trace
	s        *Spans
	meanings []meaning
	tree     *operatorTree
	// device lists the spans of device work, in order.
	device []uint32
	// launch holds for each span of device work (by its place in device) the
	// launch call that caused it; -1 where none was captured.
	launch []int32
	// callsWithoutWork counts launch calls whose work was not captured;
	// repeated counts correlations that several calls bear.
	callsWithoutWork, repeated int64
	fanOut                     map[int64]int64
	steps                      []Step
	stepOf                     []int32
	stepKind                   StepKind
}

func newAnalysis(t *Trace) *analysis {
	r := &analysis{t: t, s: &t.Spans, meanings: t.meanings()}
	r.tree = t.operators(r.meanings)
	r.join()
	r.findSteps()
	return r
}

func (r *analysis) means(span uint32) meaning { return r.meanings[r.s.Name[span]] }

// join finds the launch call of each piece of device work by correlation. A
// graph launch causes many; work launched before the capture has none, nor has
// work whose correlation only a later call bears: causes come first.
func (r *analysis) join() {
	calls := map[int64]uint32{}
	for i := range r.s.Start {
		switch category := r.s.Kind(i); {
		case category.OnDevice():
			r.device = append(r.device, uint32(i))
		case category == Runtime && r.s.Correlation[i] != Missing:
			if _, ok := calls[r.s.Correlation[i]]; ok {
				r.repeated++
			}
			calls[r.s.Correlation[i]] = uint32(i)
		}
	}
	r.launch = make([]int32, len(r.device))
	r.fanOut = map[int64]int64{}
	for k, i := range r.device {
		r.launch[k] = -1
		if call, ok := calls[r.s.Correlation[i]]; ok && r.s.Correlation[i] != Missing && r.s.Start[call] <= r.s.Start[i] {
			r.launch[k] = int32(call)
			r.fanOut[r.s.Correlation[i]]++
		}
	}
	for correlation, call := range calls {
		if r.means(call)&launchCall != 0 && r.fanOut[correlation] == 0 {
			r.callsWithoutWork++
		}
	}
}

// lane returns the stream on which device work ran.
func (r *analysis) lane(span uint32) uint32 { return r.t.Device[r.s.Detail[span]].Lane }

// sort of device work: compute kernels, communication kernels, memory.
const (
	computeWork = iota
	communicationWork
	memoryWork
)

func (r *analysis) workSort(span uint32) int {
	switch {
	case r.s.Kind(int(span)) != Kernel:
		return memoryWork
	case r.means(span)&communicationKernel != 0:
		return communicationWork
	}
	return computeWork
}
