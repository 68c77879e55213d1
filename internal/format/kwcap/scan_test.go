package kwcap

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"
)

// accepts reports whether the scanner takes data for one strict JSON value, by
// the grammar and the rules of the format that hold for any value.
func accepts(data []byte) bool {
	s := newScanner(data)
	s.skip()
	s.blank()
	return s.count == 0 && s.at >= len(s.data)
}

// acceptsElsewhere asks another strict reader, then applies the format's own rules:
// no null, 16 levels, integers to 2^53 − 1, numbers to 1e100.
func acceptsElsewhere(data []byte) bool {
	decoder := jsontext.NewDecoder(bytes.NewReader(data))
	for {
		token, err := decoder.ReadToken()
		if err != nil || decoder.StackDepth() > 16 {
			return false
		}
		switch token.Kind() {
		case 'n':
			return false
		case '0':
			value, err := strconv.ParseFloat(token.String(), 64)
			if err != nil || math.Abs(value) > mostNumber {
				return false
			}
			if !strings.ContainsAny(token.String(), ".eE") && math.Abs(value) > mostInteger {
				return false
			}
		}
		if decoder.StackDepth() == 0 {
			rest := bytes.TrimLeft(data[decoder.InputOffset():], " \t\r\n")
			return len(rest) == 0
		}
	}
}

func FuzzScannerAcceptsWhatAnotherStrictReaderDoes(f *testing.F) {
	for _, seed := range []string{
		`{}`, `[]`, `{"a":[1,2.5,-0,1e5,1E-5]}`, `"\u00e9\ud83d\ude00\n"`, `"\ud800"`, `{"a":1,"a":2}`, `[01]`, `[1.]`, `[.5]`, `[+1]`, `[1e]`, `[-]`, `tru`, `[true,false]`, `null`, `[1,]`, `{"a" 1}`, `{"a":}`,
		"\"\x01\"", "\"\xff\"", `"\x"`, `"\u12"`, `9007199254740992`, `1e999`, ` [ 1 , 2 ] `, `[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]`, `[1] 2`, `"\u+123"`, `{"\u0061":1,"a":2}`, `-0.0e-0`, "\x00",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<12 {
			return // texts and names have limits of their own
		}
		got, want := accepts(data), acceptsElsewhere(data)
		if got != want && !bytes.Contains(data, []byte(strings.Repeat("x", mostKey))) {
			t.Errorf("accepted: %v, by another strict reader: %v: %q", got, want, data)
		}
	})
}

func TestNumbersAreReadToTheLastDigit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.Float64().Draw(t, "value")
		for _, form := range []byte{'g', 'e', 'f'} {
			text := strconv.FormatFloat(value, form, rapid.IntRange(-1, 25).Draw(t, "digits"), 64)
			if strings.Contains(text, "Inf") {
				continue
			}
			got, _, next := parseNumber([]byte(text), 0)
			want, err := strconv.ParseFloat(text, 64)
			if err != nil {
				continue // beyond float64: noted by number
			}
			if got != want || next != len(text) {
				t.Errorf("%s is read as %v to place %d", text, got, next)
			}
		}
	})
}

func TestZeroHasNoSign(t *testing.T) {
	for _, text := range []string{"-0", "-0.0", "-1e-400"} {
		value, _, _ := parseNumber([]byte(text), 0)
		if value != 0 || math.Signbit(value) {
			t.Errorf("%s is read as %v", text, value)
		}
	}
}

func TestAnyValueIsReadAsEncodingJSONReadsIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := anyValue(3).Draw(t, "value")
		data, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		var want any
		if err := json.Unmarshal(data, &want); err != nil {
			t.Fatal(err)
		}
		s := newScanner(data)
		got := s.anything()
		gotText, _ := json.Marshal(got)
		wantText, _ := json.Marshal(want)
		if s.count > 0 || !bytes.Equal(gotText, wantText) {
			t.Errorf("%s is read as %s (%v)", data, gotText, s.listed)
		}
	})
}

func anyValue(depth int) *rapid.Generator[any] {
	leaves := []*rapid.Generator[any]{
		rapid.Map(rapid.StringN(0, 20, 60), func(s string) any { return s }),
		rapid.Map(rapid.Float64Range(-1e15, 1e15), func(f float64) any { return f + 0 }), // + 0 drops the sign of zero
		rapid.Map(rapid.Bool(), func(b bool) any { return b }),
	}
	if depth == 0 {
		return rapid.OneOf(leaves...)
	}
	inner := anyValue(depth - 1)
	return rapid.OneOf(append(leaves,
		rapid.Map(rapid.SliceOfN(inner, 0, 4), func(s []any) any { return s }),
		rapid.Map(rapid.MapOfN(rapid.StringN(1, 10, 40), inner, 0, 4), func(m map[string]any) any { return m }),
	)...)
}

func TestANestedBombIsPassedOverQuickly(t *testing.T) {
	data := append([]byte(`{"schema":"kernelwake.capture","ext":`), bytes.Repeat([]byte{'['}, 10<<20)...)
	s := newScanner(data)
	documentShape.read(s, new(document))
	if s.count > 10 {
		t.Errorf("%d problems", s.count)
	}
}
