package kwcap

import (
	"fmt"
	"strings"
	"testing"

	"kernelwake/internal/fault"
	"kernelwake/internal/format/formattest"
)

// problemsOf reads a capture and returns what is wrong with it.
func problemsOf(t testing.TB, data string) []fault.Problem {
	t.Helper()
	_, err := formattest.Read(Format{}, "", []byte(data))
	if err == nil {
		return nil
	}
	return fault.Of(err).Problems
}

// TestEachRuleNamesItsPlace changes one thing of a good capture and holds the
// only problem against the code, the JSON Pointer and words of the message.
func TestEachRuleNamesItsPlace(t *testing.T) {
	for _, c := range []struct {
		name, file, old, new string
		code, pointer, says  string
	}{
		{"unknown member", "training", `"synthetic_reason"`, `"synthetic_reasons": "x", "synthetic_reason"`, "unknown_field", "/synthetic_reasons", `did you mean "synthetic_reason"?`},
		{"unknown member inside", "training", `"state": "completed", "attempt": 1`, `"state": "completed", "attempt": 1, "atempt": 1`, "unknown_field", "/run/atempt", `did you mean "attempt"?`},
		{"unknown member of an outcome", "training", `"step": [11, 12, 13, 14]`, `"steps": [11, 12, 13, 14]`, "unknown_field", "/outcomes/0/steps", `did you mean "step"?`},
		{"wrong type", "training", `"attempt": 1`, `"attempt": true`, "wrong_type", "/run/attempt", "a whole number of at least 1"},
		{"fraction for a whole number", "training", `"attempt": 1`, `"attempt": 1.5`, "wrong_type", "/run/attempt", ""},
		{"too small", "training", `"attempt": 1`, `"attempt": 0`, "out_of_range", "/run/attempt", ""},
		{"missing member", "training", `"attempt": 1, `, ``, "missing_field", "/run/attempt", ""},
		{"blank text", "training", `"id": "seed-3"`, `"id": " "`, "wrong_form", "/run/id", ""},
		{"local time", "training", `"2026-03-01T12:00:00Z"`, `"2026-03-01T12:00:00+01:00"`, "wrong_form", "/created", "UTC"},
		{"ten decimals", "training", `"2026-03-01T12:00:00Z"`, `"2026-03-01T12:00:00.0123456789Z"`, "wrong_form", "/created", ""},
		{"no such day", "training", `"2026-03-01T12:00:00Z"`, `"2026-02-30T12:00:00Z"`, "wrong_form", "/created", ""},
		{"window ends first", "training", `"end": "2026-03-01T11:50:00Z"`, `"end": "2026-03-01T11:30:00Z"`, "out_of_range", "/window/end", ""},
		{"unknown state", "training", `"state": "completed"`, `"state": "complete"`, "unknown_value", "/run/state", `did you mean "completed"?`},
		{"synthetic without reason", "training", `"synthetic_reason": "example of the format", `, ``, "missing_field", "/synthetic_reason", ""},
		{"reason without synthetic", "training", `"synthetic": true`, `"synthetic": false`, "contradiction", "/synthetic_reason", ""},
		{"bad digest", "inference", `"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"`, `"E3B0"`, "wrong_form", "/derived_from/0/sha256", ""},
		{"unknown absence", "training", `"memory_bytes": {"absent": "not_recorded"}`, `"memory_bytes": {"absent": "notrecorded"}`, "unknown_value", "/environment/gpus/0/memory_bytes/absent", `did you mean "not_recorded"?`},
		{"environment left out as a whole", "training", `"excluded"`, `"labels": {"a": "b"}, "excluded"`, "", "", ""},

		{"missing dimension", "training", `"init": {"v": "random", "src": "declared"}, `, ``, "missing_dimension", "/dimensions/init", "not_recorded"},
		{"unknown dimension", "training", `"optimizer": {`, `"optimiser": {"v": "x", "src": "declared"}, "optimizer": {`, "unknown_dimension", "/dimensions/optimiser", `did you mean "optimizer"?`},
		{"dimension of another lens", "training", `"optimizer": {`, `"tokenizer": {"v": "x", "src": "declared"}, "optimizer": {`, "unknown_dimension", "/dimensions/tokenizer", "inference lens"},
		{"dimension without source", "training", `{"v": "random", "src": "declared"}`, `{"v": "random"}`, "missing_field", "/dimensions/init", "src"},
		{"dimension without value", "training", `{"v": "random", "src": "declared"}`, `{"src": "declared"}`, "missing_field", "/dimensions/init", "absent"},
		{"value and absence", "training", `{"v": "random", "src": "declared"}`, `{"v": "random", "src": "declared", "absent": "unknown"}`, "contradiction", "/dimensions/init", ""},
		{"batch without unit", "training", `{"v": {"count": 393216, "unit": "{token}"}, "src": "observed"}`, `{"v": 393216, "src": "observed"}`, "wrong_form", "/dimensions/effective_batch/v", `"unit"`},
		{"target without direction", "training", `"direction": "lower", `, ``, "wrong_form", "/dimensions/target/v", ""},
		{"measured on two things", "training", `"optimizer": {`, `"measured_on": {"v": "cpu", "src": "declared"}, "optimizer": {`, "contradiction", "/dimensions/measured_on/v", ""},
		{"eligibility points nowhere", "fleet", `"/outcomes/1"`, `"/outcomes/7"`, "contradiction", "/dimensions/eligibility/v", ""},
		{"unknown population", "fleet", `"population": {"v": "complete"`, `"population": {"v": "all"`, "wrong_form", "/dimensions/population/v", "sampled"},

		{"unknown outcome", "training", `"name": "elapsed_time"`, `"name": "elapsed_tim"`, "unknown_outcome", "/outcomes/2/name", `did you mean "elapsed_time"?`},
		{"outcome of another lens", "training", `"name": "elapsed_time"`, `"name": "ttft"`, "unknown_outcome", "/outcomes/2/name", "x_"},
		{"twice the same outcome", "training", `{"name": "elapsed_time", "unit": "s", "kind": "total", "v": 148.617}`, `{"name": "elapsed_time", "unit": "s", "kind": "total", "v": 148.617}, {"name": "elapsed_time", "unit": "s", "kind": "total", "v": 1}`, "duplicate_outcome", "/outcomes/3", "/outcomes/2"},
		{"spelling of a unit", "training", `"unit": "s", "kind": "total"`, `"unit": "sec", "kind": "total"`, "unit_not_accepted", "/outcomes/2/unit", `did you mean "s"?`},
		{"unit of something else", "training", `"unit": "s", "kind": "total"`, `"unit": "By", "kind": "total"`, "unit_not_accepted", "/outcomes/2/unit", "s, ms, us, ns"},
		{"ambiguous unit", "inference", `"unit": "GiBy"`, `"unit": "GB"`, "unit_not_accepted", "/outcomes/6/unit", `"GiBy"`},
		{"unknown unit of one's own", "inference", `"name": "x_retries", "unit": "{request}"`, `"name": "x_retries", "unit": "requests"`, "unit_not_accepted", "/outcomes/8/unit", ""},
		{"kind not for the outcome", "training", `"kind": "total", "v": 148.617`, `"kind": "ratio", "num": 1, "den": 2, "basis": "s"`, "kind_not_accepted", "/outcomes/2/kind", "total"},
		{"missing member of a kind", "training", `"kind": "samples", "agg": 1,`, `"kind": "samples",`, "missing_field", "/outcomes/0/agg", ""},
		{"member of another kind", "training", `"kind": "total", "v": 148.617`, `"kind": "total", "v": 148.617, "bounds": [1]`, "misplaced_field", "/outcomes/2/bounds", ""},
		{"total as array", "training", `"v": 148.617`, `"v": [148.617]`, "wrong_type", "/outcomes/2/v", ""},
		{"samples as number", "training", `"v": [87, 89, 93.5, 93]`, `"v": 87`, "wrong_type", "/outcomes/0/v", ""},
		{"text among numbers", "training", `93.5`, `"93.5"`, "wrong_type", "/outcomes/0/v/2", ""},
		{"unequal columns", "training", `"step": [11, 12, 13, 14]`, `"step": [11, 12, 13]`, "unequal_lengths", "/outcomes/0/step", "equal length"},
		{"negative time", "training", `93.5`, `-93.5`, "out_of_range", "/outcomes/0/v/2", "negative"},
		{"fractional step", "training", `"step": [11, 12`, `"step": [11, 12.5`, "out_of_range", "/outcomes/0/step/1", ""},
		{"absent outcome with data", "inference", `"absent": "not_supported"`, `"kind": "total", "absent": "not_supported"`, "contradiction", "/outcomes/7/kind", ""},
		{"neither kind nor absence", "inference", `"absent": "not_supported", "note": "no power readings on this machine"`, `"phase": "decode"`, "missing_field", "/outcomes/7/kind", ""},
		{"sample outside the window", "inference", `"at": [0.25, 0.5, 1, 2.5], "v": [500`, `"at": [0.25, 0.5, 1, 600], "v": [500`, "outside_window", "/outcomes/1/at/3", "600"},
		{"unknown status", "inference", `"v": [500, 250, 1000, 750], "status": ["ok"`, `"v": [500, 250, 1000, 750], "status": ["OK"`, "unknown_value", "/outcomes/1/status/0", `did you mean "ok"?`},
		{"phase time without phase", "inference", `"phase": "queue", `, ``, "missing_field", "/outcomes/2/phase", "prefill"},
		{"histogram that doesn't add up", "inference", `"counts": [1, 1, 1, 0]`, `"counts": [1, 1, 1, 2]`, "contradiction", "/outcomes/2/n", ""},
		{"histogram without overflow", "inference", `"counts": [1, 1, 1, 0]`, `"counts": [1, 1, 1]`, "unequal_lengths", "/outcomes/2/counts", ""},
		{"falling bounds", "inference", `"bounds": [1, 2, 5]`, `"bounds": [1, 2, 2]`, "out_of_range", "/outcomes/2/bounds/2", ""},
		{"falling percentiles", "inference", `"p99": 9}, "quantile`, `"p99": 3}, "quantile`, "contradiction", "/outcomes/3/stats/p99", "p50"},
		{"unknown statistic", "inference", `"stats": {"mean": 4,`, `"stats": {"avg": 4,`, "unknown_field", "/outcomes/3/stats/avg", "mean"},
		{"percentiles without method", "inference", `, "quantile_method": "linear"`, ``, "missing_field", "/outcomes/3/quantile_method", ""},
		{"negative statistic", "inference", `{"mean": 4, "p50": 3.5`, `{"mean": 4, "p50": -3.5`, "out_of_range", "/outcomes/3/stats/p50", ""},
		{"negative numerator", "inference", `"num": 2, "den": 4`, `"num": -2, "den": 4`, "out_of_range", "/outcomes/5/num", ""},
		{"spell that ends first", "fleet", `"end": [122,`, `"end": [119,`, "out_of_range", "/outcomes/0/end/0", ""},
		{"spell past the window", "fleet", `86400, 1200]`, `86401, 1200]`, "outside_window", "/outcomes/0/end/2", "censored at the window's end"},
		{"censored by half", "fleet", `"censored": [0, 0, 1, 0]`, `"censored": [0, 0, 0.5, 0]`, "out_of_range", "/outcomes/0/censored/2", ""},
		{"interval without length", "fleet", `"to": [86400, 50400,`, `"to": [86400, 36000,`, "out_of_range", "/outcomes/1/to/1", ""},
		{"unknown state of a device", "fleet", `["eligible", "ineligible",`, `["eligible", "inelligible",`, "unknown_value", "/outcomes/1/state/1", `did you mean "ineligible"?`},
		{"queue without GPUs", "fleet", `"censored": [0, 0, 1, 0], "gpus": [8, 1, 64, 16]`, `"censored": [0, 0, 1, 0]`, "missing_field", "/outcomes/0/gpus", ""},
		{"waits in minutes", "fleet", `"name": "queue_wait", "unit": "s"`, `"name": "queue_wait", "unit": "ms"`, "unit_not_accepted", "/outcomes/0/unit", "seconds"},
		{"truncated says another length", "training", `"kept": 4, "of": 1660`, `"kept": 5, "of": 1660`, "contradiction", "/truncated/0/kept", "4 are there"},
		{"truncated points nowhere", "training", `"/outcomes/0/v"`, `"/outcomes/9/v"`, "contradiction", "/truncated/0/pointer", ""},
		{"ext under a plain name", "inference", `"org.example.bench"`, `"bench"`, "wrong_form", "/ext/bench", "reversed domain"},
	} {
		t.Run(c.name, func(t *testing.T) {
			good := string(sample(t, c.file+".kwcap.json"))
			if !strings.Contains(good, c.old) {
				t.Fatalf("the sample doesn't hold %s", c.old)
			}
			found := problemsOf(t, strings.Replace(good, c.old, c.new, 1))
			if c.code == "" {
				if len(found) > 0 {
					t.Errorf("problems with a good capture: %+v", found)
				}
				return
			}
			if len(found) != 1 {
				t.Fatalf("%d problems: %+v", len(found), found)
			}
			if found[0].Code != c.code || found[0].Pointer != c.pointer || !strings.Contains(found[0].Message, c.says) {
				t.Errorf("got %s at %s: %s", found[0].Code, found[0].Pointer, found[0].Message)
			}
		})
	}
}

