package workspace

import "time"

// Workspace is the tenant: everything but members and the server's own
// settings belongs to exactly one.
type Workspace struct {
	ID      string    `json:"id"`
	Name    string    `json:"name"`
	Created time.Time `json:"created_at"`
}

// Member is a person or a program that can sign in.
type Member struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// Operator members run the server.
	Operator bool      `json:"operator,omitempty"`
	Created  time.Time `json:"created_at"`
}

// Membership is a role held in a workspace.
type Membership struct {
	WorkspaceID string `json:"id"`
	Name        string `json:"name"`
	Role        Role   `json:"role"`
}

// Actor is who does something, as the audit log records it.
type Actor struct {
	MemberID string
	Name     string
	Role     Role
	// Method is how the member is signed in: session, token or link; "folder"
	// for whoever holds the data folder, "server" for the server itself.
	Method string
	// CredentialID names the credential used, never its secret.
	CredentialID string
	RequestID    string
}
