package aiperf

import (
	"encoding/json"
	"fmt"
	"math"
	"sort"

	"kernelwake/internal/evidence"
)

// figures are the words documented in docs/formats/aiperf.md. A figure that
// isn't known is left out.
type figures struct {
	Window       windowFigures           `json:"window"`
	Denominators map[string]float64      `json:"denominators"`
	SummaryUses  string                  `json:"summary_denominator,omitempty"`
	Requests     requestFigures          `json:"requests"`
	Errors       []errorFigures          `json:"errors"`
	Metrics      map[string]metricFigure `json:"metrics"`
	Agreement    *agreementFigures       `json:"agreement,omitempty"`
	Levels       map[string]float64      `json:"service_levels,omitempty"`
	Server       *serverFigures          `json:"server,omitempty"`
	GPUs         []gpuFigures            `json:"gpus,omitempty"`
	Command      string                  `json:"command,omitempty"`
	AIPerf       map[string]string       `json:"aiperf"`
	Files        []string                `json:"files_read"`
	LeftOut      []leftOutFigures        `json:"left_out"`
}

type windowFigures struct {
	Seconds        *float64 `json:"seconds,omitempty"`
	From           string   `json:"from,omitempty"`
	Exact          bool     `json:"exact"`
	StartNS        string   `json:"start_ns,omitempty"`
	EndNS          string   `json:"end_ns,omitempty"`
	WarmupRequests *float64 `json:"warmup_requests,omitempty"`
}

type requestFigures struct {
	OK        *int64   `json:"ok,omitempty"`
	Failed    *int64   `json:"failed,omitempty"`
	Cancelled *int64   `json:"cancelled,omitempty"`
	Sent      *int64   `json:"sent,omitempty"`
	Records   int64    `json:"records"`
	Good      *int64   `json:"within_service_levels,omitempty"`
	Asked     *float64 `json:"asked,omitempty"`
}

type errorFigures struct {
	Class string `json:"class"`
	Label string `json:"label"`
	Count int64  `json:"count"`
}

// metricFigure has AIPerf's words for its members; sd is the population's.
type metricFigure map[string]any

type agreementFigures struct {
	Compared  int                 `json:"compared"`
	Equal     int                 `json:"equal"`
	Worst     float64             `json:"worst_relative"`
	Differing []differenceFigures `json:"differing"`
	Unchecked []string            `json:"unchecked"`
}

type differenceFigures struct {
	Metric   string  `json:"metric"`
	Figure   string  `json:"figure"`
	Summary  float64 `json:"summary"`
	Recorded float64 `json:"records"`
}

type gpuFigures struct {
	Model            string   `json:"model,omitempty"`
	Device           string   `json:"device"`
	Exporters        int      `json:"exporters"`
	UtilizationMean  *float64 `json:"utilization_mean,omitempty"`
	UtilizationMost  *float64 `json:"utilization_max,omitempty"`
	PowerMeanW       *float64 `json:"power_mean_w,omitempty"`
	PowerLimitW      *float64 `json:"power_limit_w,omitempty"`
	MemoryMostBytes  *float64 `json:"memory_max_by,omitempty"`
	MemoryTotalBytes *float64 `json:"memory_total_by,omitempty"`
	TemperatureMost  *float64 `json:"temperature_max_cel,omitempty"`
}

type leftOutFigures struct {
	What  string `json:"what"`
	Count int64  `json:"count"`
	First string `json:"first"`
}

func finite(value float64) *float64 {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return nil
	}
	return &value
}

func (m *material) figures(c evidence.Completeness, rest []*archived) (json.RawMessage, error) {
	f := figures{
		Window: m.windowFigures(), Denominators: map[string]float64{}, Requests: m.requestFigures(c), Errors: m.errorFigures(), Metrics: m.metricFigures(),
		Levels: m.configured.serviceLevels, Server: m.serverFigures(), AIPerf: m.identity(),
	}
	if content := m.requests.goodSpan(); m.whole && content.known() {
		f.Denominators[firstStartToLastContent] = content.seconds()
	}
	for name, seconds := range map[string]float64{benchmarkDuration: m.summary.value(benchmarkDuration), phaseWindow: m.phaseSeconds()} {
		if known := finite(seconds); known != nil {
			f.Denominators[name] = *known
		}
	}
	f.SummaryUses, _ = m.reportedDenominator()
	if m.agreement.compared > 0 {
		f.Agreement = m.agreementFigures()
	}
	f.GPUs = m.gpuFigures()
	if m.summary != nil && m.summary.command != "" {
		f.Command = m.summary.command
	}
	f.Files, f.LeftOut = m.fileFigures(rest)
	text, err := json.Marshal(f)
	if err != nil {
		return nil, fmt.Errorf("writing the figures of %q: %w", m.run.selector, err)
	}
	return text, nil
}

func (m *material) windowFigures() windowFigures {
	w := windowFigures{Seconds: finite(m.window.seconds), From: m.window.from, Exact: m.window.exact}
	if m.window.span.known() {
		w.StartNS, w.EndNS = fmt.Sprint(m.window.span.start), fmt.Sprint(m.window.span.end)
	}
	if warmups, ok := m.warmups(); ok {
		w.WarmupRequests = &warmups
	}
	return w
}

