// Package sampledir finds the folder of recorded sample captures that deeper
// tests read. The samples are not part of this repository: a test that needs
// them says loudly that it was skipped when they are absent.
package sampledir

import (
	"os"
	"path/filepath"
	"testing"
)

// Variable names the environment variable that points at the samples folder.
const Variable = "KERNELWAKE_SAMPLES"

// Find returns the samples folder, from Variable or from a folder
// shared/samples beside the module or one of its parents. The test is skipped
// with a message when there is none.
func Find(t testing.TB) string {
	t.Helper()
	if dir := os.Getenv(Variable); dir != "" {
		return dir
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatalf("finding the samples folder: %v", err)
	}
	for {
		candidate := filepath.Join(dir, "shared", "samples")
		if info, err := os.Stat(candidate); err == nil && info.IsDir() {
			return candidate
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			break
		}
		dir = parent
	}
	t.Skipf("SKIPPED: the sample captures are absent; set %s to their folder to run this test", Variable)
	return ""
}
