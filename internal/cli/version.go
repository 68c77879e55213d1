package cli

import (
	"runtime"

	"kernelwake/internal/server"
)

type versionCommand struct{}

// Help implements kong.HelpProvider.
func (*versionCommand) Help() string {
	return `Examples:

    graphsignal-server version
    graphsignal-server version --json
`
}

// Run prints the version.
func (*versionCommand) Run(c *call) error {
	answer := struct {
		Version string `json:"version"`
		Go      string `json:"go"`
		System  string `json:"system"`
	}{server.Version, runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}
	return c.answer(answer, func() { c.printf("%s %s (%s, %s)\n", programName, answer.Version, answer.Go, answer.System) })
}
