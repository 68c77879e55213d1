package aiperf

import (
	"path/filepath"
	"slices"
	"testing"

	"kernelwake/internal/format/formattest"
)

// suite has small archives of each form: a plain run, a sweep of two cells
// with server metrics, and records that no summary stands beside.
func suite(t testing.TB) formattest.Suite {
	run := madeUp(t, load{requests: 3, tokens: 3, warmups: 1, failures: 1, seed: 4})
	server := member{"s/concurrency_1/server_metrics_export.csv", []byte("# AIPerf Server Metrics Export (CSV)\n# aiperf_version: 0.13.0\nEndpoint,Type,Metric,total,count,sum,buckets\nlocalhost:8000,counter,vllm:prefix_cache_queries,10\nlocalhost:8000,histogram,vllm:request_queue_time_seconds,,2,0.5,0.1=1;+Inf=2\n")}
	sweep := []member{
		{"s/concurrency_1/profile_export.jsonl", run[0].text},
		{"s/concurrency_1/profile_export_aiperf.json", run[1].text},
		server,
		{"s/concurrency_2/profile_export.jsonl", run[0].text},
		{"s/concurrency_2/profile_export_aiperf.json", run[1].text},
	}
	return formattest.Suite{
		Format: Format{},
		Samples: []formattest.Sample{
			{Name: "run.tar.gz", Data: packTarGz(t, run)},
			{Name: "sweep.zip", Data: packZip(t, sweep)},
			{Name: "records.zip", Data: packZip(t, run[:1])},
		},
		Golden: filepath.Join("testdata", "golden"),
		Refused: []formattest.Refused{
			{Sample: formattest.Sample{Name: "notes.zip", Data: packZip(t, []member{{"notes.txt", []byte("hello")}})}, Code: "no_aiperf_run"},
			{Sample: formattest.Sample{Name: "escape.zip", Data: packZip(t, slices.Concat(run, []member{{"../x", nil}}))}, Code: "entry_path_escapes"},
		},
		Foreign: []formattest.Sample{{Name: "trace.json.gz", Data: gzipped(t, []byte(`{"traceEvents":[]}`))}},
	}
}

func TestConformance(t *testing.T) { formattest.Run(t, suite(t)) }

func FuzzConformance(f *testing.F) { formattest.Fuzz(f, suite(f)) }
