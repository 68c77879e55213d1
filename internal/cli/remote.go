package cli

// remote says which server a command talks to, and as whom.
type remote struct {
	Server    string `group:"remote" env:"KERNELWAKE_SERVER" placeholder:"URL" help:"Address of the server."`
	Token     string `group:"remote" env:"KERNELWAKE_TOKEN" placeholder:"TOKEN" help:"Personal token."`
	Workspace string `group:"remote" env:"KERNELWAKE_WORKSPACE" placeholder:"NAME" help:"The workspace."`
}
