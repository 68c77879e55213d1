package chrometrace

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"kernelwake/internal/secret"
)

// flaw is what was wrong with a text as it stood in the file.
type flaw uint8

const (
	badUTF8 flaw = 1 << iota
	unknownEscape
	controlCharacter
	tooLong
)

// longestName bounds a name that is kept, in bytes; the rest is cut.
const longestName = 8 << 10

// words keeps each distinct text once and gives it a number.
type words struct {
	texts []string
	// spelled finds a text by its bytes in the file, meant by what they mean.
	spelled map[string]word
	meant   map[string]uint32
	// report redacts secrets and counts them.
	report *secret.Report
}

// word is a text as it was spelled: the number of what it means, and what was
// wrong with the spelling.
type word struct {
	id    uint32
	flaws flaw
}

func newWords(report *secret.Report) *words {
	return &words{spelled: map[string]word{}, meant: map[string]uint32{}, report: report}
}

// find returns the number of a text, given as it stands in the file.
func (w *words) find(raw []byte) word {
	if known, ok := w.spelled[string(raw)]; ok {
		return known
	}
	spelled := string(raw)
	meant, flaws := decode(spelled)
	meant = w.report.Text("/"+eventsKey, meant)
	if len(meant) > longestName {
		meant, flaws = cutName(meant), flaws|tooLong
	}
	id, ok := w.meant[meant]
	if !ok {
		id = uint32(len(w.texts))
		w.texts = append(w.texts, meant)
		w.meant[meant] = id
	}
	w.spelled[spelled] = word{id, flaws}
	return word{id, flaws}
}

// cutName shortens a name, keeping it apart from others with the same start.
func cutName(name string) string {
	hash := uint64(14695981039346656037) // FNV-1a
	for i := range len(name) {
		hash = (hash ^ uint64(name[i])) * 1099511628211
	}
	return strings.ToValidUTF8(name[:longestName-20], "") + "…#" + strconv.FormatUint(hash, 16)
}

// decode returns what a JSON string means. An escape that JSON doesn't know is
// a literal backslash, as unescaped Windows paths hold; bytes that are no UTF-8
// become U+FFFD.
func decode(raw string) (string, flaw) {
	var flaws flaw
	for i := range len(raw) {
		if raw[i] < ' ' || raw[i] == 0x7f {
			flaws |= controlCharacter
			break
		}
	}
	if strings.IndexByte(raw, '\\') >= 0 {
		var unknown bool
		if raw, unknown = unescape(raw); unknown {
			flaws |= unknownEscape
		}
	}
	if !utf8.ValidString(raw) {
		return toValidUTF8(raw), flaws | badUTF8
	}
	return raw, flaws
}

// toValidUTF8 puts U+FFFD for each byte that is not part of a character.
func toValidUTF8(s string) string {
	var out strings.Builder
	for _, r := range s {
		out.WriteRune(r) // range yields U+FFFD for each bad byte
	}
	return out.String()
}

var escapes = map[byte]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

func unescape(raw string) (out string, unknown bool) {
	var b strings.Builder
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' || i+1 == len(raw) {
			b.WriteByte(raw[i])
			continue
		}
		if meant, ok := escapes[raw[i+1]]; ok {
			b.WriteByte(meant)
			i++
			continue
		}
		r, length := unicodeEscape(raw[i:])
		if length == 0 {
			unknown = true
			b.WriteByte('\\')
			continue
		}
		b.WriteRune(r)
		i += length - 1
	}
	return b.String(), unknown
}

// unicodeEscape reads \uXXXX, or a surrogate pair of them.
func unicodeEscape(s string) (r rune, length int) {
	first, ok := fourHex(s)
	if !ok {
		return 0, 0
	}
	if first >= 0xd800 && first < 0xdc00 {
		if second, ok := fourHex(s[6:]); ok && second >= 0xdc00 && second < 0xe000 {
			return (first-0xd800)<<10 | (second - 0xdc00) + 0x10000, 12
		}
	}
	if first >= 0xd800 && first < 0xe000 {
		return utf8.RuneError, 6
	}
	return first, 6
}

func fourHex(s string) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	parsed, err := strconv.ParseUint(s[2:6], 16, 16)
	return rune(parsed), err == nil
}
