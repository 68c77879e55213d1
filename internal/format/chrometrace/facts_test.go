package chrometrace

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kernelwake/internal/absent"
	"kernelwake/internal/evidence"
	"kernelwake/internal/sampledir"
	"kernelwake/internal/trace"
)

// readBytes reads a file's bytes with the format's limits.
func readBytes(t testing.TB, data []byte) (*reader, error) {
	t.Helper()
	limits := evidence.LimitsOf[evidence.FormatChromeTrace]
	source, err := expand(bytes.NewReader(data), int64(len(data)), limits.Expanded)
	if err != nil {
		t.Fatal(err)
	}
	return read(context.Background(), source, limits, false)
}

func readSample(t testing.TB, name string) *reader {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(sampledir.Find(t), "traces", name))
	if err != nil {
		t.Fatal(err)
	}
	r, err := readBytes(t, data)
	if err != nil {
		t.Fatalf("reading %s: %v", name, err)
	}
	return r
}

// TestRealTracesGiveTheIndependentFactsExactly holds every key of facts.json,
// but the restatement of another tool's definitions under "hta", against what
// this reader and package trace make of the same file.
func TestRealTracesGiveTheIndependentFactsExactly(t *testing.T) {
	folder := filepath.Join(sampledir.Find(t), "traces")
	data, err := os.ReadFile(filepath.Join(folder, "facts.json"))
	if err != nil {
		t.Fatal(err)
	}
	var files map[string]map[string]json.RawMessage
	if err := json.Unmarshal(data, &files); err != nil {
		t.Fatal(err)
	}
	if len(files) < 38 {
		t.Fatalf("facts.json speaks of %d files, 38 were known", len(files))
	}
	for name, facts := range files {
		t.Run(name, func(t *testing.T) {
			info, err := os.Stat(filepath.Join(folder, name))
			if err != nil {
				t.Fatal(err)
			}
			got := factsOf(t, readSample(t, name), info.Size())
			for key, raw := range facts {
				if key == "hta" {
					continue
				}
				var want, have any
				mustDecode(t, raw, &want)
				ours, ok := got[key]
				if !ok {
					t.Errorf("%s: no figure of ours stands for it", key)
					continue
				}
				encoded, err := json.Marshal(ours)
				if err != nil {
					t.Fatal(err)
				}
				mustDecode(t, encoded, &have)
				if strings.HasSuffix(key, "_steps_us") {
					want = withoutTrailingZeros(want)
				}
				if diff := cmp.Diff(want, have); diff != "" {
					t.Errorf("%s (-facts.json +ours):\n%s", key, diff)
				}
			}
		})
	}
}

func mustDecode(t *testing.T, data []byte, into any) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	if err := decoder.Decode(into); err != nil {
		t.Fatal(err)
	}
}

