package evidence_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kernelwake/internal/absent"
	"kernelwake/internal/evidence"
)

func TestCapturesThatCameTogetherAreGroupedIntoLaunches(t *testing.T) {
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	rank := func(file string, rank, world int64, start time.Time) evidence.Placed {
		return evidence.Placed{
			File: file, Format: "chrome-trace", Lens: "training", Start: start, End: start.Add(time.Minute),
			Rank: evidence.Rank{Rank: absent.Of(rank), WorldSize: absent.Of(world)},
		}
	}
	cell := func(file, group string) evidence.Placed {
		return evidence.Placed{File: file, Format: "aiperf", Lens: "inference", Launch: evidence.LaunchID{Kind: evidence.Invocation, Group: group}}
	}
	alone := evidence.Placed{File: "x", Format: "chrome-trace", Lens: "training"}
	for _, c := range []struct {
		promise  string
		captures []evidence.Placed
		runs     [][]int
	}{
		{"traces without ranks are runs of their own", []evidence.Placed{alone, alone}, [][]int{{0}, {1}}},
		{"distinct ranks of one world at one time are one run", []evidence.Placed{rank("a", 0, 2, noon), rank("b", 1, 2, noon)}, [][]int{{0, 1}}},
		{"the same rank twice is two launches", []evidence.Placed{rank("a", 0, 2, noon), rank("b", 0, 2, noon)}, [][]int{{0}, {1}}},
		{"ranks that never ran together are two launches", []evidence.Placed{rank("a", 0, 2, noon), rank("b", 1, 2, noon.Add(time.Hour))}, [][]int{{0}, {1}}},
		{"a world of one has no rank set", []evidence.Placed{rank("a", 0, 1, noon), rank("b", 1, 1, noon)}, [][]int{{0}, {1}}},
		{"ranks whose time is unknown stay apart", []evidence.Placed{rank("a", 0, 2, time.Time{}), rank("b", 1, 2, time.Time{})}, [][]int{{0}, {1}}},
		{"invocations of one command are one run", []evidence.Placed{cell("a", "g"), cell("a", "g"), cell("a", "h")}, [][]int{{0, 1}, {2}}},
		{"invocations in two files are two runs", []evidence.Placed{cell("a", "g"), cell("b", "g")}, [][]int{{0}, {1}}},
	} {
		if diff := cmp.Diff(c.runs, evidence.Launches(c.captures)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.promise, diff)
		}
	}
}

func TestARunNobodyNamedIsNamedAfterWhatIsKnown(t *testing.T) {
	for _, c := range []struct{ name, file, cell, want string }{
		{"", "dir/loader0-1.json.gz", "", "loader0-1"},
		{"", "step.pt.trace.json.gz", "", "step"},
		{" named ", "x.zip", "", "named"},
		{"sweep", "x.zip", "concurrency=4", "sweep concurrency=4"},
		{"sweep concurrency=4", "x.zip", "concurrency=4", "sweep concurrency=4"},
	} {
		if got := evidence.RunName(c.name, c.file, c.cell); got != c.want {
			t.Errorf("RunName(%q, %q, %q) = %q, want %q", c.name, c.file, c.cell, got, c.want)
		}
	}
}
