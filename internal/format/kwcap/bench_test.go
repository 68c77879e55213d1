package kwcap

import (
	"encoding/json"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"kernelwake/internal/format/formattest"
)

// largeCapture is a capture of the given number of requests, each with its
// time and latency: a million make 16 MB.
func largeCapture(t testing.TB, requests int) []byte {
	random := rand.New(rand.NewPCG(7, 11))
	var at, v strings.Builder
	for i := range requests {
		if i > 0 {
			at.WriteByte(',')
			v.WriteByte(',')
		}
		at.WriteString(strconv.FormatFloat(float64(i)*599/float64(requests), 'f', 3, 64))
		v.WriteString(strconv.FormatFloat(20+random.ExpFloat64()*15, 'f', 3, 64))
	}
	text := string(sample(t, "inference.kwcap.json"))
	i, j := strings.Index(text, `{"name": "ttft"`), strings.Index(text, `{"name": "phase_time"`)
	return []byte(text[:i] + `{"name": "ttft", "unit": "ms", "kind": "samples", "agg": 1, "at": [` + at.String() + `], "v": [` + v.String() + `]}, ` + text[j:])
}

func BenchmarkRead(b *testing.B) {
	data := largeCapture(b, 1_000_000)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := formattest.Read(Format{}, "", data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEncodingJSONIntoAny(b *testing.B) {
	data := largeCapture(b, 1_000_000)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		var value any
		if err := json.Unmarshal(data, &value); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkAgainstEncodingJSON prints how many times faster a capture is read,
// checked and turned into its parsed form than encoding/json builds an any.
func BenchmarkAgainstEncodingJSON(b *testing.B) {
	data := largeCapture(b, 1_000_000)
	var ours, theirs time.Duration
	for b.Loop() {
		start := time.Now()
		if _, err := formattest.Read(Format{}, "", data); err != nil {
			b.Fatal(err)
		}
		ours += time.Since(start)
		start = time.Now()
		var value any
		if err := json.Unmarshal(data, &value); err != nil {
			b.Fatal(err)
		}
		theirs += time.Since(start)
	}
	b.ReportMetric(theirs.Seconds()/ours.Seconds(), "times_faster")
	b.ReportMetric(float64(len(data))/(1<<20), "MiB")
}
