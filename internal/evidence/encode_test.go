package evidence

import (
	"bytes"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"kernelwake/internal/absent"
)

func example() *Parsed {
	return &Parsed{
		Format: FormatKernelwake, Importer: "kernelwake-json@1", Name: "r1", Lens: "training", Origin: Recorded, MeasuredOn: CPU,
		Dimensions: map[string]Dimension{"model": {Value: "resnet50", Source: Observed}, "driver": {Absent: absent.NotRecorded}},
		Outcomes: []Outcome{{Name: "step_time", Unit: "ms", Kind: "samples", N: absent.Of(int64(3)), Data: Table{Name: "samples", Columns: []Column{
			{Name: "v", Floats: []float64{1.5, math.NaN(), 3}}, {Name: "step", Ints: []int64{1, 2, MissingInt}}, Words("status", []string{"ok", "error", "ok"}),
		}}}},
		Findings: []Finding{{Code: "x", Message: "y", Count: 1}},
		Tables:   []Table{{Name: "spans", Columns: []Column{{Name: "start_ns", Ints: []int64{0, 1 << 60}}, {Name: "empty"}}}},
	}
}

func TestParsedFormReadsBackAsItWasWrittenAndIsByteEqual(t *testing.T) {
	first, err := example().Encode()
	if err != nil {
		t.Fatal(err)
	}
	read, err := Decode(first)
	if err != nil {
		t.Fatal(err)
	}
	options := []cmp.Option{cmpopts.EquateNaNs(), cmpopts.EquateEmpty(), cmp.AllowUnexported(absent.Value[int64]{})}
	if diff := cmp.Diff(example().Outcomes, read.Outcomes, options...); diff != "" {
		t.Errorf("outcomes changed:\n%s", diff)
	}
	if diff := cmp.Diff(example().Tables, read.Tables, options...); diff != "" {
		t.Errorf("tables changed:\n%s", diff)
	}
	second, err := read.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if Digest(first) != Digest(second) {
		t.Error("encoding what was decoded gives other bytes")
	}
}

func TestParsedFormCutAnywhereIsAnErrorNotAPartialResult(t *testing.T) {
	whole, err := example().Encode()
	if err != nil {
		t.Fatal(err)
	}
	for length := range whole {
		if _, err := Decode(whole[:length]); err == nil {
			t.Fatalf("the first %d of %d bytes were read without an error", length, len(whole))
		}
	}
	if _, err := Decode(append(whole, 0)); err == nil {
		t.Error("a byte too many was accepted")
	}
}

func FuzzDecode(f *testing.F) {
	whole, _ := example().Encode()
	f.Add(whole)
	f.Add([]byte(encodedMagic))
	f.Fuzz(func(t *testing.T, data []byte) {
		parsed, err := Decode(data)
		if err != nil {
			return
		}
		if _, err := parsed.Encode(); err != nil {
			t.Errorf("what was read can't be written: %v", err)
		}
	})
}

func TestOutcomesReadWithoutTablesAreThoseOfTheWhole(t *testing.T) {
	encoded, err := example().Encode()
	if err != nil {
		t.Fatal(err)
	}
	read, size, err := DecodeOutcomes(bytes.NewReader(encoded))
	if err != nil {
		t.Fatal(err)
	}
	want, err := Decode(encoded)
	if err != nil {
		t.Fatal(err)
	}
	want.Tables = nil
	if diff := cmp.Diff(want, read, cmpopts.EquateNaNs(), cmpopts.EquateEmpty(), cmp.AllowUnexported(absent.Value[int64]{}, absent.Value[time.Time]{})); diff != "" {
		t.Errorf("outcomes (-want +got):\n%s", diff)
	}
	if size <= 0 || size >= int64(len(encoded)) {
		t.Errorf("read %d of %d bytes", size, len(encoded))
	}
	for cut := range size {
		if _, _, err := DecodeOutcomes(bytes.NewReader(encoded[:cut])); err == nil {
			t.Fatalf("a form cut at byte %d was read", cut)
		}
	}
}

func TestOutcomesKeepTheOrderOfPromptsThatComparisonsRead(t *testing.T) {
	p := example()
	p.Tables = append(p.Tables, Table{Name: "requests", Columns: []Column{
		{Name: "e2el_ms", Floats: []float64{1, 2}}, Words("conversation", []string{"b", "a"}), {Name: "start_ns", Ints: []int64{1, 2}},
	}}, Table{Name: "series", Columns: []Column{{Name: "x", Floats: []float64{1}}}})
	encoded, err := p.Encode()
	if err != nil {
		t.Fatal(err)
	}
	read, size, err := DecodeOutcomes(bytes.NewReader(encoded))
	if err != nil {
		t.Fatal(err)
	}
	if len(read.Tables) != 1 || len(read.Tables[0].Columns) != 1 || read.Tables[0].Columns[0].Text(0) != "b" || size >= int64(len(encoded)) {
		t.Errorf("tables %+v, kept %d of %d bytes", read.Tables, size, len(encoded))
	}
	for cut := range len(encoded) - 60 {
		if _, _, err := DecodeOutcomes(bytes.NewReader(encoded[:cut])); err == nil {
			t.Fatalf("a form cut at byte %d of %d was read", cut, len(encoded))
		}
	}
}
