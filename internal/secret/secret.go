// Package secret finds in texts what must not be kept or shown by accident:
// tokens and keys, passwords, home folders, addresses of private hosts. The
// importers of all formats use this one list between reading a file and
// yielding its parsed form; the exact bytes of the file are never changed.
package secret

import (
	"slices"
	"strings"
)

// Kind names a sort of secret.
type Kind string

// The kinds of secrets.
const (
	HuggingFaceToken Kind = "hugging_face_token"
	OpenAIKey        Kind = "openai_key"
	NVIDIAKey        Kind = "nvidia_key"
	AWSKey           Kind = "aws_key"
	GitHubToken      Kind = "github_token"
	GitLabToken      Kind = "gitlab_token"
	GoogleKey        Kind = "google_key"
	SlackToken       Kind = "slack_token"
	WebToken         Kind = "json_web_token"
	PrivateKey       Kind = "private_key"
	Authorization    Kind = "authorization"
	URLCredentials   Kind = "url_credentials"
	NamedValue       Kind = "named_secret"
	EmailAddress     Kind = "email_address"
	HomeFolder       Kind = "home_folder"
	PrivateHost      Kind = "private_host"
)

// Match is one secret in a text: text[Start:End] is what is to be left out.
type Match struct {
	Kind       Kind
	Start, End int
}

// Find returns the secrets of a text, in order and without overlaps. A text
// without any costs one pass over its bytes.
func Find(text string) []Match {
	var found []Match
	for i := 0; i < len(text); i++ {
		if starts[text[i]] == nil {
			continue
		}
		floor := 0
		if len(found) > 0 {
			floor = found[len(found)-1].End
		}
		if match, ok := matchAt(text, i, floor); ok {
			found = append(found, match)
			i = match.End - 1
		}
	}
	return found
}

// matchAt returns the first pattern that holds at place i. What it returns may
// begin before i, but not before floor.
func matchAt(text string, i, floor int) (Match, bool) {
	for _, anchor := range starts[text[i]] {
		pattern := anchor.of
		if !anchor.anchored(text, i) || pattern.whole && i > 0 && isWord(text[i-1]) {
			continue
		}
		start, end := pattern.place(text, i)
		if start >= end || start < floor || strings.HasPrefix(text[start:], "[redacted ") {
			continue
		}
		if pattern.accept == nil || pattern.accept(text[start:end]) {
			return Match{pattern.kind, start, end}, true
		}
	}
	return Match{}, false
}

// Redact returns the text with each secret replaced by its kind in brackets,
// and what was found.
func Redact(text string) (string, []Match) {
	found := Find(text)
	if len(found) == 0 {
		return text, nil
	}
	var out strings.Builder
	end := 0
	for _, match := range found {
		out.WriteString(text[end:match.Start])
		out.WriteString(Mark(match.Kind))
		end = match.End
	}
	out.WriteString(text[end:])
	return out.String(), found
}

// Mark is what stands in place of a secret.
func Mark(kind Kind) string { return "[redacted " + string(kind) + "]" }

// Named reports whether a value under this name is a secret whatever it looks
// like: "HF_TOKEN", "api-key", "password". Names of token counts are not.
func Named(name string) bool {
	name = strings.ToLower(name)
	name = strings.NewReplacer("-", "_", ".", "_", " ", "_").Replace(name)
	name = strings.Trim(name, "_")
	if slices.Contains([]string{"token", "secret", "password", "passwd", "authorization", "credentials", "cookie"}, name) {
		return true
	}
	for _, suffix := range namedSuffixes {
		if strings.HasSuffix(name, suffix) {
			return true
		}
	}
	return false
}

// namedSuffixes end the names of secrets. "_token" alone is none: "pad_token"
// and "max_token" are words of the field.
var namedSuffixes = []string{
	"api_key", "apikey", "_secret", "secret_key", "access_key", "private_key", "signing_key", "_password", "_passwd", "_credentials", "authorization", "_cookie",
	"hf_token", "hub_token", "face_token", "access_token", "auth_token", "api_token", "bearer_token", "refresh_token", "session_token", "id_token",
	"github_token", "gh_token", "gitlab_token", "wandb_token", "security_token", "login_token", "secret_token", "ngc_token",
}

func isWord(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c == '_'
}
