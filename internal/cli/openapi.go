package cli

import (
	"fmt"

	"kernelwake/internal/httpapi"
)

type openapiCommand struct{}

// Help implements kong.HelpProvider.
func (*openapiCommand) Help() string {
	return `A server serves the same at /api/openapi.json, and as a page at /api/docs.

Examples:

    graphsignal-server openapi > openapi.yaml
`
}

// Run prints the description of the API.
func (*openapiCommand) Run(c *call) error {
	described, err := httpapi.Describe()
	if err != nil {
		return err
	}
	if _, err := c.out.Write(described); err != nil {
		return fmt.Errorf("writing the description: %w", err)
	}
	return nil
}
