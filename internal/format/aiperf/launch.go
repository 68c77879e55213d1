package aiperf

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"path"
	"regexp"
	"slices"
	"strings"

	"kernelwake/internal/evidence"
)

// trialFolder is how AIPerf names the folders of trials.
var trialFolder = regexp.MustCompile(`^(run|trial)_\d+$`)

// assignLaunches says which runs are invocations of one launch: trials and
// cells of one AIPerf command, told by its sweep id or, before that was
// written, by the folders it lays out. A run of its own may or may not have
// met a freshly started server: unknown.
func assignLaunches(runs []*run) {
	groups := map[string][]*run{}
	var order []string
	for _, one := range runs {
		one.launch = evidence.LaunchID{Kind: evidence.UnknownLaunch}
		group := groupOf(one)
		if group == "" {
			continue
		}
		if groups[group] == nil {
			order = append(order, group)
		}
		groups[group] = append(groups[group], one)
	}
	for _, group := range order {
		members := groups[group]
		name := launchName(group, members)
		slices.SortStableFunc(members, func(a, b *run) int {
			x, y := a.brief(), b.brief()
			return cmp.Or(cmp.Compare(x.variation, y.variation), cmp.Compare(x.trial, y.trial))
		})
		for i, one := range members {
			one.launch = evidence.LaunchID{Kind: evidence.Invocation, Group: name, Index: i}
		}
	}
}

// groupOf returns what runs of one command share; empty for a run of its own.
func groupOf(one *run) string {
	if sweep := one.brief().sweep; sweep != "" {
		return "sweep " + sweep
	}
	parts := strings.Split(one.folder, "/")
	for i, part := range parts {
		if part == "profile_runs" && i+1 < len(parts) && trialFolder.MatchString(parts[i+1]) {
			return "folder " + path.Join(parts[:i]...)
		}
	}
	return ""
}

// launchName is a name for a launch that another archive of the same command
// gives too, and no other.
func launchName(group string, members []*run) string {
	if sweep, ok := strings.CutPrefix(group, "sweep "); ok {
		return "aiperf sweep " + sweep
	}
	var ids []string
	for _, one := range members {
		ids = append(ids, one.brief().benchmark)
	}
	slices.Sort(ids)
	sum := sha256.Sum256([]byte(group + "\n" + strings.Join(ids, "\n")))
	return "aiperf trials " + hex.EncodeToString(sum[:8])
}

// assignCells names the cell of each run that is one of a sweep.
func assignCells(runs []*run) {
	if len(runs) == 0 {
		return
	}
	briefs := make([]brief, len(runs))
	for i, one := range runs {
		briefs[i] = one.brief()
	}
	for i, label := range cellLabels(briefs) {
		runs[i].cell = label
	}
}
