package chrometrace

import (
	"bytes"
	"context"

	"kernelwake/internal/evidence"
	"kernelwake/internal/fault"
	"kernelwake/internal/lens"
	"kernelwake/internal/trace"
)

// Format reads Chrome and PyTorch trace JSON.
type Format struct{}

// ID is the format id.
func (Format) ID() string { return evidence.FormatChromeTrace }

// Importer names this reader and its version.
func (Format) Importer() string { return "chrome-trace@1" }

// searched bounds how far into a file the array of events is looked for.
const searched = 64 << 20

// Match reports whether the content is a trace: an array whose first element
// has a phase, or an object that holds the array of events or begins like a
// PyTorch trace. Traces may be cut anywhere, and may hold megabytes before
// their events.
func (Format) Match(file evidence.File, head []byte) bool {
	source, err := expand(file.Content, file.Bytes, searched)
	if err != nil {
		return false
	}
	buf := buffer{source: source}
	buf.skipByteOrderMark()
	first, err := buf.peek()
	if err != nil || first != '[' && first != '{' {
		return false
	}
	buf.pos++
	if first == '[' {
		return startsWithEvent(&buf)
	}
	return holdsEvents(&buf)
}

// startsWithEvent reports whether an array's first element is an event.
func startsWithEvent(buf *buffer) bool {
	var e event
	b, err := buf.peek()
	if err != nil || b != '{' {
		return false
	}
	limits := evidence.LimitsOf[evidence.FormatChromeTrace]
	err = buf.take(limits.Depth, func(c *cursor) error { return e.read(c, 2) })
	return e.phase.kind == text && (err == nil || e.start.kind != none)
}

// beginnings are members that only traces begin with.
var beginnings = [][]byte{[]byte(`"schemaVersion"`), []byte(`"deviceProp`), []byte(`"displayTimeUnit"`), []byte(`"baseTimeNanoseconds"`)}

func holdsEvents(buf *buffer) bool {
	for first := true; ; first = false {
		if first && len(buf.data)-buf.pos < 4096 {
			buf.fill()
		}
		window := buf.data[buf.pos:]
		if indexMember(window, eventsKey) >= 0 {
			return true
		}
		if first {
			for _, member := range beginnings {
				if bytes.Contains(window[:min(len(window), 4096)], member) {
					return true
				}
			}
		}
		buf.pos = max(buf.pos, len(buf.data)-64)
		if !buf.fill() {
			return false
		}
	}
}

// Read parses a file into one capture.
func (f Format) Read(ctx context.Context, file evidence.File, options evidence.ReadOptions, emit func(*evidence.Parsed) error) error {
	if options.Lens != "" && options.Lens != lens.Training && options.Lens != lens.Inference {
		return fault.New(fault.Invalid, "lens_not_offered", "a trace can be read under the lens training or inference, not %q", options.Lens).
			WithHint("choose --lens training or --lens inference")
	}
	if err := evidence.CheckReceived(f.ID(), file.Bytes); err != nil {
		return err
	}
	limits := evidence.LimitsOf[f.ID()]
	source, err := expand(file.Content, file.Bytes, limits.Expanded)
	if err != nil {
		return fault.New(fault.Unavailable, "read_failed", "the file can't be read: %v", err).WithCause(err)
	}
	r, err := read(ctx, source, limits, options.KeepSecrets)
	if err != nil {
		return err
	}
	r.release()
	parsed, err := r.parsed(file.Name, trace.Analyse(r.t), options.Lens)
	if err != nil {
		return err
	}
	parsed.Importer = f.Importer()
	return emit(parsed)
}

// release lets go of what only reading needs, before figures are made.
func (r *reader) release() {
	r.buf = buffer{missingWords: r.buf.missingWords}
	r.names.spelled, r.names.meant = nil, nil
	r.tracks, r.lanes, r.arguments, r.collectives = nil, nil, nil, nil
}
