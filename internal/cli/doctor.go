package cli

import (
	"slices"

	"kernelwake/internal/server"
)

type doctorCommand struct {
	Data string `env:"KERNELWAKE_DATA" default:"kernelwake-data" placeholder:"DIR" help:"The server's data folder."`
}

// Help implements kong.HelpProvider.
func (*doctorCommand) Help() string {
	return `Looks a data folder over, whether a server runs on it or not, and changes nothing: the database, the audit log, every byte of every capture, and what was left behind. Exit 0: all is well. Exit 1: something is missing or wrong, with the fix.

Examples:

    graphsignal-server doctor --data /var/lib/kernelwake
`
}

// Run looks the folder over.
func (cmd *doctorCommand) Run(c *call) error {
	checks, err := server.Doctor(c.ctx, cmd.Data)
	if err != nil {
		return err
	}
	healthy := !slices.ContainsFunc(checks, func(check server.Check) bool { return !check.OK })
	if err := c.answer(map[string]any{"ok": healthy, "checks": checks}, func() {
		for _, check := range checks {
			mark := "✓"
			if !check.OK {
				mark = "✗"
			}
			c.paragraph(mark+" "+check.Code+": ", check.Message)
			if check.Fix != "" {
				c.paragraph("    → ", check.Fix)
			}
		}
	}); err != nil {
		return err
	}
	if !healthy {
		return silent(exitFailed)
	}
	return nil
}
