// Package format tells the format of a file from its content: between the
// spooled upload and the format's own package, which yields the parsed form.
// A file that no format reads is refused by what it looks like, with the
// remedy.
package format
