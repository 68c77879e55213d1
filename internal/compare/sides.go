package compare

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
)

// launch is the unit of replication: one start of what is measured, loaded
// once or several times.
type launch struct {
	// key is equal for captures of one launch.
	key  string
	run  evidence.RunEvidence
	kind evidence.LaunchKind
	// invocations are the measurements of the launch, each one capture or, for
	// a rank set, one a rank.
	invocations [][]measuredCapture
	values      map[string]evidence.Value
	started     time.Time // zero where a capture doesn't tell
}

// captures returns all captures of the launch, in order.
func (l launch) captures() []measuredCapture { return slices.Concat(l.invocations...) }

// runCaptures is a run with the captures of it that take part.
type runCaptures struct {
	run      evidence.RunEvidence
	captures []measuredCapture
}

// startOf is the earliest start of the captures; zero if one doesn't tell.
func startOf(captures []measuredCapture) time.Time {
	var first time.Time
	for _, c := range captures {
		at, ok := c.Started.Get()
		if !ok {
			return time.Time{}
		}
		if first.IsZero() || at.Before(first) {
			first = at
		}
	}
	return first
}

// inOrder sorts runs by start, those without one last, then by what identifies
// them, so that the order in which a person named them changes no digit.
func inOrder(runs []evidence.RunEvidence) []evidence.RunEvidence {
	ordered := slices.Clone(runs)
	start := func(r evidence.RunEvidence) time.Time {
		var first time.Time
		for _, c := range r.Captures {
			if at, ok := c.Started.Get(); ok && (first.IsZero() || at.Before(first)) {
				first = at
			}
		}
		return first
	}
	digest := func(r evidence.RunEvidence) string {
		if len(r.Captures) == 0 {
			return ""
		}
		return r.Captures[0].ParsedSHA256
	}
	slices.SortStableFunc(ordered, func(a, b evidence.RunEvidence) int {
		x, y := start(a), start(b)
		if x.IsZero() != y.IsZero() {
			if x.IsZero() {
				return 1
			}
			return -1
		}
		return cmp.Or(x.Compare(y), strings.Compare(digest(a), digest(b)), strings.Compare(a.ID, b.ID), strings.Compare(a.Name, b.Name))
	})
	return ordered
}

// launchesOf groups the captures of runs into launches: captures of one run
// belong together, and so do invocations of one group, even across runs.
func launchesOf(runs []runCaptures, l lens.Lens) []launch {
	var launches []launch
	for _, rc := range runs {
		for _, part := range byLaunch(rc) {
			at := slices.IndexFunc(launches, func(other launch) bool { return other.key == part.key })
			if at < 0 {
				launches = append(launches, part)
				continue
			}
			launches[at].invocations = append(launches[at].invocations, part.invocations...)
		}
	}
	for i := range launches {
		launches[i].settle(l)
	}
	return launches
}

// byLaunch splits a run's captures by the launch they belong to.
func byLaunch(rc runCaptures) []launch {
	runKey := cmp.Or(rc.run.ID, rc.run.Name)
	var parts []launch
	for _, c := range rc.captures {
		id := c.Launch
		if rc.run.Launch.Kind != "" {
			id = rc.run.Launch
		}
		key := "run " + runKey
		if len(rc.captures) > 0 && runKey == "" {
			key = "capture " + rc.captures[0].ParsedSHA256
		}
		if id.Kind == evidence.Invocation && id.Group != "" {
			key = "group " + id.Group
		}
		at := slices.IndexFunc(parts, func(p launch) bool { return p.key == key })
		if at < 0 {
			parts = append(parts, launch{key: key, run: rc.run, kind: id.Kind})
			at = len(parts) - 1
		}
		parts[at].add(c)
	}
	return parts
}

// add puts a capture into the launch: beside its fellow ranks, else as an
// invocation of its own.
func (l *launch) add(c measuredCapture) {
	if rank, ok := c.Rank.Rank.Get(); ok {
		for i, invocation := range l.invocations {
			taken := slices.ContainsFunc(invocation, func(other measuredCapture) bool {
				otherRank, known := other.Rank.Rank.Get()
				return !known || otherRank == rank
			})
			if !taken {
				l.invocations[i] = append(invocation, c)
				return
			}
		}
	}
	l.invocations = append(l.invocations, []measuredCapture{c})
}

// settle orders the launch's measurements and resolves its values.
func (l *launch) settle(definition lens.Lens) {
	slices.SortStableFunc(l.invocations, func(a, b []measuredCapture) int {
		return cmp.Or(cmp.Compare(a[0].Launch.Index, b[0].Launch.Index), startOf(a).Compare(startOf(b)), strings.Compare(a[0].ParsedSHA256, b[0].ParsedSHA256))
	})
	for _, invocation := range l.invocations {
		slices.SortStableFunc(invocation, func(a, b measuredCapture) int {
			x, _ := a.Rank.Rank.Get()
			y, _ := b.Rank.Rank.Get()
			return cmp.Compare(x, y)
		})
	}
	captures := l.captures()
	l.started = startOf(captures)
	own := make([]evidence.CaptureEvidence, len(captures))
	for i, c := range captures {
		own[i] = c.CaptureEvidence
	}
	l.values = evidence.ResolveCaptures(l.run, definition, own)
	l.askCompanions(definition)
}

// askCompanions fills in what the compared captures leave open from the run's
// captures of other formats: a trace beside a load run knows the GPU.
func (l *launch) askCompanions(definition lens.Lens) {
	if len(l.invocations) == 0 || len(l.run.Captures) == 0 {
		return
	}
	format := l.invocations[0][0].Format
	var others []evidence.CaptureEvidence
	for _, c := range l.run.Captures {
		if c.Format != format {
			others = append(others, c)
		}
	}
	if len(others) == 0 {
		return
	}
	for key, theirs := range evidence.ResolveCaptures(l.run, definition, others) {
		if own := l.values[key]; !own.Known() && !own.NotApplicable() && theirs.Known() {
			l.values[key] = theirs
		}
	}
}
