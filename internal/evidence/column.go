package evidence

import (
	"cmp"
	"math"
	"slices"
)

// Column is one named sequence of values of a table, of exactly one type.
// Times and durations in nanoseconds are Ints; words are Codes into a
// Dictionary.
type Column struct {
	Name string `json:"name"`
	// Floats holds numbers; NaN is a missing value.
	Floats []float64 `json:"-"`
	// Ints holds integers; MissingInt is a missing value.
	Ints []int64 `json:"-"`
	// Codes holds indexes into Dictionary; MissingCode is a missing value.
	Codes      []uint32 `json:"-"`
	Dictionary []string `json:"dictionary,omitempty"`
}

// The marks of a missing value in a column.
const (
	MissingInt  = math.MinInt64
	MissingCode = math.MaxUint32
)

// Len returns the number of values.
func (c Column) Len() int { return max(len(c.Floats), len(c.Ints), len(c.Codes)) }

// Text returns the word at row i; empty if it is missing.
func (c Column) Text(i int) string {
	if c.Codes[i] == MissingCode {
		return ""
	}
	return c.Dictionary[c.Codes[i]]
}

// Table is a set of columns of equal length.
type Table struct {
	// Name says what a row is: "spans", "requests", "series".
	Name    string   `json:"name"`
	Columns []Column `json:"columns"`
}

// Len returns the number of rows.
func (t Table) Len() int {
	if len(t.Columns) == 0 {
		return 0
	}
	return t.Columns[0].Len()
}

// Column returns the column with the name.
func (t Table) Column(name string) (Column, bool) {
	for _, column := range t.Columns {
		if column.Name == name {
			return column, true
		}
	}
	return Column{}, false
}

// Floats returns the numbers of a column, nil if there is no such column.
func (t Table) Floats(name string) []float64 {
	column, _ := t.Column(name)
	return column.Floats
}

// SortBy puts the rows in ascending order of the first of the named columns
// that the table has; rows that are equal there keep their order.
func (t *Table) SortBy(names ...string) {
	for _, name := range names {
		keys := t.Floats(name)
		if keys == nil {
			continue
		}
		if slices.IsSorted(keys) {
			return
		}
		order := make([]int, len(keys))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(keys[a], keys[b]) })
		for i := range t.Columns {
			column := &t.Columns[i]
			column.Floats, column.Ints, column.Codes = reordered(column.Floats, order), reordered(column.Ints, order), reordered(column.Codes, order)
		}
		return
	}
}

func reordered[T any](values []T, order []int) []T {
	if values == nil {
		return nil
	}
	out := make([]T, len(order))
	for i, from := range order {
		out[i] = values[from]
	}
	return out
}

// Words builds a column of words in order of first use.
func Words(name string, values []string) Column {
	codes := make([]uint32, len(values))
	index := map[string]uint32{}
	var dictionary []string
	for i, value := range values {
		code, ok := index[value]
		if !ok {
			code = uint32(len(dictionary))
			index[value] = code
			dictionary = append(dictionary, value)
		}
		codes[i] = code
	}
	return Column{Name: name, Codes: codes, Dictionary: dictionary}
}
