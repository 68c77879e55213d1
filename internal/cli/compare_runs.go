package cli

import (
	"fmt"

	"kernelwake/internal/client"
	"kernelwake/internal/compare"
	"kernelwake/internal/httpapi"
)

// compareRuns compares runs on a server.
func (cmd *compareCommand) compareRuns(c *call, d compare.Declaration) error {
	if len(cmd.Baseline) == 0 || len(cmd.Candidate) == 0 {
		return usage("write compare --baseline RUN… --candidate RUN…", "a comparison needs two sides")
	}
	if given := cmd.offlineGiven; given.any() {
		return usage("give values with run declare, setup attach or workload declare", "--dim, --env and --workload speak of files; runs on a server keep what was declared")
	}
	at, err := cmd.connect()
	if err != nil {
		return err
	}
	request, err := cmd.request(c, at, d)
	if err != nil {
		return err
	}
	if !cmd.Save {
		preview, err := at.Preview(c.ctx, request)
		if err != nil {
			return asMisuse(err)
		}
		return cmd.show(c, &preview.Result, saved{}, remedyForRuns)
	}
	page, err := at.SaveComparison(c.ctx, httpapi.NewComparisonBody{ComparisonRequest: request, Name: cmd.nameOf()}, "")
	if err != nil {
		return asMisuse(err)
	}
	if !c.json && !cmd.Markdown {
		c.printf("%s  %s, saved\n", page.ID, page.Name)
	}
	return cmd.show(c, &page.Result, saved{ID: page.ID, Name: page.Name}, remedyForRuns)
}

func (cmd *compareCommand) request(c *call, at *client.Client, d compare.Declaration) (httpapi.ComparisonRequest, error) {
	request := httpapi.ComparisonRequest{Changes: d.Changes, Same: d.Attested, Thresholds: d.Thresholds, Lens: d.Lens}
	var err error
	if request.Baseline, err = findRuns(c.ctx, at, cmd.Baseline); err != nil {
		return request, err
	}
	request.Candidate, err = findRuns(c.ctx, at, cmd.Candidate)
	return request, err
}

// nameOf is the name given, or both sides' first runs.
func (cmd *compareCommand) nameOf() string {
	if cmd.Name != "" {
		return cmd.Name
	}
	return fmt.Sprintf("%s → %s", clip(cmd.Baseline[0], widestValue), clip(cmd.Candidate[0], widestValue))
}

func (given offlineGiven) any() bool {
	return len(given.Dim)+len(given.BaselineDim)+len(given.CandidateDim)+len(given.Env)+len(given.BaselineEnv)+len(given.CandidateEnv) > 0 || given.Workload != ""
}
