package server

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"kernelwake/internal/fault"
	"kernelwake/internal/sqlstore"
	"kernelwake/internal/workspace"
)

// DefaultWorkspace is the workspace of the first start.
const DefaultWorkspace = "default"

var itself = workspace.Actor{Name: "server", Method: "server"}

// welcome makes the first workspace and its admin, and a way in: the token
// given, or a sign-in link, printed on each start until someone has used one.
func (s *stores) welcome(ctx context.Context, options Options, address string) (string, error) {
	admin, _, err := s.records.Bootstrap(ctx, DefaultWorkspace)
	if err != nil {
		return "", fmt.Errorf("making the first workspace: %w", err)
	}
	entered, err := s.records.EverSignedIn(ctx)
	if err != nil || entered {
		return "", err
	}
	if options.BootstrapToken != "" {
		return "", s.bootstrapToken(ctx, admin, options.BootstrapToken)
	}
	if err := s.records.ExpireLinks(ctx, itself); err != nil {
		return "", err
	}
	secret, err := workspace.NewSecret(rand.Reader)
	if err != nil {
		return "", err
	}
	link := workspace.Credential{Kind: workspace.SignInLink, Name: "first sign-in", MemberID: admin.ID, Operator: true, Expires: time.Now().Add(workspace.LinkLasts)}
	if _, err := s.records.CreateCredential(ctx, itself, link, secret); err != nil {
		return "", fmt.Errorf("making the sign-in link: %w", err)
	}
	address += "/signin?token=" + url.QueryEscape(secret)
	fmt.Fprintf(options.Out, "sign in once with %s\n", address)
	return address, nil
}

func (s *stores) bootstrapToken(ctx context.Context, admin workspace.Member, secret string) error {
	if len(secret) < workspace.LeastSecret {
		return fault.New(fault.Invalid, "bootstrap_token_short", "KERNELWAKE_BOOTSTRAP_TOKEN has %d characters, it needs %d", len(secret), workspace.LeastSecret).
			WithHint("make one with: openssl rand -hex 24")
	}
	token := workspace.Credential{Kind: workspace.Token, Name: "bootstrap", MemberID: admin.ID, Operator: true}
	if _, err := s.records.CreateCredential(ctx, itself, token, secret); err != nil {
		return fmt.Errorf("keeping the bootstrap token: %w", err)
	}
	return nil
}

// Token is a new token, its secret shown this once.
type Token struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Key  string `json:"key"`
}

// CreateToken makes a token on a data folder, whether a server runs on it or
// not: for whoever holds the folder. The token belongs to a member of its own.
// A workspace that isn't there is refused, but the default one of a fresh
// folder is made.
func CreateToken(ctx context.Context, data, name, in string, role workspace.Role) (Token, error) {
	if _, err := os.Stat(data); err != nil {
		return Token{}, fault.New(fault.NotFound, "data_folder_missing", "there is no data folder %s", data).WithCause(err).
			WithHint("give the folder that the server keeps its data in: --data DIR")
	}
	records, err := sqlstore.Open(ctx, filepath.Join(data, databaseFile))
	if err != nil {
		return Token{}, fmt.Errorf("opening the data folder %s: %w", data, err)
	}
	defer records.Close()
	if _, _, err := records.Bootstrap(ctx, DefaultWorkspace); err != nil {
		return Token{}, err
	}
	workspaceID, err := workspaceNamed(ctx, records, in)
	if err != nil {
		return Token{}, err
	}
	secret, err := workspace.NewSecret(rand.Reader)
	if err != nil {
		return Token{}, err
	}
	operator := role == workspace.Operator
	held := role
	if operator {
		held = "" // an operator reads no evidence: no membership
	}
	actor := workspace.Actor{Name: "data folder", Method: "folder"}
	member, err := records.CreateMember(ctx, actor, workspace.Member{Name: name, Operator: operator}, workspaceID, held)
	if err != nil {
		return Token{}, err
	}
	made, err := records.CreateCredential(ctx, actor, workspace.Credential{Kind: workspace.Token, Name: name, MemberID: member.ID, Operator: operator}, secret)
	if err != nil {
		return Token{}, err
	}
	return Token{ID: made.ID, Name: name, Key: secret}, nil
}

func workspaceNamed(ctx context.Context, records *sqlstore.DB, name string) (string, error) {
	all, err := records.Workspaces(ctx)
	if err != nil {
		return "", err
	}
	for _, one := range all {
		if one.Name == name || one.ID == name {
			return one.ID, nil
		}
	}
	return "", fault.New(fault.NotFound, "workspace_not_found", "there is no workspace %q", name).WithHint("the first one is named %q", DefaultWorkspace)
}
