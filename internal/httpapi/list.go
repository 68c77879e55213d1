package httpapi

import (
	"time"

	"kernelwake/internal/fault"
)

// List is the shape of every list: a bounded page, how many there are, and
// where the next page begins.
type List[T any] struct {
	Rows  []T   `json:"rows"`
	Total int64 `json:"total"`
	// Next is the cursor of the next page; null on the last.
	Next *string `json:"next" nullable:"true"`
	// Truncated says which bound left rows out that no cursor reaches.
	Truncated Nullable[Truncated] `json:"truncated"`
	AsOf      time.Time           `json:"as_of"`
}

// Truncated says how much of a whole is shown, and why no more.
type Truncated struct {
	Kept  int64  `json:"kept"`
	Of    int64  `json:"of"`
	Bound string `json:"bound"`
}

// Page is what every list takes.
type Page struct {
	Cursor string `query:"cursor" doc:"where the page begins: next of the page before"`
	Limit  int    `query:"limit" minimum:"1" maximum:"500" default:"100" doc:"the most rows of the page"`
}

// Listed is a list as an answer.
type Listed[T any] struct{ Body List[T] }

// listed builds a page's answer; cursor names a row, and is asked of the last
// one where there are more.
func listed[T any](rows []T, total int64, limit int, cursor func(T) string) *Listed[T] {
	page := &Listed[T]{Body: List[T]{Rows: rows, Total: total, AsOf: time.Now().UTC()}}
	if len(rows) > limit {
		page.Body.Rows = rows[:limit]
		next := cursor(rows[limit-1])
		page.Body.Next = &next
	}
	return page
}

// bounded is the truncation of a view that keeps some of a whole, null where it
// keeps all.
func bounded(kept, of int64, bound string) Nullable[Truncated] {
	if kept >= of {
		return Nullable[Truncated]{}
	}
	return Nullable[Truncated]{Value: &Truncated{Kept: kept, Of: of, Bound: bound}}
}

// checkCursor refuses a cursor that no page gave out.
func checkCursor(valid bool, cursor string) error {
	if cursor == "" || valid {
		return nil
	}
	return fault.New(fault.Invalid, "cursor_invalid", "the cursor %q was given out by no list", cursor).WithHint("begin again without a cursor")
}
