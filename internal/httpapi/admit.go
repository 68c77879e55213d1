package httpapi

import (
	"context"
	"net/http"
	"strings"
	"time"

	"kernelwake/internal/fault"
	"kernelwake/internal/sqlstore"
	"kernelwake/internal/workspace"
)

// sessionCookie holds a browser's session.
const sessionCookie = "kernelwake_session"

// scope is what an admitted request may work on.
type scope struct {
	caller      workspace.Caller
	actor       workspace.Actor
	workspaceID string
}

type scopeKey struct{}

// scopeOf returns the scope that admit put into the context.
func scopeOf(ctx context.Context) scope {
	found, _ := ctx.Value(scopeKey{}).(scope)
	return found
}

// admit signs the caller in and checks the route's action against the role in
// the route's workspace, then bounds the request's time. It is the only way to
// a handler.
func (a *API) admit(w http.ResponseWriter, r *http.Request, to route) (context.Context, context.CancelFunc, error) {
	control := http.NewResponseController(w)
	deadline := time.Now().Add(to.timeLimit())
	_ = control.SetReadDeadline(deadline) // a writer without deadlines is a test's
	_ = control.SetWriteDeadline(deadline.Add(5 * time.Second))
	admitted, err := a.scopeFor(r, to)
	if err != nil {
		return nil, nil, err
	}
	ctx, cancel := context.WithDeadline(context.WithValue(r.Context(), scopeKey{}, admitted), deadline)
	if info := infoOf(ctx); info != nil {
		info.route, info.member = to.id, admitted.actor.MemberID
	}
	return ctx, cancel, nil
}

func (a *API) scopeFor(r *http.Request, to route) (scope, error) {
	if to.action == workspace.Public {
		return scope{actor: workspace.Actor{RequestID: requestID(r.Context())}}, nil
	}
	caller, err := a.caller(r)
	if err != nil {
		return scope{}, err
	}
	admitted := scope{caller: caller, actor: workspace.Actor{
		MemberID: caller.Member.ID, Name: caller.Member.Name, Method: string(caller.Credential.Kind), CredentialID: caller.Credential.ID, RequestID: requestID(r.Context()),
	}}
	switch {
	case to.scoped():
		return a.inWorkspace(r, to, admitted)
	case to.action == workspace.SignedIn:
		return admitted, nil
	case caller.Operates() && workspace.May(workspace.Operator, to.action):
		admitted.actor.Role = workspace.Operator
		return admitted, nil
	}
	return scope{}, a.deny(r.Context(), admitted.actor, sqlstore.ServerChain, to, denied(to.action))
}

// inWorkspace finds the caller's role in the workspace asked for. To who is no
// member the workspace isn't there.
func (a *API) inWorkspace(r *http.Request, to route, admitted scope) (scope, error) {
	name := r.PathValue("ws")
	membership, ok := admitted.caller.RoleIn(name)
	if !ok {
		refusal := fault.New(fault.NotFound, "workspace_not_found", "there is no workspace %q that you are a member of", name).
			WithHint("GET /api/v1/session lists your workspaces")
		return scope{}, a.deny(r.Context(), admitted.actor, sqlstore.ServerChain, to, refusal)
	}
	admitted.workspaceID, admitted.actor.Role = membership.WorkspaceID, membership.Role
	if !workspace.May(membership.Role, to.action) {
		return scope{}, a.deny(r.Context(), admitted.actor, membership.WorkspaceID, to, denied(to.action))
	}
	return admitted, nil
}

// deny records a refusal in the audit log and returns it.
func (a *API) deny(ctx context.Context, actor workspace.Actor, chain string, to route, refusal error) error {
	if err := a.Records.AuditDenial(context.WithoutCancel(ctx), actor, chain, to.id, to.method+" "+to.path); err != nil {
		return err
	}
	return refusal
}

func denied(action workspace.Action) error {
	names := roleNames(action)
	return fault.New(fault.Denied, "role_too_low", "your role doesn't allow this: it takes %s", strings.Join(names, " or ")).
		WithHint("ask an admin of the workspace for the role %s", names[0])
}

// caller is who the request's token or session belongs to. A token wins over a
// cookie.
func (a *API) caller(r *http.Request) (workspace.Caller, error) {
	secret := ""
	if header := r.Header.Get("Authorization"); header != "" {
		scheme, token, _ := strings.Cut(header, " ")
		if !strings.EqualFold(scheme, "bearer") {
			return workspace.Caller{}, fault.New(fault.Unsigned, "authorization_scheme", "the Authorization header has the scheme %q", scheme).
				WithHint("send `Authorization: Bearer TOKEN`")
		}
		secret = strings.TrimSpace(token)
	} else if cookie, err := r.Cookie(sessionCookie); err == nil {
		secret = cookie.Value
	}
	if secret == "" {
		return workspace.Caller{}, fault.New(fault.Unsigned, "not_signed_in", "nobody is signed in").
			WithHint("open the sign-in link that the server printed, or send a token as `Authorization: Bearer TOKEN`")
	}
	return a.Records.Caller(r.Context(), secret)
}
