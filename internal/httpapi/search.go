package httpapi

import (
	"context"
	"time"

	"kernelwake/internal/lens"
	"kernelwake/internal/sqlstore"
)

// searchLimit is the most rows of each kind a search shows.
const searchLimit = 8

// SearchQuery is what is looked for.
type SearchQuery struct {
	InWorkspace
	Q string `query:"q" required:"true" minLength:"1" maxLength:"200" doc:"part of a name, or the beginning of a digest"`
}

// Found is what a search found, the newest of each kind.
type Found struct {
	Runs      []FoundRun      `json:"runs"`
	Captures  []FoundCapture  `json:"captures"`
	Workloads []FoundWorkload `json:"workloads"`
	Setups    []FoundSetup    `json:"setups"`
	// Total counts everything found; More is true where not all is shown.
	Total int64     `json:"total"`
	More  bool      `json:"more"`
	AsOf  time.Time `json:"as_of"`
}

// FoundRun is a run by its name.
type FoundRun struct {
	ID       string  `json:"id"`
	Name     string  `json:"name"`
	Workload string  `json:"workload"`
	Lens     lens.ID `json:"lens"`
}

// FoundCapture is a capture by its digest or file name.
type FoundCapture struct {
	ID       string `json:"id"`
	RunID    string `json:"run_id"`
	Format   string `json:"format"`
	SHA256   string `json:"sha256"`
	FileName string `json:"file_name"`
}

// FoundWorkload is a workload by its name.
type FoundWorkload struct {
	ID   string  `json:"id"`
	Name string  `json:"name"`
	Lens lens.ID `json:"lens"`
}

// FoundSetup is a setup by its name.
type FoundSetup struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

func search(a *API, ctx context.Context, input *SearchQuery) (*struct{ Body Found }, error) {
	in, q := scopeOf(ctx).workspaceID, input.Q
	found := Found{AsOf: time.Now().UTC()}
	runs, total, err := a.Records.Runs(ctx, in, sqlstore.RunFilter{Q: q, Limit: searchLimit})
	if err != nil {
		return nil, err
	}
	found.Total += total
	for _, run := range runs {
		found.Runs = append(found.Runs, FoundRun{run.ID, run.Name, run.Workload, run.Lens})
	}
	captures, total, err := a.Records.Captures(ctx, in, sqlstore.CaptureFilter{Q: q, Limit: searchLimit})
	if err != nil {
		return nil, err
	}
	found.Total += total
	for _, c := range captures {
		found.Captures = append(found.Captures, FoundCapture{c.ID, c.RunID, c.Format, c.Provenance.SHA256, c.Provenance.FileName})
	}
	workloads, total, err := a.Records.Workloads(ctx, in, q, "", searchLimit)
	if err != nil {
		return nil, err
	}
	found.Total += total
	for _, w := range workloads {
		found.Workloads = append(found.Workloads, FoundWorkload{w.ID, w.Name, w.Lens})
	}
	setups, total, err := a.Records.Setups(ctx, in, q, "", searchLimit)
	if err != nil {
		return nil, err
	}
	found.Total += total
	for _, s := range setups {
		found.Setups = append(found.Setups, FoundSetup{s.ID, s.Name})
	}
	found.More = found.Total > int64(len(runs)+len(captures)+len(workloads)+len(setups))
	return &struct{ Body Found }{found}, nil
}
