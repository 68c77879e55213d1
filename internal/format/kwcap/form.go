package kwcap

import (
	"math"
	"regexp"
	"slices"

	"kernelwake/internal/unit"
)

// form says what the value of a dimension has to look like, where more than
// any JSON value would do.
type form struct {
	what     string
	holds    func(any) bool
	describe schema
}

var (
	countForm   = form{"a whole number of at least 1", wholeFrom(1), schema{"type": "integer", "minimum": 1}}
	amountForm  = form{"a number above zero", numberAbove(0), schema{"type": "number", "exclusiveMinimum": 0}}
	digestForm  = form{"a SHA-256 as 64 lower-case hexadecimal digits", matches(`^[0-9a-f]{64}$`), schema{"type": "string", "pattern": `^[0-9a-f]{64}$`}}
	objectForm  = form{"an object", func(v any) bool { _, ok := v.(map[string]any); return ok }, schema{"type": "object"}}
	booleanForm = form{"true or false", func(v any) bool { _, ok := v.(bool); return ok }, schema{"type": "boolean"}}
)

// forms are the dimensions whose form matters to a comparison.
var forms = map[string]form{
	"measured_on":       wordForm("gpu", "cpu", "simulator", "none", "unknown"),
	"measured_at":       wordForm("client", "server"),
	"population":        wordForm("complete", "sampled", "unknown"),
	"streaming":         booleanForm,
	"gpu_count":         {"a whole number", wholeFrom(0), schema{"type": "integer", "minimum": 0}},
	"world_size":        countForm,
	"accumulation":      countForm,
	"effective_batch":   batchForm,
	"micro_batch":       batchForm,
	"target":            targetForm,
	"attainment_target": {`an object of numbers such as {"wait_s": 900}`, numbersByName, schema{"type": "object", "additionalProperties": schema{"type": "number"}}},
	"device_types":      devicesForm,
	"isl":               lengthsForm,
	"osl":               lengthsForm,
	"layout":            objectForm,
	"window_hours":      amountForm,
	"policy_sha256":     digestForm,
	"config_sha256":     digestForm,
	"completeness":      completenessForm,
}

// checkForm notes a dimension whose value has another form than its rule reads.
func checkForm(p *problems, at, key string, value any) {
	if want, ok := forms[key]; ok && !want.holds(value) {
		p.at(pointerTo(at, "v"), codeForm, "%s is given as %s", key, want.what)
	}
}

func wordForm(words ...string) form {
	return form{"one of " + quotedList(words), func(v any) bool {
		word, ok := v.(string)
		return ok && slices.Contains(words, word)
	}, schema{"enum": words}}
}

var batchForm = form{`a number with its unit such as {"count": 512, "unit": "{sample}"}`, func(v any) bool {
	batch, ok := v.(map[string]any)
	if !ok || len(batch) != 2 {
		return false
	}
	of, ok := batch["unit"].(string)
	return ok && numberAbove(0)(batch["count"]) && (of == "{sample}" || of == "{token}")
}, schema{"type": "object", "properties": schema{"count": schema{"type": "number", "exclusiveMinimum": 0}, "unit": schema{"enum": []string{"{sample}", "{token}"}}}, "required": []string{"count", "unit"}, "additionalProperties": false}}

var targetForm = form{`an object such as {"metric": "val_loss", "direction": "lower", "value": 3.28}`, func(v any) bool {
	target, ok := v.(map[string]any)
	if !ok {
		return false
	}
	metric, named := target["metric"].(string)
	direction, _ := target["direction"].(string)
	return named && metric != "" && (direction == "lower" || direction == "higher") && isNumber(target["value"])
}, schema{"type": "object", "properties": schema{"metric": schema{"type": "string", "minLength": 1}, "direction": schema{"enum": []string{"lower", "higher"}}, "value": schema{"type": "number"}}, "required": []string{"metric", "direction", "value"}}}

var devicesForm = form{`a list such as [{"model": "NVIDIA A100-SXM4-80GB", "gpus": 208, "mig": "off"}]`, func(v any) bool {
	devices, ok := v.([]any)
	for _, one := range devices {
		device, isObject := one.(map[string]any)
		model, named := device["model"].(string)
		ok = ok && isObject && named && model != "" && numberAbove(-1)(device["gpus"])
	}
	return ok && len(devices) > 0
}, schema{"type": "array", "minItems": 1, "items": schema{"type": "object", "properties": schema{"model": schema{"type": "string", "minLength": 1}, "gpus": schema{"type": "number", "minimum": 0}}, "required": []string{"model", "gpus"}}}}

