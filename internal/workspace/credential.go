package workspace

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"time"
)

// CredentialKind says what a secret is for.
type CredentialKind string

// The kinds of credentials.
const (
	Session    CredentialKind = "session" // a browser's cookie
	Token      CredentialKind = "token"   // the command line and CI
	SignInLink CredentialKind = "link"    // valid once, becomes a session
)

// Credential is one hashed random secret with a scope and an expiry. It never
// allows more than its member may do.
type Credential struct {
	ID       string
	Kind     CredentialKind
	Name     string
	MemberID string
	// WorkspaceID limits the credential to one workspace; empty is all of the
	// member's.
	WorkspaceID string
	// Ceiling limits the role; empty is the member's own.
	Ceiling Role
	// Operator is true where the credential may act as operator.
	Operator bool
	Created  time.Time
	// Expires is the time it ends at; zero is never.
	Expires time.Time
}

const (
	// SecretPrefix begins every secret made here, so that scanners find them.
	SecretPrefix = "kw_"
	// LeastSecret is the fewest characters of a secret that a person chose.
	LeastSecret = 24
	// SessionLasts is how long a browser stays signed in.
	SessionLasts = 14 * 24 * time.Hour
	// LinkLasts is how long an unused sign-in link stays valid.
	LinkLasts = 24 * time.Hour

	secretBytes = 32
)

// NewSecret returns a secret of 256 random bits as text.
func NewSecret(random io.Reader) (string, error) {
	raw := make([]byte, secretBytes)
	if _, err := io.ReadFull(random, raw); err != nil {
		return "", fmt.Errorf("reading random bytes for a secret: %w", err)
	}
	return SecretPrefix + base64.RawURLEncoding.EncodeToString(raw), nil
}

// HashSecret returns what is stored of a secret. Secrets are long and random,
// so a plain SHA-256 can't be turned back.
func HashSecret(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}
