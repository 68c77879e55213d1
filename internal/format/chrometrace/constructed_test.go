package chrometrace

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kernelwake/internal/absent"
	"kernelwake/internal/trace"
)

// script writes a trace of events with known times, in microseconds.
type script struct {
	events      []string
	correlation int
}

func (s *script) text() string {
	return `{"schemaVersion":1,"deviceProperties":[{"id":0,"name":"NVIDIA H200","totalGlobalMem":150754820096}],"traceEvents":[` + "\n" + strings.Join(s.events, ",\n") + "\n]}"
}

func (s *script) event(category, name string, process, thread int, start, duration float64, arguments string) {
	s.events = append(s.events, fmt.Sprintf(`{"ph":"X","cat":%q,"name":%q,"pid":%d,"tid":%d,"ts":%.3f,"dur":%.3f,"args":{%s}}`, category, name, process, thread, start, duration, arguments))
}

func (s *script) step(n int, start, duration float64) {
	s.event("user_annotation", fmt.Sprintf("ProfilerStep#%d", n), 7, 7, start, duration, "")
}

func (s *script) operator(name string, start, duration float64, dims, types string) {
	s.event("cpu_op", name, 7, 7, start, duration, fmt.Sprintf(`"Input Dims":%s,"Input type":%s`, dims, types))
}

// launch writes a call of 5 µs and the device work that it causes.
func (s *script) launch(call float64, category, name string, stream int, start, duration float64, extra string) {
	s.correlation++
	s.event("cuda_runtime", "cudaLaunchKernel", 7, 7, call, 5, fmt.Sprintf(`"correlation":%d`, s.correlation))
	s.work(category, name, stream, start, duration, extra)
}

// work writes device work caused by the latest call.
func (s *script) work(category, name string, stream int, start, duration float64, extra string) {
	s.event(category, name, 0, stream, start, duration, fmt.Sprintf(`"device":0,"stream":%d,"correlation":%d%s`, stream, s.correlation, extra))
}

func (s *script) read(t *testing.T) (*reader, *trace.Analysis) {
	t.Helper()
	r, err := readBytes(t, []byte(s.text()))
	if err != nil {
		t.Fatal(err)
	}
	return r, trace.Analyse(r.t)
}

const micro = 1000

