package importing

import (
	"fmt"
	"path"
	"strings"
	"time"

	"kernelwake/internal/evidence"
)

// launches groups captures into runs, in order of appearance:
//   - with a run name, all are one run;
//   - captures of distinct ranks of one world of more than one, whose times
//     overlap, are one run: a rank set;
//   - invocations of one launch (trials and cells of one AIPerf command) are
//     one run, its captures told apart by cell and selector;
//   - any other capture is a run of its own.
func launches(drafts []*draft, runName string) [][]*draft {
	if runName != "" {
		return [][]*draft{drafts}
	}
	var runs [][]*draft
	for _, one := range drafts {
		joined := false
		for i, run := range runs {
			if sameLaunch(run, one) {
				runs[i], joined = append(run, one), true
				break
			}
		}
		if !joined {
			runs = append(runs, []*draft{one})
		}
	}
	return runs
}

func sameLaunch(run []*draft, one *draft) bool {
	first := run[0].capture
	if first.Lens != one.capture.Lens || first.Format != one.capture.Format {
		return false
	}
	return sameInvocation(run[0], one) || sameRankSet(run, one)
}

func sameInvocation(a, b *draft) bool {
	launch := a.capture.Launch
	return a.file == b.file && launch.Kind == evidence.Invocation && launch.Group != "" && launch.Group == b.capture.Launch.Group && b.capture.Launch.Kind == evidence.Invocation
}

func sameRankSet(run []*draft, one *draft) bool {
	rank, known := one.capture.Rank.Rank.Get()
	world, counted := one.capture.Rank.WorldSize.Get()
	if !known || !counted || world < 2 || one.start.IsZero() || one.end.IsZero() {
		return false
	}
	for _, other := range run {
		otherRank, known := other.capture.Rank.Rank.Get()
		otherWorld, counted := other.capture.Rank.WorldSize.Get()
		if !known || !counted || otherWorld != world || otherRank == rank || other.file == one.file {
			return false
		}
		if other.start.IsZero() || other.end.IsZero() || other.start.After(one.end) || one.start.After(other.end) {
			return false
		}
	}
	return true
}

// replicateGroup is the group of runs that came in together: the one given,
// else the file's own, else, where several files of one lens and format became
// several runs of no cells, one named after the moment.
func replicateGroup(given string, runs [][]*draft, at time.Time) func(run []*draft) string {
	together := ""
	if len(runs) > 1 && replicates(runs) {
		together = "imported " + at.UTC().Format("2006-01-02 15:04:05")
	}
	return func(run []*draft) string {
		for _, group := range []string{given, run[0].group} {
			if group != "" {
				return group
			}
		}
		return together
	}
}

func replicates(runs [][]*draft) bool {
	first := runs[0][0]
	for i, run := range runs {
		one := run[0]
		if one.capture.Lens != first.capture.Lens || one.capture.Format != first.capture.Format || one.capture.Cell != first.capture.Cell {
			return false
		}
		if i > 0 && one.file == first.file {
			return false
		}
	}
	return true
}

// nameOf is the name of a run nobody named: what the file says, or the file's
// own name, with the cell where the file holds several.
func nameOf(run []*draft, runs int) string {
	first := run[0]
	name := strings.TrimSpace(first.name)
	if name == "" {
		name = first.file.name
		for _, ending := range []string{".gz", ".zip", ".tar", ".tgz", ".json", ".pt.trace"} {
			name = strings.TrimSuffix(name, ending)
		}
		name = path.Base(name)
	}
	if len(run) == 1 && runs > 1 && first.capture.Cell != "" && !strings.Contains(name, first.capture.Cell) {
		name = fmt.Sprintf("%s %s", name, first.capture.Cell)
	}
	return strings.ToValidUTF8(name[:min(len(name), 180)], "")
}
