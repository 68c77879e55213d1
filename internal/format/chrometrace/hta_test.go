package chrometrace

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"kernelwake/internal/sampledir"
	"kernelwake/internal/trace"
)

// peerFile is one sample with the tables that Holistic Trace Analysis made of
// it (without its rounding to microseconds, the last step kept).
type peerFile struct {
	sample string
	tables string
	rank   string
	// Where a reason is given the two look at different events, and the figures
	// named must differ by more than the tolerance: a reason that no longer
	// holds is a failure too.
	window, idle, compute, gaps, kernels string
}

const (
	operatorCounted = "a Triton cpu_op with args.stream counts as GPU work there"
	launchLost      = "GPU events without a captured launch are dropped there"
	floatTimes      = "absolute times go through float64 there: 11 launch calls begin up to 0.15 µs after the stream fell idle and are taken for earlier"
	negativeGaps    = "overlapping events on one stream make negative gaps there; here a gap begins after the end of all earlier events"
)

var peerFiles = []peerFile{
	{sample: "bert-small-inference/h100.json.gz", tables: "bert-small-inference.h100"},
	{sample: "bert-small-inference/mi300x.json.gz", tables: "bert-small-inference.mi300x"},
	{sample: "ddp2-a100-nccl/rank-0.json.gz", tables: "ddp2-a100-nccl.rank-0"},
	{sample: "inference-mi300x/vllm-decode-hipgraph.json.gz", tables: "inference-mi300x.vllm-decode-hipgraph"},
	{sample: "kineto-resnet50-v100/workers0.pt.trace.json.gz", tables: "kineto-resnet50-v100.workers0"},
	{sample: "kineto-resnet50-v100/workers4.pt.trace.json.gz", tables: "kineto-resnet50-v100.workers4"},
	{sample: "mi250-minitoy/rank-0.json.gz", tables: "mi250-minitoy.rank-0"},
	{sample: "multirank-128/rank-0.json.gz", tables: "multirank-128", rank: "0"},
	{sample: "multirank-128/rank-1.json.gz", tables: "multirank-128", rank: "1"},
	{sample: "not-comparable/a100-world8-rank3.json.gz", tables: "not-comparable.a100-world8-rank3"},
	{sample: "ns-absolute-ts-v100/rank-0.pt.trace.json.gz", tables: "ns-absolute-ts-v100.rank-0", gaps: floatTimes},
	{sample: "b200-moe-overlap/rank-0.json.gz", tables: "b200-moe-overlap.rank-0", idle: operatorCounted, compute: operatorCounted, gaps: negativeGaps, kernels: operatorCounted},
	{sample: "not-comparable/v100-world2-rank1.json.gz", tables: "not-comparable.v100-world2-rank1", window: launchLost, idle: launchLost, compute: launchLost, gaps: launchLost, kernels: launchLost},
}

// peerTolerance is in microseconds.
const peerTolerance = 0.1

func TestFiguresAgreeWithHolisticTraceAnalysisWhereBothSeeTheSameEvents(t *testing.T) {
	folder := filepath.Join(sampledir.Find(t), "traces", "expected", "norounding-all-steps")
	for _, file := range peerFiles {
		t.Run(file.sample, func(t *testing.T) {
			f := trace.Analyse(readSample(t, file.sample).t).Figures
			rank := file.rank
			if rank == "" {
				rank = "0"
			}
			row := rowWith(t, table(t, folder, file.tables, "temporal"), "rank", rank)
			agree(t, "window", us(t, row, "kernel_time(us)"), known(t, f.WindowNS), file.window)
			agree(t, "idle", us(t, row, "idle_time(us)"), known(t, f.IdleNS), file.idle)
			agree(t, "compute", us(t, row, "compute_time(us)"), known(t, f.ComputeNS), file.compute)
			comparePeerKernels(t, table(t, folder, file.tables, "kernels"), &f, file)
			comparePeerGaps(t, table(t, folder, file.tables, "idle"), &f, file, rank)
		})
	}
}

// agree holds a figure of ours against theirs, or says that they must differ.
func agree(t *testing.T, what string, theirs float64, oursNS int64, reason string) {
	t.Helper()
	off := math.Abs(theirs - float64(oursNS)/1000)
	if reason == "" && off > peerTolerance {
		t.Errorf("%s: %.4f µs there, %.4f µs here", what, theirs, float64(oursNS)/1000)
	}
	if reason != "" && off <= peerTolerance {
		t.Errorf("%s agrees within %.1f µs, though it should not: %s", what, peerTolerance, reason)
	}
}

func comparePeerKernels(t *testing.T, rows []map[string]string, f *trace.Figures, file peerFile) {
	sums := map[string]int64{}
	for _, kernel := range f.Kernels {
		sums[kernel.Name] = kernel.SumNS
	}
	compared, off := 0, 0
	for _, row := range rows {
		ours, isKernel := sums[row["name"]]
		if !isKernel || file.rank != "" && row["rank"] != file.rank {
			continue
		}
		compared++
		if math.Abs(us(t, row, "sum (us)")-float64(ours)/1000) > peerTolerance {
			off++
			if file.kernels == "" {
				t.Errorf("kernel %q: %s µs there, %.3f µs here", row["name"], row["sum (us)"], float64(ours)/1000)
			}
		}
	}
	if compared == 0 {
		t.Error("no kernel of their table is in ours")
	}
	if file.kernels != "" && off == 0 {
		t.Errorf("all %d kernels agree, though they should not: %s", compared, file.kernels)
	}
}

func comparePeerGaps(t *testing.T, rows []map[string]string, f *trace.Figures, file peerFile, rank string) {
	ours := map[string]int64{}
	for _, stream := range f.Streams {
		ours[stream.Stream+" host_wait"] = stream.HostWaitNS
		ours[stream.Stream+" kernel_wait"] = stream.KernelWaitNS
		ours[stream.Stream+" other"] = stream.OtherNS
	}
	off := 0
	for _, row := range rows {
		if row["rank"] != rank {
			continue
		}
		key := row["stream"] + " " + row["idle_category"]
		if math.Abs(us(t, row, "idle_time")-float64(ours[key])/1000) > peerTolerance {
			off++
			if file.gaps == "" {
				t.Errorf("gaps of stream %s: %s µs there, %.3f µs here", key, row["idle_time"], float64(ours[key])/1000)
			}
		}
	}
	if file.gaps != "" && off == 0 {
		t.Errorf("all gaps agree, though they should not: %s", file.gaps)
	}
}

func table(t *testing.T, folder, prefix, kind string) []map[string]string {
	t.Helper()
	file, err := os.Open(filepath.Join(folder, fmt.Sprintf("%s.%s.csv", prefix, kind)))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	records, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rows []map[string]string
	for _, record := range records[1:] {
		row := map[string]string{}
		for i, name := range records[0] {
			row[strings.TrimSpace(name)] = record[i]
		}
		rows = append(rows, row)
	}
	return rows
}

func rowWith(t *testing.T, rows []map[string]string, column, value string) map[string]string {
	t.Helper()
	for _, row := range rows {
		if row[column] == value {
			return row
		}
	}
	t.Fatalf("their table has no row with %s %s", column, value)
	return nil
}

func us(t *testing.T, row map[string]string, column string) float64 {
	t.Helper()
	value, err := strconv.ParseFloat(row[column], 64)
	if err != nil {
		t.Fatalf("%s: %v", column, err)
	}
	return value
}
