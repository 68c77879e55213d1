package trace

import (
	"cmp"
	"slices"
	"strings"

	"kernelwake/internal/evidence"
)

// Layers keep apart what lies on one track and does not nest: calls of
// operators and the runtime, Python frames, annotations.
const (
	LayerDevice      = "device"
	LayerCalls       = "calls"
	LayerPython      = "python"
	LayerAnnotations = "annotations"
	LayerOther       = "other"
)

var layers = [...]string{LayerAnnotations, LayerCalls, LayerDevice, LayerOther, LayerPython}

func layerOf(c Category) int {
	switch c {
	case Kernel, Memcpy, Memset:
		return 2
	case Operator, Runtime, Synchronisation, Overhead:
		return 1
	case PythonFunction:
		return 4
	case Annotation, DeviceAnnotation:
		return 0
	}
	return 3
}

// MostTimelineSpans bounds what one picture of a window holds; the longest
// are kept.
const MostTimelineSpans = 20_000

// TimelineView is the picture of a time window, reduced to what a screen of
// some width can show: spans narrower than a pixel are put together, at most
// one a pixel and depth.
type TimelineView struct {
	FromNS int64 `json:"from_ns"`
	ToNS   int64 `json:"to_ns"`
	// BeginNS and EndNS bound the whole trace.
	BeginNS int64         `json:"begin_ns"`
	EndNS   int64         `json:"end_ns"`
	Names   []string      `json:"names"`
	Rows    []TimelineRow `json:"rows"`
	// Of counts the spans in the window, Shown those drawn by themselves.
	Of    int64 `json:"of"`
	Shown int64 `json:"shown"`
	// Truncated is set where the bound on spans left some out.
	Truncated *Truncated `json:"truncated"`
}

// TimelineRow is one layer of one track.
type TimelineRow struct {
	Track string `json:"track"`
	// TrackCode is the row of the tracks table.
	TrackCode uint32         `json:"track_code"`
	Layer     string         `json:"layer"`
	Depth     int            `json:"depth"`
	Spans     []TimelineSpan `json:"spans"`
}

// TimelineSpan is a span, or several narrow ones as one block.
type TimelineSpan struct {
	// Row is the span's place in the table; of a block, that of its longest.
	Row        int    `json:"row"`
	StartNS    int64  `json:"start_ns"`
	DurationNS int64  `json:"duration_ns"`
	Depth      int    `json:"depth"`
	Name       int    `json:"name"`
	Category   string `json:"category"`
	// Count is how many spans a block holds, BusyNS the sum of their
	// durations; 0 for a span by itself.
	Count  int64 `json:"count,omitempty"`
	BusyNS int64 `json:"busy_ns,omitempty"`
}

// Timeline reduces the stored spans to the window from from to to, in
// nanoseconds since the trace's first event, for a picture width pixels wide.
// A window without length means the whole trace.
func Timeline(spans evidence.Table, from, to int64, width int) TimelineView {
	s, ok := readSpans(spans)
	view := TimelineView{FromNS: from, ToNS: to, Names: []string{}, Rows: []TimelineRow{}}
	if !ok || s.rows == 0 {
		return view
	}
	view.BeginNS, view.EndNS = s.start[0], s.end(0)
	for row := range s.rows {
		view.EndNS = max(view.EndNS, s.end(row))
	}
	if to <= from {
		view.FromNS, view.ToNS = view.BeginNS, max(view.EndNS, view.BeginNS+1)
	}
	d := &drawing{stored: &s, view: &view, pixel: max(1, (view.ToNS-view.FromNS)/int64(max(1, width))), rows: map[[2]uint32]*layerRow{}}
	for row := 0; row < s.rows && s.start[row] < view.ToNS; row++ {
		d.add(row)
	}
	d.finish()
	return view
}

// drawing puts the spans of a window onto rows.
type drawing struct {
	*stored
	view  *TimelineView
	pixel int64
	rows  map[[2]uint32]*layerRow
}

// layerRow is a row being drawn: the ends of the spans that are open, and at
// each depth the block that narrow spans join.
type layerRow struct {
	TimelineRow
	open  []int64
	block []*TimelineSpan
}

func (d *drawing) add(row int) {
	layer := layerOf(d.kind(row))
	key := [2]uint32{d.track.Codes[row], uint32(layer)}
	r := d.rows[key]
	if r == nil {
		r = &layerRow{TimelineRow: TimelineRow{Track: d.track.Text(row), TrackCode: d.track.Codes[row], Layer: layers[layer]}}
		d.rows[key] = r
	}
	start, end := d.start[row], d.end(row)
	for len(r.open) > 0 && r.open[len(r.open)-1] <= start {
		r.open = r.open[:len(r.open)-1]
	}
	depth := len(r.open)
	r.open = append(r.open, end)
	if end < d.view.FromNS || end == d.view.FromNS && start < end {
		return
	}
	d.view.Of++
	r.Depth = max(r.Depth, depth+1)
	for len(r.block) <= depth {
		r.block = append(r.block, nil)
	}
	span := TimelineSpan{Row: row, StartNS: start, DurationNS: end - start, Depth: depth, Category: d.category.Text(row)}
	if end-start >= d.pixel {
		r.flush(depth)
		r.Spans = append(r.Spans, span)
		return
	}
	d.join(r, depth, span)
}

