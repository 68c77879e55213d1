package cli

import (
	"strings"

	"kernelwake/internal/lens"
	"kernelwake/internal/unit"
)

type lensCommand struct {
	List lensList `cmd:"" help:"List the lenses."`
	Show lensShow `cmd:"" help:"Show a lens: its outcomes, rows and fields."`
}

type lensList struct{}

// Help implements kong.HelpProvider.
func (*lensList) Help() string {
	return `Examples:

    graphsignal-server lens list
`
}

// Run lists the lenses.
func (*lensList) Run(c *call) error {
	return c.answer(lens.All, func() {
		rows := table{}
		for _, l := range lens.All {
			rows.row(string(l.ID), l.Question)
		}
		rows.print(c.out)
	})
}

type lensShow struct {
	Lens string `arg:"" enum:"inference,training,fleet" help:"inference, training or fleet."`
}

// Help implements kong.HelpProvider.
func (*lensShow) Help() string {
	return `The registry that every import, comparison and screen reads. Rows are what --change and --same name; fields are the keys of --dim and of setups; outcomes with a statistic are the metrics of --threshold.

Examples:

    graphsignal-server lens show training
    graphsignal-server lens show inference --json
`
}

// Run shows the lens.
func (cmd *lensShow) Run(c *call) error {
	of, _ := lens.Find(lens.ID(cmd.Lens))
	return c.answer(of, func() { printLens(c, of) })
}

func printLens(c *call, of lens.Lens) {
	c.printf("%s: %s\n\noutcomes (metrics are named like %s)\n", of.ID, of.Question, lens.Metric(of.Outcomes[0].Name, of.Outcomes[0].Statistics[0]))
	outcomes := table{indent: "  "}
	for _, outcome := range of.Outcomes {
		outcomes.row(outcome.Name, orDash(unit.Short(outcome.Unit)), betterText(outcome.Direction), thresholdsText(outcome), outcome.Meaning)
	}
	outcomes.print(c.out)
	c.printf("\nrows (* may be declared as the intended change)\n")
	rows := table{indent: "  "}
	for _, row := range of.Rows {
		mark := ""
		if row.Declarable {
			mark = "*"
		}
		rows.row(row.Key+mark, spaced(string(row.Class)), row.Means)
	}
	rows.print(c.out)
	c.printf("\nfields (keys of --dim and of setups)\n")
	fields := table{indent: "  "}
	for _, field := range of.Fields {
		example := ""
		if field.Example != "" {
			example = "for example " + field.Example
		}
		fields.row(field.Key, field.Label, "row "+orDash(field.Row), strings.TrimSpace(unit.Short(field.Unit)+" "+example))
	}
	fields.print(c.out)
}

// thresholdsText is "p50 5 %, p99 10 %": the smallest effects that matter.
func thresholdsText(outcome lens.Outcome) string {
	var parts []string
	for _, statistic := range outcome.Statistics {
		threshold, set := outcome.Thresholds[statistic]
		if !set {
			continue
		}
		of := " %"
		if outcome.Effect == lens.Points {
			of = " pp"
		}
		text := digits(threshold*100, 3) + of
		if outcome.AbsoluteThreshold {
			text = quantity(threshold, outcome.Unit)
		}
		if statistic != lens.Value {
			text = string(statistic) + " " + text
		}
		parts = append(parts, text)
	}
	return orDash(strings.Join(parts, ", "))
}
