package cli

import (
	"strings"
	"time"

	"kernelwake/internal/httpapi"
)

type comparisonCommand struct {
	List      comparisonList      `cmd:"" help:"List saved comparisons, the newest first."`
	Show      comparisonShow      `cmd:"" help:"Show a saved comparison as it was computed."`
	Recompute comparisonRecompute `cmd:"" help:"Compute a saved comparison again and hold the digits against it."`
}

type comparisonList struct {
	Of string `name:"run" placeholder:"RUN" help:"Comparisons that rest on this run, by id or name."`
	listing
	remote
}

// Help implements kong.HelpProvider.
func (*comparisonList) Help() string {
	return `Examples:

    graphsignal-server comparison list
    graphsignal-server comparison list --run seqs2-1
`
}

// Run lists comparisons.
func (cmd *comparisonList) Run(c *call) error {
	at, err := cmd.connect()
	if err != nil {
		return err
	}
	filter := httpapi.ComparisonFilter{Page: cmd.page()}
	if cmd.Of != "" {
		if filter.Run, err = findRun(c.ctx, at, cmd.Of); err != nil {
			return err
		}
	}
	list, err := at.Comparisons(c.ctx, filter)
	if err != nil {
		return err
	}
	return printList(c, list, []string{"ID", "NAME", "LENS", "ANSWER", "SAVED", "SENTENCE"}, func(row httpapi.ComparisonRow) []string {
		return []string{row.ID, row.Name, row.Lens, row.Answer, row.Created.UTC().Format(time.DateOnly), row.Sentence}
	})
}

type comparisonShow struct {
	Comparison string `arg:"" help:"The comparison, by id."`
	All        bool   `help:"Show every dimension, also those that are the same."`
	Markdown   bool   `help:"Answer as Markdown, for a pull request."`
	remote
}

// Help implements kong.HelpProvider.
func (*comparisonShow) Help() string {
	return `Exit 0: compared. Exit 12: refused.

Examples:

    graphsignal-server comparison show cmp_01jd8m5q3v6n7p8r9s0t1v2w3x --markdown
`
}

// Run shows the comparison.
func (cmd *comparisonShow) Run(c *call) error {
	at, err := cmd.connect()
	if err != nil {
		return err
	}
	page, err := at.Comparison(c.ctx, cmd.Comparison)
	if err != nil {
		return err
	}
	if c.json {
		page.Samples = nil // the values behind the pictures are the API's to give
		if err := c.printJSON(page); err != nil {
			return err
		}
		return exitOf(page.Result.ExitCode())
	}
	shown := compareCommand{All: cmd.All, Markdown: cmd.Markdown}
	c.printf("%s  %s, saved %s by %s\n", page.ID, page.Name, page.Created.UTC().Format(time.RFC3339), page.By)
	return shown.show(c, &page.Result, saved{}, remedyForRuns)
}

type comparisonRecompute struct {
	Comparison string `arg:"" help:"The comparison, by id."`
	remote
}

// Help implements kong.HelpProvider.
func (*comparisonRecompute) Help() string {
	return `Exit 0: equal to the last digit. Exit 1: something differs, which is named.

Examples:

    graphsignal-server comparison recompute cmp_01jd8m5q3v6n7p8r9s0t1v2w3x
`
}

// Run recomputes the comparison.
func (cmd *comparisonRecompute) Run(c *call) error {
	at, err := cmd.connect()
	if err != nil {
		return err
	}
	again, err := at.Recompute(c.ctx, cmd.Comparison)
	if err != nil {
		return err
	}
	if err := c.answer(again, func() {
		if again.Equal {
			c.printf("equal to the last digit: sha256 %s\n", again.ResultSHA256)
			if len(again.Reworded) > 0 {
				c.printf("said in other words by this version: %s\n", strings.Join(again.Reworded, ", "))
			}
			return
		}
		c.printf("differs in\n")
		for _, place := range again.Differs {
			c.printf("  %s\n", place)
		}
	}); err != nil {
		return err
	}
	if !again.Equal {
		return silent(exitFailed)
	}
	return nil
}
