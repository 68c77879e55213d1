package kwcap

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kernelwake/internal/absent"
	"kernelwake/internal/fault"
	"kernelwake/internal/format/formattest"
	"kernelwake/internal/lens"
)

func page(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../../docs/formats/kernelwake-json.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestTheExampleOfTheDocumentationIsImported(t *testing.T) {
	found := regexp.MustCompile("(?s)```json\n(.*?)```").FindAllStringSubmatch(page(t), -1)
	if len(found) == 0 {
		t.Fatal("the page has no example")
	}
	for _, block := range found {
		if _, err := formattest.Read(Format{}, "", []byte(block[1])); err != nil {
			t.Errorf("%v: %+v", err, fault.Of(err).Problems)
		}
	}
}

// TestTheDocumentationNamesEverything that a person can meet: outcomes, needed
// dimensions, kinds, reasons, states, codes of errors and findings.
func TestTheDocumentationNamesEverything(t *testing.T) {
	text := page(t)
	names := slices.Concat(kindNames, statuses, poolStates)
	for _, reason := range absent.FileReasons {
		names = append(names, string(reason))
	}
	for _, l := range lens.All {
		names = append(names, outcomeNames(l)...)
		for _, field := range l.Fields {
			if field.Required {
				names = append(names, field.Key)
			}
		}
	}
	for _, one := range outcomeMembers {
		names = append(names, one.name)
	}
	for path, pattern := range map[string]string{"code.go": `= "([a-z0-9_]+)"`, ".": `(?:find|contradicted)\("([a-z_]+)"`} {
		names = append(names, wordsInSource(t, path, pattern)...)
	}
	for _, name := range names {
		if !strings.Contains(text, "`"+name+"`") {
			t.Errorf("docs/formats/kernelwake-json.md doesn't name `%s`", name)
		}
	}
}

// wordsInSource are the words in the package's source that a pattern finds.
func wordsInSource(t *testing.T, path, pattern string) (found []string) {
	t.Helper()
	names := []string{path}
	if path == "." {
		entries, err := os.ReadDir(".")
		if err != nil {
			t.Fatal(err)
		}
		names = nil
		for _, entry := range entries {
			if strings.HasSuffix(entry.Name(), ".go") && !strings.HasSuffix(entry.Name(), "_test.go") {
				names = append(names, entry.Name())
			}
		}
	}
	for _, name := range names {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range regexp.MustCompile(pattern).FindAllStringSubmatch(string(source), -1) {
			found = append(found, match[1])
		}
	}
	if len(found) == 0 {
		t.Fatalf("%s holds no %s", path, pattern)
	}
	return found
}
