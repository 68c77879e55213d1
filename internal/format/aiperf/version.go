package aiperf

import (
	"strconv"
	"strings"
)

// versionOf reads the first two numbers of "0.13.0"; false for anything else.
func versionOf(version string) (major, minor int, ok bool) {
	parts := strings.SplitN(version, ".", 3)
	if len(parts) < 2 {
		return 0, 0, false
	}
	major, errMajor := strconv.Atoi(parts[0])
	minor, errMinor := strconv.Atoi(parts[1])
	return major, minor, errMajor == nil && errMinor == nil
}

// drawnBySession reports whether session_num is unique for each request of a
// phase, so that it gives the order of prompts: from 0.13 on.
func drawnBySession(version string) bool {
	major, minor, ok := versionOf(version)
	return ok && (major > 0 || minor >= 13)
}
