// Package chrometrace reads Chrome Trace Event JSON as PyTorch's profiler
// (kineto) and its relatives write it: bytes become events, events become a
// trace.Trace, and that becomes evidence. It adapts one file format to layer 1
// and knows no store and no screen.
//
// Reading is one pass over a sliding buffer with a scanner of its own, because
// real trace files are damaged in places: one bad name must not lose a hundred
// thousand good events, so after damage the scanner finds the next event and
// goes on, and what it skipped, repaired or left out is counted. The format as
// read is described in docs/formats/chrome-trace.md.
package chrometrace
