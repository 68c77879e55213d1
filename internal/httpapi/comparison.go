package httpapi

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"kernelwake/internal/compare"
	"kernelwake/internal/fault"
	"kernelwake/internal/id"
	"kernelwake/internal/lens"
	"kernelwake/internal/sqlstore"
)

const (
	// sideLimit is the most runs of a side.
	sideLimit = 200
	// historyLimit is the most earlier launches that may tell how launches
	// vary: the newest ones.
	historyLimit = 100
)

// ComparisonRequest is what a person asks and declares before the result is
// computed.
type ComparisonRequest struct {
	Baseline  []string `json:"baseline" minItems:"1" doc:"ids of the runs that stand together as the baseline"`
	Candidate []string `json:"candidate" minItems:"1"`
	// Changes names the rows changed on purpose, with the reason.
	Changes map[string]string `json:"changes,omitempty" doc:"rows changed on purpose, with the reason"`
	// Same names unknown rows vouched to be equal, with the reason.
	Same       map[string]string  `json:"same,omitempty" doc:"unknown rows vouched to be equal, with the reason"`
	Thresholds map[string]float64 `json:"thresholds,omitempty" doc:"in place of the registry's, by metric"`
	Lens       lens.ID            `json:"lens,omitempty"`
}

func (r ComparisonRequest) declaration(by string) compare.Declaration {
	return compare.Declaration{Changes: r.Changes, Attested: r.Same, By: by, Thresholds: r.Thresholds, Lens: r.Lens}
}

// PreviewRequest asks for a comparison that isn't kept.
type PreviewRequest struct {
	InWorkspace
	Body ComparisonRequest
}

// Preview is a comparison with the values behind it, for pictures.
type Preview struct {
	compare.Result
	Samples map[string]SampleSides `json:"samples"`
}

func previewComparison(a *API, ctx context.Context, input *PreviewRequest) (*struct{ Body Preview }, error) {
	frozen, err := a.freeze(ctx, input.Body)
	if err != nil {
		return nil, err
	}
	in, result, err := a.compute(ctx, frozen)
	if err != nil {
		return nil, err
	}
	return &struct{ Body Preview }{Preview{*result, sampleSets(in, result)}}, nil
}

// NewComparison asks for a comparison that is kept.
type NewComparison struct {
	InWorkspace
	Create
	Body NewComparisonBody
}

// NewComparisonBody is a comparison to keep.
type NewComparisonBody struct {
	ComparisonRequest
	Name string `json:"name" minLength:"1" maxLength:"200"`
}

// ComparisonRow is a saved comparison as lists show it.
type ComparisonRow struct {
	sqlstore.Comparison
	Baseline  []string `json:"baseline"`
	Candidate []string `json:"candidate"`
}

// ComparisonPage is a saved comparison whole.
type ComparisonPage struct {
	ComparisonRow
	Request ComparisonRequest `json:"request"`
	// Result is as it was computed.
	Result compare.Result `json:"result"`
	// Samples are the values behind it, for pictures.
	Samples map[string]SampleSides `json:"samples,omitempty"`
}

func saveComparison(a *API, ctx context.Context, input *NewComparison) (*struct{ Body ComparisonPage }, error) {
	admitted := scopeOf(ctx)
	once, err := input.once(ctx, "save-comparison", input.Body)
	if err != nil {
		return nil, err
	}
	frozen, err := a.freeze(ctx, input.Body.ComparisonRequest)
	if err != nil {
		return nil, err
	}
	_, result, err := a.compute(ctx, frozen)
	if err != nil {
		return nil, err
	}
	made := sqlstore.Comparison{
		Name: input.Body.Name, Lens: string(result.Lens), Answer: string(result.Answer), Verdict: string(leadingVerdict(result)), Sentence: result.Sentence,
		Synthetic: result.Synthetic, Method: result.Method, StatsVersion: result.StatsVersion, InputsSHA256: result.InputsSHA256, Captures: frozen.captures(),
	}
	for into, value := range map[*json.RawMessage]any{&made.Request: input.Body.ComparisonRequest, &made.Inputs: frozen, &made.Result: result} {
		if *into, err = marshal(value); err != nil {
			return nil, err
		}
	}
	saved, err := a.Records.SaveComparison(ctx, admitted.actor, admitted.workspaceID, made, once)
	if err != nil {
		return nil, err
	}
	page, err := comparisonPage(saved)
	return &struct{ Body ComparisonPage }{page}, err
}

