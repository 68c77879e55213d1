package aiperf

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kernelwake/internal/absent"
	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
)

func one(t testing.TB, members []member) *evidence.Parsed {
	t.Helper()
	captures := mustRead(t, packTarGz(t, members))
	if len(captures) != 1 {
		t.Fatalf("%d captures were made, want 1", len(captures))
	}
	return captures[0]
}

func TestAPlainRunBecomesOneCaptureOfGoodMeasuredRequests(t *testing.T) {
	got := one(t, madeUp(t, small))
	if got.Format != "aiperf" || got.FormatVersion != "1.4" || got.Tool != "aiperf 0.13.0" || got.Importer != importer || got.Lens != lens.Inference {
		t.Errorf("format %q %q, tool %q, importer %q, lens %q", got.Format, got.FormatVersion, got.Tool, got.Importer, got.Lens)
	}
	if got.Origin != evidence.Recorded || got.MeasuredOn != evidence.UnknownDevice || got.Launch.Kind != evidence.UnknownLaunch {
		t.Errorf("origin %q, measured on %q, launch %q", got.Origin, got.MeasuredOn, got.Launch.Kind)
	}
	for name, want := range map[string]int64{"ttft": 10, "tpot": 10, "e2el": 10, "itl": 70, "error_rate": 12, "request_throughput": 10} {
		outcome, _ := got.Outcome(name, "")
		if n, ok := outcome.N.Get(); !ok || n != want {
			t.Errorf("%s rests on %d values, want %d", name, n, want)
		}
	}
	rate, _ := got.Outcome("error_rate", "")
	if *rate.Numerator != 2 || *rate.Denominator != 12 || rate.Basis != "{request}" {
		t.Errorf("error rate is %v of %v %s", *rate.Numerator, *rate.Denominator, rate.Basis)
	}
	ttft, _ := got.Outcome("ttft", "")
	if at := ttft.Data.Floats("at"); !slices.IsSorted(at) || at[0] < 0 {
		t.Errorf("samples are not in the order of request starts: %v", at)
	}
	table, _ := got.Table("requests")
	status, _ := table.Column("status")
	class, _ := table.Column("error_class")
	if table.Len() != 12 || status.Text(0) != "error" || class.Text(0) != "http_5xx" || status.Text(5) != "ok" || class.Text(5) != "" {
		t.Errorf("the table has %d rows, the first %q %q, the sixth %q %q", table.Len(), status.Text(0), class.Text(0), status.Text(5), class.Text(5))
	}
	if ttft := table.Floats("ttft"); !math.IsNaN(ttft[0]) || math.IsNaN(ttft[5]) {
		t.Errorf("a failed request has a first token, or a good one has none: %v", ttft)
	}
}

func TestEveryFieldOfTheLensHasAValueOrAReason(t *testing.T) {
	got := one(t, madeUp(t, small))
	inference, _ := lens.Find(lens.Inference)
	for _, field := range inference.Fields {
		if field.Key == "completeness" || field.Key == "profiler" {
			continue
		}
		dimension, ok := got.Dimensions[field.Key]
		switch {
		case !ok:
			t.Errorf("%s is not given", field.Key)
		case dimension.Known() && (dimension.Source == "" || dimension.From == ""):
			t.Errorf("%s = %v has no source", field.Key, dimension.Value)
		case !dimension.Known() && (dimension.Absent == "" || dimension.Note == ""):
			t.Errorf("%s is missing without a reason", field.Key)
		}
	}
	for key := range got.Dimensions {
		if _, ok := inference.Field(key); !ok {
			t.Errorf("%s is no field of the lens", key)
		}
	}
}

