package aiperf

import (
	"fmt"
	"path"
	"strings"

	"kernelwake/internal/evidence"
	"kernelwake/internal/fault"
)

// longestName bounds an entry's path in bytes, so that names alone can't fill
// memory.
const longestName = 1024

// names checks and counts the entries of an archive.
type names struct {
	limits evidence.Limits
	count  int
	seen   map[string]struct{}
}

func newNames(limits evidence.Limits) *names {
	return &names{limits: limits, seen: map[string]struct{}{}}
}

// accept returns the clean path of an entry, or why it can't be taken.
func (n *names) accept(raw string, folder bool) (string, error) {
	if n.count++; n.count > n.limits.Entries {
		return "", tooManyEntries(n.limits)
	}
	if code, why := unsafeName(raw, n.limits.Depth); why != "" {
		return "", fault.New(fault.Invalid, code, "the archive's entry %s %s", shown(raw), why).
			WithProblems(fault.Problem{Code: code, Pointer: shown(raw), Message: "the entry " + why}).
			WithHint("pack the artifact folder again by its relative path, with plain files only: tar czf run.tar.gz FOLDER")
	}
	clean := path.Clean(strings.ToValidUTF8(raw, "�"))
	if folder {
		return clean, nil
	}
	if _, twice := n.seen[clean]; twice {
		return "", fault.New(fault.Invalid, "entry_duplicate", "the archive holds two entries named %s", shown(raw)).
			WithProblems(fault.Problem{Code: "entry_duplicate", Pointer: shown(raw), Message: "two entries have this name, and which one counts can't be told"}).
			WithHint("pack the folder again into a new archive instead of appending to an old one")
	}
	n.seen[clean] = struct{}{}
	return clean, nil
}

// unsafeName says by a code and in words why a name could reach outside the
// archive, or mislead; both are empty for a good name.
func unsafeName(name string, depth int) (code, why string) {
	switch {
	case name == "":
		return "entry_name_bad", "has no name"
	case len(name) > longestName:
		return "entry_name_bad", fmt.Sprintf("has a name of %d bytes, at most %d are allowed", len(name), longestName)
	case strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return "entry_name_bad", "has control characters in its name"
	case strings.HasPrefix(name, "/"):
		return "entry_path_escapes", "has an absolute path"
	case strings.Contains(name, `\`):
		return "entry_path_escapes", "has a backslash in its path"
	case len(name) > 1 && name[1] == ':' && (name[0]|0x20) >= 'a' && (name[0]|0x20) <= 'z':
		return "entry_path_escapes", "has a drive letter in its path"
	}
	parts := strings.Split(name, "/")
	for _, part := range parts {
		if part == ".." {
			return "entry_path_escapes", "has .. in its path"
		}
	}
	if len(parts) > depth {
		return "entry_name_bad", fmt.Sprintf("lies %d folders deep, at most %d are allowed", len(parts), depth)
	}
	return "", ""
}

// shown quotes a name for a message, cut to a readable length.
func shown(name string) string {
	const most = 120
	if len(name) > most {
		name = name[:most] + "…"
	}
	return fmt.Sprintf("%q", name)
}

func tooManyEntries(limits evidence.Limits) error {
	return fault.New(fault.TooLarge, "too_many_entries", "the archive has more than %d entries", limits.Entries).
		WithProblems(fault.Problem{Code: "too_many_entries", Message: "too many entries", Limit: fmt.Sprint(limits.Entries)}).
		WithHint("pack only the run folders, or send a sweep in several archives")
}

// badKind refuses an entry that is no plain file.
func badKind(name, what string) error {
	return fault.New(fault.Invalid, "entry_not_a_file", "the archive's entry %s is %s", shown(name), what).
		WithProblems(fault.Problem{Code: "entry_not_a_file", Pointer: shown(name), Message: "the entry is " + what + "; only plain files and folders are read"}).
		WithHint("pack the files that links point to (tar -h), and leave everything else out")
}
