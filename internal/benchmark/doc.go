// Command benchmark measures what docs/guide/speed.md promises: each row is one
// job done by this product and by a peer in the same session on the same
// machine, so that the ratio means something although the machine is noisy.
// `make bench` installs the peers and runs it; a row whose peer or input is
// missing says so instead of a number.
package main