// lengthsForm is a length that all have, or a distribution of lengths.
var lengthsForm = form{`a number, or statistics such as {"p50": 1024, "p90": 1024, "mean": 1024}`, func(v any) bool {
	return isNumber(v) || numbersByName(v)
}, schema{"anyOf": []schema{{"type": "number"}, {"type": "object", "additionalProperties": schema{"type": "number"}}}}}

var completenessNames = []string{"sent", "ok", "failed", "cancelled"}

var completenessForm = form{`counts such as {"sent": 100, "ok": 98, "failed": 1, "cancelled": 1}`, func(v any) bool {
	counts, ok := v.(map[string]any)
	for _, name := range sorted(counts) {
		ok = ok && slices.Contains(completenessNames, name) && wholeFrom(0)(counts[name])
	}
	return ok && len(counts) > 0
}, schema{"type": "object", "minProperties": 1, "properties": schema{"sent": schema{"type": "integer", "minimum": 0}, "ok": schema{"type": "integer", "minimum": 0}, "failed": schema{"type": "integer", "minimum": 0}, "cancelled": schema{"type": "integer", "minimum": 0}}, "additionalProperties": false}}

func isNumber(v any) bool { _, ok := v.(float64); return ok }

func numberAbove(least float64) func(any) bool {
	return func(v any) bool { value, ok := v.(float64); return ok && value > least }
}

func wholeFrom(least float64) func(any) bool {
	return func(v any) bool {
		value, ok := v.(float64)
		return ok && value >= least && value == math.Trunc(value)
	}
}

func matches(pattern string) func(any) bool {
	expression := regexp.MustCompile(pattern)
	return func(v any) bool { word, ok := v.(string); return ok && expression.MatchString(word) }
}

func numbersByName(v any) bool {
	object, ok := v.(map[string]any)
	for _, value := range object {
		ok = ok && isNumber(value)
	}
	return ok && len(object) > 0
}

// spellings are how people write units that UCUM writes otherwise.
var spellings = map[string]string{
	"sec": "s", "secs": "s", "second": "s", "seconds": "s", "msec": "ms", "millisecond": "ms", "milliseconds": "ms", "µs": "us", "μs": "us", "usec": "us", "microseconds": "us", "nanoseconds": "ns",
	"tokens/s": "{token}/s", "tok/s": "{token}/s", "token/s": "{token}/s", "tokens/sec": "{token}/s", "req/s": "{request}/s", "requests/s": "{request}/s", "requests/sec": "{request}/s", "rps": "{request}/s", "samples/s": "{sample}/s", "samples/sec": "{sample}/s",
	"bytes": "By", "byte": "By", "B": "By", "KiB": "KiBy", "MiB": "MiBy", "GiB": "GiBy", "percent": "%", "ratio": "1", "": "1", "fraction": "1", "tokens": "{token}", "samples": "{sample}", "steps": "{step}",
	"joule": "J", "joules": "J", "watt": "W", "watts": "W", "hours": "h", "minutes": "min", "gpu-hours": "{GPU}.h", "GPU-hours": "{GPU}.h", "GPU.h": "{GPU}.h", "gpu_hours": "{GPU}.h",
}

// ambiguous units mean two things; the message says which to choose from.
var ambiguous = map[string]string{
	"KB": `"kBy" (1,000 bytes) or "KiBy" (1,024)`, "MB": `"MBy" (10^6 bytes) or "MiBy" (2^20)`, "GB": `"GBy" (10^9 bytes) or "GiBy" (2^30)`, "m": `"ms" or "min"`,
	"tokens/sec/user": `"{token}/s" of the whole, or 1/tpot`, "tokens/s/gpu": `"{token}/s" under throughput_per_gpu`,
}

// meantUnit returns how a unit is written, if the word is a known spelling.
func meantUnit(word string, accepted []string) string {
	if both, ok := ambiguous[word]; ok {
		return "; it can mean two things: write " + both
	}
	if right, ok := spellings[word]; ok && (len(accepted) == 0 || slices.Contains(accepted, right)) {
		return `; did you mean "` + right + `"?`
	}
	if len(accepted) == 0 || unit.Known(word) {
		return ""
	}
	return meant(word, accepted)
}
