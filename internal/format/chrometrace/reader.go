package chrometrace

import (
	"context"
	"errors"
	"io"

	"kernelwake/internal/evidence"
	"kernelwake/internal/secret"
)

// reader turns the bytes of one file into a trace.
type reader struct {
	ctx    context.Context
	limits evidence.Limits
	buf    buffer
	builder
	meta   metadata
	report secret.Report
	damage damage
	event  event
	// seen is true once an array of events was found.
	seen bool
	// keys lists the top-level members but the events, in order.
	keys []string
	// resumedAt is where reading went on after damage.
	resumedAt int64
}

// read reads a whole file, decompressed, into a trace. The error is a fault to
// show; damage is no error but counted.
func read(ctx context.Context, source io.Reader, limits evidence.Limits, keepSecrets bool) (*reader, error) {
	r := &reader{ctx: ctx, limits: limits, buf: buffer{source: source}, meta: newMetadata()}
	r.report.Keep = keepSecrets
	r.builder, r.meta.report = newBuilder(&r.report), &r.report
	if err := r.container(); err != nil {
		return nil, err
	}
	if err := r.sourceError(); err != nil {
		return nil, err
	}
	if r.damage.arrayNotClosed && (r.damage.truncated || r.damage.corrupt) {
		r.damage.incomplete = true
	}
	if !r.seen || r.t.Events == r.phases['M']+r.otherPhases[""] {
		return nil, r.noEvents()
	}
	r.finish(&r.meta)
	if r.t.Spans.Len() == 0 {
		return nil, r.nothingTimed()
	}
	return r, nil
}

// sourceError tells a limit that was hit, and counts damage of the compressed
// stream.
func (r *reader) sourceError() error {
	switch err := r.buf.end; {
	case err == nil, errors.Is(err, io.EOF):
		return nil
	default:
		return r.damage.ofSource(err)
	}
}

// container reads the outermost value: an object with the events in a member,
// or the bare array of events, whose end may be missing.
func (r *reader) container() error {
	r.buf.skipByteOrderMark()
	b, err := r.buf.peek()
	if err != nil {
		if err := r.sourceError(); err != nil {
			return err
		}
		return emptyFile()
	}
	r.buf.pos++
	switch b {
	case '[':
		r.seen = true
		closed, err := r.events(1)
		if err != nil {
			return err
		}
		r.damage.arrayNotClosed = !closed
	case '{':
		if err := r.object(); err != nil {
			return err
		}
	default:
		return notJSON(b)
	}
	return r.trailing()
}

// trailing counts what follows the outermost value.
func (r *reader) trailing() error {
	if _, err := r.buf.peek(); err != nil {
		return nil
	}
	for {
		r.damage.trailing += int64(len(r.buf.data) - r.buf.pos)
		r.buf.pos = len(r.buf.data)
		if !r.buf.fill() {
			return nil
		}
	}
}

// object reads the members of the outermost object.
func (r *reader) object() error {
	for first := true; ; first = false {
		var more bool
		var key []byte
		err := r.buf.take(r.limits.Depth, func(c *cursor) error {
			var err error
			if more, err = c.more('}', first); err != nil || !more {
				return err
			}
			if key, err = c.key(); err != nil {
				return err
			}
			_, err = c.peek()
			return err
		})
		switch {
		case errors.Is(err, errShort):
			r.damage.incomplete = true
			return nil
		case err != nil:
			if found, err := r.findEvents(); err != nil || !found {
				return err
			}
			continue
		case !more:
			return nil
		}
		name, _ := decode(string(key))
		if err := r.topMember(name); err != nil {
			return err
		}
		if r.damage.incomplete {
			return nil
		}
	}
}

const eventsKey = "traceEvents"

func (r *reader) topMember(name string) error {
	if name == eventsKey && r.buf.data[r.buf.pos] == '[' {
		r.buf.pos++
		return r.takeEvents()
	}
	r.keys = append(r.keys, name)
	var member value
	err := r.buf.take(r.limits.Depth, func(c *cursor) error {
		var err error
		member, err = c.read(1)
		return err
	})
	switch {
	case err == nil:
		r.meta.read(name, member)
		return nil
	case errors.Is(err, errDeep):
		return tooDeep(r.limits.Depth, r.buf.place(), name)
	case errors.Is(err, errShort):
		r.damage.incomplete = true
		return nil
	case errors.Is(err, errLarge):
		r.meta.tooLarge = append(r.meta.tooLarge, name)
		if r.buf.skipLarge() != nil {
			r.damage.incomplete = true
		}
		return nil
	}
	_, err = r.findEvents()
	return err
}

func (r *reader) takeEvents() error {
	if r.seen {
		r.damage.replacedEvents += r.t.Events
		r.builder = newBuilder(&r.report)
	}
	r.seen = true
	closed, err := r.events(2)
	r.damage.incomplete = r.damage.incomplete || !closed
	return err
}

// findEvents goes on after damage beside the events: it looks for the next
// member that holds them and reads it.
func (r *reader) findEvents() (bool, error) {
	start := r.buf.place()
	for {
		at := indexMember(r.buf.data[r.buf.pos:], eventsKey)
		if at >= 0 {
			r.buf.pos += at
			r.damage.skip(start, r.buf.place())
			return true, r.takeEvents()
		}
		r.buf.pos = max(r.buf.pos, len(r.buf.data)-64) // a key may straddle the end
		if !r.buf.fill() {
			r.buf.pos = len(r.buf.data)
			r.damage.skip(start, r.buf.place())
			r.damage.incomplete = true
			return false, nil
		}
	}
}

// indexMember returns where the array of a member with the key begins, past
// its bracket; -1 if there is none.
func indexMember(data []byte, key string) int {
	for i := 0; i+len(key)+2 < len(data); i++ {
		if data[i] != '"' || string(data[i+1:i+1+len(key)]) != key || data[i+1+len(key)] != '"' {
			continue
		}
		c := cursor{data: data, pos: i + len(key) + 2}
		if b, err := c.peek(); err != nil || b != ':' {
			continue
		}
		c.pos++
		if b, err := c.peek(); err == nil && b == '[' {
			return c.pos + 1
		}
	}
	return -1
}
