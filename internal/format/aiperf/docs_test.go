package aiperf

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// page is the documentation of the format.
func page(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "formats", "aiperf.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var codeInSource = []*regexp.Regexp{
	regexp.MustCompile(`\.(?:find|ofAnotherRun)\("([a-z_]+)"`), regexp.MustCompile(`fault\.New\(fault\.\w+, "([a-z_]+)"`),
	regexp.MustCompile(`\bCode: "([a-z_]+)"`), regexp.MustCompile(`return "(entry_[a-z_]+)"`), regexp.MustCompile(`code, what := "(\w+)"`), regexp.MustCompile(`code, what = "(\w+)"`),
}

func TestThePageNamesEveryFindingAndRefusal(t *testing.T) {
	text := page(t)
	sources, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, name := range sources {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, pattern := range codeInSource {
			for _, match := range pattern.FindAllSubmatch(source, -1) {
				found++
				if !strings.Contains(text, "`"+string(match[1])+"`") {
					t.Errorf("%s: %s is not on the page", name, match[1])
				}
			}
		}
	}
	if found < 50 {
		t.Errorf("only %d codes were found in the source: the patterns no longer fit", found)
	}
}

func TestThePageNamesEveryFigureAndColumn(t *testing.T) {
	text := page(t)
	var names []string
	for _, one := range []any{figures{}, windowFigures{}, requestFigures{}, errorFigures{}, agreementFigures{}, serverFigures{}, gpuFigures{}} {
		kind := reflect.TypeOf(one)
		for i := range kind.NumField() {
			name, _, _ := strings.Cut(kind.Field(i).Tag.Get("json"), ",")
			names = append(names, name)
		}
	}
	for _, column := range telemetryColumns {
		names = append(names, column.name)
	}
	captures := mustRead(t, packZip(t, madeUp(t, small)))
	for _, column := range captures[0].Tables[0].Columns {
		names = append(names, column.Name)
	}
	for _, name := range names {
		if name != "device" && !strings.Contains(text, "`"+name+"`") {
			t.Errorf("%s is not on the page", name)
		}
	}
}
