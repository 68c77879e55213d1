package stats

import (
	"crypto/sha256"
	"encoding/binary"
	"math/bits"
)

// splitMix64 is the generator of Steele, Lea & Flood (2014). It is written out
// here, and not taken from math/rand, so that an offline verifier in any
// language reproduces an interval bit for bit. Its state is a counter, so that
// any later draw can be reached without the ones before it.
type splitMix64 struct{ state uint64 }

const splitMixStep = 0x9e3779b97f4a7c15

func (g *splitMix64) next() uint64 {
	g.state += splitMixStep
	z := g.state
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb
	return z ^ (z >> 31)
}

// skipped returns the generator after the given number of further draws.
func (g splitMix64) skipped(draws uint64) splitMix64 {
	return splitMix64{g.state + draws*splitMixStep}
}

// modulus reduces draws to indices below n without a division: the estimate of
// the quotient from the rounded-down reciprocal is at most one too small.
type modulus struct{ n, reciprocal uint64 }

func newModulus(n int) modulus {
	return modulus{uint64(n), ^uint64(0) / uint64(n)}
}

// of returns x mod n.
func (m modulus) of(x uint64) uint64 {
	quotient, _ := bits.Mul64(x, m.reciprocal)
	rest := x - quotient*m.n
	for rest >= m.n {
		rest -= m.n
	}
	return rest
}

// BootstrapSeed derives the generator's seed from what is compared: the first
// eight bytes, big-endian, of SHA-256 over the baseline's digests, the
// candidate's digests (of the parsed form, runs in start order) and the metric
// id, joined without separators.
func BootstrapSeed(baseline, candidate [][sha256.Size]byte, metric string) uint64 {
	hash := sha256.New()
	for _, digests := range [][][sha256.Size]byte{baseline, candidate} {
		for _, digest := range digests {
			hash.Write(digest[:])
		}
	}
	hash.Write([]byte(metric))
	return binary.BigEndian.Uint64(hash.Sum(nil))
}
