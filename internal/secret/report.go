package secret

import (
	"fmt"
	"slices"
	"strings"

	"kernelwake/internal/evidence"
)

// Report redacts the texts of one file and counts by kind what it found. The
// zero value redacts; with Keep it only counts.
type Report struct {
	// Keep leaves the texts as they are, because the person asked for it.
	Keep  bool
	count map[Kind]int64
	first map[Kind]string
}

// Text returns the text without its secrets; pointer says where it stands.
func (r *Report) Text(pointer, text string) string {
	redacted, found := Redact(text)
	for _, match := range found {
		r.Found(match.Kind, pointer)
	}
	if r.Keep {
		return text
	}
	return redacted
}

// NamedText is Text for a value that stands under a name, which alone may
// make it a secret.
func (r *Report) NamedText(pointer, name, text string) string {
	if text == "" || !Named(name) {
		return r.Text(pointer, text)
	}
	r.Found(NamedValue, pointer)
	if r.Keep {
		return text
	}
	return Mark(NamedValue)
}

// Value returns a decoded JSON value without the secrets in its texts and
// keys. Maps and lists are changed in place.
func (r *Report) Value(pointer, name string, value any) any {
	switch value := value.(type) {
	case string:
		return r.NamedText(pointer, name, value)
	case []any:
		for i := range value {
			value[i] = r.Value(fmt.Sprintf("%s/%d", pointer, i), name, value[i])
		}
	case map[string]any:
		for _, key := range sortedKeys(value) {
			place := pointer + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
			inner := r.Value(place, key, value[key])
			delete(value, key)
			value[r.Text(place, key)] = inner
		}
	}
	return value
}

// Found counts a secret that the caller found by itself.
func (r *Report) Found(kind Kind, pointer string) {
	if r.count == nil {
		r.count, r.first = map[Kind]int64{}, map[Kind]string{}
	}
	if r.count[kind] == 0 {
		r.first[kind] = pointer
	}
	r.count[kind]++
}

// Findings says what was found, one finding a kind in a fixed order.
func (r *Report) Findings() []evidence.Finding {
	var findings []evidence.Finding
	for _, kind := range sortedKeys(r.count) {
		done, remedy := "left out of the parsed data", "the exact bytes still hold it: revoke a token or key, and record again without it if the file is to be shared"
		if r.Keep {
			done = "kept, as asked for"
		}
		findings = append(findings, evidence.Finding{
			Code: "secret_found", Count: r.count[kind], Pointer: r.first[kind], Remedy: remedy,
			Message: fmt.Sprintf("%s: %s", strings.ReplaceAll(string(kind), "_", " "), done),
		})
	}
	return findings
}

func sortedKeys[K ~string, V any](m map[K]V) []K {
	keys := make([]K, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