func TestThroughputIsCountOverFirstStartToLastContentExactly(t *testing.T) {
	records := `{"metadata":{"request_start_ns":1000000000000000100,"request_end_ns":1000000009000000000,"benchmark_phase":"profiling"},"metrics":{"request_latency":{"value":500,"unit":"ms"},"output_sequence_length":{"value":7,"unit":"tokens"}}}
{"metadata":{"request_start_ns":1000000000700000100,"request_end_ns":1000000001200000000,"benchmark_phase":"profiling"},"metrics":{"request_latency":{"value":1300,"unit":"ms"},"output_sequence_length":{"value":9,"unit":"tokens"}}}
{"metadata":{"request_start_ns":999999990000000000,"request_end_ns":1000000990000000000,"benchmark_phase":"profiling"},"metrics":{},"error":{"type":"TimeoutError"}}
`
	got := one(t, []member{{"profile_export.jsonl", []byte(records)}})
	rate, _ := got.Outcome("request_throughput", "")
	tokens, _ := got.Outcome("output_token_throughput", "")
	if rate.Statistics["value"] != 1 || *rate.Denominator != 2 || rate.Definition.Denominator != "first_start_to_last_content" || tokens.Statistics["value"] != 8 {
		t.Errorf("request throughput %v over %v (%s), token throughput %v; want 1 over 2 s and 8", rate.Statistics, *rate.Denominator, rate.Definition.Denominator, tokens.Statistics)
	}
	if got.Selector != "" || got.Name == "" {
		t.Errorf("selector %q, name %q", got.Selector, got.Name)
	}
}

func TestGoodputNeedsEveryLevelAndAMissingMetricIsNotGood(t *testing.T) {
	record := func(ttft, itl string) string {
		return fmt.Sprintf(`{"metadata":{"request_start_ns":1000,"benchmark_phase":"profiling"},"metrics":{"request_latency":{"value":1000,"unit":"ms"}%s%s}}`+"\n", ttft, itl)
	}
	first := func(v int) string { return fmt.Sprintf(`,"time_to_first_token":{"value":%d,"unit":"ms"}`, v) }
	gap := func(v int) string { return fmt.Sprintf(`,"inter_token_latency":{"value":%d,"unit":"ms"}`, v) }
	records := record(first(30), gap(5)) + record(first(31), gap(5)) + record(first(30), "") + record(first(10), gap(6)) +
		`{"metadata":{"request_start_ns":1000,"benchmark_phase":"profiling"},"metrics":{},"error":{"code":500}}` + "\n"
	summary := `{"aiperf_version":"0.13.0","schema_version":"1.4","request_count":{"unit":"requests","avg":4},"input_config":{"models":{"items":[{"name":"m"}]},"slos":{"time_to_first_token":30,"inter_token_latency":5},"phases":[{"name":"profiling","type":"concurrency","concurrency":1}]}}`
	got := one(t, []member{{"r/profile_export.jsonl", []byte(records)}, {"r/profile_export_aiperf.json", []byte(summary)}})
	goodput, _ := got.Outcome("goodput", "")
	share, _ := got.Outcome("slo_attainment", "")
	if *goodput.Numerator != 1 || share.Statistics["value"] != 0.2 {
		t.Errorf("goodput counts %v requests, attainment is %v; want 1 and 0.2", *goodput.Numerator, share.Statistics)
	}
	if want := "content_without_error and inter_token_latency <= 5, time_to_first_token <= 30"; goodput.Definition.Success != want {
		t.Errorf("success is %q, want %q", goodput.Definition.Success, want)
	}
}

