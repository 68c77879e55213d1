package aiperf

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"kernelwake/internal/evidence"
)

// secretKind is what must not leave the exact bytes unasked.
type secretKind int

const (
	credential secretKind = iota
	homeFolder
	hostName
	secretKinds
)

var secretFindings = [secretKinds]struct{ code, what string }{
	{"secret_found", "credentials (keys, tokens, passwords or headers that carry them)"},
	{"home_folder_found", "home folders, which name a person"},
	{"host_found", "names of machines"},
}

// secrets counts what was found and where first.
type secrets struct {
	count [secretKinds]int64
	first [secretKinds]string
}

func (s *secrets) note(kind secretKind, pointer string) {
	if s.count[kind]++; s.count[kind] == 1 {
		s.first[kind] = pointer
	}
}

func (s *secrets) add(other secrets) {
	for kind := range other.count {
		if s.count[kind] == 0 {
			s.first[kind] = other.first[kind]
		}
		s.count[kind] += other.count[kind]
	}
}

// walk looks through every text of a document.
func (s *secrets) walk(document node, path string) { s.visit("", document, path+"#") }

func (s *secrets) visit(name string, one node, pointer string) {
	switch value := one.value.(type) {
	case string:
		s.look(name, value, pointer)
	case []any:
		for i := range value {
			s.visit(name, node{value[i]}, fmt.Sprintf("%s/%d", pointer, i))
		}
	case map[string]any:
		for _, member := range one.names() {
			s.visit(member, one.at(member), pointer+"/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(member))
		}
	}
}

var (
	secretName = regexp.MustCompile(`(?i)^(api[-_]?key|x-api-key|authorization|proxy-authorization|cookie|password|passwd|.*secret.*|(access|auth|bearer|hf|api)[-_]?token)$`)
	// hostField names members whose whole text is a machine, with or without a port.
	hostField = regexp.MustCompile(`(?i)^(hostname|host|url|urls|endpoint_url)$`)
	// The value after these flags and headers is a credential.
	secretFlag   = regexp.MustCompile(`(?i)(--(?:api-?key|token|hf-?token|auth-?token|password)[= ]+)('[^']*'|"[^"]*"|[^\s'"]+)`)
	secretHeader = regexp.MustCompile(`(?i)((?:authorization|x-api-key|api-key|cookie)\s*[:=]\s*(?:bearer\s+|basic\s+)?)([^\s'",]+)`)
	// alreadyHidden is what AIPerf from 0.7 on writes in place of a key.
	alreadyHidden = regexp.MustCompile(`(?i)redacted|^['"]?\*+['"]?$|^(bearer|basic)$`)
	bearer        = regexp.MustCompile(`(?i)(\b(?:bearer|basic)\s+)([A-Za-z0-9._~+/=-]{8,})`)
	knownToken    = regexp.MustCompile(`\b(sk-[A-Za-z0-9_-]{16,}|hf_[A-Za-z0-9]{16,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|nvapi-[A-Za-z0-9_-]{16,}|AKIA[0-9A-Z]{16}|eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*)`)
	userInURL     = regexp.MustCompile(`([a-zA-Z][a-zA-Z0-9+.-]*://)([^/\s'"@]+)@`)
	home          = regexp.MustCompile(`(/home/|/Users/|[A-Za-z]:\\Users\\)[^/\\\s'",:;]+`)
	hostInURL     = regexp.MustCompile(`([a-zA-Z][a-zA-Z0-9+.-]*://)(\[[0-9a-fA-F:.]+\]|[^/\s'":@]+)`)
)

const redacted = "<redacted>"

// look notes what one text holds, and returns it without.
func (s *secrets) look(name, text, pointer string) string {
	if text == "" || text == redacted {
		return text
	}
	if secretName.MatchString(name) {
		s.note(credential, pointer)
		return redacted
	}
	replace := func(pattern *regexp.Regexp, with string, kind secretKind) {
		if cleaned := pattern.ReplaceAllString(text, with); cleaned != text {
			s.note(kind, pointer)
			text = cleaned
		}
	}
	for _, pattern := range []*regexp.Regexp{secretFlag, secretHeader, bearer} {
		text = pattern.ReplaceAllStringFunc(text, func(match string) string {
			parts := pattern.FindStringSubmatch(match)
			if alreadyHidden.MatchString(parts[2]) {
				return match
			}
			s.note(credential, pointer)
			return parts[1] + redacted
		})
	}
	replace(knownToken, redacted, credential)
	replace(userInURL, "${1}", credential)
	replace(home, "~", homeFolder)
	hosts := 0
	text = hostInURL.ReplaceAllStringFunc(text, func(match string) string {
		scheme, host, _ := strings.Cut(match, "://")
		if ownMachine(host) {
			return match
		}
		hosts++
		return scheme + "://<host>"
	})
	if hosts == 0 && hostField.MatchString(name) && !strings.Contains(text, "://") && !ownMachine(hostOf(text)) {
		hosts++
		text = "<host>"
	}
	if hosts > 0 {
		s.note(hostName, pointer)
	}
	return text
}

// ownMachine reports whether a host is the client itself, which names nobody.
func ownMachine(host string) bool {
	host = strings.Trim(host, "[]")
	return host == "" || host == "localhost" || host == "::1" || host == "0.0.0.0" || strings.HasPrefix(host, "127.") || strings.HasPrefix(host, "<")
}

// hostOf returns the host of an address that may lack its scheme.
func hostOf(address string) string {
	if !strings.Contains(address, "://") {
		address = "http://" + address
	}
	parsed, err := url.Parse(address)
	if err != nil {
		return address
	}
	return parsed.Hostname()
}

// clean returns a text without secrets, unless they are to be kept.
func (m *material) clean(text string) string { return m.cleanValue("", text).(string) }

// cleanValue returns a member's value with the texts in it cleaned.
func (m *material) cleanValue(name string, value any) any {
	if m.options.KeepSecrets {
		return value
	}
	switch known := value.(type) {
	case string:
		var found secrets
		return found.look(name, known, "")
	case []any:
		all := make([]any, len(known))
		for i := range known {
			all[i] = m.cleanValue(name, known[i])
		}
		return all
	case map[string]any:
		all := make(map[string]any, len(known))
		for member := range known {
			all[member] = m.cleanValue(member, known[member])
		}
		return all
	}
	return value
}

// findings tells what was found, for the person who imports.
func (s *secrets) findings(kept bool) []evidence.Finding {
	var all []evidence.Finding
	for kind, count := range s.count {
		if count == 0 {
			continue
		}
		done := "they are left out of the parsed form; the exact bytes keep them"
		if kept {
			done = "they were kept in the parsed form, as asked"
		}
		all = append(all, evidence.Finding{Code: secretFindings[kind].code, Count: count, Pointer: s.first[kind],
			Message: "the files hold " + secretFindings[kind].what + ": " + done,
			Remedy:  "change keys that were written into a file, and pass them by --api-key of AIPerf 0.7 or later"})
	}
	return all
}
