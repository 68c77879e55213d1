package evidence

import (
	"math"
	"testing"

	"kernelwake/internal/absent"
	"kernelwake/internal/lens"
)

func lensOf(t testing.TB, id lens.ID) lens.Lens {
	t.Helper()
	l, ok := lens.Find(id)
	if !ok {
		t.Fatalf("no lens %q", id)
	}
	return l
}

func floats(name string, values ...float64) Column { return Column{Name: name, Floats: values} }

func byMetric(measurements []Measurement) map[string]Measurement {
	all := map[string]Measurement{}
	for _, m := range measurements {
		all[m.Metric] = m
	}
	return all
}

func wantValue(t *testing.T, m Measurement, want float64) {
	t.Helper()
	if got, ok := m.Known(); !ok || math.Abs(got-want) > 1e-9*math.Max(1, math.Abs(want)) {
		t.Errorf("%s is %v (absent %q), want %v", m.Metric, got, m.Absent, want)
	}
}

func TestLatencySamplesGiveTypeSevenQuantilesOfGoodRequestsInStartOrder(t *testing.T) {
	o := Outcome{Name: "ttft", Unit: "ms", Kind: lens.Samples, Reported: map[string]float64{"p50": 5.4}, Data: Table{Columns: []Column{
		floats("v", 10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1000, math.NaN()),
		floats("at", 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11),
		Words("status", []string{"ok", "ok", "ok", "ok", "ok", "ok", "ok", "ok", "ok", "ok", "error", "ok"}),
	}}}
	good := o.Good()
	if len(good) != 10 || good[0] != 1 || good[9] != 10 {
		t.Fatalf("the good samples in start order are %v", good)
	}
	m := byMetric(Measure(o, lensOf(t, lens.Inference)))
	wantValue(t, m["ttft.p50"], 5.5)
	wantValue(t, m["ttft.p99"], 9.91)
	wantValue(t, m["ttft.mean"], 5.5)
	if n, _ := m["ttft.p99"].N.Get(); n != 10 {
		t.Errorf("n is %d, want 10", n)
	}
	if m["ttft.p50"].Reported == nil || *m["ttft.p50"].Reported != 5.4 {
		t.Errorf("what the source reported is lost: %v", m["ttft.p50"].Reported)
	}
	if marks := m["ttft.p99"].Marks; len(marks) != 1 || marks[0] != MarkTooFewSamples {
		t.Errorf("p99 of 10 samples bears %v", marks)
	}
	if m["ttft.p99"].Direction != lens.Lower || m["ttft.p99"].Unit != "ms" || m["ttft.p99"].Basis != FromSamples {
		t.Errorf("direction, unit or basis wrong: %+v", m["ttft.p99"])
	}
}

func TestP99BearsItsMarkBelow368EffectiveSamples(t *testing.T) {
	for _, c := range []struct {
		n      int
		marked bool
	}{{367, true}, {368, false}} {
		if Enough(lens.P99, float64(c.n)) == c.marked {
			t.Errorf("p99 of %d samples: marked should be %v", c.n, c.marked)
		}
	}
}

func TestNothingAbsentBecomesZero(t *testing.T) {
	l := lensOf(t, lens.Training)
	for name, o := range map[string]Outcome{
		"stated absence":   {Name: "step_time", Kind: lens.Samples, Absent: absent.NotRecorded, Note: "the trainer logs no step times"},
		"no samples":       {Name: "step_time", Kind: lens.Samples},
		"empty summary":    {Name: "step_time", Kind: lens.Summary},
		"empty total":      {Name: "elapsed_time", Kind: lens.Total},
		"ratio of nothing": {Name: "gpu_idle_share", Kind: lens.RatioKind, Numerator: new(float64), Denominator: new(float64)},
		"empty series":     {Name: "quality", Kind: lens.Series},
		"no spells":        {Name: "time_to_target", Kind: lens.Spells},
	} {
		for _, m := range Measure(o, l) {
			if m.Value != nil || m.Absent == "" {
				t.Errorf("%s: %s has value %v, absent %q", name, m.Metric, m.Value, m.Absent)
			}
		}
	}
}

