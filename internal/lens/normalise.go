package lens

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Normalise returns the value in the form that its equal spellings share. The
// raw value is always shown beside it.
func (f Field) Normalise(value any) string {
	if spell, ok := spellings[f.Key]; ok {
		return spell(value)
	}
	if f.Numeric {
		if number, ok := Number(value); ok {
			return scalar(number)
		}
	}
	return plain(value)
}

// spellings are the fields whose values people and tools write in several ways.
var spellings = map[string]func(any) string{
	"gpu_model":         func(v any) string { return GPU(plain(v)) },
	"model":             modelID,
	"tokenizer":         modelID,
	"precision":         elementTypes,
	"weights_precision": elementTypes,
	"kv_dtype":          elementTypes,
	"engine_args":       func(v any) string { return pairs(Arguments(v)) },
	"engine_version":    version,
	"framework_version": version,
	"scheduler_version": version,
	"driver":            version,
	"cuda":              func(v any) string { return strings.TrimPrefix(strings.TrimPrefix(version(v), "cuda "), "cuda") },
	"streaming":         switched,
	"compile":           switched,
	"mig":               switched,
	"throttling":        throttles,
	"optimizer":         plain,
	"input":             func(v any) string { return LoaderWorkers(v).String() },
	"effective_batch":   func(v any) string { return QuantityOf(v).String() },
	"micro_batch":       func(v any) string { return QuantityOf(v).String() },
	"sequence_length":   longest,
}

// plain is the form of a value without spellings of its own: text without
// regard to case and spacing, numbers in shortest form, objects in key order.
func plain(value any) string {
	switch v := value.(type) {
	case map[string]any:
		texts := map[string]string{}
		for key, member := range v {
			texts[strings.ToLower(key)] = plain(member)
		}
		return pairs(texts)
	case []any:
		texts := make([]string, len(v))
		for i, member := range v {
			texts[i] = plain(member)
		}
		return strings.Join(texts, ", ")
	case []string:
		return strings.ToLower(strings.Join(v, ", "))
	}
	return scalar(value)
}

func scalar(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return strings.ToLower(strings.Join(strings.Fields(v), " "))
	case bool:
		return strconv.FormatBool(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case json.Number:
		return v.String()
	}
	return strings.ToLower(fmt.Sprint(value))
}

// pairs is "a=1, b=2" in key order; a key without a value stands alone.
func pairs(texts map[string]string) string {
	keys := make([]string, 0, len(texts))
	for key := range texts {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for i, key := range keys {
		if texts[key] != "" {
			keys[i] = key + "=" + texts[key]
		}
	}
	return strings.Join(keys, ", ")
}

// Number reads a number that may have been written as text.
func Number(value any) (float64, bool) {
	switch v := value.(type) {
	case float64:
		return v, true
	case int:
		return float64(v), true
	case int64:
		return float64(v), true
	case json.Number:
		number, err := v.Float64()
		return number, err == nil
	case string:
		number, err := strconv.ParseFloat(strings.TrimSpace(v), 64)
		return number, err == nil
	}
	return 0, false
}

// modelID drops the address of the hub and case: hub ids are found in any case.
func modelID(value any) string {
	id := plain(value)
	if reference, ok := value.(map[string]any); ok && reference["id"] != nil {
		id = plain(reference["id"])
	}
	for _, prefix := range []string{"https://huggingface.co/", "http://huggingface.co/", "hf.co/", "hf://"} {
		id = strings.TrimPrefix(id, prefix)
	}
	return strings.TrimSuffix(id, "/")
}

func version(value any) string { return strings.TrimPrefix(plain(value), "v") }

// elementNames are the ways to write an element type.
var elementNames = strings.NewReplacer("bfloat16", "bf16", "float16", "fp16", "half", "fp16", "float32", "fp32", "float64", "fp64", "float8", "fp8", "torch.", "")

// elementTypes are joined by "+" in order.
func elementTypes(value any) string {
	parts := strings.FieldsFunc(elementNames.Replace(plain(value)), func(r rune) bool { return strings.ContainsRune("+,/ ", r) })
	slices.Sort(parts)
	return strings.Join(slices.Compact(parts), "+")
}

// switched reads the many words for on and off.
func switched(value any) string {
	switch text := plain(value); text {
	case "true", "on", "yes", "enabled", "1":
		return "on"
	case "false", "off", "no", "none", "disabled", "0", "":
		return "off"
	default:
		return text
	}
}

func throttles(value any) string {
	parts := strings.FieldsFunc(plain(value), func(r rune) bool { return r == ',' || r == ' ' })
	slices.Sort(parts)
	if text := strings.Join(slices.Compact(parts), ", "); text != "" && text != "off" && text != "false" {
		return text
	}
	return "none"
}

// longest reads a length given as a number or as {"max": n}.
func longest(value any) string {
	if object, ok := value.(map[string]any); ok && len(object) == 1 && object["max"] != nil {
		value = object["max"]
	}
	if number, ok := Number(value); ok {
		return scalar(number)
	}
	return plain(value)
}
