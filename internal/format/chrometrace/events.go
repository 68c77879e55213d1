package chrometrace

import "errors"

// cancelEvery is how many events pass between looks at the context.
const cancelEvery = 4096

// events reads the elements of the array of events, whose own depth is given,
// up to its closing bracket. closed is false where the file ends before it.
func (r *reader) events(depth int) (closed bool, err error) {
	parse := func(c *cursor) error { return r.event.read(c, depth+1) }
	afterEvent := false
	for {
		b, err := r.buf.peek()
		if err != nil {
			return false, nil
		}
		switch b {
		case ']':
			if r.closes(depth) {
				return true, nil
			}
			err = errSyntax
		case ',':
			r.buf.pos++
			afterEvent = false
			continue
		case '{':
			if afterEvent {
				r.damage.missingCommas++
			}
			err = r.buf.take(r.limits.Depth, parse)
		case '[':
			err = errSyntax // no element is an array: events may be inside
		default:
			if err = r.otherElement(depth); err == nil {
				continue
			}
		}
		if errors.Is(err, errSyntax) || errors.Is(err, errLarge) {
			found, closed := r.resume(depth)
			if closed || !found {
				return closed, nil
			}
			err = nil
		}
		if errors.Is(err, errShort) {
			r.damage.cutEvents++
			r.buf.pos = len(r.buf.data)
			return false, nil
		}
		if err != nil {
			return false, tooDeep(r.limits.Depth, r.buf.place(), eventsKey)
		}
		afterEvent = true
		if err := r.addEvent(); err != nil {
			return false, err
		}
	}
}

// closes takes a bracket and reports whether it can close the array of events:
// nothing follows, or what follows stands beside events. Otherwise a damaged
// byte only looks like it, and nothing is taken.
func (r *reader) closes(depth int) bool {
	err := r.buf.take(r.limits.Depth, func(c *cursor) error {
		c.pos++
		after := c.pos
		b, err := c.peek()
		c.pos = after
		switch {
		case err != nil && c.whole:
			return nil
		case err != nil:
			return err
		case depth > 1 && b != ',' && b != '}', depth == 1 && (b == ',' || b == '{' || b == '"'):
			return errSyntax
		}
		return nil
	})
	return err == nil
}

// otherElement takes an element that is no object.
func (r *reader) otherElement(depth int) error {
	err := r.buf.take(r.limits.Depth, func(c *cursor) error { return c.skip(depth) })
	if err == nil {
		r.damage.otherElements++
	}
	return err
}

func (r *reader) addEvent() error {
	if r.t.Events >= int64(r.limits.Events) {
		return tooManyEvents(r.limits.Events)
	}
	if r.t.Events%cancelEvery == 0 && r.ctx.Err() != nil {
		return r.ctx.Err()
	}
	r.add(&r.event)
	return nil
}

// resume goes on after damage: it takes the next element that is whole and an
// event, or finds the end of the array. Bytes in between are skipped and
// counted as one damaged event; they may have held more.
func (r *reader) resume(depth int) (found, closed bool) {
	start := r.buf.place()
	defer func() { r.damage.skip(start, r.resumedAt) }()
	candidate := func(c *cursor) error {
		if err := r.event.read(c, depth+1); err != nil {
			return err
		}
		if r.event.phase.kind != text {
			return errSyntax
		}
		at := c.pos
		b, err := c.peek()
		c.pos = at
		if err != nil && !c.whole {
			return err
		}
		if err == nil && b != ',' && b != ']' && b != '{' {
			return errSyntax
		}
		return nil
	}
	r.buf.pos++
	for {
		for r.buf.pos < len(r.buf.data) {
			b := r.buf.data[r.buf.pos]
			r.resumedAt = r.buf.place()
			if b == '{' && r.buf.take(r.limits.Depth, candidate) == nil {
				return true, false
			}
			if b == ']' && r.endsArray(depth) {
				return false, true
			}
			r.buf.pos++
		}
		if !r.buf.fill() {
			r.resumedAt = r.buf.place()
			return false, false
		}
	}
}

// endsArray reports whether the bracket ahead closes the array of events, and
// takes it then: after it the file ends, or a member follows that stands beside
// events.
func (r *reader) endsArray(depth int) bool {
	err := r.buf.take(r.limits.Depth, func(c *cursor) error {
		c.pos++
		after := c.pos
		b, err := c.peek()
		if err != nil {
			if c.whole && depth == 1 {
				return nil
			}
			return err
		}
		defer func() { c.pos = after }()
		switch {
		case b == '}' && depth > 1:
			c.pos++
			if _, err := c.peek(); err != nil && c.whole {
				return nil
			} else if err != nil {
				return err
			}
		case b == ',' && depth > 1:
			c.pos++
			if key, err := c.key(); err != nil || knownMembers[string(key)] {
				return err
			}
		}
		return errSyntax
	})
	return err == nil
}
