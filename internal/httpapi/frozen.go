package httpapi

import (
	"context"
	"fmt"
	"slices"

	"kernelwake/internal/compare"
	"kernelwake/internal/evidence"
	"kernelwake/internal/sqlstore"
)

// frozen is everything a comparison is computed from, short of the parsed
// forms, which it names by digest. It is kept with a saved comparison, so that
// later edits of runs, setups and workloads don't reach it.
type frozen struct {
	Baseline    []frozenRun         `json:"baseline"`
	Candidate   []frozenRun         `json:"candidate"`
	History     []frozenRun         `json:"history"`
	Declaration compare.Declaration `json:"declaration"`
}

type frozenRun struct {
	ID               string                        `json:"id"`
	Name             string                        `json:"name"`
	WorkloadID       string                        `json:"workload_id"`
	Workload         string                        `json:"workload"`
	Group            string                        `json:"replicate_group"`
	Launch           evidence.LaunchID             `json:"launch"`
	Declared         map[string]evidence.Dimension `json:"declared"`
	Setups           []evidence.Setup              `json:"setups"`
	WorkloadDeclared map[string]evidence.Dimension `json:"workload_declared"`
	Captures         []frozenCapture               `json:"captures"`
}

type frozenCapture struct {
	ID           string `json:"id"`
	SHA256       string `json:"sha256"`
	ParsedSHA256 string `json:"parsed_sha256"`
}

// freeze reads the runs of a request, and the earlier launches of their
// workloads, as they stand now.
func (a *API) freeze(ctx context.Context, request ComparisonRequest) (frozen, error) {
	admitted := scopeOf(ctx)
	f := frozen{Declaration: request.declaration(admitted.actor.Name)}
	for name, ids := range map[string][]string{"baseline": request.Baseline, "candidate": request.Candidate} {
		if err := checkSide(name, ids); err != nil {
			return f, err
		}
	}
	all, err := a.Records.StoredRuns(ctx, admitted.workspaceID, append(slices.Clone(request.Baseline), request.Candidate...))
	if err != nil {
		return f, err
	}
	var ids, workloads []string
	for i, run := range all {
		ids, workloads = append(ids, run.ID), append(workloads, run.WorkloadID)
		if i < len(request.Baseline) {
			f.Baseline = append(f.Baseline, freezeRun(run))
		} else {
			f.Candidate = append(f.Candidate, freezeRun(run))
		}
	}
	slices.Sort(workloads)
	earlier, err := a.Records.RunIDs(ctx, admitted.workspaceID, slices.Compact(workloads), ids, historyLimit)
	if err != nil {
		return f, err
	}
	history, err := a.Records.StoredRuns(ctx, admitted.workspaceID, earlier)
	if err != nil {
		return f, err
	}
	for _, run := range history {
		f.History = append(f.History, freezeRun(run))
	}
	return f, nil
}

func freezeRun(stored sqlstore.StoredRun) frozenRun {
	run := stored.Evidence(sqlstore.StoredCapture.Parsed)
	made := frozenRun{
		ID: run.ID, Name: run.Name, WorkloadID: run.WorkloadID, Workload: run.Workload, Group: run.Group, Launch: run.Launch,
		Declared: run.Declared, Setups: run.Setups, WorkloadDeclared: run.WorkloadDeclared,
	}
	for _, capture := range run.Captures {
		made.Captures = append(made.Captures, frozenCapture{capture.ID, capture.SHA256, capture.ParsedSHA256})
	}
	return made
}

// thaw reads what a saved comparison was computed from.
func thaw(saved sqlstore.Comparison) (frozen, error) {
	var f frozen
	if err := readJSON(saved.Inputs, &f); err != nil {
		return f, fmt.Errorf("reading the inputs of comparison %s: %w", saved.ID, err)
	}
	return f, nil
}

// captures are what the comparison rests on.
func (f frozen) captures() []sqlstore.ComparedCapture {
	var all []sqlstore.ComparedCapture
	for _, side := range []struct {
		name string
		runs []frozenRun
	}{{"baseline", f.Baseline}, {"candidate", f.Candidate}, {"history", f.History}} {
		for _, run := range side.runs {
			for _, capture := range run.Captures {
				all = append(all, sqlstore.ComparedCapture{CaptureID: capture.ID, RunID: run.ID, Side: side.name})
			}
		}
	}
	return all
}

// input gives the frozen runs their parsed forms.
func (a *API) input(ctx context.Context, f frozen) (compare.Input, error) {
	in := compare.Input{Declaration: f.Declaration}
	for _, side := range []struct {
		from []frozenRun
		into *[]evidence.RunEvidence
	}{{f.Baseline, &in.Baseline.Runs}, {f.Candidate, &in.Candidate.Runs}, {f.History, &in.History}} {
		for _, run := range side.from {
			filled, err := a.Library.Fill(ctx, run.evidence())
			if err != nil {
				return in, err
			}
			*side.into = append(*side.into, filled)
		}
	}
	return in, nil
}

func (r frozenRun) evidence() evidence.RunEvidence {
	run := evidence.RunEvidence{
		ID: r.ID, Name: r.Name, WorkloadID: r.WorkloadID, Workload: r.Workload, Group: r.Group, Launch: r.Launch,
		Declared: r.Declared, Setups: r.Setups, WorkloadDeclared: r.WorkloadDeclared,
	}
	for _, capture := range r.Captures {
		run.Captures = append(run.Captures, evidence.CaptureEvidence{ID: capture.ID, SHA256: capture.SHA256, ParsedSHA256: capture.ParsedSHA256})
	}
	return run
}

// compute compares what was frozen: equal input gives equal digits.
func (a *API) compute(ctx context.Context, f frozen) (compare.Input, *compare.Result, error) {
	in, err := a.input(ctx, f)
	if err != nil {
		return in, nil, err
	}
	result, err := compare.Compare(in)
	return in, result, err
}
