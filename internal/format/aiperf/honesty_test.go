package aiperf

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"kernelwake/internal/evidence"
	"kernelwake/internal/secret"
)

// withClock is a summary whose phase lies at a time of the client's wall
// clock, in the zone of the offset.
func withClock(started time.Time, offset, length time.Duration, extra string) []byte {
	const form = "2006-01-02T15:04:05.000000"
	local := started.Add(offset)
	return fmt.Appendf(nil, `{"aiperf_version":"0.13.0","schema_version":"1.4","benchmark_id":"aa","request_count":{"unit":"requests","avg":10},"error_request_count":{"unit":"requests","avg":2},
		"input_config":{"models":{"items":[{"name":"m"}]},"phases":[{"name":"profiling","type":"concurrency","concurrency":4%s}]},"start_time":"%s","end_time":"%s"}`,
		extra, local.UTC().Format(form), local.Add(length).UTC().Format(form))
}

func TestASummaryOfAnotherTimeThanTheRecordsIsSetAside(t *testing.T) {
	started := instant(epoch)
	cases := map[string]struct {
		summary []byte
		stale   bool
	}{
		"the same time, UTC":         {withClock(started, 0, 2*time.Second, ""), false},
		"the same time, in Tokyo":    {withClock(started, 9*time.Hour, 2*time.Second, ""), false},
		"the same time, in Nepal":    {withClock(started, 5*time.Hour+45*time.Minute, 2*time.Second, ""), false},
		"the same time, in New York": {withClock(started, -5*time.Hour, 2*time.Second, ""), false},
		"seven minutes before":       {withClock(started.Add(-7*time.Minute), 0, 2*time.Second, ""), true},
		"two days before":            {withClock(started.Add(-48*time.Hour), 0, 2*time.Second, ""), true},
		"an absolute time before": {[]byte(`{"aiperf_version":"0.4.0","schema_version":"1.0","request_count":{"unit":"requests","avg":10},"min_request_timestamp":{"unit":"ns","avg":1.7e18},"max_response_timestamp":{"unit":"ns","avg":1.7000001e18},
			"input_config":{"endpoint":{"model_names":["m"]}}}`), true},
	}
	records := madeUp(t, small)[0]
	for name, want := range cases {
		t.Run(name, func(t *testing.T) {
			got := one(t, []member{records, {"run/profile_export_aiperf.json", want.summary}})
			_, stale := finding(got, "summary_stale")
			if stale != want.stale {
				t.Fatalf("stale %v, want %v; findings %q", stale, want.stale, findingCodes(got))
			}
			if model := got.Dimensions["model"]; model.Known() == stale {
				t.Errorf("the model is %+v", model)
			}
			rate, _ := got.Outcome("request_throughput", "")
			if n, _ := rate.N.Get(); n != 10 || stale && rate.Reported != nil {
				t.Errorf("throughput rests on %d records, reported %v", n, rate.Reported)
			}
		})
	}
}

func TestFilesOfAnotherBenchmarkAreSetAside(t *testing.T) {
	server := []byte(`{"schema_version":"1.1","aiperf_version":"0.13.0","benchmark_id":"ffffffffffff","summary":{"endpoints_configured":[]},"metrics_phase":"profiling","metrics":{}}`)
	config := []byte(`{"benchmark_id":"eeeeeeeeeeee","cfg":{"models":{"items":[{"name":"other"}]}}}`)
	got := one(t, slices.Concat(madeUp(t, small), []member{{"run/server_metrics_export.json", server}, {"run/run_config.json", config}}))
	for _, code := range []string{"server_metrics_of_another_run", "run_config_of_another_run"} {
		if _, ok := finding(got, code); !ok {
			t.Errorf("%s was not found: %q", code, findingCodes(got))
		}
	}
	if model := got.Dimensions["model"].Value; model != "made-up" {
		t.Errorf("the model is %v", model)
	}
}