// leadingVerdict is that of the first outcome in the registry's order.
func leadingVerdict(result *compare.Result) compare.Verdict {
	if len(result.Outcomes) == 0 {
		return compare.VerdictInvalid
	}
	return result.Outcomes[0].Verdict
}

func comparisonRow(c sqlstore.Comparison) (ComparisonRow, ComparisonRequest, error) {
	var request ComparisonRequest
	if err := readJSON(c.Request, &request); err != nil {
		return ComparisonRow{}, request, fmt.Errorf("reading the request of comparison %s: %w", c.ID, err)
	}
	return ComparisonRow{c, request.Baseline, request.Candidate}, request, nil
}

func comparisonPage(c sqlstore.Comparison) (ComparisonPage, error) {
	row, request, err := comparisonRow(c)
	if err != nil {
		return ComparisonPage{}, err
	}
	page := ComparisonPage{ComparisonRow: row, Request: request}
	if err := readJSON(c.Result, &page.Result); err != nil {
		return page, fmt.Errorf("reading the result of comparison %s: %w", c.ID, err)
	}
	return page, nil
}

func getComparison(a *API, ctx context.Context, input *ByID) (*struct{ Body ComparisonPage }, error) {
	saved, err := a.Records.Comparison(ctx, scopeOf(ctx).workspaceID, input.ID)
	if err != nil {
		return nil, err
	}
	page, err := comparisonPage(saved)
	if err != nil {
		return nil, err
	}
	frozen, err := thaw(saved)
	if err != nil {
		return nil, err
	}
	in, err := a.input(ctx, frozen)
	if err != nil {
		return nil, err
	}
	page.Samples = sampleSets(in, &page.Result)
	return &struct{ Body ComparisonPage }{page}, nil
}

// ComparisonFilter narrows a list of saved comparisons.
type ComparisonFilter struct {
	InWorkspace
	Page
	Run string `query:"run" doc:"a run's id: those that rest on it"`
}

func listComparisons(a *API, ctx context.Context, input *ComparisonFilter) (*Listed[ComparisonRow], error) {
	if err := checkCursor(id.Is(id.Comparison, input.Cursor), input.Cursor); err != nil {
		return nil, err
	}
	found, total, err := a.Records.Comparisons(ctx, scopeOf(ctx).workspaceID, input.Run, input.Cursor, input.Limit+1)
	if err != nil {
		return nil, err
	}
	rows := make([]ComparisonRow, len(found))
	for i, one := range found {
		if rows[i], _, err = comparisonRow(one); err != nil {
			return nil, err
		}
	}
	return listed(rows, total, input.Limit, func(c ComparisonRow) string { return c.ID }), nil
}

// GlanceRequest names two runs.
type GlanceRequest struct {
	InWorkspace
	Body struct {
		A string `json:"a" doc:"a run's id"`
		B string `json:"b" doc:"another run's id"`
	}
}

// Glance says in a line what two runs share and what differs.
type Glance struct {
	Sentence string `json:"sentence"`
}

func glance(a *API, ctx context.Context, input *GlanceRequest) (*struct{ Body Glance }, error) {
	runs, err := a.Library.Runs(ctx, scopeOf(ctx).workspaceID, []string{input.Body.A, input.Body.B})
	if err != nil {
		return nil, err
	}
	return &struct{ Body Glance }{Glance{Sentence: compare.Glance(runs[0], runs[1])}}, nil
}

func checkSide(name string, ids []string) error {
	if len(ids) > sideLimit {
		return fault.New(fault.TooLarge, "side_too_large", "the %s may have %d runs, %d were given", name, sideLimit, len(ids)).WithHint("compare fewer runs at a time")
	}
	if sorted := slices.Sorted(slices.Values(ids)); len(slices.Compact(sorted)) != len(ids) {
		return fault.New(fault.Invalid, "run_repeated", "the %s names a run twice", name).WithHint("name each run once")
	}
	return nil
}
