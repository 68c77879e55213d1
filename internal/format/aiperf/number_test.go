package aiperf

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

func TestNumbersAreTheNearestFloatsTheStandardLibraryGives(t *testing.T) {
	texts := []string{
		"0", "-0", "1", "-1.5", "4.5056959999999995", "6.049293653225807", "0.1", "123456789012345678", "9007199254740993", "9007199254740992.5",
		"18446744073709551615", "99999999999999999999", "1e3", "1.5E-7", "2.2250738585072014e-308", "1796050712044216397", "0.000000000000000000001",
		"1844674407370955161.5", "4503599627370497.5", "4503599627370498.5", "9223372036854775807", "1000000000000000000.0",
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		switch random.IntN(3) {
		case 0:
			texts = append(texts, strconv.FormatFloat(float64(random.IntN(1e9))*1e-6, 'f', -1, 64))
		case 1:
			texts = append(texts, strconv.FormatUint(random.Uint64(), 10)+"."+strconv.Itoa(random.IntN(1000)))
		default:
			texts = append(texts, strconv.FormatFloat(math.Float64frombits(random.Uint64()&^(0x7ff<<52)|uint64(1023-8+random.IntN(60))<<52), 'f', -1, 64))
		}
	}
	for _, text := range texts {
		want, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		c := newCursor([]byte(text+" ,"), 8)
		if got := c.number(); math.Float64bits(got) != math.Float64bits(want) || c.bad || c.at != len(text) {
			t.Errorf("%s was read as %v, bad %v, at %d; it is %v", text, got, c.bad, c.at, want)
		}
	}
}

func TestEpochNanosecondsAreReadToTheLastDigit(t *testing.T) {
	for text, want := range map[string]int64{
		"1796050712044216397": 1796050712044216397, "-5": -5, "0": 0, "9223372036854775807": math.MaxInt64, "1.76e18": 1760000000000000000,
		"null": missingInteger, "2.6": 3, "99999999999999999999": missingInteger,
	} {
		c := newCursor([]byte(text), 8)
		if got := c.integer(); got != want || c.bad {
			t.Errorf("%s was read as %d, bad %v; want %d", text, got, c.bad, want)
		}
	}
}

func TestWordsInPlaceOfNumbersAreMissingAndGarbageIsBad(t *testing.T) {
	for _, text := range []string{"null", "NaN", "Infinity", "-Infinity"} {
		c := newCursor([]byte(text), 8)
		if got := c.number(); !math.IsNaN(got) || c.bad {
			t.Errorf("%s was read as %v, bad %v", text, got, c.bad)
		}
	}
	for _, text := range []string{"", "-", "x", `"1"`, "1e", "nul", "[1]"} {
		c := newCursor([]byte(text), 8)
		if c.number(); !c.bad {
			t.Errorf("%q was read as a number", text)
		}
	}
}

func BenchmarkNumber(b *testing.B) {
	text := []byte("4.5056959999999995,5.433383,6.740072,4.412357,0.0,5.467302999999999,")
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		c := newCursor(text, 8)
		for range 6 {
			c.number()
			c.at++
		}
	}
}
