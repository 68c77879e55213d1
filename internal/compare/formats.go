package compare

import (
	"slices"

	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
)

// formatOrder is the choice among formats that both sides have, raw samples
// aside.
var formatOrder = []string{evidence.FormatAIPerf, evidence.FormatKernelwake, evidence.FormatChromeTrace}

// lensesOf lists the lenses that a side's captures were read under, in order
// of first use. Traces may be read under either of their lenses.
func lensesOf(side Side, chosen lens.ID) []lens.ID {
	var ids []lens.ID
	for _, run := range side.Runs {
		for _, c := range run.Captures {
			id := c.Lens
			if chosen != "" && c.Format == evidence.FormatChromeTrace && chosen != lens.Fleet {
				id = chosen
			}
			if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// formatsOf lists the formats that every run of a side has a capture in.
func formatsOf(side Side) []string {
	var formats []string
	for i, run := range side.Runs {
		var own []string
		for _, c := range run.Captures {
			if !slices.Contains(own, c.Format) {
				own = append(own, c.Format)
			}
		}
		if i == 0 {
			formats = own
			continue
		}
		formats = slices.DeleteFunc(formats, func(f string) bool { return !slices.Contains(own, f) })
	}
	return formats
}

// chooseFormat picks the one format both sides draw from: of several, one with
// raw samples on both sides first. It is empty where there is none.
func chooseFormat(baseline, candidate Side) string {
	theirs := formatsOf(candidate)
	var shared []string
	for _, f := range formatsOf(baseline) {
		if slices.Contains(theirs, f) {
			shared = append(shared, f)
		}
	}
	position := func(f string) int {
		at := slices.Index(formatOrder, f)
		if at < 0 {
			return len(formatOrder)
		}
		return at
	}
	slices.SortStableFunc(shared, func(a, b string) int { return position(a) - position(b) })
	for _, f := range shared {
		if hasSamples(baseline, f) && hasSamples(candidate, f) {
			return f
		}
	}
	if len(shared) == 0 {
		return ""
	}
	return shared[0]
}

func hasSamples(side Side, format string) bool {
	for _, run := range side.Runs {
		for _, c := range run.Captures {
			if c.Format == format && slices.ContainsFunc(c.Outcomes, func(o evidence.Outcome) bool { return o.Kind == lens.Samples && o.Absent == "" }) {
				return true
			}
		}
	}
	return false
}

// sharedBytes names the first capture that stands on both sides: equal digest
// and selector, or equal parsed digest.
func sharedBytes(baseline, candidate Side) (name string, found bool) {
	for _, run := range baseline.Runs {
		for _, c := range run.Captures {
			for _, other := range candidate.Runs {
				for _, o := range other.Captures {
					sameFile := c.SHA256 != "" && c.SHA256 == o.SHA256 && c.Selector == o.Selector
					if sameFile || c.ParsedSHA256 != "" && c.ParsedSHA256 == o.ParsedSHA256 {
						return nameOf(run), true
					}
				}
			}
		}
	}
	return "", false
}

func nameOf(run evidence.RunEvidence) string {
	if run.Name != "" {
		return run.Name
	}
	return run.ID
}
