package format

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kernelwake/internal/evidence"
	"kernelwake/internal/fault"
	"kernelwake/internal/sampledir"
)

func file(name string, data []byte) evidence.File {
	return evidence.File{Name: name, Bytes: int64(len(data)), Content: bytes.NewReader(data)}
}

func zipOf(t *testing.T, entries ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	writer := zip.NewWriter(&out)
	for _, name := range entries {
		if _, err := writer.Create(name); err != nil {
			t.Fatal(err)
		}
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func gzipOf(t *testing.T, data string) []byte {
	t.Helper()
	var out bytes.Buffer
	writer := gzip.NewWriter(&out)
	if _, err := writer.Write([]byte(data)); err != nil {
		t.Fatal(err)
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestDetectTellsTheFormatWhateverTheName(t *testing.T) {
	for _, c := range []struct {
		name, want string
		data       []byte
	}{
		{"capture", evidence.FormatKernelwake, []byte(` {"schema":"kernelwake.capture","version":"1.0"}`)},
		{"capture of a later version", evidence.FormatKernelwake, []byte(`{"version":"9.0","schema":"kernelwake.capture"}`)},
		{"capture without a schema", evidence.FormatKernelwake, []byte(`{"version":"1.0","lens":"fleet","dimensions":{},"outcomes":[]}`)},
		{"capture, compressed", evidence.FormatKernelwake, gzipOf(t, `{"schema":"kernelwake.capture"}`)},
		{"trace", evidence.FormatChromeTrace, []byte(`{"schemaVersion":1,"traceEvents":[]}`)},
		{"trace as a list", evidence.FormatChromeTrace, []byte(`[{"ph":"X","ts":1,"dur":1,"name":"a","pid":1,"tid":1}]`)},
		{"trace, compressed", evidence.FormatChromeTrace, gzipOf(t, `{"traceEvents":[]}`)},
		{"archive", evidence.FormatAIPerf, zipOf(t, "run/profile_export_aiperf.json", "run/profile_export.jsonl")},
	} {
		for _, name := range []string{"x", "x.csv", "x.zip", "x.json"} {
			got, err := Detect(file(name, c.data))
			if err != nil || got.ID() != c.want {
				t.Errorf("%s named %s: %v, %v", c.name, name, got, err)
			}
		}
	}
}

func TestEachFormatIsListedOnceWithLimitsAndWords(t *testing.T) {
	seen := map[string]bool{}
	for _, format := range All {
		id := format.ID()
		if seen[id] || readable[id] == "" || evidence.LimitsOf[id].Received == 0 {
			t.Errorf("%s: listed twice, without limits or without words for people", id)
		}
		seen[id] = true
		if found, ok := Find(id); !ok || found.Importer() != format.Importer() {
			t.Errorf("Find doesn't find %s", id)
		}
	}
	if len(seen) != len(evidence.LimitsOf) {
		t.Errorf("%d formats are listed, %d have limits", len(seen), len(evidence.LimitsOf))
	}
}

// TestAnUnknownFileIsNamedWithTheRemedy keeps what people drop in by mistake.
func TestAnUnknownFileIsNamedWithTheRemedy(t *testing.T) {
	for _, c := range []struct{ name, data, looks, remedy string }{
		{"metrics.csv", "step,loss\n1,2.5\n2,2.4\n", "a CSV table", "csv_samples.py"},
		{"metrics.tsv", "step\tloss\n1\t2.5\n", "separated by tabs", "csv_samples.py --separator tab"},
		{"snapshot.pickle", "\x80\x04\x95\x10\x00\x00", "a Python pickle", "export_chrome_trace"},
		{"report.sqlite", "SQLite format 3\x00\x10\x00", "an SQLite database (nsys export", "torch.profiler"},
		{"report.nsys-rep", "\x00\x01\x02 nsys 2025.1\x00\x00", "an Nsight Systems report", "torch.profiler"},
		{"results.csv", "\"Name\",\"Calls\",\"TotalDurationNs\"\n\"k\",1,2\n", "a table of rocprof", "results.json"},
		{"rocprofv3.json", `{"rocprofiler-sdk-tool":[{"metadata":{}}]}`, "rocprofv3's own JSON", "torch.profiler"},
		{"et.json", `{"schema":"1.1.1-chakra.0.0.4","pid":1,"time":"x","start_ts":1,"nodes":[]}`, "an ExecutionTraceObserver file", "export_chrome_trace"},
		{"result_0.txt", ":::MLLOG {\"namespace\": \"\", \"time_ms\": 1}\n", "an MLPerf log", "kwcap.py"},
		{"train.log", " iteration        1/ 1000 | consumed samples: 8 | elapsed time per iteration (ms): 5\n", "a Megatron-LM training log", "`agg`"},
		{"profile_export_aiperf.json", `{"schema_version":"1","input_config":{},"request_throughput":{}}`, "an AIPerf summary", "zip the whole run folder"},
		{"profile_export.jsonl", "{\"metadata\":{\"session_num\":0},\"metrics\":{}}\n{\"metadata\":{},\"metrics\":{}}\n", "AIPerf records", "zip the whole run folder"},
		{"trainer_state.json", `{"best_metric":1,"global_step":5,"log_history":[]}`, "a Hugging Face trainer_state.json", "hf_trainer_state.py"},
		{"bench.json", `{"date":"x","completed":60,"request_throughput":3}`, "`vllm bench serve`", "vllm_bench_serve.py"},
		{"bundle.json", `{"payload":{},"integrity":{},"signatures":[]}`, "an evidence bundle", "evidence verify"},
		{"events.out.tfevents", "\x18\x00\x00\x00\x00\x00\x00\x00\xa3brain.Event:2", "TensorBoard events", "CSV"},
		{"x.zst", "\x28\xb5\x2f\xfd\x00", "a Zstandard file", "zstd -d"},
		{"page.html", "<!DOCTYPE html><html>", "a web page", "download"},
		{"object.json", `{"a":1,"b":2}`, "a JSON object with a, b", "schema"},
		{"lines.jsonl", "{\"a\":1}\n{\"a\":2}\n", "JSON lines with a", "kwcap.py"},
		{"list.json", `[1,2]`, "a JSON list", "kwcap.py"},
		{"notes.txt", "hello", "text; what is read", "kwcap.py"},
		{"blob", "\x00\x01\x02\x03", "binary (first bytes 00 01 02 03)", "kwcap.py"},
		{"blank", " \n", "blank", "finished"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, data := range [][]byte{[]byte(c.data), gzipOf(t, c.data)} {
				_, err := Detect(file(c.name, data))
				failure := fault.Of(err)
				if !fault.Is(err, fault.Unsupported) || failure.Code != "unknown_format" {
					t.Fatalf("the error is %v", err)
				}
				if !strings.Contains(failure.Message, c.looks) || !strings.Contains(failure.Hint, c.remedy) || !strings.Contains(failure.Message, "AIPerf run folders") {
					t.Errorf("%s\nhint: %s", failure.Message, failure.Hint)
				}
			}
		})
	}
}

func TestAnEmptyFileIsCalledEmpty(t *testing.T) {
	if _, err := Detect(file("x", nil)); fault.Of(err).Code != "file_empty" {
		t.Errorf("the error is %v", err)
	}
}

// unread is a file that must not be read.
type unread struct{ t *testing.T }

func (u unread) ReadAt([]byte, int64) (int, error) {
	u.t.Error("a file over every limit is read")
	return 0, os.ErrInvalid
}

func TestAFileOverEveryLimitIsRefusedUnread(t *testing.T) {
	_, err := Detect(evidence.File{Name: "x", Bytes: evidence.LargestReceived() + 1, Content: unread{t}})
	if !fault.Is(err, fault.TooLarge) {
		t.Errorf("the error is %v", err)
	}
}

func TestAFileOverItsFormatsLimitIsRefusedByItsHead(t *testing.T) {
	text := []byte(`{"schema":"kernelwake.capture"`)
	limit := evidence.LimitsOf[evidence.FormatKernelwake].Received
	data := append(text, bytes.Repeat([]byte{' '}, int(limit)+1-len(text))...)
	if _, err := Detect(file("x", data)); !fault.Is(err, fault.TooLarge) || !strings.Contains(err.Error(), "kernelwake-json") {
		t.Errorf("the error is %v", err)
	}
}

// TestRealFilesThatAreNoCaptures names what is in the samples beside captures.
func TestRealFilesThatAreNoCaptures(t *testing.T) {
	samples := sampledir.Find(t)
	for path, looks := range map[string]string{
		"training/hf-trainer-state/trainer_state.json":                      "a Hugging Face trainer_state.json",
		"training/mlperf-llama2-70b-lora/result_1.txt":                      "an MLPerf log",
		"serving/vllm-bench-0.31.0/completions-c4.json":                     "`vllm bench serve`",
		"fleet/alibaba-openb-2023/openb_pod_list_default.csv":               "a CSV table",
		"aiperf/v0.13-stream-c4-again/profile_export_aiperf.json":           "an AIPerf summary",
		"aiperf/v0.13-stream-c4-again/profile_export.jsonl":                 "AIPerf records",
		"training/modded-nanogpt/2025-09-29_PolarExpress__0e3f0af5.log":     "text",
		"aiperf/v0.3-ada6000-qwen-manual-sweep/qwen_concurrency1/README.md": "",
	} {
		data, err := os.ReadFile(filepath.Join(samples, path))
		if err != nil && looks == "" {
			continue
		}
		if err != nil {
			t.Error(err)
			continue
		}
		if _, err := Detect(file(filepath.Base(path), data)); fault.Of(err).Code != "unknown_format" || !strings.Contains(err.Error(), looks) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func FuzzDetect(f *testing.F) {
	for _, seed := range []string{"", "{", `{"schema":"kernelwake.capture"}`, `{"traceEvents":[`, "PK\x03\x04", "\x1f\x8b\x08", "a,b\n1,2\n", "\x80\x04"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		format, err := Detect(file("fuzz", data))
		if (format == nil) == (err == nil) {
			t.Fatalf("format %v and error %v", format, err)
		}
		if err != nil && fault.Of(err).Hint == "" {
			t.Errorf("the error gives no hint: %v", err)
		}
	})
}
