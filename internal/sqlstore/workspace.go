package sqlstore

import (
	"context"
	"strings"

	"kernelwake/internal/fault"
	"kernelwake/internal/id"
	"kernelwake/internal/workspace"
)

// CreateWorkspace makes an empty workspace.
func (d *DB) CreateWorkspace(ctx context.Context, actor workspace.Actor, name string) (workspace.Workspace, error) {
	var made workspace.Workspace
	err := d.change(ctx, actor, func(t *tx) (err error) {
		made, err = t.createWorkspace(name)
		return err
	})
	return made, err
}

func (t *tx) createWorkspace(name string) (workspace.Workspace, error) {
	made := workspace.Workspace{Name: strings.TrimSpace(name), Created: t.at}
	if err := checkName("workspace", made.Name); err != nil {
		return made, err
	}
	var err error
	if made.ID, err = t.newID(id.Workspace); err != nil {
		return made, err
	}
	if _, err := t.exec("INSERT INTO workspaces (id, name, created_at) VALUES ($1, $2, $3)", made.ID, made.Name, t.at.UnixMicro()); err != nil {
		if isUnique(err) {
			return made, taken("workspace", made.Name)
		}
		return made, err
	}
	return made, t.audit(event{chain: ServerChain, action: "workspace.create", kind: "workspace", id: made.ID, after: made.Name})
}

// Workspaces returns every workspace of the server, by name.
func (d *DB) Workspaces(ctx context.Context) ([]workspace.Workspace, error) {
	return many(ctx, d.read, func(row scanner) (found workspace.Workspace, err error) {
		var created int64
		err = row.Scan(&found.ID, &found.Name, &created)
		found.Created = timeOf(created)
		return found, err
	}, "SELECT id, name, created_at FROM workspaces ORDER BY name")
}

// CreateMember makes a member and gives it a role in a workspace; an operator
// may have none.
func (d *DB) CreateMember(ctx context.Context, actor workspace.Actor, member workspace.Member, in string, role workspace.Role) (workspace.Member, error) {
	err := d.change(ctx, actor, func(t *tx) (err error) {
		member, err = t.createMember(member, in, role)
		return err
	})
	return member, err
}

func (t *tx) createMember(member workspace.Member, in string, role workspace.Role) (workspace.Member, error) {
	if err := checkName("member", member.Name); err != nil {
		return member, err
	}
	if !workspace.KnownRole(role) && (role != "" || !member.Operator) {
		return member, fault.New(fault.Invalid, "role_unknown", "%q is no role in a workspace", role).WithHint("use viewer, analyst or admin")
	}
	var err error
	if member.ID, err = t.newID(id.Member); err != nil {
		return member, err
	}
	member.Created = t.at
	if _, err := t.exec("INSERT INTO members (id, name, operator, created_at) VALUES ($1, $2, $3, $4)", member.ID, member.Name, member.Operator, t.at.UnixMicro()); err != nil {
		return member, err
	}
	if role != "" {
		if _, err := t.exec("INSERT INTO memberships (workspace_id, member_id, role) VALUES ($1, $2, $3)", in, member.ID, string(role)); err != nil {
			return member, err
		}
	}
	return member, t.audit(event{chain: in, action: "member.create", kind: "member", id: member.ID, after: member.Name + " " + string(role)})
}

func (d *DB) memberships(ctx context.Context, memberID string) ([]workspace.Membership, error) {
	return many(ctx, d.read, func(row scanner) (found workspace.Membership, err error) {
		err = row.Scan(&found.WorkspaceID, &found.Name, &found.Role)
		return found, err
	}, `SELECT w.id, w.name, m.role FROM memberships m JOIN workspaces w ON w.id = m.workspace_id
		WHERE m.member_id = $1 ORDER BY w.name`, memberID)
}

// nameLimit is the most bytes a name may have.
const nameLimit = 200

func checkName(kind, name string) error {
	switch {
	case strings.TrimSpace(name) == "":
		return fault.New(fault.Invalid, "name_missing", "a %s needs a name", kind).WithHint("give a name of up to %d bytes", nameLimit)
	case len(name) > nameLimit:
		return fault.New(fault.Invalid, "name_too_long", "the name of a %s may have %d bytes, this one has %d", kind, nameLimit, len(name)).WithHint("shorten the name")
	case strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return fault.New(fault.Invalid, "name_unprintable", "the name of a %s holds control characters", kind).WithHint("use printable characters")
	}
	return nil
}

func taken(kind, name string) error {
	return fault.New(fault.Conflict, "name_taken", "there is a %s named %q already", kind, name).WithHint("choose another name, or use that %s", kind)
}
