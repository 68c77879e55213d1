package formattest

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kernelwake/internal/evidence"
)

var update = flag.Bool("update-golden", false, "write the golden parsed forms anew")

// compareGolden holds parsed forms against the file kept of them.
func compareGolden(t *testing.T, path string, all []*evidence.Parsed) {
	t.Helper()
	var readable []any
	for _, p := range all {
		readable = append(readable, legible(t, p))
	}
	got, err := json.MarshalIndent(readable, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("reading the golden form (go test -update-golden writes it): %v", err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// legible is a parsed form with its columns in words.
func legible(t *testing.T, p *evidence.Parsed) map[string]any {
	t.Helper()
	encoded, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := json.Unmarshal(encoded, &out); err != nil {
		t.Fatal(err)
	}
	columns := map[string]string{}
	for i, o := range p.Outcomes {
		for _, column := range o.Data.Columns {
			columns[fmt.Sprintf("outcomes/%d %s %s", i, o.Name, column.Name)] = describe(column)
		}
	}
	for _, table := range p.Tables {
		for _, column := range table.Columns {
			columns["tables/"+table.Name+" "+column.Name] = describe(column)
		}
	}
	out["columns"] = columns
	return out
}

// describe is a column's type, length and first values.
func describe(c evidence.Column) string {
	const most = 12
	kind, text := "empty", ""
	for i := range min(c.Len(), most) {
		switch {
		case c.Floats != nil && math.IsNaN(c.Floats[i]):
			kind, text = "numbers", text+" missing"
		case c.Floats != nil:
			kind, text = "numbers", text+" "+strconv.FormatFloat(c.Floats[i], 'g', -1, 64)
		case c.Ints != nil && c.Ints[i] == evidence.MissingInt:
			kind, text = "integers", text+" missing"
		case c.Ints != nil:
			kind, text = "integers", text+" "+strconv.FormatInt(c.Ints[i], 10)
		default:
			kind, text = "words", text+" "+strconv.Quote(c.Text(i))
		}
	}
	if c.Len() > most {
		text += " …"
	}
	return fmt.Sprintf("%d %s:%s", c.Len(), kind, text)
}
