package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path"

	"kernelwake/examples/recordings"
	"kernelwake/internal/client"
	"kernelwake/internal/environment"
	"kernelwake/internal/evidence"
	"kernelwake/internal/httpapi"
	"kernelwake/internal/importing"
	"kernelwake/internal/lens"
)

// demoSide is a set of recordings that become the runs of one configuration.
type demoSide struct {
	name, pattern, workload, setup string
	lens                           lens.ID
	// launches is true where each run is known to be a launch of its own that
	// its files don't tell of.
	launches bool
}

var demoSides = []demoSide{
	{name: "loader0", pattern: "training/loader0-*.json.gz", workload: "image classifier", setup: "training/setup.json", lens: lens.Training},
	{name: "loader2", pattern: "training/loader2-*.json.gz", workload: "image classifier", setup: "training/setup.json", lens: lens.Training},
	{name: "narrow", pattern: "training/narrow-*.json.gz", workload: "image classifier", setup: "training/setup.json", lens: lens.Training},
	{name: "seqs2", pattern: "serving/seqs2-*.zip", workload: "batch limit", setup: "serving/setup-seqs2.json", lens: lens.Inference, launches: true},
	{name: "seqs8", pattern: "serving/seqs8-*.zip", workload: "batch limit", setup: "serving/setup-seqs8.json", lens: lens.Inference, launches: true},
	{name: "fifo", pattern: "fleet/fifo.kwcap.json", workload: "GPU pool", lens: lens.Fleet},
	{name: "backfill", pattern: "fleet/backfill.kwcap.json", workload: "GPU pool", lens: lens.Fleet},
}

// demoComparisons are saved in the order in which the Start page shows them.
var demoComparisons = []struct {
	name, baseline, candidate string
	changes                   map[string]string
}{
	{"Faster loader?", "loader0", "loader2", map[string]string{"input": "two loader workers instead of none"}},
	{"The same numbers, refused", "loader2", "narrow", nil},
	{"Almost", "seqs2", "seqs8", map[string]string{"serving_stack": "room for eight requests in a batch instead of two"}},
	{"Shorter queues? (synthetic)", "fifo", "backfill", map[string]string{"scheduler_policy": "backfill instead of strict order"}},
}

// fillDemo brings the recordings into a server and compares them.
func fillDemo(ctx context.Context, address, token string) ([]httpapi.ComparisonRow, error) {
	at, err := client.New(address, token, defaultWorkspace)
	if err != nil {
		return nil, err
	}
	runs := map[string][]string{}
	for _, side := range demoSides {
		if runs[side.name], err = side.bring(ctx, at); err != nil {
			return nil, fmt.Errorf("%s: %w", side.name, err)
		}
	}
	var saved []httpapi.ComparisonRow
	for _, one := range demoComparisons {
		request := httpapi.ComparisonRequest{Baseline: runs[one.baseline], Candidate: runs[one.candidate], Changes: one.changes}
		page, err := at.SaveComparison(ctx, httpapi.NewComparisonBody{ComparisonRequest: request, Name: one.name}, one.name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", one.name, err)
		}
		saved = append(saved, page.ComparisonRow)
	}
	return saved, nil
}

// bring imports a side and returns the ids of its runs.
func (s demoSide) bring(ctx context.Context, at *client.Client) ([]string, error) {
	request := importing.Request{Workload: s.workload, Lens: s.lens, Group: s.name, Via: "demo"}
	if s.setup != "" {
		written, err := s.writeSetup(ctx, at)
		if err != nil {
			return nil, err
		}
		request.SetupID = written.ID
	}
	files, err := recorded(s.pattern)
	if err != nil {
		return nil, err
	}
	answer, err := at.Import(ctx, request, files, nil)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, run := range answer.Runs {
		ids = append(ids, run.ID)
	}
	if s.launches {
		err = declareLaunches(ctx, at, ids)
	}
	return ids, err
}

func (s demoSide) writeSetup(ctx context.Context, at *client.Client) (evidence.Setup, error) {
	content, err := recordings.Files.ReadFile(s.setup)
	if err != nil {
		return evidence.Setup{}, err
	}
	var setup environment.Setup
	if err := json.Unmarshal(content, &setup); err != nil {
		return evidence.Setup{}, fmt.Errorf("reading %s: %w", s.setup, err)
	}
	return writeSetup(ctx, at, setup.Name, setup.Values)
}

// recorded are the recordings that match a pattern.
func recorded(pattern string) ([]client.File, error) {
	folder := path.Dir(pattern)
	entries, err := recordings.Files.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var files []client.File
	for _, entry := range entries {
		name := path.Join(folder, entry.Name())
		if matched, _ := path.Match(pattern, name); matched {
			files = append(files, client.File{Name: entry.Name(), Open: func() (io.ReadCloser, error) { return recordings.Files.Open(name) }})
		}
	}
	return files, nil
}

// declareLaunches says that the server was started anew for each run, which no
// file of a load tool tells.
func declareLaunches(ctx context.Context, at *client.Client, runs []string) error {
	kind := string(evidence.Launch)
	for _, runID := range runs {
		page, err := at.Run(ctx, runID)
		if err != nil {
			return err
		}
		if _, err := at.EditRun(ctx, runID, page.Run.Revision, httpapi.RunEditBody{LaunchKind: &kind}); err != nil {
			return err
		}
	}
	return nil
}
