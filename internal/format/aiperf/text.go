package aiperf

import "strconv"

// compact writes a number as short as it can be told apart.
func compact(number float64) string { return strconv.FormatFloat(number, 'g', -1, 64) }
