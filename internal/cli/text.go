package cli

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"unicode/utf8"
)

// table collects rows of cells and prints them in columns.
type table struct {
	rows   [][]string
	indent string
}

func (t *table) row(cells ...string) { t.rows = append(t.rows, cells) }

// print writes the rows, columns two spaces apart.
func (t *table) print(to io.Writer) {
	var lines strings.Builder
	columns := tabwriter.NewWriter(&lines, 0, 0, 2, ' ', 0)
	for _, row := range t.rows {
		for i, cell := range row {
			cell = strings.NewReplacer("\t", " ", "\n", " ").Replace(cell)
			if i == 0 {
				cell = t.indent + cell
			}
			if i == len(row)-1 {
				fmt.Fprint(columns, cell) // the last column needs no padding
			} else {
				fmt.Fprint(columns, cell, "\t")
			}
		}
		fmt.Fprintln(columns)
	}
	_ = columns.Flush() // a builder takes everything
	for line := range strings.Lines(lines.String()) {
		fmt.Fprintln(to, plain(strings.TrimRight(line, " \n")))
	}
}

// wrap breaks text at spaces so that no line is longer than width; every line
// but the first begins with indent.
func wrap(text string, width int, indent string) string {
	var out strings.Builder
	column := 0
	for i, word := range strings.Fields(text) {
		length := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case column+1+length > width:
			out.WriteString("\n" + indent)
			column = utf8.RuneCountInString(indent)
		default:
			out.WriteByte(' ')
			column++
		}
		out.WriteString(word)
		column += length
	}
	return out.String()
}

// paragraph prints wrapped text behind a first prefix, its other lines indented
// as deep.
func (c *call) paragraph(prefix, text string) {
	depth := utf8.RuneCountInString(prefix)
	indent := strings.Repeat(" ", depth)
	lines := strings.Split(wrap(text, c.width-depth, ""), "\n")
	for i, line := range lines {
		if i == 0 {
			c.printf("%s%s\n", prefix, line)
			continue
		}
		c.printf("%s%s\n", indent, line)
	}
}

// clip shortens text to a number of characters.
func clip(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most-1]) + "…"
}

// dash stands for what is not there.
const dash = "–"

func orDash(text string) string {
	if text == "" {
		return dash
	}
	return text
}

// plural is "1 launch", "2 launches".
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return count(n) + " " + many
}

// spaced writes a code as words.
func spaced(code string) string { return strings.ReplaceAll(code, "_", " ") }