func (m *material) requestFigures(c evidence.Completeness) requestFigures {
	f := requestFigures{Records: int64(m.requests.count()), Asked: finite(m.askedFor())}
	for _, one := range []struct {
		to    **int64
		value interface{ Get() (int64, bool) }
	}{{&f.OK, c.OK}, {&f.Failed, c.Failed}, {&f.Cancelled, c.Cancelled}, {&f.Sent, c.Sent}} {
		if count, known := one.value.Get(); known {
			*one.to = &count
		}
	}
	if good, ok := m.withinLevels(); ok && m.whole && m.hasRecords() {
		f.Good = &good
	}
	return f
}

// errorFigures counts failures by kind, the most frequent first.
func (m *material) errorFigures() []errorFigures {
	counts := map[errorFigures]int64{}
	if m.hasRecords() {
		for i, key := range m.requests.failures.keys {
			counts[errorFigures{Class: key.class(), Label: key.label()}] += m.requests.failures.counts[i]
		}
	} else if m.summary != nil {
		for _, group := range m.summary.failures {
			counts[errorFigures{Class: group.key.class(), Label: group.key.label()}] += group.count
		}
	}
	all := make([]errorFigures, 0, len(counts))
	for one, count := range counts {
		one.Count = count
		one.Label = m.clean(one.Label)
		all = append(all, one)
	}
	sort.Slice(all, func(a, b int) bool {
		if all[a].Count != all[b].Count {
			return all[a].Count > all[b].Count
		}
		return all[a].Label < all[b].Label
	})
	return all
}

// metricFigures are the distributions by the records, or by the summary where
// the records are not all there.
func (m *material) metricFigures() map[string]metricFigure {
	source := m.recomputed
	if !m.whole && m.summary != nil {
		source = m.summary.metrics
	}
	all := map[string]metricFigure{}
	add := func(name string) {
		read, ok := source[name]
		if !ok {
			return
		}
		one := metricFigure{"unit": read.unit}
		for which, figure := range read.figures {
			if known := finite(figure); known != nil {
				one[statisticNames[which]] = *known
			}
		}
		all[name] = one
	}
	for _, name := range tagNames {
		add(name)
	}
	add(chunkLatency)
	return all
}

func (m *material) agreementFigures() *agreementFigures {
	f := &agreementFigures{Compared: m.agreement.compared, Equal: m.agreement.equal, Worst: m.agreement.worst, Differing: []differenceFigures{}, Unchecked: append([]string{}, m.agreement.unchecked...)}
	for _, one := range m.agreement.differing {
		f.Differing = append(f.Differing, differenceFigures{one.metric, one.figure, one.reported, one.recounted})
	}
	return f
}

func (m *material) gpuFigures() []gpuFigures {
	gpus, _ := m.devices()
	all := make([]gpuFigures, 0, len(gpus))
	for _, g := range gpus {
		all = append(all, gpuFigures{
			Model: g.model, Device: "gpu:" + g.digest(), Exporters: g.exporters, UtilizationMean: finite(g.utilizationMean / 100), UtilizationMost: finite(g.utilizationMost / 100),
			PowerMeanW: finite(g.powerMean), PowerLimitW: finite(g.powerLimit), MemoryMostBytes: finite(g.memoryMost), MemoryTotalBytes: finite(g.memoryTotal), TemperatureMost: finite(g.temperatureMost),
		})
	}
	return all
}

// identity says which AIPerf wrote the run and which run it was.
func (m *material) identity() map[string]string {
	all := map[string]string{"config_shape": m.configured.shape}
	if m.summary != nil {
		all["version"], all["schema"], all["benchmark_id"] = m.summary.version, m.summary.schema, m.summary.benchmark
		all["incomplete_reason"] = m.summary.incomplete
	}
	all["sweep_id"], all["run_label"] = m.info.sweep, m.info.label
	for name, value := range all {
		if value == "" {
			delete(all, name)
		}
	}
	return all
}

// fileFigures lists what was read for this run, and what of the archive was
// not, by reason.
func (m *material) fileFigures(rest []*archived) (read []string, left []leftOutFigures) {
	read, left = []string{}, []leftOutFigures{}
	byReason := map[string]*leftOutFigures{}
	leave := func(file *archived, what string) {
		if byReason[what] == nil {
			byReason[what] = &leftOutFigures{What: what, First: file.path}
		}
		byReason[what].Count++
		byReason[what].First = min(byReason[what].First, file.path)
	}
	for _, file := range m.run.files {
		switch {
		case file.unreadable != "":
			leave(file, "unreadable: "+file.unreadable)
		case file.retained > 0:
			read = append(read, file.path)
		default:
			leave(file, words[file.kind])
		}
	}
	for _, file := range rest {
		switch file.kind {
		case summaryFile, serverMetricsFile, recordsFile:
			leave(file, "files of single phases, which the run's own files count")
		case inputsFile, telemetryFile, manifestFile, runConfigFile, readyFile, logFile, serverMetricsTable:
			leave(file, "files that can't be assigned to one run")
		default:
			leave(file, words[file.kind])
		}
	}
	for _, one := range byReason {
		left = append(left, *one)
	}
	sort.Strings(read)
	sort.Slice(left, func(a, b int) bool { return left[a].What < left[b].What })
	return read, left
}
