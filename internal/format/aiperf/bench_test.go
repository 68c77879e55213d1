package aiperf

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"time"

	"kernelwake/internal/evidence"
)

// large is a run whose archive has about 64 MiB.
var large = load{requests: 27_000, tokens: 512, seed: 1}

// importFile imports an archive from disk and returns its one capture.
func importFile(b testing.TB, path string) *evidence.Parsed {
	b.Helper()
	file, err := os.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		b.Fatal(err)
	}
	var parsed *evidence.Parsed
	err = Format{}.Read(context.Background(), evidence.File{Bytes: info.Size(), Content: file}, evidence.ReadOptions{}, func(one *evidence.Parsed) error {
		parsed = one
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	return parsed
}

// peak watches the heap while work runs and returns the most that was in use
// beyond what was before, in MiB.
func peak(work func()) float64 {
	runtime.GC()
	var before, now runtime.MemStats
	runtime.ReadMemStats(&before)
	most := before.HeapInuse
	done := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(5 * time.Millisecond):
				runtime.ReadMemStats(&now)
				most = max(most, now.HeapInuse)
			}
		}
	})
	work()
	close(done)
	watching.Wait()
	return float64(most-before.HeapInuse) / mebibyte
}

func BenchmarkImport64MiB(b *testing.B) {
	archive, records := large.writeArchive(b)
	info, err := os.Stat(records)
	if err != nil {
		b.Fatal(err)
	}
	packed, err := os.Stat(archive)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(info.Size())
	b.ReportAllocs()
	var most float64
	for b.Loop() {
		most = max(most, peak(func() { importFile(b, archive) }))
	}
	b.ReportMetric(most, "peak-MiB")
	b.ReportMetric(float64(packed.Size())/mebibyte, "archive-MiB")
	b.ReportMetric(float64(info.Size())/mebibyte, "records-MiB")
}

func BenchmarkRecords(b *testing.B) {
	for name, shape := range map[string]load{"gaps": {requests: 400, tokens: 512, seed: 1}, "short": {requests: 4000, tokens: 2, seed: 1}} {
		b.Run(name, func(b *testing.B) {
			dir := b.TempDir()
			file, err := os.Create(filepath.Join(dir, "records"))
			if err == nil {
				err = shape.records(file)
			}
			if err != nil {
				b.Fatal(err)
			}
			info, _ := file.Stat()
			b.SetBytes(info.Size())
			b.ReportAllocs()
			for b.Loop() {
				if _, err := file.Seek(0, 0); err != nil {
					b.Fatal(err)
				}
				if _, err := readRequests(context.Background(), "records", file, evidence.LimitsOf[evidence.FormatAIPerf]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkAgainstPython gives the same archive to a script that reads its
// records with Python's own tarfile and json modules into the same figures,
// and prints how many times faster the import is.
func BenchmarkAgainstPython(b *testing.B) {
	python, err := exec.LookPath("python3")
	if err != nil {
		b.Skip("SKIPPED: there is no python3 to compare with")
	}
	archive, _ := large.writeArchive(b)
	script := exec.Command(python, filepath.Join("testdata", "figures.py"), archive)
	started := time.Now()
	out, err := script.Output()
	if err != nil {
		b.Fatalf("running the script: %v", err)
	}
	theirs, theirProcessor := time.Since(started), script.ProcessState.UserTime()+script.ProcessState.SystemTime()
	var figures map[string]map[string]float64
	if err := json.Unmarshal(out, &figures); err != nil {
		b.Fatal(err)
	}
	var ours, ourProcessor time.Duration
	var parsed *evidence.Parsed
	for b.Loop() {
		started, used := time.Now(), processorTime()
		parsed = importFile(b, archive)
		ours, ourProcessor = ours+time.Since(started), ourProcessor+processorTime()-used
	}
	ours, ourProcessor = ours/time.Duration(b.N), ourProcessor/time.Duration(b.N)
	compareWithScript(b, parsed, figures)
	b.ReportMetric(theirs.Seconds(), "python-s")
	b.ReportMetric(ours.Seconds(), "import-s")
	b.ReportMetric(theirs.Seconds()/ours.Seconds(), "times-faster")
	// Processor time is the fairer figure on a machine that has other work.
	b.ReportMetric(theirProcessor.Seconds()/ourProcessor.Seconds(), "times-less-processor")
}

// processorTime is what this process has used so far.
func processorTime() time.Duration {
	var used syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &used)
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// compareWithScript tests that both read the same figures; quantiles of gaps
// that were thinned are left to the mean.
func compareWithScript(b testing.TB, parsed *evidence.Parsed, script map[string]map[string]float64) {
	b.Helper()
	var f figures
	if err := json.Unmarshal(parsed.Figures, &f); err != nil {
		b.Fatal(err)
	}
	for name, want := range script {
		if name == "requests" {
			rate, _ := parsed.Outcome("request_throughput", "")
			if int64(want["good"]) != *f.Requests.OK || int64(want["failed"]) != *f.Requests.Failed || !near(rate.Statistics["value"], want["per_second"], 1e-12) {
				b.Errorf("the script counts %v, the import %v and %v a second", want, f.Requests, rate.Statistics)
			}
			continue
		}
		for figure, value := range want {
			if figure == "mean" {
				figure = "avg"
			}
			got, ok := f.Metrics[name][figure].(float64)
			if !ok && name == chunkLatency {
				continue
			}
			if !near(got, value, 1e-12) {
				b.Errorf("%s %s is %v by the script and %v by the import", name, figure, value, got)
			}
		}
	}
}

func near(a, b, tolerance float64) bool {
	return a == b || max(a-b, b-a) <= tolerance*max(a, -a, b, -b)
}
