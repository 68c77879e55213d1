package evidence

import (
	"fmt"
	"path"
	"strings"
	"time"

	"kernelwake/internal/lens"
)

// Placed is what tells to which launch a capture belongs.
type Placed struct {
	// File tells the captures of one file from those of another.
	File   string
	Format string
	Lens   lens.ID
	Launch LaunchID
	Rank   Rank
	// Start and End bound what was measured; zero where the capture doesn't tell.
	Start, End time.Time
}

// PlacedOf returns the place of a parsed capture.
func PlacedOf(file string, p *Parsed) Placed {
	placed := Placed{File: file, Format: p.Format, Lens: p.Lens, Launch: p.Launch, Rank: p.Rank}
	placed.Start, _ = p.Started.Get()
	placed.End, _ = p.Ended.Get()
	return placed
}

// Launches groups captures that came in together into runs, in order of
// appearance, each as the indices of its captures:
//   - captures of distinct ranks of one world of more than one, whose times
//     overlap, are one run: a rank set;
//   - invocations of one launch (trials and cells of one AIPerf command) are
//     one run, its captures told apart by cell and selector;
//   - any other capture is a run of its own.
func Launches(captures []Placed) [][]int {
	var runs [][]int
	for i, one := range captures {
		joined := false
		for r, run := range runs {
			if sameLaunch(captures, run, one) {
				runs[r], joined = append(run, i), true
				break
			}
		}
		if !joined {
			runs = append(runs, []int{i})
		}
	}
	return runs
}

func sameLaunch(captures []Placed, run []int, one Placed) bool {
	first := captures[run[0]]
	if first.Lens != one.Lens || first.Format != one.Format {
		return false
	}
	return sameInvocation(first, one) || sameRankSet(captures, run, one)
}

func sameInvocation(a, b Placed) bool {
	return a.File == b.File && a.Launch.Kind == Invocation && a.Launch.Group != "" && a.Launch.Group == b.Launch.Group && b.Launch.Kind == Invocation
}

func sameRankSet(captures []Placed, run []int, one Placed) bool {
	rank, known := one.Rank.Rank.Get()
	world, counted := one.Rank.WorldSize.Get()
	if !known || !counted || world < 2 || one.Start.IsZero() || one.End.IsZero() {
		return false
	}
	for _, i := range run {
		other := captures[i]
		otherRank, known := other.Rank.Rank.Get()
		otherWorld, counted := other.Rank.WorldSize.Get()
		if !known || !counted || otherWorld != world || otherRank == rank || other.File == one.File {
			return false
		}
		if other.Start.IsZero() || other.End.IsZero() || other.Start.After(one.End) || one.Start.After(other.End) {
			return false
		}
	}
	return true
}

// longestRunName bounds the name of a run nobody named, in bytes.
const longestRunName = 180

// RunName is the name of a run nobody named: what the capture says, or its
// file's own name, with the cell where a file holds several runs.
func RunName(name, fileName, cell string) string {
	name = strings.TrimSpace(name)
	if name == "" {
		name = fileName
		for _, ending := range []string{".gz", ".zip", ".tar", ".tgz", ".json", ".pt.trace", ".kwcap"} {
			name = strings.TrimSuffix(name, ending)
		}
		name = path.Base(name)
	}
	if cell != "" && !strings.Contains(name, cell) {
		name = fmt.Sprintf("%s %s", name, cell)
	}
	return strings.ToValidUTF8(name[:min(len(name), longestRunName)], "")
}
