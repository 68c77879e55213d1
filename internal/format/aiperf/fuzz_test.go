package aiperf

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"kernelwake/internal/evidence"
	"kernelwake/internal/fault"
)

// tight are bounds under which a fuzzer can't waste time.
var tight = bounds{limits: evidence.Limits{Received: mebibyte, Expanded: 4 * mebibyte, Entries: 64, Depth: 64}, budget: mebibyte}

// checkImport tests what must hold of any archive: it is refused with a fault
// that names a remedy, or its captures can be stored.
func checkImport(t *testing.T, data []byte) {
	t.Helper()
	captures, err := readBounded(data, tight)
	if err != nil {
		var known *fault.Error
		if !errors.As(err, &known) || known.Kind == fault.Internal {
			t.Fatalf("refused without a reason for a person: %v", err)
		}
		return
	}
	if len(captures) == 0 {
		t.Fatal("accepted without a capture")
	}
	for _, one := range captures {
		encoded, err := one.Encode()
		if err != nil {
			t.Fatalf("what was read can't be written: %v", err)
		}
		if _, err := evidence.Decode(encoded); err != nil {
			t.Fatalf("what was written can't be read: %v", err)
		}
		for _, outcome := range one.Outcomes {
			if outcome.Absent == "" && outcome.Data.Len() == 0 && len(outcome.Statistics) == 0 && len(outcome.Counts) == 0 {
				t.Fatalf("%s has neither a value nor a reason", outcome.Name)
			}
		}
	}
}

func FuzzArchive(f *testing.F) {
	members := madeUp(f, load{requests: 2, tokens: 3, seed: 1})
	f.Add(packTarGz(f, members))
	f.Add(packTar(f, members))
	f.Add(packZip(f, members))
	f.Fuzz(checkImport)
}

