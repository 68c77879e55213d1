package cli

import (
	"math"
	"strconv"
	"strings"

	"kernelwake/internal/unit"
)

// significant is how many digits of a measured number people see.
const significant = 4

// number writes a value with the digits that matter, grouped from ten thousand.
func number(value float64) string { return digits(value, significant) }

func digits(value float64, significant int) string {
	size := math.Abs(value)
	switch {
	case math.IsNaN(value) || math.IsInf(value, 0):
		return strconv.FormatFloat(value, 'g', -1, 64)
	case size >= 10_000:
		return grouped(strconv.FormatFloat(math.Round(value), 'f', 0, 64))
	case size > 0 && size < 1e-4:
		return strconv.FormatFloat(value, 'e', max(0, significant-2), 64)
	case value == math.Trunc(value):
		return strconv.FormatFloat(value, 'f', 0, 64)
	}
	decimals := max(0, min(6, significant-1-int(math.Floor(math.Log10(size)))))
	return strconv.FormatFloat(value, 'f', decimals, 64)
}

// grouped puts a comma before each group of three digits.
func grouped(text string) string {
	sign, text := signOf(text)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return sign + text
}

func signOf(text string) (sign, rest string) {
	if rest, negative := strings.CutPrefix(text, "-"); negative {
		return "−", rest
	}
	return "", text
}

// count writes a whole number.
func count[T int | int64](n T) string { return grouped(strconv.FormatInt(int64(n), 10)) }

// quantity writes a value beside its unit, in the size that is customary.
func quantity(value float64, of string) string {
	switch of {
	case "By":
		return bytesText(value)
	case "1":
		return digits(value*100, 3) + " %"
	}
	return strings.TrimSpace(number(value) + " " + unit.Short(of))
}

func bytesText(value float64) string {
	names := []string{"B", "KiB", "MiB", "GiB", "TiB"}
	at := 0
	for math.Abs(value) >= 1024 && at < len(names)-1 {
		value /= 1024
		at++
	}
	return digits(value, 3) + " " + names[at]
}

// durationNS writes nanoseconds in the largest unit that keeps them above one.
func durationNS(ns float64) string {
	for _, step := range []struct {
		from, scale float64
		name        string
	}{{3600e9, 3600e9, "h"}, {120e9, 60e9, "min"}, {1e9, 1e9, "s"}, {1e6, 1e6, "ms"}, {1e3, 1e3, "µs"}} {
		if math.Abs(ns) >= step.from {
			return number(ns/step.scale) + " " + step.name
		}
	}
	return number(ns) + " ns"
}

// signed writes a number with its sign.
func signed(value float64, significant int) string {
	text := digits(math.Abs(value), significant)
	switch {
	case value > 0:
		return "+" + text
	case value < 0:
		return "−" + text
	}
	return text
}

// unitBeside is a unit with the space before it, or nothing.
func unitBeside(of string) string {
	if short := unit.Short(of); short != "" {
		return " " + short
	}
	return ""
}
