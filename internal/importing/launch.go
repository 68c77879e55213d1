package importing

import (
	"slices"
	"strings"
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

// nameOf is the name of a run nobody named. Where several captures make the
// run, what one of them says of itself is the name of a part: cells and trials
// take their file's name, ranks what their names have in common.
func nameOf(run []*draft, runs int) string {
	first := run[0]
	switch {
	case len(run) == 1 && runs > 1:
		return evidence.RunName(first.name, first.file.name, first.capture.Cell)
	case len(run) == 1:
		return evidence.RunName(first.name, first.file.name, "")
	case slices.ContainsFunc(run, func(one *draft) bool { return one.file != first.file }):
		return inCommon(run)
	}
	return evidence.RunName("", first.file.name, "")
}

// inCommon is how the names of all captures begin.
func inCommon(run []*draft) string {
	whole := evidence.RunName(run[0].name, run[0].file.name, "")
	begin := whole
	for _, one := range run[1:] {
		name := evidence.RunName(one.name, one.file.name, "")
		for !strings.HasPrefix(name, begin) {
			begin = begin[:len(begin)-1]
		}
	}
	begin = strings.TrimRight(strings.ToValidUTF8(begin, ""), " -_.0123456789")
	if len(begin) < 3 {
		return whole
	}
	return begin
}
