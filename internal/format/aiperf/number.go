package aiperf

import (
	"math"
	"math/bits"
	"strconv"
)

// tens are the powers of ten that float64 holds exactly.
var tens = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// number reads a JSON number and returns the nearest float64. The literals
// null, NaN, Infinity and -Infinity, which Python writes, are a missing value.
func (c *cursor) number() float64 {
	c.space()
	text, start, i := c.text, c.at, c.at
	if i < len(text) && text[i] == '-' {
		i++
	}
	var mantissa uint64
	digits := i
	for ; i < len(text) && text[i]-'0' <= 9; i++ {
		mantissa = mantissa*10 + uint64(text[i]-'0')
	}
	count, scale := i-digits, 0
	if count == 0 {
		return c.wordNumber()
	}
	if i < len(text) && text[i] == '.' {
		i++
		fraction := i
		for ; i < len(text) && text[i]-'0' <= 9; i++ {
			mantissa = mantissa*10 + uint64(text[i]-'0')
		}
		scale = i - fraction
		count += scale
	}
	if i < len(text) && (text[i] == 'e' || text[i] == 'E') {
		return c.longNumber(start, endOfNumber(text, i))
	}
	// Clinger's fast path: mantissa and power of ten are both exact.
	if count > 19 || mantissa > 1<<53 || scale >= len(tens) {
		if count > 19 || scale >= len(wholeTens) {
			return c.longNumber(start, i)
		}
		c.at, c.after = i, true
		return signed(quotient(mantissa, wholeTens[scale]), text[start] == '-')
	}
	c.at, c.after = i, true
	return signed(float64(mantissa)/tens[scale], text[start] == '-')
}

// wholeTens are the powers of ten that fit into 64 bits.
var wholeTens = [...]uint64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19}

// quotient returns the float64 nearest to a ÷ b, ties to even; neither is 0.
// Both are scaled so that the integer quotient has all 64 bits: the upper 53
// are the result, the lower 11 and the remainder tell how to round.
func quotient(a, b uint64) float64 {
	shiftA, shiftB := bits.LeadingZeros64(a), bits.LeadingZeros64(b)
	a, b = a<<shiftA, b<<shiftB
	exponent := shiftB - shiftA - 64
	high, low := a, uint64(0)
	if a >= b {
		high, low = a>>1, a<<63
		exponent++
	}
	whole, rest := bits.Div64(high, low, b)
	const dropped = 1<<11 - 1
	fraction := whole & dropped
	whole >>= 11
	if fraction > 1<<10 || fraction == 1<<10 && (rest > 0 || whole&1 == 1) {
		whole++
	}
	// exponent lies within ±64 and 2^exponent is a normal number: exact.
	return float64(whole) * math.Float64frombits(uint64(exponent+11+1023)<<52)
}

// numbers reads a list of numbers; missing ones are left out.
func (c *cursor) numbers(into []float64) []float64 {
	for c.open('['); c.more(']'); {
		for {
			if value := c.number(); !math.IsNaN(value) {
				into = append(into, value)
			}
			// Most lists have no white space: the next number begins here.
			if c.bad || len(c.text)-c.at < 2 || c.text[c.at] != ',' || c.text[c.at+1]-'0' > 9 {
				break
			}
			c.at++
		}
	}
	return into
}

func signed(value float64, negative bool) float64 {
	if negative {
		return -value
	}
	return value
}

func endOfNumber(text []byte, i int) int {
	for i < len(text) && (text[i]-'0' <= 9 || text[i] == 'e' || text[i] == 'E' || text[i] == '+' || text[i] == '-' || text[i] == '.') {
		i++
	}
	return i
}

// longNumber leaves the rare forms to the standard library.
func (c *cursor) longNumber(start, end int) float64 {
	value, err := strconv.ParseFloat(string(c.text[start:end]), 64)
	if err != nil {
		c.bad = true
		return math.NaN()
	}
	c.at, c.after = end, true
	return value
}

// wordNumber reads what stands for a missing number.
func (c *cursor) wordNumber() float64 {
	for _, word := range []string{"null", "NaN", "Infinity", "-Infinity"} {
		if c.literal(word) {
			return math.NaN()
		}
	}
	c.bad = true
	return math.NaN()
}

// missingInteger marks an integer that isn't there.
const missingInteger = math.MinInt64

// integer reads a JSON integer exactly; epoch nanoseconds don't survive a
// float64. A fraction or an exponent is rounded to the nearest integer.
func (c *cursor) integer() int64 {
	c.space()
	text, i := c.text, c.at
	negative := i < len(text) && text[i] == '-'
	if negative {
		i++
	}
	start := i
	var value uint64
	for ; i < len(text) && text[i]-'0' <= 9; i++ {
		value = value*10 + uint64(text[i]-'0')
	}
	whole := i == len(text) || text[i] != '.' && text[i] != 'e' && text[i] != 'E'
	if i == start || i-start > 18 && (i-start > 19 || value > math.MaxInt64) || !whole {
		number := c.number()
		if math.IsNaN(number) || math.Abs(number) >= 1<<63 {
			return missingInteger
		}
		return int64(math.Round(number))
	}
	c.at, c.after = i, true
	if negative {
		return -int64(value)
	}
	return int64(value)
}