func TestRequestsInFlightAtTheEndAreCountedByTheLogOrUnknown(t *testing.T) {
	summary := withClock(instant(epoch), 0, 2*time.Second, `,"duration":2`)
	records := madeUp(t, small)[0]
	log := func(lines string) member {
		return member{"run/logs/aiperf.log", []byte("2026-11-30 15:05:05.506 - PhaseRunner - NOTICE - Phase warmup (warmup) sending complete | sent=3, completed=3, in_flight=0\n" + lines)}
	}
	line := "2026-11-30 15:05:05.506 - PhaseRunner - NOTICE - Phase profiling%s sending complete | sent=%d, completed=12, in_flight=3 | sessions: sent=99, completed=99 | timeout_triggered=True\n"
	cases := map[string]struct {
		log       []member
		cancelled int64
		known     bool
	}{
		"no log":             {nil, 0, false},
		"three in flight":    {[]member{log(fmt.Sprintf(line, " (profiling)", 15))}, 3, true},
		"as 0.8 writes it":   {[]member{log(fmt.Sprintf(line, "", 15))}, 3, true},
		"none in flight":     {[]member{log(fmt.Sprintf(line, " (profiling)", 12))}, 0, true},
		"a log that was cut": {[]member{log("")}, 0, false},
	}
	for name, want := range cases {
		t.Run(name, func(t *testing.T) {
			got := one(t, slices.Concat([]member{records, {"run/profile_export_aiperf.json", summary}}, want.log))
			cancelled, known := got.Completeness.Cancelled.Get()
			if known != want.known || cancelled != want.cancelled {
				t.Errorf("cancelled %d (known %v), want %d (%v)", cancelled, known, want.cancelled, want.known)
			}
			if _, said := finding(got, "cancelled_silently"); said != (want.cancelled > 0) {
				t.Errorf("findings %q", findingCodes(got))
			}
		})
	}
}

func TestAServerThatAnsweredMoreThanTheClientRecordedIsSaid(t *testing.T) {
	server := []byte(`{"schema_version":"1.1","aiperf_version":"0.13.0","benchmark_id":"aa","summary":{"endpoints_configured":[]},"metrics_phase":"profiling","metrics":{
		"vllm:time_to_first_token_seconds":{"type":"histogram","series":[{"stats":{"count":16,"sum":1},"buckets":{"1":16,"+Inf":16}}]}}}`)
	got := one(t, []member{madeUp(t, small)[0], {"run/profile_export_aiperf.json", withClock(instant(epoch), 0, 2*time.Second, `,"duration":2`)}, {"run/server_metrics_export.json", server}})
	said, ok := finding(got, "cancelled_silently")
	if _, known := got.Completeness.Cancelled.Get(); !ok || said.Count != 4 || known {
		t.Errorf("finding %+v, cancelled %v; want 4 as a hint, and unknown", said, got.Completeness.Cancelled)
	}
}

func TestUnknownVersionsAreReadByShapeAndSaid(t *testing.T) {
	summary := bytes.ReplaceAll(small.summary(), []byte(`"0.13.0"`), []byte(`"0.99.1"`))
	summary = bytes.Replace(summary, []byte(`{`), []byte(`{"full_request_latency":{"unit":"ms","avg":1},`), 1)
	got := one(t, []member{madeUp(t, small)[0], {"run/profile_export_aiperf.json", summary}})
	if _, ok := finding(got, "version_unknown"); !ok || got.Tool != "aiperf 0.99.1" {
		t.Errorf("tool %q, findings %q", got.Tool, findingCodes(got))
	}
	if ok, _ := got.Completeness.OK.Get(); ok != 10 {
		t.Errorf("%d good requests", ok)
	}
}

func TestASummaryThatDisagreesWithItsRecordsIsSaidWithBothNumbers(t *testing.T) {
	summary := bytes.Replace(small.summary(), []byte(`"request_count"`), []byte(`"request_latency":{"unit":"ms","avg":1,"p99":2},"request_count"`), 1)
	got := one(t, []member{madeUp(t, small)[0], {"run/profile_export_aiperf.json", summary}})
	said, ok := finding(got, "summary_differs")
	if !ok || said.Count != 2 || !strings.Contains(said.Message, "request_latency.avg is 1 in the summary") {
		t.Errorf("finding %+v", said)
	}
}

