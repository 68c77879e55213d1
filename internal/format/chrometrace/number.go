package chrometrace

import (
	"math"
	"math/bits"
	"strconv"

	"kernelwake/internal/trace"
)

// furthest bounds believable times, in nanoseconds either side of zero: a
// hundred years. It keeps every difference of two times inside an int64.
const furthest = 100 * 365 * 24 * 3600 * 1_000_000_000

// nanoseconds reads decimal microseconds exactly, as whole nanoseconds, halves
// rounded to even. It never goes through a float: 16-digit times lose
// nanoseconds there. Numbers may stand in quotes. ok is false for anything else
// and for times beyond furthest.
func nanoseconds(v value) (ns int64, ok bool) {
	if v.kind != number && (v.kind != text || len(v.raw) == 0 || !isNumber(v.raw)) {
		return 0, false
	}
	digits, exponent, negative := decimal(v.raw)
	ns, ok = scale(digits, exponent+3)
	if !ok || ns > furthest {
		return 0, false
	}
	if negative {
		ns = -ns
	}
	return ns, true
}

// decimal splits a number's text into its digits as they stand, the power of
// ten they are to be multiplied by, and the sign. The text is a number.
func decimal(raw []byte) (digits []byte, exponent int, negative bool) {
	if raw[0] == '-' || raw[0] == '+' {
		negative = raw[0] == '-'
		raw = raw[1:]
	}
	end := len(raw)
	for i, b := range raw {
		if b == 'e' || b == 'E' {
			end = i
			if power, err := strconv.Atoi(string(raw[i+1:])); err == nil {
				exponent = min(max(power, -math.MaxInt16), math.MaxInt16)
			} else {
				exponent = math.MaxInt16
				if i+1 < len(raw) && raw[i+1] == '-' {
					exponent = -math.MaxInt16
				}
			}
			break
		}
	}
	digits = raw[:end]
	for i, b := range digits {
		if b == '.' {
			exponent -= end - i - 1
			break
		}
	}
	return digits, exponent, negative
}

// scale returns digits × 10^exponent as an integer, halves rounded to even.
func scale(digits []byte, exponent int) (int64, bool) {
	significant := 0
	for _, b := range digits {
		if b != '.' {
			significant++
		}
	}
	keep := significant + min(exponent, 0) // digits before the rounding place
	var whole uint64
	var half, rest bool // the first digit dropped is 5 or more; others are not 0
	seen, exactHalf := 0, false
	for _, b := range digits {
		if b == '.' {
			continue
		}
		switch {
		case seen < keep:
			high, low := bits.Mul64(whole, 10)
			sum, carry := bits.Add64(low, uint64(b-'0'), 0)
			if high != 0 || carry != 0 {
				return 0, false
			}
			whole = sum
		case seen == keep && keep >= 0:
			half, exactHalf = b >= '5', b == '5'
		default:
			rest = rest || b != '0'
		}
		seen++
	}
	if half && (!exactHalf || rest || whole%2 == 1) {
		whole++
	}
	for range max(exponent, 0) {
		if whole == 0 {
			break
		}
		high, low := bits.Mul64(whole, 10)
		if high != 0 {
			return 0, false
		}
		whole = low
	}
	return int64(whole), whole <= math.MaxInt64
}

// integer reads a whole number that names or counts something; numbers beyond
// an int64 keep their 64 bits, so that they still tell apart. Numbers may stand
// in quotes. trace.Missing stands for anything else.
func integer(v value) int64 {
	if v.kind != number && v.kind != text || len(v.raw) == 0 || len(v.raw) > 20 {
		return trace.Missing
	}
	negative := v.raw[0] == '-'
	digits := v.raw
	if negative {
		digits = digits[1:]
	}
	if len(digits) == 0 {
		return trace.Missing
	}
	var whole uint64
	for _, b := range digits {
		if b < '0' || b > '9' {
			return fractional(v.raw)
		}
		high, low := bits.Mul64(whole, 10)
		sum, carry := bits.Add64(low, uint64(b-'0'), 0)
		if high != 0 || carry != 0 {
			return trace.Missing
		}
		whole = sum
	}
	if negative {
		return -int64(whole)
	}
	return int64(whole)
}

// fractional reads numbers such as "4.0" that some writers give for counts.
func fractional(raw []byte) int64 {
	if !isNumber(raw) {
		return trace.Missing
	}
	digits, exponent, negative := decimal(raw)
	whole, ok := scale(digits, exponent)
	if !ok {
		return trace.Missing
	}
	if negative {
		return -whole
	}
	return whole
}

// estimated reads an estimate; NaN where there is none.
func estimated(v value) float32 {
	if v.kind == number || v.kind == text {
		if parsed, err := strconv.ParseFloat(string(v.raw), 32); err == nil {
			return float32(parsed)
		}
	}
	return float32(math.NaN())
}
