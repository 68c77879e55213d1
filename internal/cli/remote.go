package cli

import (
	"cmp"

	"kernelwake/internal/client"
	"kernelwake/internal/fault"
)

// remote says which server a command talks to, and as whom.
type remote struct {
	Server    string `group:"remote" env:"KERNELWAKE_SERVER" placeholder:"URL" help:"Address of the server."`
	Token     string `group:"remote" env:"KERNELWAKE_TOKEN" placeholder:"TOKEN" help:"Personal token."`
	Workspace string `group:"remote" env:"KERNELWAKE_WORKSPACE" placeholder:"NAME" help:"The workspace."`
}

// defaultWorkspace is the one that a first start makes.
const defaultWorkspace = "default"

// connect returns a client by flags, then the environment, then what login
// kept. A kept token goes to the server it was kept for and to no other.
func (r remote) connect() (*client.Client, error) {
	kept, err := readConfig()
	if err != nil {
		return nil, err
	}
	server := cmp.Or(r.Server, kept.Server)
	if server == "" {
		return nil, fault.New(fault.Invalid, "server_missing", "no server is named").
			WithHint("give --server URL, set KERNELWAKE_SERVER, or run `graphsignal-server login` once")
	}
	token := r.Token
	if token == "" && sameServer(server, kept.Server) {
		token = kept.Token
	}
	if token == "" {
		return nil, fault.New(fault.Unsigned, "token_missing", "no token is given for %s", server).
			WithHint("give --token, set KERNELWAKE_TOKEN, or run `graphsignal-server login --server %s`", server)
	}
	return client.New(server, token, cmp.Or(r.Workspace, kept.Workspace, defaultWorkspace))
}
