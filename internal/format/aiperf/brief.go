package aiperf

import (
	"math"
	"sort"
	"strings"
)

// brief is what must be known of every run at once to name the cells of a
// sweep: a few words that stay when the rest is let go.
type brief struct {
	known                   bool
	benchmark, sweep        string
	trial, variation        int64
	values                  string // of a sweep's own parameters: "concurrency=4"
	load, model             string
	askedInput, askedOutput float64
}

func briefOf(read *reading) brief {
	switch {
	case read.summary != nil:
		s := read.summary
		b := briefOfRun(s.run, s.configured)
		b.benchmark = s.benchmark
		return b
	case read.config != nil:
		b := briefOfRun(read.config.run, read.config.configured)
		b.benchmark = read.config.benchmark
		return b
	}
	return brief{}
}

func briefOfRun(run runInfo, configured configuration) brief {
	return brief{
		known: true, sweep: run.sweep, trial: run.trial, variation: run.variation, values: variationLabel(run.values),
		load: configured.load(), model: strings.Join(configured.models, ", "),
		askedInput: meanOf(configured.dataset.input), askedOutput: meanOf(configured.dataset.output),
	}
}

// meanOf reads an asked length: a number, or the mean of a distribution; 0 if
// none was asked for.
func meanOf(length node) float64 {
	if number, ok := length.number(); ok {
		return number
	}
	number, _ := length.at("mean").number()
	return number
}

// variationLabel writes a cell's parameters: {"phases.profiling.concurrency":
// 4} is "concurrency=4".
func variationLabel(values node) string {
	var parts []string
	for _, name := range values.names() {
		value := values.at(name)
		text := value.text()
		if number, ok := value.number(); ok {
			text = compact(number)
		}
		if on, ok := value.flag(); ok {
			text = map[bool]string{true: "true", false: "false"}[on]
		}
		parts = append(parts, shortParameter(name)+"="+text)
	}
	sort.Strings(parts)
	return strings.Join(parts, ", ")
}

// shortParameter cuts the path of a parameter to what tells it: the last
// name, with the one before it where that alone says too little.
func shortParameter(name string) string {
	parts := strings.Split(name, ".")
	last := parts[len(parts)-1]
	if len(parts) > 1 && (last == "mean" || last == "stddev") {
		return parts[len(parts)-2] + "." + last
	}
	return last
}

// cellLabels names the cells of hand-made sweeps: where runs of one archive
// differ in model, load or asked lengths, each is named by what differs.
func cellLabels(briefs []brief) []string {
	differs := func(of func(brief) string) bool {
		for _, one := range briefs {
			if one.known && of(one) != of(briefs[0]) {
				return true
			}
		}
		return false
	}
	length := func(name string, value float64) string {
		if value == 0 || math.IsNaN(value) {
			return ""
		}
		return name + "=" + compact(value)
	}
	parts := []func(brief) string{
		func(b brief) string { return b.load },
		func(b brief) string { return length("isl", b.askedInput) },
		func(b brief) string { return length("osl", b.askedOutput) },
		func(b brief) string {
			if b.model == "" {
				return ""
			}
			return "model=" + b.model
		},
	}
	labels := make([]string, len(briefs))
	for _, part := range parts {
		if !differs(part) {
			continue
		}
		for i, one := range briefs {
			if text := part(one); text != "" && one.values == "" {
				labels[i] = strings.TrimPrefix(labels[i]+", "+text, ", ")
			}
		}
	}
	for i, one := range briefs {
		if one.values != "" {
			labels[i] = one.values
		}
	}
	return labels
}