func FuzzRecords(f *testing.F) {
	f.Add(madeUp(f, small)[0].text)
	f.Add([]byte(`{"metadata":{"timestamp_ns":1759522419154829652,"credit_phase":"profiling"},"metrics":{"ttft":{"value":1,"unit":"ms"}},"error":null}`))
	f.Add([]byte(`{"metadata":{"request_start_ns":-9223372036854775808,"request_end_ns":9223372036854775807},"metrics":{"request_latency":{"value":1e300,"unit":"ms"},"output_sequence_length":{"value":-1,"unit":"tokens"}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		read, err := readRequests(context.Background(), "r", bytes.NewReader(text), tight.limits)
		if err != nil {
			return
		}
		for which, column := range read.values {
			if column != nil && len(column) != read.count() {
				t.Fatalf("%s has %d values for %d requests", tagNames[which], len(column), read.count())
			}
		}
		checkImport(t, packTar(t, []member{{"r/profile_export.jsonl", text}, {"r/profile_export_aiperf.json", small.summary()}}))
	})
}

// FuzzJSON tests that the cursor walks through all that the standard library
// calls valid JSON, except numbers too large for a float64.
func FuzzJSON(f *testing.F) {
	for _, line := range bytes.Split(madeUp(f, small)[0].text, []byte("\n")) {
		f.Add(line)
	}
	f.Add([]byte(`[1,{"a":[true,false,null,"\\"]},-0.5e+3]`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if !json.Valid(text) {
			return
		}
		c := newCursor(text, 1000)
		walkAll(&c)
		tooLarge := bytes.ContainsAny(text, "eE") || len(text) > 300
		if !c.finished() && !c.deep && !tooLarge {
			t.Fatalf("valid JSON was refused at byte %d: %q", c.at, text)
		}
	})
}

// walkAll reads every value of a text.
func walkAll(c *cursor) {
	switch c.next() {
	case '{':
		for c.open('{'); c.more('}'); {
			c.key()
			walkAll(c)
		}
	case '[':
		for c.open('['); c.more(']'); {
			walkAll(c)
		}
	case '"':
		c.quoted()
	case 't', 'f', 'n':
		c.skip()
	default:
		c.number()
	}
}

func FuzzSummary(f *testing.F) {
	f.Add(small.summary())
	f.Add([]byte(`{"records":{"ttft":{"tag":"ttft","unit":"ms","avg":1,"p99":null,"count":2}},"input_config":{"endpoint":{"model_names":["m"]},"loadgen":{"request_count":2}},"was_cancelled":true,"start_time":"2026-11-30T14:58:32.044216","end_time":"2026-11-30T14:58:33"}`))
	f.Add([]byte(`{"request_throughput":{"unit":"x","avg":1e308},"request_count":{"unit":"x","avg":-1e308},"error_summary":[{"count":9e18}],"input_config":{"phases":[{"requests":1e999}]},"telemetry_data":{"endpoints":{"a":{"gpus":{"g":{"gpu_uuid":"x"}}}}}}`))
	records := madeUp(f, small)[0].text
	f.Fuzz(func(t *testing.T, text []byte) {
		checkImport(t, packTar(t, []member{{"r/profile_export_aiperf.json", text}, {"r/profile_export.jsonl", records}}))
		checkImport(t, packTar(t, []member{{"r/profile_export_aiperf.json", text}}))
	})
}

// FuzzConfiguration puts any JSON where a run's configuration stands.
func FuzzConfiguration(f *testing.F) {
	f.Add([]byte(`{"models":{"items":[{"name":"m"}]},"datasets":[{"name":"main","prompts":{"isl":128,"osl":{"mean":1}}}],"phases":[{"type":"poisson","rate":1}],"slos":{"request_latency":1}}`))
	f.Add([]byte(`{"endpoint":{"model_names":[1,null]},"input":{"extra":[["a"],[1,2],["b",{"c":[1]}]],"goodput":{"x":"y"}},"loadgen":{"concurrency":"4"}}`))
	records := madeUp(f, small)[0].text
	f.Fuzz(func(t *testing.T, text []byte) {
		summary := append(append([]byte(`{"aiperf_version":"0.13.0","was_cancelled":false,"input_config":`), text...), '}')
		checkImport(t, packTar(t, []member{{"r/profile_export_aiperf.json", summary}, {"r/profile_export.jsonl", records}}))
	})
}

// FuzzEntry puts any content beside a run, so that every other decoder meets it.
func FuzzEntry(f *testing.F) {
	for _, text := range []string{
		`{"data":[{"session_id":"session_000000","payloads":[{"messages":[],"model":"m","max_tokens":3}]}]}`,
		`{"schema_version":"1.1","benchmark_id":"0123456789ab","summary":{"endpoints_configured":[],"phase_time_ranges":{"profiling":{"start_ns":1,"end_ns":2}}},"metrics_phase":"profiling","metrics":{"vllm:x":{"type":"histogram","series":[{"stats":{"count":1,"sum":1},"buckets":{"1":1,"+Inf":1}}]}}}`,
		`{"timestamp_ns":1796050712044216397,"gpu_uuid":"a","telemetry_data":{"gpu_utilization":9}}`,
		`{"phases":[{"phase_kind":"profiling","start_ns":1796050712044216397,"end_ns":1796050713044216397,"successful_request_count":1}],"schema_version":1}`,
		`{"benchmark_id":"0123456789ab","cfg":{"models":{"items":[{"name":"m"}]}},"trial":1}`, `{"ready":true,"was_cancelled":true}`,
		"2026-11-30 15:05:05.506 - P - NOTICE - Phase profiling (profiling) sending complete | sent=15, completed=12, in_flight=3\n",
		"# AIPerf Server Metrics Export (CSV)\n# benchmark_id: 0123456789ab\nEndpoint,Type,Metric,total,count,sum,buckets\nh:1,counter,vllm:x,1\nh:1,histogram,vllm:y,,1,1,1=1;+Inf=1\n\nEndpoint,Metric,Key,Value\nh:1,vllm:cache_config_info,a,b\n",
	} {
		f.Add([]byte(text))
	}
	run := madeUp(f, small)
	f.Fuzz(func(t *testing.T, text []byte) {
		checkImport(t, packTar(t, append([]member{{"run/other", text}, {"run/logs/aiperf.log", text}}, run...)))
	})
}

func TestEverySampleFileSurvivesBeingCutAndChanged(t *testing.T) {
	dir := sampleFolder(t, "v0.13-errors-c1")
	for _, name := range []string{"profile_export_aiperf.json", "server_metrics_export.json", "profile_export.jsonl"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		for i := range 60 {
			at := (i*7919 + 13) % len(text)
			checkImport(t, packTar(t, []member{{"r/" + name, text[:at]}, {"r/x.jsonl", madeUp(t, small)[0].text}}))
			checkImport(t, packTar(t, []member{{"r/" + name, flipped(text, at)}}))
		}
	}
}
