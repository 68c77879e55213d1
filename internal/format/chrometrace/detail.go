package chrometrace

import (
	"strconv"

	"kernelwake/internal/trace"
)

// detail keeps what figures need of an event's arguments and returns its
// number: the device's side for device work, tensor arguments for operators.
func (b *builder) detail(e *event, c trace.Category) uint32 {
	switch {
	case c.OnDevice():
		return b.deviceWork(e)
	case c == trace.Operator && e.args.dims.kind == array:
		return b.tensorArguments(e)
	}
	return trace.MissingCode
}

func (b *builder) deviceWork(e *event) uint32 {
	device, stream := e.args.device, e.args.stream
	if device.kind == none {
		device = e.process
	}
	if stream.kind == none {
		stream = e.thread
	}
	work := trace.DeviceWork{Collective: trace.MissingCode, Sequence: integer(e.args.sequence), Bytes: integer(e.args.bytes), BlocksPerSM: estimated(e.args.blocks), Occupancy: estimated(e.args.occupancy)}
	work.Lane = b.pair(b.lanes, device, stream, func(device, stream string) int {
		b.t.Lanes = append(b.t.Lanes, trace.Lane{Device: device, Stream: stream})
		return len(b.t.Lanes)
	})
	if e.args.collective.kind == text {
		work.Collective = b.collective(e)
	}
	b.t.Device = append(b.t.Device, work)
	return uint32(len(b.t.Device) - 1)
}

func (b *builder) collective(e *event) uint32 {
	b.scratch = b.scratch[:0]
	for _, part := range []value{e.args.collective, e.args.group, e.args.groupSize, e.args.elements, e.args.elementType} {
		b.scratch = append(append(b.scratch, part.raw...), 0)
	}
	id, ok := b.collectives[string(b.scratch)]
	if !ok {
		id = uint32(len(b.t.Collectives))
		b.t.Collectives = append(b.t.Collectives, trace.Collective{
			Name: e.args.collective.plainText(), Group: e.args.group.plainText(), Type: e.args.elementType.plainText(),
			GroupSize: max(0, integer(e.args.groupSize)), Elements: max(0, integer(e.args.elements)),
		})
		b.collectives[string(b.scratch)] = id
	}
	return id
}

// tensorArguments keeps each distinct pair of shapes and types once.
func (b *builder) tensorArguments(e *event) uint32 {
	b.scratch = append(append(append(b.scratch[:0], e.args.dims.raw...), 0), e.args.types.raw...)
	id, ok := b.arguments[string(b.scratch)]
	if !ok {
		id = trace.MissingCode
		if tensors, ok := readTensors(e.args.dims, e.args.types); ok {
			id = uint32(len(b.t.Arguments))
			b.t.Arguments = append(b.t.Arguments, tensors)
		}
		b.arguments[string(b.scratch)] = id
	}
	return id
}

// readTensors reads shapes (one list of numbers an argument, a list of lists
// for a list of tensors, an empty list for a scalar) and the element types
// beside them. Shapes that are not whole numbers are none.
func readTensors(dims, types value) (trace.Arguments, bool) {
	var names []string
	elements(types, func(v value) { names = append(names, v.plainText()) })
	tensors, ok, argument := trace.Arguments{}, true, 0
	elements(dims, func(v value) {
		of := ""
		if argument < len(names) {
			of = names[argument]
		}
		argument++
		nested := false
		elements(v, func(inner value) {
			if inner.kind != array {
				return
			}
			nested = true
			tensors, ok = appendTensor(tensors, inner, of, ok)
		})
		if !nested {
			tensors, ok = appendTensor(tensors, v, of, ok)
		}
	})
	return tensors, ok
}

func appendTensor(tensors trace.Arguments, v value, of string, ok bool) (trace.Arguments, bool) {
	var shape []int64
	elements(v, func(dim value) {
		n, err := strconv.ParseInt(string(dim.raw), 10, 64)
		ok = ok && err == nil && dim.kind == number
		shape = append(shape, n)
	})
	if len(shape) == 0 || !ok {
		return tensors, ok
	}
	return append(tensors, trace.Tensor{Dims: shape, Type: of}), true
}

// boundary is a begin or an end, kept until all events are read: files don't
// keep their order.
type boundary struct {
	at       int64
	track    uint32
	name     uint32
	category uint32
	detail   uint32
	begins   bool
	unnamed  bool
}

func (b *builder) addBoundary(e *event, c *category, begins bool) {
	at, ok := nanoseconds(e.start)
	if !ok {
		b.leave(trace.NoTime)
		return
	}
	mark := boundary{at: at, track: b.track(e), name: b.name(e), category: uint32(c.means), detail: trace.MissingCode, begins: begins, unnamed: e.name.kind == none}
	if begins {
		mark.detail = b.detail(e, c.means)
	}
	b.open = append(b.open, mark)
}