func TestWaitsThatNeverEndedCountByKaplanMeier(t *testing.T) {
	o := Outcome{Name: "queue_wait", Unit: "s", Kind: lens.Spells, Data: Table{Columns: []Column{
		floats("start", 0, 0, 0, 0, 0), floats("end", 1, 2, 3, 10, 10), floats("censored", 0, 0, 0, 1, 1),
	}}}
	m := byMetric(Measure(o, lensOf(t, lens.Fleet)))
	wantValue(t, m["queue_wait.p50"], 3)
	p95 := m["queue_wait.p95"]
	if p95.Value != nil || p95.Absent != absent.NotReached {
		t.Errorf("p95 is %v (%q): two of five never ended, so it is not reached", p95.Value, p95.Absent)
	}
	if p95.Censored != 2 || len(p95.Marks) == 0 || p95.Marks[0] != MarkCensored {
		t.Errorf("censoring is not said: %d, %v", p95.Censored, p95.Marks)
	}
}

func TestATargetThatWasMissedIsNotReachedRatherThanLate(t *testing.T) {
	o := Outcome{Name: "time_to_target", Unit: "s", Kind: lens.Spells, Data: Table{Columns: []Column{floats("start", 0), floats("end", 148.2), floats("censored", 1)}}}
	m := Measure(o, lensOf(t, lens.Training))[0]
	if m.Value != nil || m.Absent != absent.NotReached {
		t.Errorf("value %v, absent %q", m.Value, m.Absent)
	}
}

func TestAStepIsAsLongAsItsSlowestRank(t *testing.T) {
	o := Outcome{Name: "step_time", Unit: "ms", Kind: lens.Samples, Data: Table{Columns: []Column{
		floats("v", 10, 30, 20, 12, 11, 40), floats("step", 1, 1, 2, 2, 3, 3), floats("rank", 0, 1, 0, 1, 0, 1),
	}}}
	if got := o.Good(); len(got) != 3 || got[0] != 30 || got[1] != 20 || got[2] != 40 {
		t.Errorf("steps are %v", got)
	}
}

func TestFleetRatiosAreWithheldWhereTheirPartsContradict(t *testing.T) {
	num, den := 4872.1, 0.0
	p := &Parsed{
		Lens: lens.Fleet, Dimensions: map[string]Dimension{"population": {Value: "complete", Source: Declared}},
		Outcomes: []Outcome{{Name: "allocation", Unit: "1", Kind: lens.RatioKind, Numerator: &num, Denominator: &den, Basis: "{GPU}.h"}},
	}
	m := MeasureAll(p, lensOf(t, lens.Fleet))[0]
	if m.Value != nil || m.Absent != absent.Withheld || m.Note != "allocated exceeds eligible GPU time" {
		t.Errorf("value %v, absent %q, note %q", m.Value, m.Absent, m.Note)
	}
	den = 5000
	if _, ok := MeasureAll(p, lensOf(t, lens.Fleet))[0].Known(); !ok {
		t.Errorf("a sound ratio is missing")
	}
	p.Dimensions["population"] = Dimension{Value: "sampled"}
	if m := MeasureAll(p, lensOf(t, lens.Fleet))[0]; m.Absent != absent.Withheld {
		t.Errorf("a sampled job list gives an allocation of %v", m.Value)
	}
}

func TestHistogramQuantilesAreGivenOnlyWhereABucketIsNarrow(t *testing.T) {
	o := Outcome{Name: "ttft", Unit: "ms", Kind: lens.Histogram, Bounds: []float64{10, 10.4, 20}, Counts: []int64{40, 45, 10, 5}}
	m := byMetric(Measure(o, lensOf(t, lens.Inference)))
	wantValue(t, m["ttft.p50"], 10+0.4*10/45)
	if p90 := m["ttft.p90"]; p90.Absent != absent.NotSupported || p90.Note != "the histogram only says between 10.4 and 20 ms" {
		t.Errorf("p90 lies in a wide bucket, yet is %v (%s %s)", p90.Value, p90.Absent, p90.Note)
	}
	if m["ttft.p99"].Absent != absent.NotReached {
		t.Errorf("p99 lies in the overflow, yet is %v", m["ttft.p99"].Value)
	}
}

func BenchmarkMeasure100kSamples(b *testing.B) {
	values := make([]float64, 100_000)
	for i := range values {
		values[i] = 20 + float64((i*2654435761)%1000)/100
	}
	o := Outcome{Name: "ttft", Kind: lens.Samples, Data: Table{Columns: []Column{{Name: "v", Floats: values}}}}
	l := lensOf(b, lens.Inference)
	b.ReportAllocs()
	for b.Loop() {
		Measure(o, l)
	}
}
