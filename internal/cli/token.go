package cli

import (
	"kernelwake/internal/server"
	"kernelwake/internal/workspace"
)

type tokenCommand struct {
	Create tokenCreate `cmd:"" help:"Make a token on a data folder, whether a server runs on it or not."`
}

type tokenCreate struct {
	Data      string         `required:"" env:"KERNELWAKE_DATA" placeholder:"DIR" help:"The server's data folder."`
	Role      workspace.Role `required:"" enum:"viewer,analyst,admin,operator" help:"viewer, analyst, admin or operator."`
	Workspace string         `env:"KERNELWAKE_WORKSPACE" default:"default" placeholder:"NAME" help:"The workspace."`
	Name      string         `default:"token" help:"What the token is for."`
}

// Help implements kong.HelpProvider.
func (*tokenCreate) Help() string {
	return `Whoever holds the folder may make a token. Its secret is shown this once; login keeps it for this machine.

Examples:

    graphsignal-server token create --data kernelwake-data --role analyst --name laptop
    KERNELWAKE_TOKEN=$(graphsignal-server token create --data DIR --role analyst)
`
}

// Run prints the token's secret.
func (cmd *tokenCreate) Run(c *call) error {
	made, err := server.CreateToken(c.ctx, cmd.Data, cmd.Name, cmd.Workspace, cmd.Role)
	if err != nil {
		return err
	}
	return c.answer(made, func() { c.printf("%s\n", made.Key) })
}
