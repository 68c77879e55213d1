package expected

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"
)

// line is one line of the file, split into words. Words in double quotes may
// hold spaces; a JSON value in braces or brackets is one word.
type line struct {
	number int
	words  []string
}

func (l line) word(i int) string {
	if i < len(l.words) {
		return l.words[i]
	}
	return ""
}

// block is a line at the margin with the indented lines below it.
type block struct {
	line
	body []line
}

// readFile splits the file into blocks.
func readFile(t *testing.T, path string) []block {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatalf("opening the expected answers: %v", err)
	}
	defer file.Close()
	var blocks []block
	scanner := bufio.NewScanner(file)
	scanner.Buffer(nil, 1<<20)
	for number := 1; scanner.Scan(); number++ {
		text := scanner.Text()
		words, err := split(text)
		if err != nil {
			t.Fatalf("%s:%d: %v", path, number, err)
		}
		if len(words) == 0 {
			continue
		}
		one := line{number, words}
		if text[0] != ' ' && text[0] != '\t' {
			blocks = append(blocks, block{line: one})
			continue
		}
		if len(blocks) == 0 {
			t.Fatalf("%s:%d: an indented line stands under no block", path, number)
		}
		last := &blocks[len(blocks)-1]
		last.body = append(last.body, one)
	}
	if err := scanner.Err(); err != nil {
		t.Fatalf("reading the expected answers: %v", err)
	}
	return blocks
}

// split cuts a line into words; "#" starts a comment.
func split(text string) ([]string, error) {
	var words []string
	var word strings.Builder
	depth, quoted, open := 0, false, false
	flush := func() {
		if open {
			words = append(words, word.String())
		}
		word.Reset()
		open = false
	}
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quoted && depth == 0 && c == '"':
			quoted = false
			continue
		case quoted:
			if c == '"' {
				quoted = false
			}
		case c == '#' && depth == 0 && !open:
			return words, nil
		case c == '"' && depth == 0:
			quoted, open = true, true
			continue
		case c == '"':
			quoted = true
		case c == '{' || c == '[' && !open:
			depth++
		case (c == '}' || c == ']') && depth > 0:
			depth--
		case (c == ' ' || c == '\t') && depth == 0:
			flush()
			continue
		}
		word.WriteByte(c)
		open = true
	}
	if quoted || depth != 0 {
		return nil, fmt.Errorf("a quote, brace or bracket is left open in %q", text)
	}
	flush()
	return words, nil
}

// options reads trailing words of the form key=value.
func options(words []string) map[string]string {
	given := map[string]string{}
	for _, word := range words {
		if key, value, ok := strings.Cut(word, "="); ok {
			given[key] = value
		}
	}
	return given
}
