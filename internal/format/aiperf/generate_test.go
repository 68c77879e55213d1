package aiperf

import (
	"archive/tar"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/klauspost/compress/gzip"
)

// load describes a run that the tests make up, in the shape of AIPerf 0.13.
type load struct {
	requests, tokens, warmups, failures int
	seed                                uint64
}

const epoch = 1_796_050_712_044_216_397

// records writes the run's profile_export.jsonl: requests one after another at
// a concurrency of 4, chunks about 5 ms apart to the nanosecond.
func (l load) records(out io.Writer) error {
	random := rand.New(rand.NewPCG(l.seed, 7))
	var line []byte
	start := int64(epoch)
	for i := range l.warmups + l.requests {
		phase, number := "profiling", i-l.warmups
		if i < l.warmups {
			phase, number = "warmup", i
		}
		start += 5e6 + random.Int64N(2e6)
		if phase == "profiling" && number < l.failures {
			line = fmt.Appendf(line[:0], `{"metadata":{"session_num":%d,"x_request_id":"%08x-12f9-4aa8-8b4a-1632b47baa13","conversation_id":"session_%06d","turn_index":0,"request_start_ns":%d,"request_end_ns":%d,"benchmark_phase":"profiling","phase_kind":"profiling","was_cancelled":false},"metrics":{"error_isl":{"value":128,"unit":"tokens"}},"error":{"code":500,"type":"Internal Server Error","message":"no"}}`+"\n", number, i, number, start, start)
			if _, err := out.Write(line); err != nil {
				return err
			}
			continue
		}
		line = l.record(line[:0], random, phase, number, i, start)
		if _, err := out.Write(line); err != nil {
			return err
		}
	}
	return nil
}

// milliseconds writes nanoseconds as AIPerf does: divided by a million, as the
// shortest decimal.
func milliseconds(line []byte, ns int64) []byte {
	return strconv.AppendFloat(line, float64(ns)/1e6, 'f', -1, 64)
}

func (l load) record(line []byte, random *rand.Rand, phase string, number, id int, start int64) []byte {
	first := 20e6 + random.Int64N(20e6)
	total := first
	gaps := make([]int64, l.tokens-1)
	for g := range gaps {
		gaps[g] = 3e6 + random.Int64N(4e6)
		total += gaps[g]
	}
	value := func(name, unit string, number float64) {
		line = append(line, '"')
		line = append(line, name...)
		line = append(line, `":{"value":`...)
		line = strconv.AppendFloat(line, number, 'f', -1, 64)
		line = append(line, `,"unit":"`...)
		line = append(line, unit...)
		line = append(line, `"},`...)
	}
	line = fmt.Appendf(line, `{"metadata":{"session_num":%d,"x_request_id":"%08x-12f9-4aa8-8b4a-1632b47baa13","x_correlation_id":"%08x-c817-4532-867c-860d9cf5b332","conversation_id":"session_%06d","turn_index":0,"credit_issued_ns":%d,"request_start_ns":%d,"request_ack_ns":%d,"request_end_ns":%d,"worker_id":"worker_2bb50bbf","record_processor_id":"record_processor_2ff94ab4","benchmark_phase":"%s","phase_index":0,"profiling_index":0,"phase_name":"%s","phase_kind":"%s","was_cancelled":false,"context_overflow_skip":false,"agent_depth":0},"metrics":{`,
		number, id, id, number, start-1e6, start, start+1e6, start+total+100_000, phase, phase, phase)
	latency, decode := float64(total)/1e6, float64(total-first)/1e6
	value("request_latency", "ms", latency)
	value("output_sequence_length", "tokens", float64(l.tokens))
	value("output_token_count", "tokens", float64(l.tokens))
	value("http_req_data_sent", "KB", 0.3525390625)
	value("time_to_second_token", "ms", float64(gaps[0])/1e6)
	value("http_req_duration", "ms", latency-0.04)
	value("time_to_first_token", "ms", float64(first)/1e6)
	value("http_req_sending", "ms", 5.268047999999999)
	value("http_req_dns_lookup", "ms", 0)
	value("http_req_connection_reused", "ratio", 0)
	line = append(line, `"inter_chunk_latency":{"value":[`...)
	for g, gap := range gaps {
		if g > 0 {
			line = append(line, ',')
		}
		line = milliseconds(line, gap)
	}
	line = append(line, `],"unit":"ms"},`...)
	value("http_req_receiving", "ms", latency-30)
	value("usage_prompt_tokens", "tokens", 46)
	value("input_sequence_length", "tokens", float64(100+number%50))
	value("usage_completion_tokens", "tokens", float64(l.tokens))
	value("http_req_waiting", "ms", float64(first)/1e6-5)
	value("usage_total_tokens", "tokens", float64(l.tokens+46))
	value("e2e_output_token_throughput", "tokens/sec/user", 1000*float64(l.tokens)/latency)
	value("decode_duration", "ms", decode)
	value("inter_token_latency", "ms", decode/float64(l.tokens-1))
	value("osl_mismatch_diff_pct", "%", 0)
	value("output_token_throughput_per_user", "tokens/sec/user", 1000/(decode/float64(l.tokens-1)))
	line[len(line)-1] = '}'
	return append(line, "}\n"...)
}

