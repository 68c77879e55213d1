package httpapi

import (
	"context"
	"crypto/rand"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"kernelwake/internal/fault"
	"kernelwake/internal/workspace"
)

// Session is who is signed in, and where.
type Session struct {
	Member SessionMember `json:"member"`
	// Role is the one in the first workspace.
	Role       workspace.Role         `json:"role"`
	Operator   bool                   `json:"operator"`
	Workspaces []workspace.Membership `json:"workspaces"`
	Product    Product                `json:"product"`
}

// SessionMember names the member.
type SessionMember struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// Product names the program that answers.
type Product struct {
	Version string `json:"version"`
	Demo    bool   `json:"demo"`
}

func session(a *API, ctx context.Context, _ *struct{}) (*struct{ Body Session }, error) {
	caller := scopeOf(ctx).caller
	answer := Session{
		Member: SessionMember{ID: caller.Member.ID, Name: caller.Member.Name}, Operator: caller.Operates(), Workspaces: caller.Workspaces(),
		Product: Product{Version: a.Version, Demo: a.Demo},
	}
	switch {
	case len(answer.Workspaces) > 0:
		answer.Role = answer.Workspaces[0].Role
	case answer.Operator:
		answer.Role = workspace.Operator
	}
	return &struct{ Body Session }{answer}, nil
}

// signIn spends a sign-in link and sends the browser to the pages, where a
// failure is told too.
func signIn(a *API, w http.ResponseWriter, r *http.Request) error {
	secret, err := workspace.NewSecret(rand.Reader)
	if err != nil {
		return err
	}
	session, err := a.Records.SignIn(r.Context(), scopeOf(r.Context()).actor, r.URL.Query().Get("token"), secret)
	if fault.Is(err, fault.Unsigned) && strings.Contains(r.Header.Get("Accept"), "text/html") {
		http.Redirect(w, r, "/?signin=failed", http.StatusSeeOther)
		return nil
	}
	if err != nil {
		return err
	}
	http.SetCookie(w, &http.Cookie{
		Name: sessionCookie, Value: secret, Path: "/", Expires: session.Expires, HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: overTLS(r),
	})
	http.Redirect(w, r, "/", http.StatusSeeOther)
	return nil
}

// overTLS reports whether the browser's side of the connection is encrypted.
func overTLS(r *http.Request) bool {
	return r.TLS != nil || strings.EqualFold(r.Header.Get("X-Forwarded-Proto"), "https")
}

func describeSignIn(_ huma.Registry, operation *huma.Operation) {
	operation.Parameters = []*huma.Param{{Name: "token", In: "query", Required: true, Schema: &huma.Schema{Type: "string"}, Description: "the secret of the link, or a token"}}
	operation.Responses = map[string]*huma.Response{"303": {Description: "Signed in: the cookie is set, the browser goes to the pages"}}
}

// SignedOut is the answer to a sign-out.
type SignedOut struct {
	Cookie http.Cookie `header:"Set-Cookie"`
}

func signOut(a *API, ctx context.Context, _ *struct{}) (*SignedOut, error) {
	admitted := scopeOf(ctx)
	if admitted.caller.Credential.Kind == workspace.Session {
		if err := a.Records.Revoke(ctx, admitted.actor, admitted.caller.Credential.ID); err != nil {
			return nil, err
		}
	}
	return &SignedOut{http.Cookie{Name: sessionCookie, Path: "/", MaxAge: -1, HttpOnly: true, SameSite: http.SameSiteLaxMode}}, nil
}
