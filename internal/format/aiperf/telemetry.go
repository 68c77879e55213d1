package aiperf

import (
	"bytes"
	"context"
	"io"
	"math"
	"sort"
	"strings"

	"kernelwake/internal/evidence"
	"kernelwake/internal/secret"
)

// mostTelemetryRows bounds the samples kept of each file; beyond it every
// second is let go. Three rows a second of 8 GPUs fill it in 40 minutes.
const mostTelemetryRows = 60_000

// telemetryColumns are the fields of a sample that are kept, with the names
// AIPerf gave them over time.
var telemetryColumns = [...]struct {
	name  string
	names []string
	scale float64
}{
	{"power_w", []string{"gpu_power_usage", "power_usage"}, 1},
	{"utilization", []string{"gpu_utilization"}, 0.01},
	{"memory_used_by", []string{"gpu_memory_used", "memory_used"}, gigabyte},
	{"sm_clock_mhz", []string{"sm_clock_frequency"}, 1},
	{"temperature_cel", []string{"gpu_temperature"}, 1},
}

// telemetry is gpu_telemetry_export.jsonl, each device by one exporter only.
type telemetry struct {
	path     string
	gpus     []gpu
	exporter []string // the one each device is read from
	span     span
	at       []int64
	device   []uint16
	values   [len(telemetryColumns)][]float64
	stride   int64
	rows     int64
	// damaged counts lines that can't be read.
	damaged int64
	secrets secret.Report
}

// readTelemetry reads GPU samples line by line.
func readTelemetry(ctx context.Context, path string, content io.Reader, limits evidence.Limits, keep bool) (*telemetry, error) {
	t := &telemetry{path: path, secrets: secret.Report{Keep: keep}, stride: 1, span: span{missingInteger, missingInteger}}
	source := newLines(content, path)
	for {
		line, _, err := source.next()
		if err != nil {
			return nil, err
		}
		if line == nil {
			return t, nil
		}
		if source.number%4096 == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		if len(bytes.TrimSpace(line)) > 0 {
			t.add(line, limits.Depth)
		}
	}
}

// mostGPUs bounds the devices told apart.
const mostGPUs = 1024

// sample is one row of telemetry.
type sample struct {
	at                           int64
	url, uuid, model, host       []byte
	values                       [len(telemetryColumns)]float64
	memoryFree, memoryTotal, cap float64
}

func (t *telemetry) add(line []byte, maxDepth int) {
	row, ok := scanSample(line, maxDepth)
	if !ok || row.at == missingInteger {
		t.damaged++
		return
	}
	device := t.deviceOf(row)
	if device < 0 {
		return // another exporter's word on a device already read
	}
	t.span = t.span.with(row.at, row.at)
	g := &t.gpus[device]
	g.utilizationMost = largestOf(g.utilizationMost, row.values[1]*100)
	g.memoryMost = largestOf(g.memoryMost, row.values[2])
	g.memoryTotal = largestOf(g.memoryTotal, row.memoryTotal*gigabyte)
	g.powerLimit = largestOf(g.powerLimit, row.cap)
	g.temperatureMost = largestOf(g.temperatureMost, row.values[4])
	if t.rows++; (t.rows-1)%t.stride != 0 {
		return
	}
	t.at = append(t.at, row.at)
	t.device = append(t.device, uint16(device))
	for i, value := range row.values {
		t.values[i] = append(t.values[i], value)
	}
	if len(t.at) > mostTelemetryRows {
		t.thin()
	}
}

func largestOf(a, b float64) float64 {
	if math.IsNaN(a) || b > a {
		return b
	}
	return a
}

func (t *telemetry) thin() {
	kept := 0
	for i := 0; i < len(t.at); i += 2 {
		t.at[kept], t.device[kept] = t.at[i], t.device[i]
		for column := range t.values {
			t.values[column][kept] = t.values[column][i]
		}
		kept++
	}
	t.at, t.device = t.at[:kept], t.device[:kept]
	for column := range t.values {
		t.values[column] = t.values[column][:kept]
	}
	t.stride *= 2
}

// deviceOf returns the number of the row's device; −1 if it is read from
// another exporter or there are too many.
func (t *telemetry) deviceOf(row sample) int {
	for i := range t.gpus {
		if t.gpus[i].uuid != string(row.uuid) {
			continue
		}
		if t.exporter[i] != string(row.url) {
			t.gpus[i].exporters = 2
			return -1
		}
		return i
	}
	if len(t.gpus) == mostGPUs {
		return -1
	}
	t.gpus = append(t.gpus, unmeasuredGPU(t.secrets.Text(t.path, unescaped(row.model)), string(row.uuid), unescaped(row.host)))
	t.exporter = append(t.exporter, string(row.url))
	redactHost(&t.secrets, "hostname", unescaped(row.host), t.path)
	redactHost(&t.secrets, "url", unescaped(row.url), t.path)
	return len(t.gpus) - 1
}

func scanSample(line []byte, maxDepth int) (sample, bool) {
	row := sample{at: missingInteger, memoryFree: math.NaN(), memoryTotal: math.NaN(), cap: math.NaN()}
	for i := range row.values {
		row.values[i] = math.NaN()
	}
	c := newCursor(line, maxDepth)
	for c.open('{'); c.more('}'); {
		switch string(c.key()) {
		case "timestamp_ns":
			row.at = c.integer()
		case "dcgm_url", "telemetry_source_url":
			row.url = c.word()
		case "gpu_uuid":
			row.uuid = c.word()
		case "gpu_model_name":
			row.model = c.word()
		case "hostname":
			row.host = c.word()
		case "telemetry_data":
			row.fields(&c)
		default:
			c.skip()
		}
	}
	return row, c.finished()
}

func (row *sample) fields(c *cursor) {
	if c.next() != '{' {
		c.skip()
		return
	}
	for c.open('{'); c.more('}'); {
		name := c.key()
		if next := c.next(); next == '"' || next == '{' || next == '[' || next == 't' || next == 'f' {
			c.skip()
			continue
		}
		row.set(string(name), c.number())
	}
}

func (row *sample) set(name string, value float64) {
	name = strings.TrimPrefix(strings.TrimPrefix(name, "nvidia_"), "amd_")
	switch name {
	case "gpu_memory_total":
		row.memoryTotal = value
	case "gpu_memory_free":
		row.memoryFree = value
	case "power_management_limit":
		row.cap = value
	}
	for i, column := range telemetryColumns {
		for _, known := range column.names {
			if name == known {
				row.values[i] = value * column.scale
			}
		}
	}
}

// within returns the devices with the means of samples inside the window.
func (t *telemetry) within(window span) []gpu {
	gpus := append([]gpu(nil), t.gpus...)
	sums := make([]struct{ power, utilization, n float64 }, len(gpus))
	for i, at := range t.at {
		if at < window.start || at > window.end {
			continue
		}
		sum := &sums[t.device[i]]
		sum.power += t.values[0][i]
		sum.utilization += t.values[1][i] * 100
		sum.n++
	}
	for i, sum := range sums {
		if sum.n > 0 {
			gpus[i].powerMean, gpus[i].utilizationMean = sum.power/sum.n, sum.utilization/sum.n
		}
	}
	sort.SliceStable(gpus, func(a, b int) bool { return gpus[a].uuid < gpus[b].uuid })
	return gpus
}

func (t *telemetry) retained() int64 {
	return int64(16*cap(t.at) + 8*len(t.values)*cap(t.at) + 256*len(t.gpus))
}
