// Package unit converts and names units of measure, written in UCUM as
// OpenTelemetry writes it ("ms", "By", "{token}/s").
package unit

import "fmt"

type family struct {
	base   string
	factor float64
}

// families maps each unit to the base unit of its family and the factor that
// turns it into that base.
var families = map[string]family{
	"s": {"s", 1}, "ms": {"s", 1e-3}, "us": {"s", 1e-6}, "ns": {"s", 1e-9}, "min": {"s", 60}, "h": {"s", 3600},
	"By": {"By", 1}, "KiBy": {"By", 1 << 10}, "MiBy": {"By", 1 << 20}, "GiBy": {"By", 1 << 30}, "kBy": {"By", 1e3}, "MBy": {"By", 1e6}, "GBy": {"By", 1e9},
	"1": {"1", 1}, "%": {"1", 1e-2}, "{score}": {"1", 1},
	"W": {"W", 1}, "kW": {"W", 1e3}, "J": {"J", 1}, "kJ": {"J", 1e3}, "MJ": {"J", 1e6}, "Cel": {"Cel", 1},
	"Hz": {"Hz", 1}, "MHz": {"Hz", 1e6}, "GHz": {"Hz", 1e9},
	"{token}": {"{token}", 1}, "{token}/s": {"{token}/s", 1}, "{request}": {"{request}", 1}, "{request}/s": {"{request}/s", 1},
	"{sample}": {"{sample}", 1}, "{sample}/s": {"{sample}/s", 1}, "{step}": {"{step}", 1}, "{GPU}.h": {"{GPU}.h", 1}, "{GPU}.s": {"{GPU}.h", 1.0 / 3600},
}

// Known reports whether the unit can be read without guessing.
func Known(name string) bool {
	_, ok := families[name]
	return ok
}

// Compatible reports whether values in one unit can be converted to the other.
func Compatible(from, to string) bool {
	a, okA := families[from]
	b, okB := families[to]
	return okA && okB && a.base == b.base
}

// Convert returns value, given in unit from, in unit to. It fails when either
// is unknown or they measure different things.
func Convert(value float64, from, to string) (float64, error) {
	factor, err := Factor(from, to)
	if err != nil {
		return 0, err
	}
	return value * factor, nil
}

// Factor returns what a value in unit from is multiplied by to be in unit to.
func Factor(from, to string) (float64, error) {
	if from == to {
		return 1, nil
	}
	if !Compatible(from, to) {
		return 0, fmt.Errorf("unit %q can't be converted to %q", from, to)
	}
	return families[from].factor / families[to].factor, nil
}

var words = map[string]string{
	"us": "µs", "By": "B", "1": "", "Cel": "°C", "{score}": "", "{token}": "tokens", "{token}/s": "tok/s", "{request}": "requests",
	"{request}/s": "req/s", "{sample}": "samples", "{sample}/s": "samples/s", "{step}": "steps", "{GPU}.h": "GPU·h",
}

// Short returns the unit as it stands beside a number on a screen.
func Short(name string) string {
	if word, ok := words[name]; ok {
		return word
	}
	return name
}
