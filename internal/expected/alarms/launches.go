package main

import (
	"bufio"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"kernelwake/internal/absent"
	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
)

//go:embed testdata/launches.json
var recorded []byte

// repeats are launches of one configuration (A), and of another whose true
// effect all launches together tell (B), in the order of their starts.
type repeats struct {
	Name    string  `json:"name"`
	File    string  `json:"file"`
	Lens    lens.ID `json:"lens"`
	Outcome string  `json:"outcome"`
	// ToMS turns the file's values into milliseconds.
	ToMS float64 `json:"to_ms"`
	// A and B are the launches' medians in milliseconds.
	A []float64 `json:"a"`
	B []float64 `json:"b"`
}

// metric is the statistic that the launches are judged by.
func (r repeats) metric() string { return r.Outcome + ".p50" }

func readRepeats() ([]repeats, error) {
	var all []repeats
	if err := json.Unmarshal(recorded, &all); err != nil {
		return nil, fmt.Errorf("reading the recorded launches: %w", err)
	}
	return all, nil
}

// launches are runs as a comparison reads them.
type launches struct{ a, b []evidence.RunEvidence }

// fromValues makes a run of each launch's median.
func (r repeats) fromValues() (launches, error) {
	var result launches
	for i, side := range [][]float64{r.A, r.B} {
		for n, value := range side {
			o := evidence.Outcome{Name: r.Outcome, Unit: "ms", Kind: lens.Summary, Statistics: map[string]float64{"p50": value}, N: absent.Of(int64(1))}
			run, err := r.run(i, n, o)
			if err != nil {
				return launches{}, err
			}
			result.add(i, run)
		}
	}
	return result, nil
}

func (l *launches) add(side int, run evidence.RunEvidence) {
	if side == 0 {
		l.a = append(l.a, run)
		return
	}
	l.b = append(l.b, run)
}

// fromSamples makes a run of each launch's samples, from the file in the
// folder of recorded repeats.
func (r repeats) fromSamples(folder string) (launches, error) {
	file, err := os.Open(filepath.Join(folder, r.File))
	if err != nil {
		return launches{}, err
	}
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		return launches{}, fmt.Errorf("reading %s: %w", r.File, err)
	}
	type row struct {
		Side    string    `json:"side"`
		Started int64     `json:"started_ns"`
		Values  []float64 `json:"values"`
	}
	var rows []row
	scanner := bufio.NewScanner(unpacked)
	scanner.Buffer(nil, 1<<22)
	for scanner.Scan() {
		var one row
		if err := json.Unmarshal(scanner.Bytes(), &one); err != nil {
			return launches{}, fmt.Errorf("reading %s: %w", r.File, err)
		}
		rows = append(rows, one)
	}
	if err := scanner.Err(); err != nil {
		return launches{}, fmt.Errorf("reading %s: %w", r.File, err)
	}
	slices.SortStableFunc(rows, func(a, b row) int { return int(a.Started/1e6 - b.Started/1e6) })
	var result launches
	for n, one := range rows {
		side := slices.Index([]string{"A", "B"}, one.Side)
		for i := range one.Values {
			one.Values[i] *= r.ToMS
		}
		o := evidence.Outcome{
			Name: r.Outcome, Unit: "ms", Kind: lens.Samples, N: absent.Of(int64(len(one.Values))),
			Data: evidence.Table{Name: "samples", Columns: []evidence.Column{{Name: "v", Floats: one.Values}}},
		}
		run, err := r.run(side, n, o)
		if err != nil {
			return launches{}, err
		}
		result.add(side, run)
	}
	return result, nil
}

// run is a launch about which everything needed is known.
func (r repeats) run(side, n int, o evidence.Outcome) (evidence.RunEvidence, error) {
	name := []string{"A", "B"}[side] + strconv.Itoa(n+1)
	began := time.Date(2026, 1, 1, 0, n, 0, 0, time.UTC)
	none := evidence.Dimension{Absent: absent.NotApplicable}
	known := func(value any) evidence.Dimension {
		return evidence.Dimension{Value: value, Source: evidence.Observed}
	}
	p := &evidence.Parsed{
		Format: evidence.FormatKernelwake, FormatVersion: "1.0", Importer: "alarms@1", Name: r.Name + " " + name, Lens: r.Lens, Origin: evidence.Recorded, MeasuredOn: evidence.CPU,
		Launch: evidence.LaunchID{Kind: evidence.Launch}, Started: absent.Of(began), Ended: absent.Of(began.Add(time.Minute)),
		Completeness: evidence.Completeness{OK: absent.Of(int64(1)), Failed: absent.Of(int64(0)), Cancelled: absent.Of(int64(0))},
		Dimensions: map[string]evidence.Dimension{
			"model": known("one"), "gpu_model": none, "gpu_count": none, "gpu_memory": none, "world_size": known(1.0), "effective_batch": known(256.0),
			"request_bodies_sha256": known("equal"), "arrival": known("closed"), "concurrency_or_rate": known(4.0), "streaming": known(true), "measured_at": known("client"),
		},
		Outcomes: []evidence.Outcome{o},
	}
	encoded, err := p.Encode()
	if err != nil {
		return evidence.RunEvidence{}, fmt.Errorf("encoding launch %s: %w", name, err)
	}
	digest := evidence.Digest(encoded)
	return evidence.RunEvidence{ID: name, Name: name, Captures: []evidence.CaptureEvidence{{ID: name, SHA256: digest, ParsedSHA256: digest, Parsed: p}}}, nil
}
