package cli

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

//go:generate go test -run TestTheGuide -update-guide .

var updateGuide = flag.Bool("update-guide", false, "write docs/guide/cli.md anew")

const guidePath = "../../docs/guide/cli.md"

func model(t *testing.T) *kong.Kong {
	t.Helper()
	parser, err := newParser(&commands{}, console{out: io.Discard, err: io.Discard, width: 100})
	if err != nil {
		t.Fatal(err)
	}
	return parser
}

// The page is written from the commands themselves, so that it can't drift.
func TestTheGuideSaysWhatTheCommandLineSays(t *testing.T) {
	want := guide(model(t).Model)
	if *updateGuide {
		if err := os.WriteFile(guidePath, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(guidePath)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("docs/guide/cli.md is not what the commands say (%v): run `go generate ./internal/cli`", err)
	}
}

func TestEveryLevelHasHelpAndExamplesThatParse(t *testing.T) {
	for _, node := range everyNode(model(t).Model.Node) {
		if node.Help == "" || !strings.Contains(node.Detail, "Examples:") {
			t.Errorf("%s has no help or no example", node.FullPath())
		}
		for _, flag := range node.Flags {
			if flag.Help == "" {
				t.Errorf("%s --%s has no help", node.FullPath(), flag.Name)
			}
		}
		own := strings.TrimPrefix(strings.TrimPrefix(node.FullPath(), programName), " ")
		shown := false
		for _, line := range examplesIn(node.Detail) {
			shown = shown || strings.HasPrefix(strings.Join(line, " "), own)
			parses(t, node.FullPath(), line)
		}
		if !shown {
			t.Errorf("%s shows no example of itself", node.FullPath())
		}
	}
}

func everyNode(node *kong.Node) []*kong.Node {
	nodes := []*kong.Node{node}
	for _, child := range node.Children {
		nodes = append(nodes, everyNode(child)...)
	}
	return nodes
}

// Whatever a page tells people to type is a command line that is understood;
// what it tells of files that are here is run.
func TestEveryExampleInThePagesWorks(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	examples := 0
	for _, page := range pages(t, root) {
		content, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range examplesIn(fenced(string(content))) {
			examples++
			parses(t, page, line)
			runs(t, page, line)
		}
	}
	if examples < 10 {
		t.Errorf("only %d examples were found in the pages", examples)
	}
}

func pages(t *testing.T, root string) []string {
	t.Helper()
	var found []string
	for _, from := range []string{"README.md", "CONTRIBUTING.md", "docs", "examples"} {
		err := filepath.WalkDir(filepath.Join(root, from), func(path string, _ fs.DirEntry, err error) error {
			if err == nil && filepath.Ext(path) == ".md" {
				found = append(found, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return found
}

func parses(t *testing.T, where string, line []string) {
	t.Helper()
	defer func() {
		if left, ok := recover().(left); ok && left != 0 {
			t.Errorf("%s: %q ends with %d", where, line, left)
		}
	}()
	if _, err := model(t).Parse(line); err != nil {
		t.Errorf("%s: %q is not understood: %v", where, line, err)
	}
}

// runs carries out an example that needs files alone, from the page's folder
// or the one above it, where all its files are there.
func runs(t *testing.T, page string, line []string) {
	t.Helper()
	if line[0] != "compare" && line[0] != "capture" {
		return
	}
	for _, folder := range []string{filepath.Dir(page), filepath.Dir(filepath.Dir(page))} {
		if !filesThere(folder, line) {
			continue
		}
		t.Chdir(folder)
		var out, complaint bytes.Buffer
		code := run(context.Background(), console{out: &out, err: &complaint, width: 100}, line)
		if code != exitDone && code != exitRefused {
			t.Errorf("%s: %q ends with %d: %s", page, line, code, complaint.String())
		}
		t.Logf("%s: ran %q: %s", filepath.Base(page), line, strings.SplitN(out.String(), "\n", 2)[0])
		return
	}
}

func filesThere(folder string, line []string) bool {
	files := 0
	for _, word := range line[1:] {
		if strings.Contains(word, "=") || !strings.Contains(word, ".") {
			continue
		}
		found, err := filepath.Glob(filepath.Join(folder, word))
		if err != nil || len(found) == 0 {
			return false
		}
		files++
	}
	return files > 0
}

// fenced is what stands in a page's code blocks.
func fenced(page string) string {
	var inside strings.Builder
	for i, block := range strings.Split(page, "```") {
		if i%2 == 1 {
			inside.WriteString(strings.ReplaceAll(block, "\\\n", " "))
		}
	}
	return inside.String()
}

// examplesIn are the command lines of this program in some text, as words.
func examplesIn(text string) [][]string {
	var lines [][]string
	for line := range strings.Lines(text) {
		for {
			_, rest, found := strings.Cut(line, programName+" ")
			if !found {
				break
			}
			words, after := shellWords(rest)
			if len(words) > 0 {
				lines = append(lines, words)
			}
			line = after
		}
	}
	return lines
}

// shellWords splits a command as a shell does, up to where it ends.
func shellWords(text string) (words []string, rest string) {
	var word strings.Builder
	started := false
	end := func() {
		if started {
			words = append(words, word.String())
		}
		word.Reset()
		started = false
	}
	quote := rune(0)
	for i, r := range text {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '"' || r == '\'':
			quote, started = r, true
		case r == ' ' || r == '\t' || r == '\n':
			end()
		case strings.ContainsRune("|;>)&#`", r):
			end()
			return words, text[i:]
		default:
			started = true
			word.WriteRune(r)
		}
	}
	end()
	return words, ""
}

// guide writes the page of the command line.
func guide(app *kong.Application) []byte {
	var page bytes.Buffer
	fmt.Fprintf(&page, "# Command line\n\nWritten from the commands themselves (`go generate ./internal/cli`). `%s COMMAND --help` says the same.\n\n", programName)
	page.WriteString("Human output on a terminal, `--json` everywhere for machines. Exit codes: 0 done, 1 failed, 2 wrong usage; `compare` and `comparison show`: 0 compared, 12 refused. An error is one line on stderr; with `--json` the same is problem JSON on stdout.\n\n")
	page.WriteString("Client commands find their server and token in `--server`, `--token`, `--workspace`, in `KERNELWAKE_SERVER`, `KERNELWAKE_TOKEN`, `KERNELWAKE_WORKSPACE`, or in the file that `login` writes (`KERNELWAKE_CONFIG` names another).\n")
	for _, leaf := range app.Leaves(true) {
		guideCommand(&page, leaf)
	}
	return page.Bytes()
}

func guideCommand(page *bytes.Buffer, leaf *kong.Node) {
	fmt.Fprintf(page, "\n## %s\n\n%s\n", leaf.Path(), leaf.Help)
	before, examples, _ := strings.Cut(leaf.Detail, "Examples:")
	if before = strings.TrimSpace(before); before != "" {
		fmt.Fprintf(page, "\n%s\n", before)
	}
	fmt.Fprintf(page, "\nUsage: `%s`\n\n```\n", leaf.Summary())
	for line := range strings.Lines(strings.TrimSpace(examples)) {
		fmt.Fprintf(page, "%s\n", strings.TrimSpace(line))
	}
	page.WriteString("```\n\n")
	for _, argument := range leaf.Positional {
		fmt.Fprintf(page, "- `%s` %s\n", argument.Summary(), argument.Help)
	}
	remote := false
	for _, flag := range leaf.Flags {
		switch {
		case flag.Hidden:
		case flag.Group != nil && flag.Group.Key == "remote":
			remote = true
		default:
			guideFlag(page, flag)
		}
	}
	if remote {
		page.WriteString("- Talks to a server: `--server`, `--token`, `--workspace`.\n")
	}
}

func guideFlag(page *bytes.Buffer, flag *kong.Flag) {
	name := "`--" + flag.Name
	if flag.Short != 0 {
		name = fmt.Sprintf("`-%c`, %s", flag.Short, name)
	}
	if !flag.IsBool() {
		name += "=" + flag.FormatPlaceHolder()
	}
	text := flag.Help
	if flag.HasDefault && flag.Default != "" {
		text += fmt.Sprintf(" Default: %s.", flag.Default)
	}
	for _, variable := range flag.Envs {
		text += fmt.Sprintf(" `%s`.", variable)
	}
	fmt.Fprintf(page, "- %s` %s\n", name, text)
}
