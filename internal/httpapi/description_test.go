package httpapi_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kernelwake/internal/httpapi"
	"kernelwake/internal/workspace"
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

// rolesPage is the table of who may use which route.
func rolesPage() string {
	var page strings.Builder
	page.WriteString("# Roles and routes\n\nWritten from the one list of routes in `internal/httpapi/route.go` (`go generate ./internal/httpapi`). A test tries every route as every role, as no one, and as a member of another workspace.\n\n")
	page.WriteString("| route | does | " + "viewer | analyst | admin | operator |\n|---|---|---|---|---|---|\n")
	for _, route := range httpapi.Routes() {
		fmt.Fprintf(&page, "| `%s %s` | %s |", route.Method, route.Path, strings.ReplaceAll(string(route.Action), "_", " "))
		for _, role := range workspace.Roles {
			scoped := strings.Contains(route.Path, "{ws}")
			allowed := slices.Contains(route.Roles, role) || (!scoped && (route.Action == workspace.Public || route.Action == workspace.SignedIn))
			page.WriteString(map[bool]string{true: " yes |", false: " – |"}[allowed])
		}
		page.WriteString("\n")
	}
	page.WriteString("\nPublic routes need nobody signed in. To who is no member of a workspace, its routes answer as if the workspace weren't there.\n")
	return page.String()
}

func TestDescriptionInTheRepositoryListsTheRoles(t *testing.T) {
	path := filepath.Join("..", "..", "docs", "guide", "roles.md")
	if *update {
		if err := os.WriteFile(path, []byte(rolesPage()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), rolesPage()); diff != "" {
		t.Errorf("docs/guide/roles.md has drifted; run `go generate ./internal/httpapi` (-file +code):\n%s", diff)
	}
}
