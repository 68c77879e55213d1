package chrometrace

import (
	"bytes"

	"kernelwake/internal/secret"
	"kernelwake/internal/trace"
)

// builder puts events together into a trace.
type builder struct {
	t     *trace.Trace
	names *words
	// tracks and lanes by the text of their two parts, arguments and
	// collectives by their bytes in the file.
	tracks, lanes, arguments, collectives map[string]uint32
	lastTrack                             uint32
	lastProcess, lastThread               []byte
	processNames                          map[string]string
	// quotedProcesses holds processes that are named by a text.
	quotedProcesses map[string]bool
	categories      map[string]*category
	phases          [256]int64
	otherPhases     map[string]int64
	leftOut         map[string]int64
	// open holds begins and ends until they are paired.
	open []boundary
	// pairs counts the begins and ends that were paired.
	pairs int64
	// flaws counts events by what was wrong with their names.
	flaws           map[flaw]int64
	repeatedMembers int64
	unknown         map[string]int64
	lastStart       int64
	scratch         []byte
}

// category is one spelling of a category and how many events bear it.
type category struct {
	means trace.Category
	known bool
	count int64
}

func newBuilder(report *secret.Report) builder {
	b := builder{
		t:     &trace.Trace{ByPhase: map[string]int64{}, ByCategory: map[string]int64{}, Observed: trace.Observations{WholeMicroseconds: true, AllocatedPeak: trace.Missing, ReservedPeak: trace.Missing}},
		names: newWords(report), tracks: map[string]uint32{}, lanes: map[string]uint32{}, arguments: map[string]uint32{}, collectives: map[string]uint32{},
		processNames: map[string]string{}, quotedProcesses: map[string]bool{}, categories: map[string]*category{}, otherPhases: map[string]int64{}, leftOut: map[string]int64{}, flaws: map[flaw]int64{}, unknown: map[string]int64{}, lastStart: trace.Missing,
	}
	return b
}

// add takes an event in.
func (b *builder) add(e *event) {
	b.t.Events++
	b.repeatedMembers += e.repeated
	phase := b.countPhase(e)
	category := b.categoryOf(e)
	b.observe(e, category)
	switch phase {
	case 'X':
		b.addComplete(e, category)
	case 'B', 'E':
		b.addBoundary(e, category, phase == 'B')
	case 'M':
		b.nameRow(e)
	}
}

// countPhase returns the phase's letter; 0 for phases that are no letter.
func (b *builder) countPhase(e *event) byte {
	if len(e.phase.raw) == 1 && e.phase.kind == text {
		b.phases[e.phase.raw[0]]++
		return e.phase.raw[0]
	}
	b.otherPhases[e.phase.plainText()]++
	return 0
}

var noCategory = &category{means: trace.Uncategorised, known: true}

func (b *builder) categoryOf(e *event) *category {
	if e.category.kind != text {
		return noCategory
	}
	found, ok := b.categories[string(e.category.raw)]
	if !ok {
		found = &category{}
		found.means, found.known = trace.ParseCategory(e.category.plainText())
		b.categories[string(e.category.raw)] = found
	}
	found.count++
	return found
}

// observe takes down what an event of any phase shows about the recording.
func (b *builder) observe(e *event, c *category) {
	if e.process.kind == text && !b.quotedProcesses[string(e.process.raw)] {
		b.quotedProcesses[e.process.plainText()] = true
	}
	o := &b.t.Observed
	o.Shapes = o.Shapes || e.args.dims.kind == array
	o.Stacks = o.Stacks || e.args.callStack || c.means == trace.PythonFunction
	o.Observer = o.Observer || e.args.recordFunction.kind != none && integer(e.args.recordFunction) > 0
	if len(e.name.raw) == len("[memory]") && string(e.name.raw) == "[memory]" {
		o.Memory = true
		if integer(e.args.deviceType) == 1 {
			o.AllocatedPeak = max(o.AllocatedPeak, integer(e.args.allocated))
			o.ReservedPeak = max(o.ReservedPeak, integer(e.args.reserved))
		}
	}
}

// leave counts an event that is in no figure.
func (b *builder) leave(reason string) { b.leftOut[reason]++ }

func (b *builder) addComplete(e *event, c *category) {
	start, ok := nanoseconds(e.start)
	if !ok {
		b.leave(trace.NoTime)
		return
	}
	if start < b.lastStart {
		b.t.Observed.OutOfOrder++
	}
	b.lastStart = start
	if bytes.IndexByte(e.start.raw, '.') >= 0 {
		b.t.Observed.WholeMicroseconds = false
	}
	duration, ok := nanoseconds(e.duration)
	switch {
	case !ok && e.duration.kind != number && e.duration.kind != text:
		b.leave(trace.NoDuration)
		return
	case !ok, duration > trace.LongestDuration:
		b.leave(trace.DurationTooLong)
		return
	case duration < 0:
		b.leave(trace.NegativeDuration)
		return
	case duration == 0:
		b.t.Observed.ZeroDuration++
	}
	b.t.Spans.Append(start, duration, integer(e.args.correlation), b.name(e), b.track(e), c.means, b.detail(e, c.means))
}

func (b *builder) name(e *event) uint32 {
	word := b.names.find(e.name.raw)
	if word.flaws != 0 {
		b.flaws[word.flaws]++
	}
	return word.id
}

// track finds the row of an event by the text of its process and thread: old
// files write one thread both as a number and as a text.
func (b *builder) track(e *event) uint32 {
	if len(b.t.Tracks) > 0 && bytes.Equal(e.process.raw, b.lastProcess) && bytes.Equal(e.thread.raw, b.lastThread) {
		return b.lastTrack
	}
	id := b.pair(b.tracks, e.process, e.thread, func(process, thread string) int {
		b.t.Tracks = append(b.t.Tracks, trace.Track{Process: process, Thread: thread})
		return len(b.t.Tracks)
	})
	b.lastTrack = id
	b.lastProcess, b.lastThread = append(b.lastProcess[:0], e.process.raw...), append(b.lastThread[:0], e.thread.raw...)
	return id
}

// pair finds the number of a pair of texts; add appends a new one and returns
// how many there are then.
func (b *builder) pair(index map[string]uint32, first, second value, add func(first, second string) int) uint32 {
	b.scratch = append(append(append(b.scratch[:0], first.raw...), 0), second.raw...)
	id, ok := index[string(b.scratch)]
	if !ok {
		id = uint32(add(first.plainText(), second.plainText()) - 1)
		index[string(b.scratch)] = id
	}
	return id
}

// nameRow takes the name that an M event gives a process or a thread.
func (b *builder) nameRow(e *event) {
	switch string(e.name.raw) {
	case "process_name":
		b.processNames[e.process.plainText()] = b.names.report.Text("/"+eventsKey, e.args.name.plainText())
	case "thread_name":
		b.t.Tracks[b.track(e)].ThreadName = b.names.report.Text("/"+eventsKey, e.args.name.plainText())
	}
}
