// Package importing brings captures in: spool to a temporary file while
// hashing, find the format, parse, move the exact bytes and the parsed form
// into place by their digests, commit one transaction, answer. A refusal or a
// kill leaves temporary files and digests named in a pending file, which
// Recover clears at the next start; nothing half-written is ever listed.
package importing