// summary is a summary of the made-up run, without figures that records give.
func (l load) summary() []byte {
	return fmt.Appendf(nil, `{"schema_version":"1.4","aiperf_version":"0.13.0","benchmark_id":"0123456789ab","request_count":{"unit":"requests","avg":%d},
 "input_config":{"models":{"items":[{"name":"made-up"}]},"endpoint":{"type":"chat","streaming":true,"extra":{"ignore_eos":true}},
 "datasets":[{"name":"main","type":"synthetic","entries":%d,"random_seed":42,"prompts":{"isl":{"mean":128,"stddev":16},"osl":{"mean":%d,"stddev":0}}}],
 "phases":[{"name":"profiling","kind":"profiling","type":"concurrency","requests":%d,"concurrency":4}],"slos":{"time_to_first_token":30.0},"tokenizer":{"name":"made-up/tokenizer"}},
 "run_info":{"benchmark_id":"0123456789ab","random_seed":42,"trial":0},"was_cancelled":false,"is_complete":true,"error_summary":[]}`, l.requests-l.failures, l.requests, l.tokens, l.requests)
}

// writeArchive packs a run of the load into a tar.gz file, and its records
// beside it; it returns the two paths.
func (l load) writeArchive(b testing.TB) (archive, records string) {
	b.Helper()
	dir := b.TempDir()
	records = filepath.Join(dir, "profile_export.jsonl")
	plain, err := os.Create(records)
	if err == nil {
		err = l.records(plain)
	}
	if err == nil {
		_, err = plain.Seek(0, io.SeekStart)
	}
	if err != nil {
		b.Fatal(err)
	}
	defer plain.Close()
	info, err := plain.Stat()
	if err != nil {
		b.Fatal(err)
	}
	archive = filepath.Join(dir, "run.tar.gz")
	out, err := os.Create(archive)
	if err != nil {
		b.Fatal(err)
	}
	defer out.Close()
	packed, _ := gzip.NewWriterLevel(out, gzip.DefaultCompression)
	tape := tar.NewWriter(packed)
	summary := l.summary()
	for _, step := range []func() error{
		func() error {
			return tape.WriteHeader(&tar.Header{Name: "run/profile_export.jsonl", Mode: 0o644, Size: info.Size(), Typeflag: tar.TypeReg})
		},
		func() error { _, err := io.Copy(tape, plain); return err },
		func() error {
			return tape.WriteHeader(&tar.Header{Name: "run/profile_export_aiperf.json", Mode: 0o644, Size: int64(len(summary)), Typeflag: tar.TypeReg})
		},
		func() error { _, err := tape.Write(summary); return err },
		tape.Close, packed.Close,
	} {
		if err := step(); err != nil {
			b.Fatal(err)
		}
	}
	return archive, records
}