// TestConstructedStepsGiveTheTimesTheyWereMadeOf: in each of three steps of
// 1000 µs a kernel runs 400 µs, a collective 200 µs of which 100 hide behind
// the kernel, and a copy 150 µs of which 50 hide behind the collective.
func TestConstructedStepsGiveTheTimesTheyWereMadeOf(t *testing.T) {
	var s script
	for i := range 3 {
		at := 1000 * float64(i)
		s.step(i, at, 1000)
		s.operator("aten::mm", at+5, 50, "[[8,32],[32,64]]", `["float","float"]`)
		s.launch(at+10, "kernel", "gemm", 7, at+100, 400, `,"blocks per SM":0.5,"est. achieved occupancy %":25`)
		s.launch(at+20, "kernel", "ncclDevKernel_AllReduce", 9, at+400, 200, `,"Collective name":"allreduce","Process Group Name":"0","Group size":2,"In msg nelems":1024,"dtype":"Float"`)
		s.launch(at+30, "gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", 7, at+550, 150, `,"bytes":300000`)
	}
	_, a := s.read(t)
	f := a.Figures
	for name, pair := range map[string][2]int64{
		"window": {known(t, f.WindowNS), 2600 * micro}, "busy": {known(t, f.BusyNS), 1800 * micro}, "idle": {known(t, f.IdleNS), 800 * micro},
		"compute": {known(t, f.ComputeNS), 1200 * micro}, "communication": {known(t, f.CommunicationNS), 600 * micro}, "memory": {known(t, f.MemoryNS), 450 * micro},
		"exposed communication": {known(t, f.ExposedCommunicationNS), 300 * micro}, "exposed memory": {known(t, f.ExposedMemoryNS), 300 * micro},
		"overlap": {known(t, f.OverlapNS), 300 * micro}, "kernel sum": {f.KernelSumNS, 1800 * micro},
		"steps kept": {f.StepsKept, 3}, "launch delay median": {f.Launches.DelayMedianNS, (85 + 375) / 2 * micro}, "launch delays": {f.Launches.DelayN, 6},
		"host wait of stream 7": {f.Streams[0].HostWaitNS, 800 * micro}, "kernel wait of stream 7": {f.Streams[0].KernelWaitNS, 0}, "other wait of stream 7": {f.Streams[0].OtherNS, 150 * micro},
		"copy bytes": {known(t, f.Copies[0].Bytes), 900000}, "exposed copies": {f.Copies[0].ExposedNS, 300 * micro},
		"collectives": {f.Collectives[0].Count, 3}, "calls": {f.Launches.Calls, 9},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s is %d, it was made as %d", name, pair[0], pair[1])
		}
	}
	if got := f.Copies[0].GBPerSecond; got != absent.Of(2.0) {
		t.Errorf("900,000 bytes in 450 µs are %v GB/s, not 2", got)
	}
	if got := f.Devices[0].EstimatedSMEfficiency; got != absent.Of(0.5*1200/2600) {
		t.Errorf("the estimate of SM efficiency is %v", got)
	}
	if got := f.Devices[0].EstimatedOccupancy; got != absent.Of(0.25) {
		t.Errorf("the estimate of occupancy is %v", got)
	}
	want := trace.Step{Name: "ProfilerStep#1", StartNS: 1000 * micro, CPUNS: 1000 * micro, GPUNS: absent.Of[int64](600 * micro), GPUBusyNS: absent.Of[int64](600 * micro), KernelNS: 600 * micro, GPUEvents: 3, Operators: 1}
	if got := f.Steps[1]; got.Name != want.Name || got.StartNS != want.StartNS || got.CPUNS != want.CPUNS || got.GPUNS != want.GPUNS || got.GPUBusyNS != want.GPUBusyNS || got.KernelNS != want.KernelNS || got.GPUEvents != want.GPUEvents || got.Operators != want.Operators {
		t.Errorf("the second step is %+v, it was made as %+v", got, want)
	}
	if a.Signature.State != trace.SignatureKnown {
		t.Errorf("the signature is %s", a.Signature.State)
	}
}