// join adds a narrow span to the block of its pixel.
func (d *drawing) join(r *layerRow, depth int, span TimelineSpan) {
	block := r.block[depth]
	if block == nil || (span.StartNS-d.view.FromNS)/d.pixel != (block.StartNS-d.view.FromNS)/d.pixel {
		r.flush(depth)
		span.Count, span.BusyNS = 1, span.DurationNS
		r.block[depth] = &span
		return
	}
	block.Count++
	block.BusyNS = plus(block.BusyNS, span.DurationNS)
	if span.DurationNS > d.duration[block.Row] {
		block.Row, block.Category = span.Row, span.Category
	}
	block.DurationNS = max(block.DurationNS, span.StartNS+span.DurationNS-block.StartNS)
}

// flush ends the block at a depth.
func (r *layerRow) flush(depth int) {
	block := r.block[depth]
	if block == nil {
		return
	}
	if block.Count == 1 {
		block.Count, block.BusyNS = 0, 0
	}
	r.Spans = append(r.Spans, *block)
	r.block[depth] = nil
}

func (d *drawing) finish() {
	for _, r := range d.rows {
		for depth := range r.block {
			r.flush(depth)
		}
		if len(r.Spans) > 0 {
			d.view.Rows = append(d.view.Rows, r.TimelineRow)
		}
	}
	slices.SortFunc(d.view.Rows, func(a, b TimelineRow) int {
		return cmp.Or(cmp.Compare(rank(a.Layer), rank(b.Layer)), strings.Compare(a.Track, b.Track), strings.Compare(a.Layer, b.Layer))
	})
	d.bound()
	d.nameSpans()
}

// rank puts rows of devices first.
func rank(layer string) int {
	if layer == LayerDevice {
		return 0
	}
	return 1
}

// bound keeps the longest spans where there are too many.
func (d *drawing) bound() {
	var durations []int64
	for _, row := range d.view.Rows {
		for _, span := range row.Spans {
			durations = append(durations, max(span.DurationNS, span.BusyNS))
		}
	}
	if len(durations) <= MostTimelineSpans {
		return
	}
	d.view.Truncated = &Truncated{Pointer: "/rows", Kept: MostTimelineSpans, Of: int64(len(durations))}
	slices.Sort(durations)
	least := durations[len(durations)-MostTimelineSpans]
	spare := int64(0) // spans of exactly the least duration that fit
	for _, duration := range durations[len(durations)-MostTimelineSpans:] {
		if duration > least {
			break
		}
		spare++
	}
	for i := range d.view.Rows {
		d.view.Rows[i].Spans = slices.DeleteFunc(d.view.Rows[i].Spans, func(span TimelineSpan) bool {
			length := max(span.DurationNS, span.BusyNS)
			if length == least && spare > 0 {
				spare--
				return false
			}
			return length <= least
		})
	}
	d.view.Rows = slices.DeleteFunc(d.view.Rows, func(row TimelineRow) bool { return len(row.Spans) == 0 })
}

// nameSpans gives each span the place of its name among the view's names.
func (d *drawing) nameSpans() {
	places := map[uint32]int{}
	for i := range d.view.Rows {
		for j := range d.view.Rows[i].Spans {
			span := &d.view.Rows[i].Spans[j]
			if span.Count == 0 {
				d.view.Shown++
			}
			code := d.name.Codes[span.Row]
			place, ok := places[code]
			if !ok {
				place = len(d.view.Names)
				places[code] = place
				d.view.Names = append(d.view.Names, d.name.Text(span.Row))
			}
			span.Name = place
		}
	}
}

// SpanSearch asks for spans by name and category.
type SpanSearch struct {
	// Name is found anywhere in a span's name, without regard to case.
	Name string
	// Category is the category's name; empty for all.
	Category string
	// Limit bounds the answer.
	Limit int
}

// FindSpans returns the first spans, by start, that a search asks for, and how
// many there are in all.
func FindSpans(spans evidence.Table, search SpanSearch) (found []SpanDetail, of int64) {
	s, ok := readSpans(spans)
	if !ok {
		return nil, 0
	}
	wanted := make([]bool, len(s.name.Dictionary))
	part := strings.ToLower(search.Name)
	for i, name := range s.name.Dictionary {
		wanted[i] = strings.Contains(strings.ToLower(name), part)
	}
	for row := range s.rows {
		if !wanted[s.name.Codes[row]] || search.Category != "" && s.category.Text(row) != search.Category {
			continue
		}
		if of++; len(found) < search.Limit {
			found = append(found, s.describe(row))
		}
	}
	return found, of
}
