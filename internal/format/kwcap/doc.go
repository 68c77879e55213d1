// Package kwcap reads Kernelwake JSON captures, format 1.0: the file that a
// person's own script writes for what no other importer reads. It stands
// between a spooled file and its parsed form. The members of the format are
// described once, as shapes, from which the strict reader, the "did you mean"
// of its errors and the published JSON Schema all follow; outcomes and
// dimensions come from the lens registry.
package kwcap