func TestRunsAreFoundByContentAndCountedOnce(t *testing.T) {
	run := madeUp(t, small)
	records, summary := run[0].text, run[1].text
	aggregate := []byte(`{"schema_version":"1.0","aiperf_version":"0.13.0","metadata":{"aggregation_type":"confidence"},"metrics":{"request_throughput_avg":{"mean":1,"unit":"x"}}}`)
	sweep := []byte(`{"aggregation_type":"sweep","per_combination_metrics":[]}`)
	inside := func(dir string) []member {
		return []member{{dir + "profile_export.jsonl", records}, {dir + "profile_export_aiperf.json", summary}}
	}
	cases := map[string]struct {
		members   []member
		selectors []string
	}{
		"at the root":        {inside(""), []string{""}},
		"one folder":         {inside("run/"), []string{"run"}},
		"siblings in order":  {slices.Concat(inside("c_10/"), inside("c_2/")), []string{"c_2", "c_10"}},
		"one inside another": {slices.Concat(inside("c2/"), inside("c2/c4/")), []string{"c2", "c2/c4"}},
		"phases are the run's own": {slices.Concat(inside("run/"), inside("run/phases/warmup/"), inside("run/phases/profiling/"),
			[]member{{"run/phase_manifest.json", []byte(`{"phases":[],"schema_version":1}`)}}), []string{"run"}},
		"a folder that is only called phases": {inside("phases/a/"), []string{"phases/a"}},
		"aggregates are no runs":              {slices.Concat(inside("s/concurrency_1/"), []member{{"s/aggregate/profile_export_aiperf_aggregate.json", aggregate}, {"s/sweep_aggregate/profile_export_aiperf_sweep.json", sweep}}), []string{"s/concurrency_1"}},
		"prefix":                              {[]member{{"r/foo.json", summary}, {"r/foo.jsonl", records}}, []string{"r"}},
		"two prefixes in a folder":            {[]member{{"r/bar.json", summary}, {"r/bar.jsonl", records}, {"r/foo.json", summary}, {"r/foo.jsonl", records}}, []string{"r/bar", "r/foo"}},
		"names that don't fit":                {[]member{{"r/results.json", summary}, {"r/lines.jsonl", records}}, []string{"r"}},
		"records alone":                       {[]member{{"r/profile_export.jsonl", records}}, []string{"r"}},
		"summary alone":                       {[]member{{"r/profile_export_aiperf.json", summary}}, []string{"r"}},
		"macOS copies":                        {slices.Concat(inside("r/"), []member{{"__MACOSX/r/._profile_export.jsonl", []byte("x")}, {"r/._profile_export.jsonl", records}, {"r/.DS_Store", []byte("x")}}), []string{"r"}},
		"foreign JSON beside":                 {slices.Concat(inside("r/"), []member{{"r/notes.json", []byte(`{"a":` + strings.Repeat("[", 90) + strings.Repeat("]", 90) + "}")}, {"r/more.json", []byte(`{"broken"`)}}), []string{"r"}},
	}
	for name, one := range cases {
		t.Run(name, func(t *testing.T) {
			var selectors []string
			for _, parsed := range mustRead(t, packZip(t, one.members)) {
				selectors = append(selectors, parsed.Selector)
			}
			if !slices.Equal(selectors, one.selectors) {
				t.Errorf("runs %q, want %q", selectors, one.selectors)
			}
		})
	}
}

func TestWhatIsNotReadIsNamed(t *testing.T) {
	members := slices.Concat(madeUp(t, small), []member{
		{"run/profile_export_raw.jsonl", []byte(`{"metadata":{},"start_perf_ns":1,"payload":{"messages":[]},"responses":[]}` + "\n")},
		{"run/notes.txt", []byte("hello")},
		{"elsewhere/inputs.json", []byte(`{"data":[{"session_id":"a","payloads":[]}]}`)},
	})
	var f figures
	if err := json.Unmarshal(one(t, members).Figures, &f); err != nil {
		t.Fatal(err)
	}
	want := []leftOutFigures{
		{What: "files that can't be assigned to one run", Count: 1, First: "elsewhere/inputs.json"},
		{What: "not written by AIPerf, or of no known form", Count: 1, First: "run/notes.txt"},
		{What: "raw requests and answers", Count: 1, First: "run/profile_export_raw.jsonl"},
	}
	if diff := cmp.Diff(want, f.LeftOut); diff != "" {
		t.Errorf("left out:\n%s", diff)
	}
	if want := []string{"run/profile_export.jsonl", "run/profile_export_aiperf.json"}; !slices.Equal(f.Files, want) {
		t.Errorf("read %q, want %q", f.Files, want)
	}
}

