package chrometrace

import (
	"regexp"
	"strings"
)

// homes finds a person's home folder in paths; the folder's name is the
// person's.
var homes = regexp.MustCompile(`((?:^|[^A-Za-z0-9])(?:/home|/Users|[A-Za-z]:\\+Users|[A-Za-z]:/Users)[/\\]+)([^/\\\s"':<>|]+)`)

// redactHome puts ~ for the person's name in home folders.
func redactHome(s string) string {
	if !strings.Contains(s, "home") && !strings.Contains(s, "Users") {
		return s
	}
	return homes.ReplaceAllString(s, "${1}~")
}

// secretKeys are words in the name of a member that holds a secret.
var secretKeys = regexp.MustCompile(`(?i)(^|[_\-.\s])(token|secret|passwd|password|api_?key|access_?key|private_?key|credential|auth|authorization|session_?key|cookie)s?($|[_\-.\s])`)

// secretValues are secrets by their own look.
var secretValues = regexp.MustCompile(`\b(hf_[A-Za-z0-9]{16,}|sk-[A-Za-z0-9_\-]{16,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_\-]{16,}|xox[abprs]-[A-Za-z0-9\-]{10,}|AKIA[0-9A-Z]{16}|AIza[0-9A-Za-z_\-]{30,}|eyJ[A-Za-z0-9_\-]{10,}\.eyJ[A-Za-z0-9_\-]{10,}\.[A-Za-z0-9_\-]+)|-----BEGIN [A-Z ]*PRIVATE KEY-----`)

// isSecret reports whether a member beside the events looks like a secret.
func isSecret(key, value string) bool {
	if strings.TrimSpace(value) == "" {
		return false
	}
	return secretKeys.MatchString(key) || secretValues.MatchString(value)
}
