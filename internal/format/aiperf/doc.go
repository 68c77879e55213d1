// Package aiperf reads profile exports of NVIDIA AIPerf: a zip, tar.gz or tar
// archive that holds one run, several, or a sweep. It stands between the bytes
// of an upload and the parsed form: every entry is classified by its content
// and read once as a stream, entries are grouped into runs, and each run
// becomes one capture whose figures are recomputed from the per-request
// records and held against AIPerf's own summary.
//
// What each file means and which fields are read is in docs/formats/aiperf.md.
package aiperf
