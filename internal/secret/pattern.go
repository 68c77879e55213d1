package secret

import (
	"regexp"
	"strings"
)

// pattern is one way a secret is written. Its expression is tried only where
// one of its anchors stands, so that most texts never meet a regular
// expression.
type pattern struct {
	kind Kind
	// anchors are the texts it can begin with; fold ignores their case.
	anchors []string
	fold    bool
	// whole patterns don't begin inside a word.
	whole bool
	// expression is matched from the anchor on; its one group, if any, is the
	// part to leave out.
	expression *regexp.Regexp
	// accept has the last word on the part to leave out.
	accept func(string) bool
	// around is used in place of an expression where the secret begins before
	// its anchor: it returns the secret around place i.
	around func(text string, i int) (start, end int)
}

// anchored reports whether an anchor stands at i. It fails on the first byte
// that differs, since it runs at most places of every text.
func (a anchor) anchored(text string, i int) bool {
	if len(text)-i < len(a.text) {
		return false
	}
	for k := 1; k < len(a.text); k++ {
		c := text[i+k]
		if a.fold && c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != a.text[k] {
			return false
		}
	}
	return true
}

// value is what follows a secret's name: quoted, or up to a blank, a quote or
// a separator.
const value = `(?:"([^"]{4,})"|'([^']{4,})'|([^\s"'&,;]{4,}))`

// namedValue is a secret by its name: NAME=VALUE, "NAME": "VALUE", --NAME VALUE.
var namedValue = regexp.MustCompile(`^(?i:(?:api|access|private|signing|secret)[-_]?(?:access[-_]?)?key(?:[-_]id)?|[a-z]+[-_]token|--token|passw(?:or)?d|secret)(?:["']?\s*[:=]\s*|\s+)` + value)

// namedAnchors begin the names of namedValue.
var namedAnchors = func() []string {
	anchors := []string{"--token", "password", "passwd", "secret"}
	for _, word := range []string{"api", "access", "private", "signing"} {
		anchors = append(anchors, word+"key", word+"_key", word+"-key")
	}
	for _, word := range []string{"hf", "hub", "access", "auth", "api", "bearer", "refresh", "session", "id", "github", "gh", "gitlab", "wandb", "security", "login", "ngc"} {
		anchors = append(anchors, word+"_token", word+"-token")
	}
	return anchors
}()

var patterns = []*pattern{
	{kind: PrivateKey, anchors: []string{"-----BEGIN "}, expression: regexp.MustCompile(`^-----BEGIN [A-Z ]*PRIVATE KEY-----(?s:.*?)(?:-----END [A-Z ]*PRIVATE KEY-----|$)`)},
	{kind: HuggingFaceToken, anchors: []string{"hf_", "api_org_"}, whole: true, expression: regexp.MustCompile(`^(?:hf|api_org)_[A-Za-z0-9]{20,}`)},
	{kind: OpenAIKey, anchors: []string{"sk-"}, whole: true, expression: regexp.MustCompile(`^sk-[A-Za-z0-9_-]{20,}`), accept: holdsDigit},
	{kind: NVIDIAKey, anchors: []string{"nvapi-"}, whole: true, expression: regexp.MustCompile(`^nvapi-[A-Za-z0-9_-]{20,}`)},
	{kind: AWSKey, anchors: []string{"AKIA", "ASIA"}, whole: true, expression: regexp.MustCompile(`^A[KS]IA[0-9A-Z]{16}\b`)},
	{kind: GitHubToken, anchors: []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"}, whole: true, expression: regexp.MustCompile(`^(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,})`)},
	{kind: GitLabToken, anchors: []string{"glpat-"}, whole: true, expression: regexp.MustCompile(`^glpat-[A-Za-z0-9_-]{20,}`)},
	{kind: GoogleKey, anchors: []string{"AIza"}, whole: true, expression: regexp.MustCompile(`^AIza[0-9A-Za-z_-]{35}`)},
	{kind: SlackToken, anchors: []string{"xoxb-", "xoxa-", "xoxp-", "xoxr-", "xoxs-"}, whole: true, expression: regexp.MustCompile(`^xox[abprs]-[A-Za-z0-9-]{10,}`)},
	{kind: WebToken, anchors: []string{"eyJ"}, whole: true, expression: regexp.MustCompile(`^eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}`)},
	{kind: Authorization, anchors: []string{"authorization"}, fold: true, expression: regexp.MustCompile(`^(?i:authorization)["']?\s*[:=]\s*["']?((?i:(?:bearer|basic|token)\s+)?[^\s"',}\\]{4,})`), accept: notHidden},
	{kind: Authorization, anchors: []string{"bearer ", "basic "}, fold: true, whole: true, expression: regexp.MustCompile(`^(?i:bearer|basic) +([A-Za-z0-9._~+/=-]{12,})`), accept: holdsDigit},
	{kind: NamedValue, anchors: namedAnchors, fold: true, expression: namedValue, accept: plausibleValue},
	{kind: URLCredentials, anchors: []string{"://"}, expression: regexp.MustCompile(`^://([^\s/@"']+:[^\s/@"']+)@`)},
	{kind: HomeFolder, anchors: []string{"/home/", "/Users/"}, expression: regexp.MustCompile(`^/(?:home|Users)/([^/\s"'\\:,;<>]+)`), accept: ofAPerson},
	{kind: HomeFolder, anchors: []string{`:\Users\`, `:\\Users\\`}, expression: regexp.MustCompile(`^:\\{1,2}Users\\{1,2}([^\\\s"':,;<>]+)`), accept: ofAPerson},
	{kind: PrivateHost, anchors: []string{"10.", "172.", "192.168.", "100.", "169.254."}, whole: true, expression: regexp.MustCompile(`^\d{1,3}(?:\.\d{1,3}){3}\b`), accept: privateAddress},
	{kind: PrivateHost, anchors: []string{"fc", "fd", "fe80:"}, fold: true, whole: true, expression: regexp.MustCompile(`^(?i:f[cd][0-9a-f]{2}|fe80):[0-9a-fA-F:]{3,}`), accept: privateAddress},
	{kind: PrivateHost, anchors: []string{"ip-"}, whole: true, expression: regexp.MustCompile(`^ip-\d{1,3}-\d{1,3}-\d{1,3}-\d{1,3}(?:\.[A-Za-z0-9-]+)*`)},
	{kind: PrivateHost, anchors: []string{".internal", ".local", ".lan", ".corp", ".intra", ".svc", ".home.arpa"}, around: privateName},
	{kind: EmailAddress, anchors: []string{"@"}, around: email},
}

// anchor is one text that a pattern can begin with, in lower case if folded.
type anchor struct {
	text string
	fold bool
	of   *pattern
}

// starts finds the anchors that begin with a byte, in the order of patterns.
var starts = func() (table [256][]anchor) {
	for _, p := range patterns {
		for _, text := range p.anchors {
			a := anchor{text, p.fold, p}
			table[text[0]] = append(table[text[0]], a)
			if upper := strings.ToUpper(text)[0]; p.fold && upper != text[0] {
				table[upper] = append(table[upper], a)
			}
		}
	}
	return table
}()
