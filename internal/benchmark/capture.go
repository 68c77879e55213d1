package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
)

// capture measures a Kernelwake JSON capture close to its limit against
// encoding/json reading the same bytes into any.
func capture(string) []row {
	one := row{job: "Kernelwake capture, 1,000,000 values", versus: "encoding/json into any", target: "at least 3 × faster"}
	content := largeCapture()
	one.job += fmt.Sprintf(" (%.1f MiB)", float64(len(content))/(1<<20))
	one.ours, one.err = inside(func() error { return read("large.kwcap.json", content) })
	if one.err != nil {
		return []row{one}
	}
	one.peer, one.err = inside(func() error {
		var into any
		return json.Unmarshal(content, &into)
	})
	return []row{one}
}

// largeCapture writes a training capture with a million step times.
func largeCapture() []byte {
	random := rand.New(rand.NewPCG(1, 2))
	var out bytes.Buffer
	out.WriteString(`{"schema":"kernelwake.capture","version":"1.0","lens":"training","created":"2026-01-01T00:00:00Z",` +
		`"producer":{"name":"benchmark","version":"1"},"synthetic":true,"synthetic_reason":"made for a benchmark","measured_on":"none",` +
		`"window":{"start":"2026-01-01T00:00:00Z","end":"2026-01-02T00:00:00Z"},"workload":{"name":"benchmark"},` +
		`"run":{"id":"r1","state":"completed","attempt":1},` +
		`"environment":{"nodes":1,"gpus":{"absent":"not_applicable"},"driver":{"absent":"not_applicable"},"cuda":{"absent":"not_applicable"},"interconnect":{"absent":"not_applicable"},"software":{}},"dimensions":{`)
	for i, key := range []string{"model", "init", "dataset", "objective", "target", "gpu_model", "gpu_count", "world_size", "effective_batch", "sequence_length", "clock_rule"} {
		if i > 0 {
			out.WriteByte(',')
		}
		fmt.Fprintf(&out, `"%s":{"absent":"not_recorded"}`, key)
	}
	out.WriteString(`},"outcomes":[{"name":"step_time","unit":"ms","kind":"samples","agg":1,"v":[`)
	for i := range 1_000_000 {
		if i > 0 {
			out.WriteByte(',')
		}
		fmt.Fprintf(&out, "%.11f", 80+random.NormFloat64())
	}
	out.WriteString(`]}]}`)
	return out.Bytes()
}
