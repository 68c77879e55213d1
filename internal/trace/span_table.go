package trace

import (
	"kernelwake/internal/absent"
	"kernelwake/internal/evidence"
)

// SpansTable is the name of the table of spans in the parsed form.
const SpansTable = "spans"

// The columns of the table of spans, ordered as Spans are. Times count from the
// trace's first event.
const (
	startColumn       = "start_ns"
	durationColumn    = "duration_ns"
	nameColumn        = "name"
	trackColumn       = "track"
	categoryColumn    = "category"
	correlationColumn = "correlation"
	detailColumn      = "detail"
)

// SpanTable makes the stored form of spans. It shares their columns. tracks are
// the labels that Spans.Track indexes, details the words that detail indexes.
func SpanTable(s *Spans, names, tracks []string, detail []uint32, details []string) evidence.Table {
	return evidence.Table{Name: SpansTable, Columns: []evidence.Column{
		{Name: startColumn, Ints: s.Start},
		{Name: durationColumn, Ints: s.Duration},
		{Name: nameColumn, Codes: s.Name, Dictionary: names},
		{Name: trackColumn, Codes: s.Track, Dictionary: tracks},
		{Name: categoryColumn, Codes: s.Category, Dictionary: categoryNames[:]},
		{Name: correlationColumn, Ints: s.Correlation},
		{Name: detailColumn, Codes: detail, Dictionary: details},
	}}
}

// stored is a table of spans, column by column.
type stored struct {
	start, duration, correlation  []int64
	name, track, category, detail evidence.Column
	categories                    []Category
	rows                          int
}

// readSpans finds the columns of a table of spans; ok is false for another
// table.
func readSpans(table evidence.Table) (s stored, ok bool) {
	columns := map[string]evidence.Column{}
	for _, column := range table.Columns {
		if column.Len() != table.Len() {
			return s, false
		}
		columns[column.Name] = column
	}
	s = stored{
		start: columns[startColumn].Ints, duration: columns[durationColumn].Ints, correlation: columns[correlationColumn].Ints,
		name: columns[nameColumn], track: columns[trackColumn], category: columns[categoryColumn], detail: columns[detailColumn], rows: table.Len(),
	}
	for _, name := range s.category.Dictionary {
		s.categories = append(s.categories, categoryNamed(name))
	}
	ok = len(s.start) == s.rows && len(s.duration) == s.rows && len(s.correlation) == s.rows && s.name.Len() == s.rows && s.track.Len() == s.rows && s.category.Len() == s.rows && s.detail.Len() == s.rows
	return s, ok
}

func categoryNamed(name string) Category {
	for i, known := range categoryNames {
		if known == name {
			return Category(i)
		}
	}
	return Unrecognised
}

func (s *stored) kind(row int) Category { return s.categories[s.category.Codes[row]] }

func (s *stored) end(row int) int64 { return s.start[row] + s.duration[row] }

// SpanDetail is one span with what ties it to others.
type SpanDetail struct {
	// Row is the span's place in the table, its id while the capture is kept.
	Row         int                 `json:"row"`
	Name        string              `json:"name"`
	Category    string              `json:"category"`
	Track       string              `json:"track"`
	StartNS     int64               `json:"start_ns"`
	DurationNS  int64               `json:"duration_ns"`
	Correlation absent.Value[int64] `json:"correlation"`
	Detail      string              `json:"detail,omitempty"`
	Linked      []SpanDetail        `json:"linked,omitempty"`
	LinkedOf    int                 `json:"linked_of,omitempty"`
}

// MostLinked bounds the linked spans given with one span.
const MostLinked = 50

// DescribeSpan returns a span with the spans of the same correlation: the
// launch call of a kernel, the kernels of a launch call. ok is false where
// there is no such row.
func DescribeSpan(table evidence.Table, row int) (detail SpanDetail, ok bool) {
	s, ok := readSpans(table)
	if !ok || row < 0 || row >= s.rows {
		return SpanDetail{}, false
	}
	detail = s.describe(row)
	if s.correlation[row] == Missing {
		return detail, true
	}
	for other := range s.rows {
		if other == row || s.correlation[other] != s.correlation[row] {
			continue
		}
		if detail.LinkedOf++; detail.LinkedOf <= MostLinked {
			detail.Linked = append(detail.Linked, s.describe(other))
		}
	}
	return detail, true
}

func (s *stored) describe(row int) SpanDetail {
	detail := SpanDetail{
		Row: row, Name: s.name.Text(row), Category: s.category.Text(row), Track: s.track.Text(row),
		StartNS: s.start[row], DurationNS: s.duration[row], Detail: s.detail.Text(row),
		Correlation: absent.Because[int64](absent.NotRecorded, "the event bears no correlation"),
	}
	if s.correlation[row] != Missing {
		detail.Correlation = absent.Of(s.correlation[row])
	}
	return detail
}
