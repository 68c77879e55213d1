// Package evidence holds what the product keeps: workloads, runs, captures
// with their provenance, and the parsed form that an importer yields from the
// exact bytes. Importers produce Parsed, stores keep it, lenses and package
// compare read only it. No I/O happens here: bytes come in as an io.ReaderAt.
package evidence
