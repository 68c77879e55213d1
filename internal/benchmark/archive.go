package main

import (
	"archive/zip"
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// archive measures whole processes on an AIPerf archive close to its limit of
// 64 MiB: the offline check, and Python reading the same records.
func archive(scratch string) []row {
	one := row{job: "AIPerf archive, whole process", versus: "Python's json on the same records", target: "at least 10 × faster"}
	path := filepath.Join(scratch, "large.zip")
	records, err := writeArchive(path)
	if err != nil {
		return []row{{job: one.job, err: err}}
	}
	if info, err := os.Stat(path); err == nil {
		one.job = fmt.Sprintf("AIPerf archive of %.1f MiB, %d records, whole process", float64(info.Size())/(1<<20), records)
	}
	var python string
	if one.ours, one.err = process(binary, "capture", "check", "--json", path); one.err == nil {
		if python, one.err = peer("KERNELWAKE_PYTHON"); one.err == nil {
			one.peer, one.err = process(python, "internal/benchmark/peers/aiperf_records.py", path)
		}
	}
	return []row{one}
}

// archiveBytes is how large the archive may become: under the limit of 64 MiB.
const archiveBytes = 62 << 20

// writeArchive makes an archive of records with 200 gaps each until it is
// large enough, and returns how many records there are.
func writeArchive(path string) (int, error) {
	file, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	counted := &counter{file: file}
	archive := zip.NewWriter(counted)
	entry, err := archive.Create("profile_export.jsonl")
	if err != nil {
		return 0, err
	}
	out := bufio.NewWriter(entry)
	random := rand.New(rand.NewPCG(3, 4))
	records := 0
	for ; counted.bytes < archiveBytes; records++ {
		writeRecord(out, random, records)
	}
	if err := out.Flush(); err != nil {
		return 0, err
	}
	return records, archive.Close()
}

type counter struct {
	file  *os.File
	bytes int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.file.Write(p)
	c.bytes += int64(n)
	return n, err
}

func writeRecord(out *bufio.Writer, random *rand.Rand, index int) {
	start := int64(1_790_000_000_000_000_000) + int64(index)*5_000_000
	first := 20 + 10*random.Float64()
	total := first
	fmt.Fprintf(out, `{"metadata":{"session_num":%d,"x_request_id":"%08x","conversation_id":"session_%06d","turn_index":0,"request_start_ns":%d,"request_end_ns":%d,"worker_id":"w","benchmark_phase":"profiling","was_cancelled":false},"metrics":{"inter_chunk_latency":{"value":[`, index, index, index, start, start+2_000_000_000)
	const gaps = 200
	for i := range gaps {
		gap := 5 + random.ExpFloat64()
		total += gap
		if i > 0 {
			out.WriteByte(',')
		}
		fmt.Fprintf(out, "%.6f", gap)
	}
	fmt.Fprintf(out, `],"unit":"ms"},"time_to_first_token":{"value":%.6f,"unit":"ms"},"request_latency":{"value":%.6f,"unit":"ms"},"inter_token_latency":{"value":%.9f,"unit":"ms"},"output_sequence_length":{"value":%d,"unit":"tokens"},"input_sequence_length":{"value":128,"unit":"tokens"}}}`+"\n", first, total, (total-first)/gaps, gaps+1)
}
