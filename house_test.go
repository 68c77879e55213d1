// Package house holds the rules of this repository that a test can check:
// who may import whom, package comments, names and file lengths.
package house

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// layers lists the packages of internal/ by layer; sub-packages belong to
// their parent's layer. Layer 1 does no I/O, 2 adapts, 3 wires.
var layers = map[string]int{
	"absent": 1, "compare": 1, "evidence": 1, "fault": 1, "id": 1, "lens": 1, "secret": 1, "stats": 1, "trace": 1, "unit": 1, "workspace": 1,
	"blob": 2, "environment": 2, "format": 2, "sqlstore": 2,
	"cli": 3, "client": 3, "httpapi": 3, "importing": 3, "library": 3, "server": 3,
	// Packages that only tests and benchmarks use stand outside the layers.
	"benchmark": 4, "expected": 4, "sampledir": 4,
}

// layer1Modules are the third-party modules that layer 1 may import from:
// the distributions and special functions of gonum.
var layer1Modules = []string{"gonum.org/v1/gonum/"}

// layer1Banned are packages of the standard library that do I/O.
var layer1Banned = []string{"net", "net/http", "os/exec", "database/sql", "os", "io/ioutil", "log", "log/slog"}

// namesThatSayNothing may not be packages or files.
var namesThatSayNothing = []string{"util", "utils", "common", "helper", "helpers", "types", "models", "manager", "core", "misc", "shared_types"}

type listed struct {
	ImportPath string
	Dir        string
	Doc        string
	Imports    []string
	GoFiles    []string
}

func listPackages(t *testing.T) []listed {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Dir,Doc,Imports,GoFiles", "./...").Output()
	if err != nil {
		t.Fatalf("listing the packages: %v", err)
	}
	var packages []listed
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var one listed
		if err := decoder.Decode(&one); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatalf("reading the list of packages: %v", err)
		}
		if !strings.Contains(one.ImportPath, "/node_modules/") {
			packages = append(packages, one)
		}
	}
}

// layerOf returns the top folder of a package below internal/ and its layer.
func layerOf(path string) (name string, layer int) {
	rest, ok := strings.CutPrefix(path, "kernelwake/internal/")
	if !ok {
		return "", 0
	}
	name, _, _ = strings.Cut(rest, "/")
	return name, layers[name]
}

func TestEveryInternalPackageHasALayer(t *testing.T) {
	for _, p := range listPackages(t) {
		if name, layer := layerOf(p.ImportPath); name != "" && layer == 0 {
			t.Errorf("%s stands in no layer: add %q to the table in house_test.go", p.ImportPath, name)
		}
	}
}

func TestImportsGoDownTheLayersOnly(t *testing.T) {
	for _, p := range listPackages(t) {
		name, layer := layerOf(p.ImportPath)
		if layer == 0 || layer == 4 {
			continue
		}
		for _, imported := range p.Imports {
			other, otherLayer := layerOf(imported)
			switch {
			case other == "" || other == name:
			case otherLayer > layer:
				t.Errorf("%s (layer %d) imports %s (layer %d)", p.ImportPath, layer, imported, otherLayer)
			case layer == 2 && otherLayer == 2:
				t.Errorf("adapter %s imports adapter %s", p.ImportPath, imported)
			}
		}
	}
}

func TestLayerOneDoesNoInputOrOutput(t *testing.T) {
	for _, p := range listPackages(t) {
		if _, layer := layerOf(p.ImportPath); layer != 1 {
			continue
		}
		for _, imported := range p.Imports {
			if slices.Contains(layer1Banned, imported) {
				t.Errorf("%s imports %s", p.ImportPath, imported)
			}
			if thirdParty(imported) && !slices.ContainsFunc(layer1Modules, func(module string) bool { return strings.HasPrefix(imported, module) }) {
				t.Errorf("%s imports %s, which is not on layer 1's list", p.ImportPath, imported)
			}
		}
	}
}

// thirdParty reports whether an import path begins with a host name.
func thirdParty(path string) bool {
	host, _, _ := strings.Cut(path, "/")
	return strings.Contains(host, ".")
}

func TestEveryPackageSaysWhereItStands(t *testing.T) {
	for _, p := range listPackages(t) {
		if len(p.GoFiles) > 0 && p.Doc == "" {
			t.Errorf("%s has no package comment", p.ImportPath)
		}
	}
}

func TestNamesSaySomething(t *testing.T) {
	for _, path := range sourceFiles(t) {
		for part := range strings.SplitSeq(strings.TrimSuffix(filepath.ToSlash(path), filepath.Ext(path)), "/") {
			if slices.Contains(namesThatSayNothing, part) {
				t.Errorf("%s: the name %q says nothing", path, part)
			}
		}
	}
}

// The length is printed, not judged: a long file is a place to look.
func TestPrintSourceFilesOver400Lines(t *testing.T) {
	for _, path := range sourceFiles(t) {
		if strings.HasSuffix(path, "_test.go") || strings.Contains(path, ".gen.") || strings.Contains(path, ".test.") {
			continue
		}
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		lines := 0
		for scanner := bufio.NewScanner(bytes.NewReader(content)); scanner.Scan(); {
			lines++
		}
		if lines > 400 {
			t.Logf("%s has %d lines", path, lines)
		}
	}
}

func sourceFiles(t *testing.T) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && slices.Contains([]string{"node_modules", "dist", "bin", ".git", ".cache", "testdata"}, entry.Name()) {
			return filepath.SkipDir
		}
		if ext := filepath.Ext(path); ext == ".go" || ext == ".ts" || ext == ".tsx" || ext == ".py" {
			files = append(files, path)
		}
		return nil
	})
	if err != nil {
		t.Fatalf("walking the tree: %v", err)
	}
	return files
}