// TestConstructedStepsThatCannotStandForAStepAreLeftOut: the first step only
// fills the queue (500 µs of GPU work in 100 µs), the second is just long
// enough (440 µs in 400), the last is cut before its first operator. The second
// launches a graph of three kernels, and one kernel has no launch.
func TestConstructedStepsThatCannotStandForAStepAreLeftOut(t *testing.T) {
	var s script
	s.work("kernel", "earlier", 7, -50, 20, "") // correlation 0: no call bears it
	s.step(1, 0, 100)
	s.operator("aten::mm", 5, 20, "[[8,32],[32,64]]", `["float","float"]`)
	s.launch(10, "kernel", "gemm", 7, 20, 500, "")
	s.step(2, 100, 400)
	s.operator("aten::mm", 105, 20, "[[8,32],[32,64]]", `["float","float"]`)
	s.correlation++
	s.event("cuda_runtime", "cudaGraphLaunch", 7, 7, 110, 5, fmt.Sprintf(`"correlation":%d`, s.correlation))
	s.work("kernel", "a", 7, 520, 40, "")
	s.work("kernel", "b", 7, 560, 0, "")
	s.work("kernel", "c", 7, 600, 360, "")
	s.step(3, 500, 10)
	_, a := s.read(t)
	var excluded []string
	for _, step := range a.Figures.Steps {
		excluded = append(excluded, step.Excluded)
	}
	if diff := cmp.Diff([]string{trace.QueueFillingStep, "", trace.CutStep}, excluded); diff != "" {
		t.Errorf("steps left out (-wanted +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]int64{trace.CutStep: 1, trace.QueueFillingStep: 1}, a.Facts.ExcludedSteps); diff != "" {
		t.Error(diff)
	}
	l := a.Figures.Launches
	if l.WithoutLaunch != 1 || l.ManyEvents != 1 || l.MaxFanOut != 3 || l.DelayN != 2 {
		t.Errorf("without launch %d, graph launches %d of at most %d, %d delays; made as 1, 1, 3, 2", l.WithoutLaunch, l.ManyEvents, l.MaxFanOut, l.DelayN)
	}
	if got := a.Figures.Steps[1].KernelNS; got != 400*micro {
		t.Errorf("kernels of the second step take %d ns, they were made of 400 µs", got)
	}
	if a.Figures.ZeroDuration != 1 {
		t.Errorf("%d events without duration, one was made", a.Figures.ZeroDuration)
	}
}

// TestConstructedWorkIsCountedByTheRule: what is looked through, left out alone
// and left out with all inside.
func TestConstructedWorkIsCountedByTheRule(t *testing.T) {
	var s script
	for i := range 3 {
		at := 1000 * float64(i)
		s.step(i, at, 1000)
		// A loader reads: left out with all inside.
		s.event("user_annotation", "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 7, 7, at+1, 20, "")
		s.operator("aten::stack", at+2, 10, "[[[3,8],[3,8]]]", `["TensorList"]`)
		// An outermost operator hides the product in it, which is a product still.
		s.operator("aten::linear", at+30, 20, "[[8,32],[64,32],[64]]", `["float","float","float"]`)
		s.operator("aten::t", at+31, 2, "[[64,32]]", `["float"]`)
		s.operator("aten::addmm", at+34, 10, "[[64],[8,32],[32,64],[],[]]", `["float","c10::BFloat16","c10::BFloat16","Scalar","Scalar"]`)
		// A view alone is no work, a wrapper is looked through.
		s.operator("aten::view", at+60, 2, "[[8,64]]", `["float"]`)
		s.event("cpu_op", "autograd::engine::evaluate_function: AddmmBackward0", 7, 7, at+70, 30, "")
		s.event("cpu_op", "AddmmBackward0", 7, 7, at+71, 28, `"Input Dims":[[8,64]]`)
		s.operator("aten::mm", at+72, 10, "[[64,8],[8,32]]", `["c10::BFloat16","c10::BFloat16"]`)
		// Gradients are summed: left out with all inside.
		s.event("cpu_op", "torch::autograd::AccumulateGrad", 7, 7, at+110, 20, "")
		s.operator("aten::add_", at+111, 5, "[[64,32],[64,32]]", `["float","float"]`)
		// The loss, a list of tensors, and a scalar.
		s.operator("aten::cross_entropy_loss", at+140, 10, "[[8,64],[8],[],[],[]]", `["float","long int","","Scalar",""]`)
		s.operator("aten::cat", at+160, 5, "[[[2,4],[6,4]],[]]", `["TensorList","Scalar"]`)
		// The optimizer: left out with all inside.
		s.event("user_annotation", "Optimizer.step#AdamW.step", 7, 7, at+200, 100, "")
		s.operator("aten::_foreach_add_", at+210, 50, "[[[64,32]]]", `["TensorList"]`)
	}
	_, a := s.read(t)
	want := []string{"1 aten::cat [2,4] [6,4]", "1 aten::cross_entropy_loss [8,64] [8]", "1 aten::linear [8,32] [64,32] [64]", "1 aten::mm [64,8] [8,32]"}
	if diff := cmp.Diff(want, a.Signature.Lines); diff != "" {
		t.Errorf("the typical step (-made +counted):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"1 product 32 8 64", "1 product 8 32 64"}, a.Signature.Products); diff != "" {
		t.Errorf("the products (-made +counted):\n%s", diff)
	}
	if a.Signature.State != trace.SignatureKnown || a.Signature.Alike != 3 {
		t.Errorf("state %s, %d steps alike", a.Signature.State, a.Signature.Alike)
	}
	f := a.Facts
	if f.Precision != "bf16" || f.Optimizer != "AdamW" || f.BatchPerRank != 8 || !f.LoaderInProcess || f.LoaderWorkers || f.WorldSize != 1 || !f.WorldSizeDerived || f.Compiled {
		t.Errorf("facts of the work: %+v", f)
	}
}
