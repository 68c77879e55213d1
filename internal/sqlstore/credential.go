package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"kernelwake/internal/fault"
	"kernelwake/internal/id"
	"kernelwake/internal/workspace"
)

// CreateCredential stores the hash of a secret and returns the credential with
// its id.
func (d *DB) CreateCredential(ctx context.Context, actor workspace.Actor, credential workspace.Credential, secret string) (workspace.Credential, error) {
	err := d.change(ctx, actor, func(t *tx) (err error) {
		credential, err = t.createCredential(credential, secret)
		return err
	})
	return credential, err
}

func (t *tx) createCredential(credential workspace.Credential, secret string) (workspace.Credential, error) {
	var err error
	if credential.ID, err = t.newID(id.Credential); err != nil {
		return credential, err
	}
	credential.Created = t.at
	scope := sql.NullString{String: credential.WorkspaceID, Valid: credential.WorkspaceID != ""}
	_, err = t.exec(`INSERT INTO credentials (id, kind, name, secret_hash, member_id, workspace_id, ceiling, operator, created_at, expires_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
		credential.ID, string(credential.Kind), credential.Name, workspace.HashSecret(secret), credential.MemberID, scope,
		string(credential.Ceiling), credential.Operator, t.at.UnixMicro(), micros(&credential.Expires))
	if err != nil {
		return credential, err
	}
	return credential, t.audit(event{chain: credential.WorkspaceID, action: string(credential.Kind) + ".create", kind: "credential", id: credential.ID, after: credential.Name})
}

// Caller returns who a secret belongs to: a session's or a token's. Any other,
// an expired or a revoked one is a fault of kind unsigned.
func (d *DB) Caller(ctx context.Context, secret string) (workspace.Caller, error) {
	caller, kind, err := d.holder(ctx, d.read, secret)
	if err != nil {
		return workspace.Caller{}, err
	}
	if kind != workspace.Session && kind != workspace.Token {
		return workspace.Caller{}, unsigned()
	}
	caller.Memberships, err = d.memberships(ctx, caller.Member.ID)
	return caller, err
}

// holder finds a valid credential by its secret.
func (d *DB) holder(ctx context.Context, from querier, secret string) (workspace.Caller, workspace.CredentialKind, error) {
	caller, err := one(ctx, from, func(row scanner) (found workspace.Caller, err error) {
		var scope sql.NullString
		var created int64
		var expires sql.NullInt64
		c, m := &found.Credential, &found.Member
		err = row.Scan(&c.ID, &c.Kind, &c.Name, &scope, &c.Ceiling, &c.Operator, &created, &expires, &m.ID, &m.Name, &m.Operator)
		c.MemberID, c.WorkspaceID, c.Created = m.ID, scope.String, timeOf(created)
		if at := optionalTime(expires); at != nil {
			c.Expires = *at
		}
		return found, err
	}, `SELECT c.id, c.kind, c.name, c.workspace_id, c.ceiling, c.operator, c.created_at, c.expires_at, m.id, m.name, m.operator
		FROM credentials c JOIN members m ON m.id = c.member_id
		WHERE c.secret_hash = $1 AND c.used_at IS NULL AND c.revoked_at IS NULL`, workspace.HashSecret(secret))
	if errors.Is(err, sql.ErrNoRows) {
		return caller, "", unsigned()
	}
	if err != nil {
		return caller, "", err
	}
	if !caller.Credential.Expires.IsZero() && !d.now().Before(caller.Credential.Expires) {
		return caller, "", unsigned()
	}
	return caller, caller.Credential.Kind, nil
}

// SignIn turns a sign-in link, once, or a token into a browser's session,
// which reaches no further than what it was made from.
func (d *DB) SignIn(ctx context.Context, actor workspace.Actor, secret, sessionSecret string) (workspace.Credential, error) {
	var session workspace.Credential
	err := d.change(ctx, actor, func(t *tx) error {
		caller, kind, err := d.holder(ctx, t, secret)
		if err != nil {
			return err
		}
		from := caller.Credential
		switch kind {
		case workspace.SignInLink:
			if _, err := t.exec("UPDATE credentials SET used_at = $1 WHERE id = $2", t.at.UnixMicro(), from.ID); err != nil {
				return err
			}
		case workspace.Token:
		default:
			return unsigned()
		}
		t.actor.MemberID, t.actor.Name, t.actor.Method, t.actor.CredentialID = caller.Member.ID, caller.Member.Name, string(kind), from.ID
		session, err = t.createCredential(workspace.Credential{
			Kind: workspace.Session, Name: "browser", MemberID: caller.Member.ID, WorkspaceID: from.WorkspaceID, Ceiling: from.Ceiling,
			Operator: from.Operator, Expires: t.at.Add(workspace.SessionLasts),
		}, sessionSecret)
		return err
	})
	return session, err
}

// Revoke ends a credential at once.
func (d *DB) Revoke(ctx context.Context, actor workspace.Actor, credentialID string) error {
	return d.change(ctx, actor, func(t *tx) error {
		if _, err := t.exec("UPDATE credentials SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL", t.at.UnixMicro(), credentialID); err != nil {
			return err
		}
		return t.audit(event{chain: ServerChain, action: "credential.revoke", kind: "credential", id: credentialID})
	})
}

// EverSignedIn reports whether anyone has a session or a token.
func (d *DB) EverSignedIn(ctx context.Context) (bool, error) {
	n, err := scalar[int64](ctx, d.read, "SELECT COUNT(*) FROM credentials WHERE kind IN ('session', 'token')")
	return n > 0, err
}

// Bootstrap makes the first workspace and its admin, once. It returns the
// admin, and whether it was made now.
func (d *DB) Bootstrap(ctx context.Context, name string) (workspace.Member, bool, error) {
	found, err := one(ctx, d.read, func(row scanner) (m workspace.Member, err error) {
		err = row.Scan(&m.ID, &m.Name, &m.Operator)
		return m, err
	}, "SELECT id, name, operator FROM members ORDER BY id LIMIT 1")
	if err == nil || !errors.Is(err, sql.ErrNoRows) {
		return found, false, err
	}
	var admin workspace.Member
	err = d.change(ctx, workspace.Actor{Name: "server", Method: "server"}, func(t *tx) error {
		made, err := t.createWorkspace(name)
		if err != nil {
			return err
		}
		admin, err = t.createMember(workspace.Member{Name: "admin", Operator: true}, made.ID, workspace.Admin)
		return err
	})
	return admin, err == nil, err
}

func unsigned() error {
	return fault.New(fault.Unsigned, "not_signed_in", "the request carries no valid credential").
		WithHint("sign in, or send a token as `Authorization: Bearer …`; a sign-in link works once")
}

// ExpireLinks ends every unused sign-in link.
func (d *DB) ExpireLinks(ctx context.Context, actor workspace.Actor) error {
	return d.change(ctx, actor, func(t *tx) error {
		_, err := t.exec("UPDATE credentials SET revoked_at = $1 WHERE kind = $2 AND used_at IS NULL AND revoked_at IS NULL", t.at.UnixMicro(), string(workspace.SignInLink))
		return err
	})
}

// SetClock replaces the store's clock, for tests of expiry.
func (d *DB) SetClock(now func() time.Time) { d.now = now }
