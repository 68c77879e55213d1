package cli

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"kernelwake/internal/client"
	"kernelwake/internal/evidence"
	"kernelwake/internal/fault"
	"kernelwake/internal/httpapi"
	"kernelwake/internal/id"
	"kernelwake/internal/sqlstore"
)

// pageLimit is the most rows the API gives at a time.
const pageLimit = 500

// everyPage asks for page after page and hands each row on.
func everyPage[T any](ask func(httpapi.Page) (httpapi.List[T], error), each func(T)) error {
	page := httpapi.Page{Limit: pageLimit}
	for {
		list, err := ask(page)
		if err != nil {
			return err
		}
		for _, row := range list.Rows {
			each(row)
		}
		if list.Next == nil {
			return nil
		}
		page.Cursor = *list.Next
	}
}

// findRun returns the id of a run named by id, by NAME, or by WORKLOAD/NAME.
func findRun(ctx context.Context, at *client.Client, named string) (string, error) {
	if id.Is(id.Run, named) {
		return named, nil
	}
	var found []httpapi.RunRow
	search := named
	if _, name, both := strings.Cut(named, "/"); both {
		search = name
	}
	err := everyPage(func(page httpapi.Page) (httpapi.List[httpapi.RunRow], error) {
		return at.Runs(ctx, httpapi.RunFilter{Page: page, Q: search})
	}, func(row httpapi.RunRow) {
		if row.Name == named || row.Workload+"/"+row.Name == named {
			found = append(found, row)
		}
	})
	switch {
	case err != nil:
		return "", err
	case len(found) == 1:
		return found[0].ID, nil
	case len(found) == 0:
		return "", fault.New(fault.NotFound, "run_not_found", "there is no run %q", named).WithHint("`graphsignal-server run list` shows them")
	}
	var which []string
	for _, row := range found {
		which = append(which, fmt.Sprintf("%s (%s)", row.ID, row.Workload))
	}
	return "", fault.New(fault.Conflict, "run_ambiguous", "%d runs are named %q", len(found), named).WithHint("name it by id, or as WORKLOAD/NAME: %s", strings.Join(which, ", "))
}

// findRuns reads lists of runs, separated by commas, as ids. A name may be a
// pattern: loader0-*.
func findRuns(ctx context.Context, at *client.Client, words []string) ([]string, error) {
	var ids []string
	for _, word := range words {
		for named := range strings.SplitSeq(word, ",") {
			if named = strings.TrimSpace(named); named == "" {
				continue
			}
			if strings.ContainsAny(named, "*?") {
				matching, err := matchRuns(ctx, at, named)
				if err != nil {
					return nil, err
				}
				ids = append(ids, matching...)
				continue
			}
			found, err := findRun(ctx, at, named)
			if err != nil {
				return nil, err
			}
			ids = append(ids, found)
		}
	}
	return ids, nil
}

// matchRuns returns the ids of the runs whose NAME or WORKLOAD/NAME matches a
// pattern, in the order of their names.
func matchRuns(ctx context.Context, at *client.Client, pattern string) ([]string, error) {
	var found []httpapi.RunRow
	err := everyPage(func(page httpapi.Page) (httpapi.List[httpapi.RunRow], error) {
		return at.Runs(ctx, httpapi.RunFilter{Page: page})
	}, func(row httpapi.RunRow) {
		byName, _ := path.Match(pattern, row.Name)
		byBoth, _ := path.Match(pattern, row.Workload+"/"+row.Name)
		if byName || byBoth {
			found = append(found, row)
		}
	})
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, fault.New(fault.NotFound, "run_not_found", "no run matches %q", pattern).WithHint("`graphsignal-server run list` shows them")
	}
	slices.SortFunc(found, func(a, b httpapi.RunRow) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID)) })
	ids := make([]string, len(found))
	for i, row := range found {
		ids[i] = row.ID
	}
	return ids, nil
}

// findWorkload returns a workload by id or name.
func findWorkload(ctx context.Context, at *client.Client, named string) (evidence.Workload, error) {
	if id.Is(id.Workload, named) {
		return at.Workload(ctx, named)
	}
	var found []evidence.Workload
	err := everyPage(func(page httpapi.Page) (httpapi.List[evidence.Workload], error) {
		return at.Workloads(ctx, httpapi.WorkloadFilter{Page: page, Q: named})
	}, func(w evidence.Workload) {
		if w.Name == named {
			found = append(found, w)
		}
	})
	if err != nil {
		return evidence.Workload{}, err
	}
	if len(found) == 0 {
		return evidence.Workload{}, fault.New(fault.NotFound, "workload_not_found", "there is no workload %q", named).
			WithHint("`graphsignal-server workload list` shows them")
	}
	return found[0], nil
}

// findSetup returns a setup by id or name, and whether there is one.
func findSetup(ctx context.Context, at *client.Client, named string) (evidence.Setup, bool, error) {
	if id.Is(id.Setup, named) {
		page, err := at.Setup(ctx, named)
		return page.Setup, err == nil, err
	}
	var found []evidence.Setup
	err := everyPage(func(page httpapi.Page) (httpapi.List[sqlstore.SetupRow], error) {
		return at.Setups(ctx, httpapi.WorkloadFilter{Page: page, Q: named})
	}, func(row sqlstore.SetupRow) {
		if row.Name == named {
			found = append(found, row.Setup)
		}
	})
	if err != nil || len(found) == 0 {
		return evidence.Setup{}, false, err
	}
	return found[0], true, nil
}

func setupMissing(named string) error {
	return fault.New(fault.NotFound, "setup_not_found", "there is no setup %q", named).WithHint("`graphsignal-server setup list` shows them")
}
