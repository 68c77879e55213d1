package workspace_test

import (
	"bytes"
	"strings"
	"testing"

	"kernelwake/internal/workspace"
)

func TestEachRoleIncludesTheOneBefore(t *testing.T) {
	actions := []workspace.Action{workspace.Read, workspace.Compare, workspace.Import, workspace.Edit, workspace.SaveComparison, workspace.RemoveCapture, workspace.ReadAudit}
	ladder := []workspace.Role{workspace.Viewer, workspace.Analyst, workspace.Admin}
	for i := 1; i < len(ladder); i++ {
		for _, action := range actions {
			if workspace.May(ladder[i-1], action) && !workspace.May(ladder[i], action) {
				t.Errorf("%s may %s, %s may not", ladder[i-1], action, ladder[i])
			}
		}
	}
}

func TestOperatorReadsNoEvidence(t *testing.T) {
	for _, action := range []workspace.Action{workspace.Read, workspace.Compare, workspace.Import, workspace.Edit, workspace.SaveComparison, workspace.RemoveCapture, workspace.ReadAudit} {
		if workspace.May(workspace.Operator, action) {
			t.Errorf("the operator may %s", action)
		}
	}
	if !workspace.May(workspace.Operator, workspace.ManageWorkspaces) || workspace.May(workspace.Admin, workspace.ManageWorkspaces) {
		t.Error("workspaces are managed by the operator alone")
	}
}

func TestNobodyMayNothingThatNeedsARole(t *testing.T) {
	if workspace.May("", workspace.Read) || workspace.May("root", workspace.Read) || workspace.May(workspace.Admin, "fly") {
		t.Error("an unknown role or action was allowed")
	}
}

func TestCallerNeverExceedsMemberOrCredential(t *testing.T) {
	member := workspace.Member{ID: "mem_1"}
	memberships := []workspace.Membership{{WorkspaceID: "ws_1", Name: "one", Role: workspace.Admin}, {WorkspaceID: "ws_2", Name: "two", Role: workspace.Viewer}}
	tests := []struct {
		name       string
		credential workspace.Credential
		in         string
		want       workspace.Role
		found      bool
	}{
		{"the member's own role by id", workspace.Credential{}, "ws_1", workspace.Admin, true},
		{"the member's own role by name", workspace.Credential{}, "two", workspace.Viewer, true},
		{"the ceiling lowers", workspace.Credential{Ceiling: workspace.Analyst}, "ws_1", workspace.Analyst, true},
		{"the ceiling never raises", workspace.Credential{Ceiling: workspace.Admin}, "ws_2", workspace.Viewer, true},
		{"the scope shuts out other workspaces", workspace.Credential{WorkspaceID: "ws_2"}, "ws_1", "", false},
		{"no membership", workspace.Credential{}, "ws_3", "", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			caller := workspace.Caller{Member: member, Credential: test.credential, Memberships: memberships}
			got, found := caller.RoleIn(test.in)
			if got.Role != test.want || found != test.found {
				t.Errorf("RoleIn(%q) = %q, %v; want %q, %v", test.in, got.Role, found, test.want, test.found)
			}
		})
	}
	caller := workspace.Caller{Member: workspace.Member{Operator: true}, Credential: workspace.Credential{}}
	if caller.Operates() {
		t.Error("a credential without operator acts as one")
	}
}

func TestSecretsAreLongAndHashedOneWay(t *testing.T) {
	secret, err := workspace.NewSecret(bytes.NewReader(make([]byte, 64)))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(secret, workspace.SecretPrefix) || len(secret) < 40 {
		t.Errorf("secret %q is too short or has no prefix", secret)
	}
	if bytes.Contains(workspace.HashSecret(secret), []byte(secret)) || len(workspace.HashSecret(secret)) != 32 {
		t.Error("the hash holds the secret")
	}
	if _, err := workspace.NewSecret(bytes.NewReader(nil)); err == nil {
		t.Error("a secret was made of no randomness")
	}
}
