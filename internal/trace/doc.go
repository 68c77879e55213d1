// Package trace says what a GPU trace means. An importer fills a Trace with
// spans on tracks; this package computes from it, as pure functions over
// integer nanoseconds: busy and idle time, overlap, kernels, copies, launch
// delay, steps, findings, the work signature and the reading of two
// signatures, and the bounded picture of a time window that a timeline draws.
//
// It stands between a trace format, which knows bytes, and the capture's
// figures, dimensions and outcomes, which everything downstream reads.
package trace
