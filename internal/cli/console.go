package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"

	"golang.org/x/term"
)

// console is what a command reads from and prints to.
type console struct {
	in       io.Reader
	out, err io.Writer
	// width of lines that are wrapped.
	width int
	// outTerminal and errTerminal are true where a person is looking.
	outTerminal, errTerminal bool
}

// widest is how long a line of running text may be.
const widest = 120

func processConsole() console {
	c := console{in: os.Stdin, out: os.Stdout, err: os.Stderr, width: 100}
	c.outTerminal, c.errTerminal = term.IsTerminal(int(os.Stdout.Fd())), term.IsTerminal(int(os.Stderr.Fd()))
	if width, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil && width >= 40 {
		c.width = min(width, widest)
	}
	return c
}

// call is what a command runs with.
type call struct {
	console
	ctx context.Context
	// json asks for the answer as JSON.
	json bool
}

// printf prints a part of the answer.
func (c *call) printf(format string, args ...any) {
	fmt.Fprint(c.out, plain(fmt.Sprintf(format, args...)))
}

// note says something beside the answer.
func (c *call) note(format string, args ...any) {
	fmt.Fprintln(c.err, plain(fmt.Sprintf(format, args...)))
}

// plain takes out what a terminal would obey: names inside captures are text,
// whoever wrote them.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		obeyed := unicode.IsControl(r) && r != '\n' && r != '\t'
		turned := unicode.Is(unicode.Bidi_Control, r)
		if obeyed || turned {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// printJSON prints the answer for machines.
func (c *call) printJSON(answer any) error {
	return writeJSON(c.out, answer)
}

func writeJSON(to io.Writer, value any) error {
	encoder := json.NewEncoder(to)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}

// answer prints a value as JSON where that is asked for, else by print.
func (c *call) answer(value any, print func()) error {
	if c.json {
		return c.printJSON(value)
	}
	print()
	return nil
}
