package kwcap

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kernelwake/internal/absent"
	"kernelwake/internal/fault"
	"kernelwake/internal/format/formattest"
	"kernelwake/internal/lens"
)

// jsonObject is JSON as a person's script would write it.
type jsonObject = map[string]any

// windowSeconds is the length of every generated window.
const windowSeconds = 3600

// captures generates valid captures from the lens registry: every dimension
// and every outcome in each of its kinds comes up.
func captures() *rapid.Generator[jsonObject] {
	return rapid.Custom(func(t *rapid.T) jsonObject {
		l := rapid.SampledFrom(lens.All).Draw(t, "lens")
		out := jsonObject{
			"schema": schemaName, "version": schemaVersion, "lens": l.ID, "created": "2026-05-01T12:00:00.25Z",
			"producer": jsonObject{"name": "generated", "version": "1"}, "synthetic": true, "synthetic_reason": "a property test",
			"measured_on": rapid.SampledFrom([]string{"gpu", "cpu", "simulator", "none", "unknown"}).Draw(t, "measured_on"),
			"window":      jsonObject{"start": "2026-05-01T10:00:00Z", "end": "2026-05-01T11:00:00Z"},
			"workload":    jsonObject{"name": "w"},
			"run":         jsonObject{"id": "r", "state": rapid.SampledFrom([]string{"completed", "failed", "cancelled", "running"}).Draw(t, "state"), "attempt": rapid.IntRange(1, 3).Draw(t, "attempt")},
			"dimensions":  dimensionsOf(t, l), "outcomes": outcomesOf(t, l),
		}
		if l.ID != lens.Fleet {
			out["environment"] = jsonObject{"nodes": 1, "gpus": []any{}, "driver": gapOf(t), "cuda": "12.8", "software": jsonObject{"torch": "2.9.1"}}
		}
		return out
	})
}

func gapOf(t *rapid.T) jsonObject {
	return jsonObject{"absent": rapid.SampledFrom(absent.FileReasons).Draw(t, "reason")}
}

func dimensionsOf(t *rapid.T, l lens.Lens) jsonObject {
	out := jsonObject{}
	for _, field := range l.Fields {
		if field.Key == "measured_on" || !field.Required && rapid.Bool().Draw(t, "left out") {
			continue
		}
		if rapid.IntRange(0, 3).Draw(t, "absent") == 0 {
			out[field.Key] = gapOf(t)
			continue
		}
		out[field.Key] = jsonObject{"v": valueOf(t, field.Key), "src": rapid.SampledFrom([]string{"declared", "observed", "derived", "default"}).Draw(t, "src")}
	}
	return out
}

// valueOf is a value of the form that a dimension has.
func valueOf(t *rapid.T, key string) any {
	whole := rapid.IntRange(1, 1024)
	switch key {
	case "effective_batch", "micro_batch":
		return jsonObject{"count": whole.Draw(t, key), "unit": rapid.SampledFrom([]string{"{sample}", "{token}"}).Draw(t, "unit")}
	case "target":
		return jsonObject{"metric": "loss", "direction": rapid.SampledFrom([]string{"lower", "higher"}).Draw(t, "direction"), "value": 3}
	case "attainment_target":
		return jsonObject{"wait_s": whole.Draw(t, key)}
	case "device_types":
		return []any{jsonObject{"model": "NVIDIA H200", "gpus": whole.Draw(t, key)}}
	case "completeness":
		return jsonObject{"sent": 10, "ok": 9, "failed": 1, "cancelled": 0}
	case "layout":
		return jsonObject{"dp": whole.Draw(t, key)}
	case "streaming":
		return rapid.Bool().Draw(t, key)
	case "policy_sha256", "config_sha256":
		return strings.Repeat("0a", 32)
	case "measured_at":
		return "client"
	case "population":
		return rapid.SampledFrom([]string{"complete", "sampled", "unknown"}).Draw(t, key)
	}
	if _, formed := forms[key]; formed {
		return whole.Draw(t, key)
	}
	return rapid.SampledFrom([]any{"text", 2.5, true, []any{"a", 1}, jsonObject{"a": 1}}).Draw(t, key)
}

func outcomesOf(t *rapid.T, l lens.Lens) []any {
	var out []any
	for _, def := range l.Outcomes {
		if len(out) > 0 && rapid.Bool().Draw(t, "left out") {
			continue
		}
		one := jsonObject{"name": def.Name, "unit": rapid.SampledFrom(def.Accepts).Draw(t, "unit")}
		if def.Name == "phase_time" {
			one["phase"] = "queue"
		}
		if rapid.IntRange(0, 5).Draw(t, "absent") == 0 {
			maps.Copy(one, gapOf(t))
		} else {
			kind := rapid.SampledFrom(def.Kinds).Draw(t, "kind")
			if kind == lens.Spells || kind == lens.Intervals {
				one["unit"] = def.Unit // times of spells and intervals are in seconds
			}
			one["kind"] = kind
			maps.Copy(one, dataOf(t, kind))
		}
		out = append(out, one)
	}
	return out
}

