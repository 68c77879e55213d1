package cli

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"kernelwake/internal/client"
	"kernelwake/internal/fault"
	"kernelwake/internal/httpapi"
)

type loginCommand struct {
	remote
}

// Help implements kong.HelpProvider.
func (*loginCommand) Help() string {
	return `Keeps server, token and workspace in a file that only you can read, for the client commands. The token is asked for, or read from standard input.

Examples:

    graphsignal-server login --server http://127.0.0.1:8080
    graphsignal-server token create --data DIR --role analyst | graphsignal-server login --server http://127.0.0.1:8080
`
}

// Run checks the token and keeps it.
func (cmd *loginCommand) Run(c *call) error {
	kept, err := readConfig()
	if err != nil {
		return err
	}
	server := cmp.Or(cmd.Server, kept.Server)
	if server == "" {
		return usage("write login --server URL", "no server is named")
	}
	token := cmd.Token
	if token == "" {
		if token, err = c.askToken(server); err != nil {
			return err
		}
	}
	at, err := client.New(server, token, cmp.Or(cmd.Workspace, defaultWorkspace))
	if err != nil {
		return asMisuse(err)
	}
	session, err := at.Session(c.ctx)
	if err != nil {
		return err
	}
	workspace, err := workspaceOf(session, cmd.Workspace)
	if err != nil {
		return err
	}
	path, err := config{Server: at.Address(), Token: token, Workspace: workspace}.write()
	if err != nil {
		return err
	}
	return c.answer(struct {
		Server    string `json:"server"`
		Member    string `json:"member"`
		Workspace string `json:"workspace"`
		Config    string `json:"config"`
	}{at.Address(), session.Member.Name, workspace, path}, func() {
		c.printf("signed in to %s as %s, workspace %s; kept in %s\n", at.Address(), session.Member.Name, orDash(workspace), path)
	})
}

// workspaceOf is the workspace asked for, or the first one the member is in.
func workspaceOf(session httpapi.Session, asked string) (string, error) {
	var names []string
	for _, one := range session.Workspaces {
		if one.Name == asked || one.WorkspaceID == asked {
			return one.Name, nil
		}
		names = append(names, one.Name)
	}
	switch {
	case asked != "":
		return "", fault.New(fault.NotFound, "workspace_not_found", "%s is in no workspace %q", session.Member.Name, asked).WithHint("choose one of: %s", orDash(strings.Join(names, ", ")))
	case len(names) > 0:
		return names[0], nil
	}
	return "", nil
}

// askToken reads a token from a terminal without showing it, or from what is
// piped in.
func (c *call) askToken(server string) (string, error) {
	if file, ok := c.in.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		fmt.Fprintf(c.err, "token for %s: ", server)
		typed, err := term.ReadPassword(int(file.Fd()))
		fmt.Fprintln(c.err)
		if err != nil {
			return "", fmt.Errorf("reading the token: %w", err)
		}
		return tokenOf(string(typed))
	}
	line, err := bufio.NewReader(io.LimitReader(c.in, 4096)).ReadString('\n')
	if err != nil && err != io.EOF {
		return "", fmt.Errorf("reading the token: %w", err)
	}
	return tokenOf(line)
}

func tokenOf(text string) (string, error) {
	if token := strings.TrimSpace(text); token != "" {
		return token, nil
	}
	return "", usage("give it with --token, or type or pipe it in; `graphsignal-server token create --data DIR` makes one", "no token was given")
}

type whoamiCommand struct {
	remote
}

// Help implements kong.HelpProvider.
func (*whoamiCommand) Help() string {
	return `Examples:

    graphsignal-server whoami
`
}

// Run says who the token belongs to.
func (cmd *whoamiCommand) Run(c *call) error {
	at, err := cmd.connect()
	if err != nil {
		return err
	}
	session, err := at.Session(c.ctx)
	if err != nil {
		return err
	}
	return c.answer(session, func() {
		c.printf("%s at %s (server %s)\n", session.Member.Name, at.Address(), session.Product.Version)
		if session.Operator {
			c.printf("  operator of the server\n")
		}
		for _, one := range session.Workspaces {
			c.printf("  %s in workspace %s\n", one.Role, one.Name)
		}
	})
}