func TestFleetMayLeaveItsEnvironmentOutOtherLensesNot(t *testing.T) {
	fleet := string(sample(t, "fleet.kwcap.json"))
	without := strings.Replace(fleet, `"environment": {"absent": "not_applicable", "note": "see device_types"},`, "", 1)
	if found := problemsOf(t, without); found != nil {
		t.Errorf("a fleet capture without environment: %+v", found)
	}
	training := string(sample(t, "training.kwcap.json"))
	i, j := strings.Index(training, `"environment"`), strings.Index(training, `"dimensions"`)
	for environment, code := range map[string]string{"": "missing_field", `"environment": {"absent": "not_recorded"}, `: "contradiction"} {
		found := problemsOf(t, training[:i]+environment+training[j:])
		if len(found) != 1 || found[0].Pointer != "/environment" || found[0].Code != code {
			t.Errorf("a training capture with %q: %+v", environment, found)
		}
	}
}

func TestFiftyProblemsAreListedAndTheOthersCounted(t *testing.T) {
	training := string(sample(t, "training.kwcap.json"))
	var bad strings.Builder
	for i := range 73 {
		fmt.Fprintf(&bad, `"wrong%d": 1, `, i)
	}
	_, err := formattest.Read(Format{}, "", []byte(strings.Replace(training, `"excluded"`, bad.String()+`"excluded"`, 1)))
	failure := fault.Of(err)
	if len(failure.Problems) != 50 || !strings.Contains(failure.Message, "73 problems") || !strings.Contains(failure.Message, "23 more") {
		t.Errorf("%d problems are listed: %s", len(failure.Problems), failure.Message)
	}
	_, err = formattest.Read(Format{}, "", []byte(strings.Replace(training, `[87, 89, 93.5, 93]`, `[`+strings.Repeat(`null,`, 99_999)+`1]`, 1)))
	if failure := fault.Of(err); len(failure.Problems) != 50 || failure.Problems[49].Pointer != "/outcomes/0/v/49" {
		t.Errorf("%d problems are listed, the last at %s", len(failure.Problems), failure.Problems[len(failure.Problems)-1].Pointer)
	}
}

