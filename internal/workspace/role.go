package workspace

import "slices"

// Role is what a member may be in a workspace, or, for Operator, on the server.
type Role string

// The roles. Viewer, Analyst and Admin are held in one workspace, each
// including what the one before may do; Operator is held on the server as a
// whole and reads no evidence.
const (
	Viewer   Role = "viewer"
	Analyst  Role = "analyst"
	Admin    Role = "admin"
	Operator Role = "operator"
)

// Roles are all roles, the weakest first.
var Roles = []Role{Viewer, Analyst, Admin, Operator}

// Action is something a route does, as far as permission goes.
type Action string

// The actions.
const (
	// Public needs nobody signed in: health, the sign-in link, the documents.
	Public Action = "public"
	// SignedIn needs any valid credential and no role.
	SignedIn Action = "signed_in"
	// Read covers lists, pages, exact bytes, and checking a file unsaved.
	Read Action = "read"
	// Compare computes a comparison without saving it.
	Compare Action = "compare"
	// Import brings in captures.
	Import Action = "import"
	// Edit labels, declares values, writes and attaches setups.
	Edit Action = "edit"
	// SaveComparison keeps a comparison.
	SaveComparison Action = "save_comparison"
	// RemoveCapture takes away a capture that nothing relies on.
	RemoveCapture Action = "remove_capture"
	// ReadAudit reads the audit log of the workspace.
	ReadAudit Action = "read_audit"
	// ManageWorkspaces lists and creates workspaces on the server.
	ManageWorkspaces Action = "manage_workspaces"
)

// permissions is the one table of who may do what. Public and SignedIn stand
// outside it: they ask for no role.
var permissions = map[Action][]Role{
	Read:             {Viewer, Analyst, Admin},
	Compare:          {Viewer, Analyst, Admin},
	Import:           {Analyst, Admin},
	Edit:             {Analyst, Admin},
	SaveComparison:   {Analyst, Admin},
	RemoveCapture:    {Analyst, Admin},
	ReadAudit:        {Admin},
	ManageWorkspaces: {Operator},
}

// May reports whether the role allows the action. The empty role allows
// nothing that needs one.
func May(role Role, action Action) bool {
	if action == Public || action == SignedIn {
		return true
	}
	return slices.Contains(permissions[action], role)
}

// Allowed returns the roles that may do the action, the weakest first.
func Allowed(action Action) []Role {
	return slices.Clone(permissions[action])
}

// Lower returns the weaker of two roles held in a workspace; an empty or
// unknown one is weaker than any.
func Lower(a, b Role) Role {
	if slices.Index(Roles, a) < slices.Index(Roles, b) {
		return a
	}
	return b
}

// KnownRole reports whether the role can be held in a workspace.
func KnownRole(role Role) bool {
	return role == Viewer || role == Analyst || role == Admin
}
