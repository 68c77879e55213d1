package cli

import (
	"log/slog"

	"kernelwake/internal/server"
)

type serveCommand struct {
	Data      string `env:"KERNELWAKE_DATA" default:"kernelwake-data" placeholder:"DIR" help:"Folder that everything is kept in; made where there is none."`
	Listen    string `env:"KERNELWAKE_LISTEN" default:"127.0.0.1:8080" placeholder:"ADDR" help:"Address to listen on; port 0 picks a free one, which is printed and written to DIR/address."`
	LogFormat string `env:"KERNELWAKE_LOG_FORMAT" enum:"text,json" default:"text" placeholder:"FORMAT" help:"Log lines on stderr as text or json."`
	Bootstrap string `env:"KERNELWAKE_BOOTSTRAP_TOKEN" hidden:"" help:"Becomes an operator-and-admin token on the first start."`
}

// Help implements kong.HelpProvider.
func (*serveCommand) Help() string {
	return `The first start on an empty folder makes the workspace "default" and prints one sign-in link for its first admin, valid once. With KERNELWAKE_BOOTSTRAP_TOKEN set (at least 24 characters) that value becomes an operator-and-admin token instead, so that containers and scripts need no terminal.

Examples:

    graphsignal-server serve
    graphsignal-server serve --data /var/lib/kernelwake --listen 0.0.0.0:8080 --log-format json
    graphsignal-server serve --data ./scratch --listen 127.0.0.1:0
`
}

// Run serves until the process is told to stop.
func (cmd *serveCommand) Run(c *call) error {
	return server.Serve(c.ctx, server.Options{Data: cmd.Data, Listen: cmd.Listen, BootstrapToken: cmd.Bootstrap, Out: c.out, Log: c.logger(cmd.LogFormat)})
}

// logger writes log lines to stderr.
func (c *call) logger(format string) *slog.Logger {
	if format == "json" {
		return slog.New(slog.NewJSONHandler(c.err, nil))
	}
	return slog.New(slog.NewTextHandler(c.err, nil))
}