func TestSeveralProblemsAreAllListedInTheOrderOfTheFile(t *testing.T) {
	training := string(sample(t, "training.kwcap.json"))
	for old, replacement := range map[string]string{`"lens": "training"`: `"lens": "trainig"`, `"attempt": 1`: `"attempt": "one"`, `"random"`: `null`, `93.5`: `NaN`} {
		training = strings.Replace(training, old, replacement, 1)
	}
	var places []string
	for _, problem := range problemsOf(t, training) {
		places = append(places, problem.Pointer)
	}
	if got := strings.Join(places, " "); got != "/lens /run/attempt /dimensions/init/v /outcomes/0/v/2" {
		t.Errorf("problems at %s", got)
	}
}

func TestLimitsAreNamedAndExactlyTheLimitIsAccepted(t *testing.T) {
	training := string(sample(t, "training.kwcap.json"))
	inference := string(sample(t, "inference.kwcap.json"))
	with := func(file, old, replacement string) string { return strings.Replace(file, old, replacement, 1) }
	list := func(n int, one string) string { return strings.TrimSuffix(strings.Repeat(one+",", n), ",") }
	numbered := func(n int, form string) string {
		parts := make([]string, n)
		for i := range parts {
			parts[i] = fmt.Sprintf(form, i)
		}
		return strings.Join(parts, ",")
	}
	for _, c := range []struct {
		name, code, pointer, limit string
		file                       func(n int) string
		most                       int
	}{
		{"text", "too_long", "/labels/ticket", "4096", func(n int) string { return with(inference, "PERF-12", strings.Repeat("x", n)) }, 4096},
		{"command", "too_long", "/producer/command", "16384", func(n int) string {
			return with(inference, "my_bench.py --url http://localhost:8000", strings.Repeat("x", n))
		}, 16384},
		{"key", "too_long", "/labels", "128", func(n int) string { return with(inference, `"ticket"`, `"`+strings.Repeat("k", n)+`"`) }, 128},
		{"labels", "too_many", "/labels/k64", "64", func(n int) string { return with(inference, `"ticket": "PERF-12"`, numbered(n, `"k%d":"v"`)) }, 64},
		{"array", "too_many", "/outcomes/0/v", "1000000", func(n int) string {
			return with(with(with(training, `[87, 89, 93.5, 93]`, `[`+list(n, "1")+`]`), `"step": [11, 12, 13, 14], `, ""), `"kept": 4, "of": 1660`, fmt.Sprintf(`"kept": %d, "of": {"absent": "unknown"}`, n))
		}, 1_000_000},
		{"outcomes", "too_many", "/outcomes", "200", func(n int) string {
			return with(training, `"outcomes": [`, `"outcomes": [`+numbered(n-4, `{"name":"x_%d","unit":"1","kind":"total","v":1}`)+",")
		}, 200},
		{"GPU groups", "too_many", "/environment/gpus", "1000", func(n int) string {
			return with(training, `"gpus": [`, `"gpus": [`+list(n-1, `{"model":"NVIDIA H100 80GB HBM3","count":1,"memory_bytes":1,"power_limit_w":1,"mig":"off"}`)+",")
		}, 1000},
		{"ext", "too_large", "/ext", "1048576", func(n int) string {
			frame := len(`{"org.example":[]}`)
			return with(inference, `{"org.example.bench": {"retries": [1, 0]}}`, `{"org.example":[`+strings.Repeat(" ", n-frame)+`]}`)
		}, 1 << 20},
	} {
		t.Run(c.name, func(t *testing.T) {
			accepted := problemsOf(t, c.file(c.most))
			for _, problem := range accepted {
				if problem.Code == c.code {
					t.Errorf("exactly the limit: %+v", problem)
				}
			}
			for _, problem := range problemsOf(t, c.file(c.most+1)) {
				if problem.Code == c.code && problem.Pointer == c.pointer && problem.Limit == c.limit {
					return
				}
			}
			t.Errorf("one more isn't refused with its limit: %+v", problemsOf(t, c.file(c.most+1)))
		})
	}
}

func TestIntegersBeyondFloat64AreAcceptedAsStrings(t *testing.T) {
	inference := strings.Replace(string(sample(t, "inference.kwcap.json")), `"bytes": 12345`, `"bytes": "9223372036854775807"`, 1)
	all, err := formattest.Read(Format{}, "", []byte(inference))
	if err != nil {
		t.Fatal(err)
	}
	if got := all[0].DerivedFrom[0].Bytes; got != 9223372036854775807 {
		t.Errorf("read as %d", got)
	}
}
