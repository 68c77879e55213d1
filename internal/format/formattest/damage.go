package formattest

import (
	"math/rand/v2"
	"slices"
	"testing"

	"kernelwake/internal/evidence"
)

// cuts are the places at which a file is cut: every one of a small file, and
// of a large one its ends and many between.
func cuts(length int) []int {
	const every, edge, between = 2048, 64, 200
	var places []int
	for i := range length {
		if length <= every || i < edge || i >= length-edge || i%max(1, length/between) == 0 {
			places = append(places, i)
		}
	}
	return places
}

func (s Suite) truncated(t *testing.T) {
	for _, sample := range s.Samples {
		for _, length := range cuts(len(sample.Data)) {
			all, err := Read(s.Format, sample.Name, sample.Data[:length])
			switch {
			case err != nil:
				explained(t, err)
			case !s.ToleratesDamage:
				t.Errorf("%s: its first %d bytes of %d are accepted", sample.Name, length, len(sample.Data))
			default:
				s.checkDamaged(t, sample.Name, all)
			}
			if t.Failed() {
				t.Logf("%s cut at %d of %d bytes", sample.Name, length, len(sample.Data))
				return
			}
		}
	}
}

// checkDamaged tests what a tolerant format made of a file cut short.
func (s Suite) checkDamaged(t *testing.T, name string, all []*evidence.Parsed) {
	t.Helper()
	for _, p := range all {
		for _, broken := range Broken(s.Format, p) {
			t.Errorf("%s: %s", name, broken)
		}
		if len(p.Findings) == 0 {
			t.Errorf("%s: nothing says that the file was cut short", name)
		}
	}
}

// flipped changes single bytes at random, from a fixed seed.
func (s Suite) flipped(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, sample := range s.Samples {
		for range 300 {
			data := slices.Clone(sample.Data)
			at := random.IntN(len(data))
			data[at] ^= byte(1 + random.IntN(255))
			s.checkAny(t, sample.Name, data)
			if t.Failed() {
				t.Logf("%s with byte %d changed to %#x", sample.Name, at, data[at])
				return
			}
		}
	}
}

// checkAny tests what holds for any bytes at all: they match or don't, and
// are read into a sound form or refused with a reason.
func (s Suite) checkAny(t *testing.T, name string, data []byte) {
	t.Helper()
	s.Format.Match(File(name, data), head(data))
	all, err := Read(s.Format, name, data)
	if err != nil {
		explained(t, err)
		return
	}
	for _, p := range all {
		for _, broken := range Broken(s.Format, p) {
			t.Errorf("%s: %s", name, broken)
		}
	}
}

// Fuzz tests what holds for any bytes at all, from the samples as seeds.
func Fuzz(f *testing.F, suite Suite) {
	for _, sample := range append(suite.Samples, strangers...) {
		f.Add(sample.Data)
	}
	for _, bad := range suite.Refused {
		if len(bad.Data) < 64<<10 {
			f.Add(bad.Data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) { suite.checkAny(t, "fuzz", data) })
}
