package chrometrace

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"kernelwake/internal/trace"
)

func TestMicrosecondsBecomeExactNanoseconds(t *testing.T) {
	for spelled, want := range map[string]int64{
		"0": 0, "-0": 0, "1": 1000, "1.5": 1500, "1712195495406752.812": 1712195495406752812, "1712195495406752.813": 1712195495406752813,
		"1e-06": 0, "1e3": 1_000_000, "1.25e2": 125_000, "0.0005": 0, "0.0015": 2, "0.0025": 2, "0.00250000001": 3, "15537.780123": 15537780,
		"-100.001": -100001, "5193856404400.195": 5193856404400195, "+7": 7000, "00012": 12000, "0e99999999999999999999": 0,
	} {
		if got, ok := nanoseconds(value{kind: number, raw: []byte(spelled)}); !ok || got != want {
			t.Errorf("%s µs: %d ns (%v), wanted %d", spelled, got, ok, want)
		}
		if got, ok := nanoseconds(value{kind: text, raw: []byte(spelled)}); !ok || got != want {
			t.Errorf("%q µs in quotes: %d ns (%v), wanted %d", spelled, got, ok, want)
		}
	}
	for _, spelled := range []string{"", "abc", "1e30", "9223372036854775807", "--1", "1e", "."} {
		if got, ok := nanoseconds(value{kind: text, raw: []byte(spelled)}); ok {
			t.Errorf("%q is no time, and was read as %d ns", spelled, got)
		}
	}
}

// TestNanosecondsAreTheRationalRounded holds the reader against arithmetic that
// is exact.
func TestNanosecondsAreTheRationalRounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spelled := rapid.StringMatching(`-?[0-9]{1,15}(\.[0-9]{1,8})?(e[-+]?[0-9])?`).Draw(t, "microseconds")
		exact, ok := new(big.Rat).SetString(spelled)
		if !ok {
			t.Skip()
		}
		exact.Mul(exact, big.NewRat(1000, 1))
		got, ok := nanoseconds(value{kind: number, raw: []byte(spelled)})
		if !ok {
			if limit := big.NewRat(furthest, 1); new(big.Rat).Abs(exact).Cmp(limit) <= 0 {
				t.Fatalf("%s was not read", spelled)
			}
			return
		}
		off := new(big.Rat).Sub(exact, big.NewRat(got, 1))
		if off.Abs(off); off.Cmp(big.NewRat(1, 2)) > 0 || off.Cmp(big.NewRat(1, 2)) == 0 && got%2 != 0 {
			t.Fatalf("%s µs became %d ns, which is %s off", spelled, got, off.FloatString(6))
		}
	})
}

func TestIntegersKeepTheir64Bits(t *testing.T) {
	for spelled, want := range map[string]int64{
		"42": 42, "-1": -1, "4.0": 4, "18446744073709551615": -1, "10159970886766084423": -8286773186943467193, "9223372036854775807": 9223372036854775807,
		"1e2": 100, "": trace.Missing, "x": trace.Missing, "99999999999999999999": trace.Missing, "-": trace.Missing,
	} {
		if got := integer(value{kind: text, raw: []byte(spelled)}); got != want {
			t.Errorf("%q became %d, wanted %d", spelled, got, want)
		}
	}
}

func TestTextsAreDecodedAndTheirFlawsNamed(t *testing.T) {
	for _, test := range []struct {
		raw, want string
		flaws     flaw
	}{
		{`plain`, "plain", 0},
		{`a\"b\\c\/d\n`, "a\"b\\c/d\n", 0},
		{`\u00e9\ud83d\ude00`, "é😀", 0},
		{`\ud83d alone`, "\ufffd alone", 0},
		{`C:\cuda\x`, `C:\cuda\x`, unknownEscape},
		{`\u12`, `\u12`, unknownEscape},
		{"a\x01b", "a\x01b", controlCharacter},
		{"a\xff\xfeb", "a\ufffd\ufffdb", badUTF8},
	} {
		if got, flaws := decode(test.raw); got != test.want || flaws != test.flaws {
			t.Errorf("%q became %q with flaws %b, wanted %q with %b", test.raw, got, flaws, test.want, test.flaws)
		}
	}
}
