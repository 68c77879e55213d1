package kwcap

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"kernelwake/internal/fault"
)

// mostProblems is how many problems are listed where nobody asks for more; the
// rest is counted.
const mostProblems = 50

// problems collects what is wrong with a capture, in the order found.
type problems struct {
	listed []fault.Problem
	count  int64
	// most is how many are listed; 0 stands for mostProblems.
	most int
	// tooLarge is set by a problem that is a passed limit of size.
	tooLarge bool
}

func (p *problems) add(problem fault.Problem) {
	p.count++
	if !p.full() {
		p.listed = append(p.listed, problem)
	}
}

// full reports whether the next problem would only be counted, so that its
// words need not be made.
func (p *problems) full() bool { return len(p.listed) >= cmp.Or(p.most, mostProblems) }

// at adds a problem at a pointer.
func (p *problems) at(pointer, code, format string, args ...any) {
	if p.full() {
		p.count++
		return
	}
	p.add(fault.Problem{Code: code, Pointer: pointer, Message: fmt.Sprintf(format, args...)})
}

// got adds a problem that names what was found.
func (p *problems) got(pointer, code, got, format string, args ...any) {
	p.add(fault.Problem{Code: code, Pointer: pointer, Message: fmt.Sprintf(format, args...), Got: shortened(got)})
}

// limit adds a problem that names the limit that was passed.
func (p *problems) limit(pointer, code, limit, got, format string, args ...any) {
	p.add(fault.Problem{Code: code, Pointer: pointer, Message: fmt.Sprintf(format, args...), Limit: limit, Got: shortened(got)})
}

// refusal is the error for a capture with problems.
func (p *problems) refusal() error {
	message := "the capture has 1 problem"
	if p.count > 1 {
		message = fmt.Sprintf("the capture has %d problems", p.count)
	}
	if p.count > int64(len(p.listed)) {
		message += fmt.Sprintf("; the first %d are listed, %d more are not", len(p.listed), p.count-int64(len(p.listed)))
	}
	first := p.listed[0]
	kind, code := fault.Invalid, "capture_invalid"
	if first.Code == codeVersion {
		kind, code = fault.Unsupported, codeVersion
	}
	if p.tooLarge && p.count == 1 {
		kind = fault.TooLarge
	}
	place := first.Pointer
	if place == "" {
		place = "the capture"
	}
	return fault.New(kind, code, "%s; first: %s: %s", message, place, first.Message).
		WithHint("correct them in the script that wrote the file; `graphsignal-server capture check FILE` lists them all, docs/formats/kernelwake-json.md has every rule").
		WithProblems(p.listed...)
}

// shortened keeps what was found readable beside a message.
func shortened(text string) string {
	const most = 80
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// pointerTo appends tokens to a JSON Pointer (RFC 6901).
func pointerTo(base string, tokens ...any) string {
	for _, token := range tokens {
		switch token := token.(type) {
		case int:
			base += "/" + strconv.Itoa(token)
		case string:
			base += "/" + escapeToken(token)
		}
	}
	return base
}

func escapeToken(token string) string {
	if !strings.ContainsAny(token, "~/") {
		return token
	}
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(token)
}
