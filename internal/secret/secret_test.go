package secret

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// filler stands for the random part of made-up tokens, so that no text of this
// file looks like a real one to a scanner.
var filler = strings.Repeat("aB3", 14)

func TestRedactLeavesOutEachKind(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"Hugging Face token":      {"HF " + "hf_" + filler + " end", "HF [redacted hugging_face_token] end"},
		"OpenAI key in a command": {"bench --key " + "sk-" + "proj-" + filler, "bench --key [redacted openai_key]"},
		"NVIDIA key":              {"nvapi-" + filler, "[redacted nvidia_key]"},
		"AWS key id":              {"id AKIA" + "ABCDEFGH12345678.", "id [redacted aws_key]."},
		"GitHub token":            {"ghp_" + filler, "[redacted github_token]"},
		"bearer header":           {`"Authorization: Bearer ` + filler + `"`, `"Authorization: [redacted authorization]"`},
		"bearer alone":            {"sent Bearer " + filler, "sent Bearer [redacted authorization]"},
		"JSON header":             {`{"authorization": "Bearer x1y2z3w4"}`, `{"authorization": "[redacted authorization]"}`},
		"flag and value":          {"serve --api-key s3cr3t-value --port 8000", "serve --api-key [redacted named_secret] --port 8000"},
		"environment":             {"OPENAI_API_KEY=abc123def aiperf", "OPENAI_API_KEY=[redacted named_secret] aiperf"},
		"HF_TOKEN by name":        {"HF_TOKEN=notlikeatoken1", "HF_TOKEN=[redacted named_secret]"},
		"quoted value":            {`password: "two words"`, `password: "[redacted named_secret]"`},
		"URL with credentials":    {"http://ann:pass1@example.org/v1", "http://[redacted url_credentials]@example.org/v1"},
		"home folder":             {"/home/ann/site-packages/torch/nn.py", "/home/[redacted home_folder]/site-packages/torch/nn.py"},
		"macOS home folder":       {"at /Users/ann.b/x", "at /Users/[redacted home_folder]/x"},
		"Windows home folder":     {`C:\Users\ann\x`, `C:\Users\[redacted home_folder]\x`},
		"private address":         {"http://10.12.0.7:8000/v1", "http://[redacted private_host]:8000/v1"},
		"shared address space":    {"100.64.3.9", "[redacted private_host]"},
		"IPv6 local address":      {"[fd12:3456::1]:8000", "[[redacted private_host]]:8000"},
		"cloud host name":         {"ip-10-2-3-4.ec2.internal", "[redacted private_host]"},
		"private name with port":  {"db.prod.internal:5432", "[redacted private_host]:5432"},
		"cluster service":         {"http://vllm.team-a.svc.cluster.local/v1", "http://[redacted private_host]/v1"},
		"email address":           {"by ann.b@example.org.", "by [redacted email_address]."},
		"private key":             {"-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nrest", "[redacted private_key]\nrest"},
		"two in one text":         {"/home/ann/a /home/bob/b", "/home/[redacted home_folder]/a /home/[redacted home_folder]/b"},
	} {
		t.Run(name, func(t *testing.T) {
			got, found := Redact(c.text)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			if len(found) == 0 {
				t.Error("nothing was reported")
			}
		})
	}
}

func TestWordsOfTheFieldAreNoSecrets(t *testing.T) {
	for _, text := range []string{
		"", "max_tokens=128", "pad_token: <|endoftext|>", "output_token_throughput", "eos_token_id=2", "threading.local", "torch._C._internal.foo", "aten::local.internal",
		"http://127.0.0.1:8000/v1", "http://localhost:8000", "8.8.8.8", "CUDA 12.8", "driver 570.86.15", "NVIDIA H100 80GB HBM3", "/usr/lib/python3/site-packages", "/home/runner/work",
		"vllm/vllm-openai@sha256:0123456789abcdef", "git@github.com:org/repo", "sk-learn-estimator-with-long-name-here", "step 10.5 of 172.0", "cuDNN 10.2.89.107b",
		"--api-key-file", "api_key: None", "--api-key $KEY", "basic operations", "tokens/s", "fdopen", "fc1.weight", "Authorization: Bearer <redacted>", "fc_layer: 12", "Basic block of residual network", "id token ids", "secret santa",
	} {
		if got, found := Redact(text); got != text || found != nil {
			t.Errorf("%q became %q", text, got)
		}
	}
}

func TestNamesOfSecretsAndOfCounts(t *testing.T) {
	for name, want := range map[string]bool{
		"HF_TOKEN": true, "OPENAI_API_KEY": true, "api-key": true, "password": true, "token": true, "X-Api-Key": true, "AWS_SECRET_ACCESS_KEY": true, "db_password": true,
		"max_tokens": false, "pad_token": false, "tokenizer": false, "token_count": false, "monkey": false, "key": false, "output_tokens": false,
	} {
		if Named(name) != want {
			t.Errorf("Named(%q) is %v", name, !want)
		}
	}
}

func TestRedactingTwiceChangesNothingMore(t *testing.T) {
	once, _ := Redact("Authorization: Bearer abcdef123456 /home/ann/x password=abc12345")
	if twice, found := Redact(once); twice != once || found != nil {
		t.Errorf("%q became %q", once, twice)
	}
}

func TestReportWalksValuesAndSaysWhatItFound(t *testing.T) {
	value := map[string]any{"env": map[string]any{"HF_TOKEN": "plain", "list": []any{"/home/ann/x", 3.0}}}
	var report Report
	got := report.Value("/ext", "", value)
	want := map[string]any{"env": map[string]any{"HF_TOKEN": "[redacted named_secret]", "list": []any{"/home/[redacted home_folder]/x", 3.0}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	var codes []string
	for _, finding := range report.Findings() {
		codes = append(codes, finding.Pointer+" "+finding.Message)
	}
	if diff := cmp.Diff([]string{"/ext/env/list/0 home folder: left out of the parsed data", "/ext/env/HF_TOKEN named secret: left out of the parsed data"}, codes); diff != "" {
		t.Error(diff)
	}
	keep := Report{Keep: true}
	if text := keep.Text("/x", "/home/ann"); text != "/home/ann" || len(keep.Findings()) != 1 {
		t.Errorf("kept text became %q with %d findings", text, len(keep.Findings()))
	}
}

func FuzzRedact(f *testing.F) {
	for _, seed := range []string{"/home/ann/x", "a@b.co", "Bearer abcdef123456", "://a:b@c", ".local:1", "10.0.0.1", "[redacted home_folder]"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		end := 0
		for _, match := range Find(text) {
			if match.Start < end || match.End <= match.Start || match.End > len(text) {
				t.Fatalf("%v in a text of %d bytes after %d", match, len(text), end)
			}
			end = match.End
		}
	})
}

func BenchmarkFindNothing(b *testing.B) {
	text := "aten::scaled_dot_product_attention /usr/lib/python3/site-packages/torch/nn/modules/module.py(1553): _call_impl"
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		Find(text)
	}
}
