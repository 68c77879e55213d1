package lens

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/guide/lenses.md from the registry")

// guide is the registry as a page for people.
func guide() string {
	var page strings.Builder
	page.WriteString("# Lenses\n\nWhat counts and what must match, from the registry (`internal/lens`), which `GET /api/v1/lenses` serves.\n" +
		"How the rows and thresholds are used: [comparability.md](comparability.md). Written by `go test ./internal/lens -update`.\n")
	for _, l := range All {
		fmt.Fprintf(&page, "\n## %s (`%s`)\n\n%s\n\n| row | class | declarable | fields | equal when |\n|---|---|---|---|---|\n", l.Label, l.ID, l.Question)
		for _, row := range l.Rows {
			declarable := "no"
			if row.Declarable {
				declarable = "yes"
			}
			if len(row.NotDeclarable) > 0 {
				declarable += ", but not " + strings.Join(row.NotDeclarable, ", ")
			}
			fmt.Fprintf(&page, "| `%s` | %s | %s | %s | %s |\n", row.Key, row.Class, declarable, code(row.Fields), row.Means)
		}
		page.WriteString("\n| outcome | unit | better | effect | statistics and thresholds | meaning |\n|---|---|---|---|---|---|\n")
		for _, outcome := range l.Outcomes {
			fmt.Fprintf(&page, "| `%s` | %s | %s | %s | %s | %s |\n", outcome.Name, outcome.Unit, outcome.Direction, outcome.Effect, thresholds(outcome), outcome.Meaning)
		}
	}
	return page.String()
}

func code(words []string) string { return "`" + strings.Join(words, "` `") + "`" }

func thresholds(outcome Outcome) string {
	var parts []string
	for _, statistic := range outcome.Statistics {
		threshold, ok := outcome.Thresholds[statistic]
		switch {
		case !ok:
			parts = append(parts, string(statistic)+" (set one)")
		case outcome.Effect == Points:
			parts = append(parts, fmt.Sprintf("%s %s pp", statistic, strconv.FormatFloat(threshold*100, 'g', 6, 64)))
		default:
			parts = append(parts, fmt.Sprintf("%s %s %%", statistic, strconv.FormatFloat(threshold*100, 'g', 6, 64)))
		}
	}
	return strings.Join(parts, ", ")
}

func TestTheGuideShowsTheRegistry(t *testing.T) {
	path := filepath.Join("..", "..", "docs", "guide", "lenses.md")
	want := guide()
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("docs/guide/lenses.md has drifted from the registry: go test ./internal/lens -update")
	}
}
