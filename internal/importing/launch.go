package importing

import (
	"time"

	"kernelwake/internal/evidence"
)

// launches groups captures into runs: all in one where the run was named, else
// by evidence.Launches.
func launches(drafts []*draft, runName string) [][]*draft {
	if runName != "" {
		return [][]*draft{drafts}
	}
	placed := make([]evidence.Placed, len(drafts))
	for i, one := range drafts {
		c := one.capture
		placed[i] = evidence.Placed{File: one.file.stage.Digest(), Format: c.Format, Lens: c.Lens, Launch: c.Launch, Rank: c.Rank, Start: one.start, End: one.end}
	}
	var runs [][]*draft
	for _, indices := range evidence.Launches(placed) {
		run := make([]*draft, len(indices))
		for i, index := range indices {
			run[i] = drafts[index]
		}
		runs = append(runs, run)
	}
	return runs
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

// nameOf is the name of a run nobody named.
func nameOf(run []*draft, runs int) string {
	first := run[0]
	cell := ""
	if len(run) == 1 && runs > 1 {
		cell = first.capture.Cell
	}
	return evidence.RunName(first.name, first.file.name, cell)
}
