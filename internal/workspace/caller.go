package workspace

// Caller is a signed-in member with the credential used.
type Caller struct {
	Member      Member
	Credential  Credential
	Memberships []Membership
}

// RoleIn returns the role the caller has in a workspace, named by id or name,
// and the workspace's id. Where the caller is no member, or the credential is
// for another workspace, there is none.
func (c Caller) RoleIn(workspace string) (Membership, bool) {
	for _, membership := range c.Memberships {
		if membership.WorkspaceID != workspace && membership.Name != workspace {
			continue
		}
		if c.Credential.WorkspaceID != "" && c.Credential.WorkspaceID != membership.WorkspaceID {
			return Membership{}, false
		}
		if c.Credential.Ceiling != "" {
			membership.Role = Lower(membership.Role, c.Credential.Ceiling)
		}
		return membership, true
	}
	return Membership{}, false
}

// Operates reports whether the caller may act as the server's operator.
func (c Caller) Operates() bool {
	return c.Member.Operator && c.Credential.Operator
}

// Workspaces returns the workspaces the credential reaches, with the role in
// each.
func (c Caller) Workspaces() []Membership {
	reached := []Membership{}
	for _, membership := range c.Memberships {
		if found, ok := c.RoleIn(membership.WorkspaceID); ok {
			reached = append(reached, found)
		}
	}
	return reached
}
