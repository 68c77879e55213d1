package httpapi_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kernelwake/internal/httpapi"
)

var update = flag.Bool("update", false, "write the description that the code gives")

// The description is reviewed in diffs and read by the pages' generator.
func TestDescriptionInTheRepositoryIsTheCodes(t *testing.T) {
	path := filepath.Join("..", "..", "api", "openapi.yaml")
	got, err := httpapi.Describe()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("api/openapi.yaml has drifted; run `go generate ./internal/httpapi` (-file +code):\n%s", diff)
	}
}

func TestDescriptionIsTheSameEachTime(t *testing.T) {
	first, err := httpapi.Describe()
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		again, err := httpapi.Describe()
		if err != nil {
			t.Fatal(err)
		}
		if string(first) != string(again) {
			t.Fatal("two descriptions of the same routes differ")
		}
	}
}