// dataOf is data of a kind.
func dataOf(t *rapid.T, kind lens.Kind) jsonObject {
	n := rapid.IntRange(1, 6).Draw(t, "n")
	numbers := func(least, most float64) []any {
		return rapid.SliceOfN(rapid.Map(rapid.Float64Range(least, most), func(f float64) any { return f }), n, n).Draw(t, "numbers")
	}
	switch kind {
	case lens.Samples:
		return jsonObject{"v": numbers(0, 1e6), "agg": rapid.IntRange(1, 10).Draw(t, "agg"), "at": numbers(0, windowSeconds-1), "status": repeated(t, n, statuses)}
	case lens.Series:
		return jsonObject{"v": numbers(0, 10), "at": numbers(0, windowSeconds-1)}
	case lens.Spells:
		return jsonObject{"start": numbers(-100, 100), "end": numbers(100, windowSeconds), "censored": repeated(t, n, []int{0, 1}), "gpus": numbers(0, 64)}
	case lens.Intervals:
		return jsonObject{"from": numbers(0, 100), "to": numbers(101, windowSeconds), "state": repeated(t, n, poolStates), "reason": repeated(t, n, []string{"none", "drain"}), "subject": repeated(t, n, []string{"pool", "a", "b"}), "gpus": numbers(0, 64)}
	case lens.Histogram:
		return jsonObject{"n": 6, "sum": 10, "bounds": []any{1, 2}, "counts": []any{1, 2, 3}}
	case lens.Summary:
		return jsonObject{"n": n, "stats": jsonObject{"mean": 0.5, "p50": 0.4, "p99": 0.9}, "quantile_method": "linear"}
	case lens.RatioKind:
		return jsonObject{"num": rapid.Float64Range(0, 10).Draw(t, "num"), "den": rapid.Float64Range(0, 10).Draw(t, "den"), "basis": "1"}
	}
	return jsonObject{"v": rapid.Float64Range(0, 1e9).Draw(t, "v")}
}

func repeated[T any](t *rapid.T, n int, from []T) []any {
	out := make([]any, n)
	for i := range out {
		out[i] = rapid.SampledFrom(from).Draw(t, "word")
	}
	return out
}

func TestEveryCaptureMadeFromTheRegistryIsRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data, err := json.Marshal(captures().Draw(t, "capture"))
		if err != nil {
			t.Fatal(err)
		}
		all, err := formattest.Read(Format{}, "", data)
		if err != nil {
			t.Fatalf("%v\n%+v\n%s", err, fault.Of(err).Problems, data)
		}
		for _, broken := range formattest.Broken(Format{}, all[0]) {
			t.Error(broken)
		}
	})
}

// TestAnyRequiredPartMissingOrOfAnotherTypeIsNamed takes one required part out
// of a valid capture, or makes it null, or a value of a type it can't be: the
// capture is refused with a pointer to it.
func TestAnyRequiredPartMissingOrOfAnotherTypeIsNamed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		capture := captures().Draw(t, "capture")
		parts := requiredParts(capture)
		pointer := rapid.SampledFrom(slices.Sorted(maps.Keys(parts))).Draw(t, "part")
		parent, key := parts[pointer], pointer[strings.LastIndex(pointer, "/")+1:]
		switch rapid.IntRange(0, 2).Draw(t, "mutation") {
		case 0:
			delete(parent, key)
		case 1:
			parent[key] = nil
		case 2:
			parent[key] = []any{[]any{}}
		}
		data, err := json.Marshal(capture)
		if err != nil {
			t.Fatal(err)
		}
		_, err = formattest.Read(Format{}, "", data)
		if err == nil {
			t.Fatalf("without a sound %s it is accepted: %s", pointer, data)
		}
		for _, problem := range fault.Of(err).Problems {
			if strings.HasPrefix(problem.Pointer, pointer) {
				return
			}
		}
		t.Errorf("no problem points at %s: %+v", pointer, fault.Of(err).Problems)
	})
}

// requiredParts lists the parts that have to be there, by pointer, with the
// object that holds each.
func requiredParts(capture jsonObject) map[string]jsonObject {
	parts := map[string]jsonObject{}
	add := func(at string, holder jsonObject, keys ...string) {
		for _, key := range keys {
			parts[at+"/"+key] = holder
		}
	}
	add("", capture, "schema", "version", "lens", "created", "producer", "synthetic", "synthetic_reason", "measured_on", "window", "workload", "run", "dimensions", "outcomes")
	add("/producer", capture["producer"].(jsonObject), "name", "version")
	add("/window", capture["window"].(jsonObject), "start", "end")
	add("/workload", capture["workload"].(jsonObject), "name")
	add("/run", capture["run"].(jsonObject), "id", "state", "attempt")
	l, _ := lens.Find(capture["lens"].(lens.ID))
	for _, field := range l.Fields {
		if field.Required {
			add("/dimensions", capture["dimensions"].(jsonObject), field.Key)
		}
	}
	if environment, ok := capture["environment"].(jsonObject); ok {
		add("", capture, "environment")
		add("/environment", environment, "nodes", "gpus", "driver", "cuda", "software")
	}
	for i, one := range capture["outcomes"].([]any) {
		o := one.(jsonObject)
		at := fmt.Sprintf("/outcomes/%d", i)
		add(at, o, "name", "unit")
		if kind, ok := o["kind"].(lens.Kind); ok {
			rule, _ := ruleOf(string(kind))
			add(at, o, rule.needed(l.ID)...)
		}
	}
	return parts
}
