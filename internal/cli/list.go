package cli

import (
	"kernelwake/internal/httpapi"
)

// listing pages through a list.
type listing struct {
	Limit  int    `default:"50" placeholder:"N" help:"The most rows, up to 500."`
	Cursor string `placeholder:"CURSOR" help:"Where the page begins: next of the page before."`
}

func (l listing) page() httpapi.Page { return httpapi.Page{Limit: l.Limit, Cursor: l.Cursor} }

// printList prints rows as a table, and how to go on where there are more.
func printList[T any](c *call, list httpapi.List[T], header []string, cells func(T) []string) error {
	return c.answer(list, func() {
		if len(list.Rows) == 0 {
			c.printf("none\n")
			return
		}
		rows := table{}
		rows.row(header...)
		for _, row := range list.Rows {
			rows.row(cells(row)...)
		}
		rows.print(c.out)
		if list.Next != nil {
			c.printf("%s of %s shown; more with --cursor %s\n", count(len(list.Rows)), count(list.Total), *list.Next)
		}
	})
}