func TestCellsAndTrialsOfOneCommandAreInvocationsOfOneLaunch(t *testing.T) {
	summary := func(sweep string, variation, trial int, values string) []byte {
		return fmt.Appendf(nil, `{"aiperf_version":"0.13.0","schema_version":"1.4","benchmark_id":"%d%d","request_count":{"unit":"requests","avg":1},"input_config":{"models":{"items":[{"name":"m"}]}},
			"run_info":{"sweep_id":"%s","trial":%d,"variation_index":%d,"variation_values":%s}}`, variation, trial, sweep, trial, variation, values)
	}
	captures := mustRead(t, packZip(t, []member{
		{"s/concurrency_10/profile_export_aiperf.json", summary("abc", 1, 0, `{"phases.profiling.concurrency":10}`)},
		{"s/concurrency_2/profile_export_aiperf.json", summary("abc", 0, 0, `{"phases.profiling.concurrency":2,"datasets.main.prompts.isl.mean":512}`)},
		{"other/profile_export_aiperf.json", summary("", 0, 0, "{}")},
		{"old/profile_runs/run_0001/profile_export_aiperf.json", summary("", 0, 0, "{}")},
		{"old/profile_runs/run_0002/profile_export_aiperf.json", summary("", 0, 1, "{}")},
	}))
	got := map[string]string{}
	for _, one := range captures {
		got[one.Selector] = fmt.Sprintf("%s %s %d %s", one.Launch.Kind, one.Launch.Group, one.Launch.Index, one.Cell)
	}
	trials := captures[slices.IndexFunc(captures, func(p *evidence.Parsed) bool { return strings.HasPrefix(p.Selector, "old") })].Launch.Group
	want := map[string]string{
		"other": "unknown  0 ", "s/concurrency_2": "invocation aiperf sweep abc 0 concurrency=2, isl.mean=512", "s/concurrency_10": "invocation aiperf sweep abc 1 concurrency=10",
		"old/profile_runs/run_0001": "invocation " + trials + " 0 ", "old/profile_runs/run_0002": "invocation " + trials + " 1 ",
	}
	if diff := cmp.Diff(want, got); diff != "" || trials == "" {
		t.Errorf("launches:\n%s", diff)
	}
}

func TestCellsOfAHandMadeSweepAreNamedByWhatDiffers(t *testing.T) {
	run := func(load string, output float64, model string) brief {
		return brief{known: true, load: load, askedOutput: output, model: model}
	}
	cases := map[string]struct {
		briefs []brief
		want   []string
	}{
		"load":          {[]brief{run("concurrency=1", 32, "a"), run("concurrency=4", 32, "a")}, []string{"concurrency=1", "concurrency=4"}},
		"length":        {[]brief{run("concurrency=1", 32, "a"), run("concurrency=1", 48, "a")}, []string{"osl=32", "osl=48"}},
		"model":         {[]brief{run("rate=2", 32, "a"), run("rate=2", 32, "b")}, []string{"model=a", "model=b"}},
		"repeats":       {[]brief{run("rate=2", 32, "a"), run("rate=2", 32, "a")}, []string{"", ""}},
		"a single run":  {[]brief{run("rate=2", 32, "a")}, []string{""}},
		"one is unread": {[]brief{{}, run("rate=2", 0, "")}, []string{"", "rate=2"}},
	}
	for name, one := range cases {
		if got := cellLabels(one.briefs); !slices.Equal(got, one.want) {
			t.Errorf("%s: %q, want %q", name, got, one.want)
		}
	}
}