// factsOf states our figures in the words and forms of facts.json.
func factsOf(t *testing.T, r *reader, size int64) map[string]any {
	t.Helper()
	a := trace.Analyse(r.t)
	f := a.Figures
	out := map[string]any{
		"bytes": size, "expanded_bytes": r.buf.place(), "events": r.t.Events,
		"by_phase": r.t.ByPhase, "by_category": r.t.ByCategory, "top_level": r.keys,
		"rank": orNull(r.meta.rank), "world_size": orNull(r.meta.worldSize), "backend": nullIfEmpty(r.meta.backend),
		"device_names": deviceNames(r), "displayTimeUnit": nullIfEmpty(r.meta.kept["displayTimeUnit"]), "baseTimeNanoseconds": orNull(r.meta.base),
		"ts_has_decimals": !r.t.Observed.WholeMicroseconds, "zero_duration_complete": r.t.Observed.ZeroDuration, "out_of_order": r.t.Observed.OutOfOrder,
		"string_pids": append([]string{}, slices.Sorted(maps.Keys(r.quotedProcesses))...), "cpu_steps_us": stepDurations(r, false), "gpu_steps_us": stepDurations(r, true),
	}
	python := 0
	counts := map[trace.Category]int64{}
	sums := map[trace.Category]int64{}
	for i := range r.t.Spans.Start {
		category := r.t.Spans.Kind(i)
		counts[category]++
		sums[category] += r.t.Spans.Duration[i]
		if category == trace.PythonFunction && r.t.Tracks[r.t.Spans.Track[i]].Process == "0" {
			python++
		}
	}
	out["python_function_on_pid0"] = python
	for label, category := range map[string]trace.Category{"kernel": trace.Kernel, "memcpy": trace.Memcpy, "memset": trace.Memset} {
		out[label+"_count"], out[label+"_sum_ns"] = counts[category], sums[category]
	}
	if f.GPUEvents == 0 {
		return out
	}
	names, devices, streams, communication := 0, []string{}, []string{}, int64(0)
	for _, kernel := range f.Kernels {
		names++
		if kernel.Type == "communication" {
			communication += kernel.Count
		}
	}
	var overlaps, partial, sum int64
	for _, stream := range f.Streams {
		if !slices.Contains(devices, stream.Device) {
			devices = append(devices, stream.Device)
		}
		if !slices.Contains(streams, stream.Stream) {
			streams = append(streams, stream.Stream)
		}
		overlaps += stream.Overlaps
		partial += stream.PartialOverlaps
		sum += stream.SumNS
	}
	slices.Sort(streams)
	numbers := []int{}
	for _, device := range devices {
		n, err := strconv.Atoi(device)
		if err != nil {
			t.Fatalf("device %q is no number", device)
		}
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	overlap, _ := f.OverlapNS.Get()
	busy := known(t, f.BusyNS)
	for key, value := range map[string]any{
		"distinct_kernel_names": names, "devices": numbers, "streams": streams,
		"gpu_window_ns": known(t, f.WindowNS), "gpu_busy_union_ns": busy, "gpu_idle_ns": known(t, f.IdleNS),
		"compute_union_ns": known(t, f.ComputeNS), "comm_union_ns": known(t, f.CommunicationNS), "memory_union_ns": known(t, f.MemoryNS),
		"comm_count": communication, "comm_compute_overlap_ns": overlap,
		"same_stream_overlaps": overlaps, "same_stream_partial_overlaps": partial,
		"busy_sum_over_union":    json.Number(rounded(float64(sum) / float64(max(1, busy)))),
		"gpu_events_with_launch": f.Launches.WithLaunch, "gpu_events_without_launch": f.Launches.WithoutLaunch,
		"launches_with_many_gpu_events": f.Launches.ManyEvents, "max_fanout": f.Launches.MaxFanOut, "duplicate_launch_correlations": f.Launches.RepeatedCorrelations,
		"tklqt_ns": f.Launches.LaunchToStartNS, "queue_delay_ns": f.Launches.QueueDelayNS, "kernels_started_before_launch_returned": f.Launches.StartedEarly,
	} {
		out[key] = value
	}
	return out
}

func known(t *testing.T, v absent.Value[int64]) int64 {
	t.Helper()
	value, ok := v.Get()
	if !ok {
		t.Fatalf("a figure is absent: %s", v.Reason())
	}
	return value
}

// rounded writes a ratio as facts.json does: four decimals, zeros dropped.
func rounded(v float64) string {
	text := strconv.FormatFloat(math.Round(v*1e4)/1e4, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}

func orNull(n int64) any {
	if n == trace.Missing {
		return nil
	}
	return n
}

func nullIfEmpty(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func deviceNames(r *reader) map[string]int {
	out := map[string]int{}
	for _, gpu := range r.meta.gpus {
		out[gpu.Name]++
	}
	return out
}

// stepDurations lists steps and durations in microseconds.
func stepDurations(r *reader, onDevice bool) [][]string {
	out := [][]string{}
	for i := range r.t.Spans.Start {
		name := r.t.Names[r.t.Spans.Name[i]]
		if strings.HasPrefix(name, "ProfilerStep") && (r.t.Spans.Kind(i) == trace.DeviceAnnotation) == onDevice {
			ns := r.t.Spans.Duration[i]
			us := strconv.FormatInt(ns/1000, 10) + "." + strconv.FormatInt(1000+ns%1000, 10)[1:]
			out = append(out, []string{name, trimZeros(us)})
		}
	}
	return out
}

// withoutTrailingZeros makes "607904.0" and "607904" one text: facts.json keeps
// the file's spelling.
func withoutTrailingZeros(steps any) any {
	for _, step := range steps.([]any) {
		pair := step.([]any)
		pair[1] = trimZeros(pair[1].(string))
	}
	return steps
}

func trimZeros(decimal string) string {
	if !strings.Contains(decimal, ".") {
		return decimal
	}
	return strings.TrimRight(strings.TrimRight(decimal, "0"), ".")
}
