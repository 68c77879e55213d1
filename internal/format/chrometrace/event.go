package chrometrace

// event is one event as it stands in the file. Its values are valid until the
// buffer moves.
type event struct {
	phase, name, category, process, thread value
	start, duration                        value
	// pairID is the id of flows and asynchronous events.
	pairID value
	args   arguments
	// repeated is how many members that are read stood there twice; the last
	// of each counts.
	repeated int64
	// empty is true for an object without members.
	empty bool
}

// arguments are the members of an event's args that figures use.
type arguments struct {
	correlation, device, stream, bytes value
	dims, types                        value
	collective, group, groupSize       value
	elements, elementType, sequence    value
	blocks, occupancy                  value
	name                               value
	deviceType, allocated, reserved    value
	recordFunction                     value
	callStack, given                   bool
}

// read takes an event. The cursor stands on its opening brace.
func (e *event) read(c *cursor, depth int) error {
	*e = event{empty: true}
	if depth > c.deepest {
		return errDeep
	}
	c.pos++
	for first := true; ; first = false {
		more, err := c.more('}', first)
		if err != nil || !more {
			return err
		}
		e.empty = false
		key, err := c.key()
		if err != nil {
			return err
		}
		if err := e.member(c, key, depth); err != nil {
			return err
		}
	}
}

func (e *event) member(c *cursor, key []byte, depth int) error {
	var into *value
	switch string(key) {
	case "ph":
		into = &e.phase
	case "name":
		into = &e.name
	case "cat":
		into = &e.category
	case "pid":
		into = &e.process
	case "tid":
		into = &e.thread
	case "ts":
		into = &e.start
	case "dur":
		into = &e.duration
	case "id":
		into = &e.pairID
	case "args":
		return e.readArguments(c, depth)
	default:
		return c.skip(depth)
	}
	return e.set(c, into, depth)
}

// set takes a value into its place and counts one that stood there before.
func (e *event) set(c *cursor, into *value, depth int) error {
	if into.kind != none {
		e.repeated++
	}
	var err error
	*into, err = c.read(depth)
	return err
}

// readArguments takes an event's args, which may be of any kind; only an
// object's members are read.
func (e *event) readArguments(c *cursor, depth int) error {
	if e.args.given {
		e.repeated++
	}
	e.args = arguments{given: true}
	b, err := c.peek()
	if err != nil {
		return err
	}
	if b != '{' {
		return c.skip(depth)
	}
	if depth+1 > c.deepest {
		return errDeep
	}
	c.pos++
	for first := true; ; first = false {
		more, err := c.more('}', first)
		if err != nil || !more {
			return err
		}
		key, err := c.key()
		if err != nil {
			return err
		}
		if into := e.args.place(key); into != nil {
			err = e.set(c, into, depth+1)
		} else {
			err = c.skip(depth + 1)
		}
		if err != nil {
			return err
		}
	}
}

// place is where an argument's value goes; nil if no figure uses it.
func (a *arguments) place(key []byte) *value {
	switch string(key) {
	case "correlation":
		return &a.correlation
	case "device":
		return &a.device
	case "stream":
		return &a.stream
	case "bytes":
		return &a.bytes
	case "Input Dims", "Input dims", "input dims":
		return &a.dims
	case "Input type", "Input Type", "input type":
		return &a.types
	case "Collective name":
		return &a.collective
	case "Process Group Name":
		return &a.group
	case "Group size":
		return &a.groupSize
	case "In msg nelems":
		return &a.elements
	case "dtype":
		return &a.elementType
	case "Seq":
		return &a.sequence
	case "blocks per SM":
		return &a.blocks
	case "est. achieved occupancy %":
		return &a.occupancy
	case "name":
		return &a.name
	case "Device Type":
		return &a.deviceType
	case "Total Allocated":
		return &a.allocated
	case "Total Reserved":
		return &a.reserved
	case "Record function id":
		return &a.recordFunction
	case "Call stack":
		a.callStack = true
	}
	return nil
}