func TestDamagedRecordsAreCountedAndTheRestIsRead(t *testing.T) {
	run := madeUp(t, load{requests: 6, tokens: 4, seed: 2})
	lines := bytes.SplitAfter(run[0].text, []byte("\n"))
	text := slices.Concat(lines[0], []byte("{\"metadata\":{},\n"), lines[1], []byte("[]\n\n"), lines[2], lines[3], lines[4], lines[4], lines[5][:100])
	got := one(t, []member{{"run/profile_export.jsonl", text}})
	want := []string{"duplicate_records", "no_summary", "records_cut", "records_damaged"}
	if codes := findingCodes(got); !slices.Equal(codes, want) {
		t.Errorf("findings %q, want %q", codes, want)
	}
	damaged, _ := finding(got, "records_damaged")
	if ok, _ := got.Completeness.OK.Get(); ok != 6 || damaged.Count != 2 || !strings.Contains(damaged.Message, "line 2") {
		t.Errorf("%d good requests, damaged: %+v; want 6 and 2 lines from line 2", ok, damaged)
	}
}

func TestTrimmedRecordsLeaveTheWordToTheSummary(t *testing.T) {
	run := madeUp(t, small)
	cut := bytes.SplitAfterN(run[0].text, []byte("\n"), 9)
	run[0].text = bytes.Join(cut[:8], nil) // 3 warm-ups, 2 failures, 3 of 10 good
	got := one(t, run)
	trimmed, ok := finding(got, "records_incomplete")
	if !ok || trimmed.Count != 7 {
		t.Errorf("findings %+v, want 7 missing records", got.Findings)
	}
	ttft, _ := got.Outcome("ttft", "")
	if ttft.Kind != lens.Summary || ttft.Absent != absent.NotRecorded {
		t.Errorf("ttft is %+v though the summary doesn't give it", ttft)
	}
	if good, _ := got.Completeness.OK.Get(); good != 10 {
		t.Errorf("%d good requests, the summary counts 10", good)
	}
}

// counted counts how often an archive is walked.
type counted struct {
	container
	walks int
}

func (c *counted) each(ctx context.Context, visit func(entry, io.Reader) error) error {
	c.walks++
	return c.container.each(ctx, visit)
}

func TestASweepLargerThanTheBudgetIsWalkedAFewTimesInAnyOrder(t *testing.T) {
	run := madeUp(t, small)
	var members []member
	const runs = 40
	for i := range runs { // the last in natural order comes first
		dir := fmt.Sprintf("s/c_%d/", runs-i)
		members = append(members, member{dir + "profile_export.jsonl", run[0].text}, member{dir + "profile_export_aiperf.json", run[1].text})
	}
	archive, err := openContainer(fileOf(packTarGz(t, members)), evidence.LimitsOf[evidence.FormatAIPerf])
	if err != nil {
		t.Fatal(err)
	}
	var perRun int64
	whole := &archiveImport{archive: archive, reader: newReader(evidence.LimitsOf[evidence.FormatAIPerf], false), budget: 1 << 30}
	if err := whole.survey(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, file := range whole.runs[0].files {
		perRun += file.retained
	}
	walked := &counted{container: archive}
	tight := &archiveImport{archive: walked, reader: newReader(evidence.LimitsOf[evidence.FormatAIPerf], false), budget: 10 * perRun}
	if err := tight.survey(t.Context()); err != nil {
		t.Fatal(err)
	}
	var selectors []string
	err = tight.emitAll(t.Context(), func(one *evidence.Parsed) error {
		selectors = append(selectors, one.Selector)
		if tight.held > tight.budget {
			t.Errorf("%d bytes are held, the budget is %d", tight.held, tight.budget)
		}
		if good, _ := one.Completeness.OK.Get(); good != 10 {
			t.Errorf("%s has %d good requests", one.Selector, good)
		}
		return nil
	})
	if err != nil || len(selectors) != runs || selectors[0] != "s/c_1" || selectors[runs-1] != "s/c_40" {
		t.Errorf("%d runs from %q to %q, %v", len(selectors), selectors[0], selectors[len(selectors)-1], err)
	}
	if walked.walks > 6 {
		t.Errorf("the archive was walked %d times for readings of four budgets", walked.walks)
	}
}
