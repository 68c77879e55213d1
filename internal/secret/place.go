package secret

import (
	"net/netip"
	"slices"
	"strings"
)

// place returns where the secret of a pattern anchored at i stands; an empty
// range if it doesn't hold.
func (p *pattern) place(text string, i int) (start, end int) {
	if p.around != nil {
		return p.around(text, i)
	}
	groups := p.expression.FindStringSubmatchIndex(text[i:])
	if groups == nil {
		return 0, 0
	}
	for g := 2; g < len(groups); g += 2 {
		if groups[g] >= 0 {
			return i + groups[g], i + groups[g+1]
		}
	}
	return i + groups[0], i + groups[1]
}

// holdsDigit tells a key from words joined by dashes.
func holdsDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }

// notHidden tells a value from what a tool wrote in its place: "Bearer
// <redacted>".
func notHidden(s string) bool {
	return !strings.Contains(s, "<redacted>") && strings.Trim(s, "*x.") != ""
}

// plausibleValue tells a secret from a word of prose or code after its name.
func plausibleValue(s string) bool {
	if slices.Contains([]string{"none", "null", "true", "false", "str", "string", "optional"}, strings.ToLower(strings.Trim(s, ".,)]}"))) {
		return false
	}
	return !strings.HasPrefix(s, "$") && !strings.HasPrefix(s, "<") && !strings.HasPrefix(s, "--") && (holdsDigit(s) || len(s) >= 8) && strings.Trim(s, "*x.") != ""
}

// ofAPerson tells a person's folder from one that every machine or container
// of a kind has.
func ofAPerson(name string) bool {
	return !slices.Contains([]string{"Shared", "Public", "runner", "ubuntu", "jovyan", "user", "app", "vllm", "nonroot"}, name)
}

func privateAddress(s string) bool {
	address, err := netip.ParseAddr(strings.TrimRight(s, ":"))
	if err != nil {
		return false
	}
	shared := netip.MustParsePrefix("100.64.0.0/10") // RFC 6598
	return address.IsPrivate() || address.IsLinkLocalUnicast() || shared.Contains(address)
}

// privateName returns the host name that ends in a private suffix at i, where
// its surroundings say that it is one: "threading.local" is no host.
func privateName(text string, i int) (start, end int) {
	start, end = i, i+1
	for start > 0 && isHost(text[start-1]) {
		start--
	}
	for end < len(text) && isHost(text[end]) {
		end++
	}
	for end > i && text[end-1] == '.' {
		end--
	}
	name, before, after := text[start:end], text[:start], text[end:]
	labels := strings.Split(name, ".")
	suffix := labels[len(labels)-1]
	if start == i || slices.Contains(labels, "") || !slices.Contains([]string{"internal", "local", "lan", "corp", "intra", "svc", "arpa"}, suffix) || strings.Contains(name, "_") {
		return 0, 0
	}
	port := len(after) > 1 && after[0] == ':' && after[1] >= '0' && after[1] <= '9'
	pointed := strings.HasSuffix(before, "://") || strings.HasSuffix(before, "@") || strings.HasSuffix(strings.ToLower(before), "host=")
	numbered := holdsDigit(labels[0]) && strings.Contains(labels[0], "-")
	if port || pointed || numbered || len(labels) > 2 && before == "" && after == "" {
		return start, end
	}
	return 0, 0
}

// email returns the address around the @ at i.
func email(text string, i int) (start, end int) {
	start, end = i, i+1
	for start > 0 && (isHost(text[start-1]) || strings.IndexByte("+%", text[start-1]) >= 0) {
		start--
	}
	for end < len(text) && isHost(text[end]) {
		end++
	}
	for end > i && strings.IndexByte(".-", text[end-1]) >= 0 {
		end--
	}
	labels := strings.Split(text[i+1:end], ".")
	last := labels[len(labels)-1]
	schemed := strings.HasSuffix(text[:start], "/") // git@host and the like inside an address
	if start == i || len(labels) < 2 || len(last) < 2 || strings.ContainsAny(last, "0123456789-_") || slices.Contains(labels, "") || text[start:i] == "git" || schemed {
		return 0, 0
	}
	return start, end
}

func isHost(c byte) bool { return isWord(c) || c == '-' || c == '.' }