// leaky is a run whose files hold what must not leave them unasked.
func leaky(t testing.TB) []member {
	summary := bytes.Replace(small.summary(), []byte(`"trial":0`),
		[]byte(`"trial":0,"cli_command":"aiperf profile --api-key 'sk-`+"verysecretkey1234567890"+`' --url https://user:pa55@llm.internal.example:8000 --header 'Authorization: Bearer abcdef0123456789' --input-file /home/jane/prompts.jsonl"`), 1)
	summary = bytes.Replace(summary, []byte(`"streaming":true`), []byte(`"streaming":true,"urls":["https://llm.internal.example:8000"],"api_key":"zzzsecretzzz","headers":{"X-Api-Key":"yyysecretyyy"}`), 1)
	summary = bytes.Replace(summary, []byte(`"ignore_eos":true`), []byte(`"ignore_eos":true,"password":"wwwsecretwww"`), 1)
	summary = bytes.Replace(summary, []byte(`"made-up/tokenizer"`), []byte(`"/home/jane/tokenizer"`), 1)
	log := "2026-11-30 15:05:05.506 - x - INFO - token hf_" + "abcdefghijklmnopqrst1234\n"
	inputs := `{"data":[{"session_id":"session_000000","payloads":[{"messages":[{"content":"MY-PRIVATE-PROMPT"}],"model":"made-up"}]}]}`
	return []member{madeUp(t, small)[0], {"run/profile_export_aiperf.json", summary}, {"run/logs/aiperf.log", []byte(log)}, {"run/inputs.json", []byte(inputs)}}
}

func TestSecretsAreFoundSaidAndLeftOutOfTheParsedForm(t *testing.T) {
	captures := mustRead(t, packTarGz(t, leaky(t)))
	encoded, err := captures[0].Encode()
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"verysecret", "pa55", "internal.example", "abcdef0123456789", "jane", "zzzsecret", "yyysecret", "wwwsecret", "hf_abc", "MY-PRIVATE"} {
		if bytes.Contains(encoded, []byte(secret)) {
			t.Errorf("the parsed form holds %q", secret)
		}
	}
	said := map[string]bool{}
	for _, finding := range captures[0].Findings {
		said[finding.Code+" "+strings.SplitN(finding.Message, ":", 2)[0]] = finding.Pointer != "" && finding.Remedy != ""
	}
	for _, what := range []string{"secret_found authorization", "secret_found named secret", "secret_found url credentials", "secret_found hugging face token", "secret_found home folder", "secret_found private host"} {
		if !said[what] {
			t.Errorf("%q was not said, or not where or what to do: %v", what, said)
		}
	}
	if _, ok := finding(captures[0], "prompts_present"); !ok {
		t.Error("nothing says that inputs.json holds prompts")
	}
	if command := string(captures[0].Figures); !strings.Contains(command, "aiperf profile --api-key") {
		t.Errorf("the command was left out as a whole: %s", command)
	}
}

func TestSecretsAreKeptOnlyWhenAsked(t *testing.T) {
	var kept *evidence.Parsed
	err := Format{}.Read(context.Background(), fileOf(packTarGz(t, leaky(t))), evidence.ReadOptions{KeepSecrets: true}, func(one *evidence.Parsed) error {
		kept = one
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(kept.Figures), "sk-"+"verysecretkey") || kept.Dimensions["tokenizer"].Value != "/home/jane/tokenizer" {
		t.Error("secrets were left out though they were to be kept")
	}
	encoded, _ := kept.Encode()
	if bytes.Contains(encoded, []byte("MY-PRIVATE")) {
		t.Error("a prompt was kept: it never is")
	}
}

func TestWhatNamesNobodyIsNoFinding(t *testing.T) {
	for _, text := range []string{"--api-key '<redacted>'", "Authorization: Bearer <redacted>", "max_tokens:100", "min_tokens=3", "/homework/x", "http://localhost:8000", "https://127.0.0.1/v1", "http://[::1]:8000"} {
		var found secret.Report
		document := redactDocument(&found, node{map[string]any{"cli_command": text}}, "f")
		if cleaned := document.at("cli_command").text(); cleaned != text || len(found.Findings()) > 0 {
			t.Errorf("%q was taken for a secret: %q", text, cleaned)
		}
	}
}
