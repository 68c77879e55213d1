package sqlstore

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/gowebpki/jcs"

	"kernelwake/internal/workspace"
)

// ServerChain is the audit chain of what belongs to no workspace.
const ServerChain = ""

// The outcomes an audit row can have.
const (
	Done   = "done"
	Denied = "denied"
)

// AuditRow is one entry of a hash-chained log. Its JSON form, canonical by
// RFC 8785 and without hash, is what the hash covers.
type AuditRow struct {
	Seq          int64     `json:"seq"`
	At           time.Time `json:"at"`
	ActorID      string    `json:"actor_id"`
	ActorName    string    `json:"actor_name"`
	Role         string    `json:"role"`
	Method       string    `json:"method"`
	CredentialID string    `json:"credential_id"`
	Action       string    `json:"action"`
	ObjectKind   string    `json:"object_kind"`
	ObjectID     string    `json:"object_id"`
	// Before and After say what changed: a revision, a digest, or the fields.
	Before    string `json:"before"`
	After     string `json:"after"`
	Reason    string `json:"reason"`
	Outcome   string `json:"outcome"`
	RequestID string `json:"request_id"`
	PrevHash  string `json:"prev_hash"`
	Hash      string `json:"hash"`
}

// event is what a change says of itself to the log.
type event struct {
	chain, action, kind, id, before, after, reason, outcome string
}

// audit appends to the chain, in the same transaction as what it tells of.
func (t *tx) audit(e event) error {
	if e.outcome == "" {
		e.outcome = Done
	}
	row := AuditRow{
		Seq: 1, At: t.at, ActorID: t.actor.MemberID, ActorName: t.actor.Name, Role: string(t.actor.Role),
		Method: t.actor.Method, CredentialID: t.actor.CredentialID, RequestID: t.actor.RequestID,
		Action: e.action, ObjectKind: e.kind, ObjectID: e.id, Before: e.before, After: e.after, Reason: e.reason, Outcome: e.outcome,
	}
	last, err := one(t.ctx, t, scanAudit, auditColumns+" WHERE chain = $1 ORDER BY seq DESC LIMIT 1", e.chain)
	switch {
	case err == nil:
		row.Seq, row.PrevHash = last.Seq+1, last.Hash
	case !errors.Is(err, sql.ErrNoRows):
		return err
	}
	if row.Hash, err = row.digest(); err != nil {
		return err
	}
	_, err = t.exec(`INSERT INTO audit (chain, seq, at, actor_id, actor_name, role, method, credential_id, action, object_kind, object_id, before, after, reason, outcome, request_id, prev_hash, hash)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)`,
		e.chain, row.Seq, row.At.UnixMicro(), row.ActorID, row.ActorName, row.Role, row.Method, row.CredentialID, row.Action, row.ObjectKind, row.ObjectID,
		row.Before, row.After, row.Reason, row.Outcome, row.RequestID, row.PrevHash, row.Hash)
	return err
}

// digest is SHA-256(0x00 ‖ canonical JSON of the row without its hash): a leaf
// as RFC 6962 hashes it.
func (r AuditRow) digest() (string, error) {
	r.Hash = ""
	plain, err := json.Marshal(r)
	if err != nil {
		return "", fmt.Errorf("encoding an audit row: %w", err)
	}
	canonical, err := jcs.Transform(plain)
	if err != nil {
		return "", fmt.Errorf("encoding an audit row: %w", err)
	}
	sum := sha256.Sum256(append([]byte{0}, canonical...))
	return hex.EncodeToString(sum[:]), nil
}

const auditColumns = `SELECT seq, at, actor_id, actor_name, role, method, credential_id, action, object_kind, object_id, before, after, reason, outcome, request_id, prev_hash, hash FROM audit`

func scanAudit(row scanner) (AuditRow, error) {
	var r AuditRow
	var at int64
	err := row.Scan(&r.Seq, &at, &r.ActorID, &r.ActorName, &r.Role, &r.Method, &r.CredentialID, &r.Action, &r.ObjectKind, &r.ObjectID,
		&r.Before, &r.After, &r.Reason, &r.Outcome, &r.RequestID, &r.PrevHash, &r.Hash)
	r.At = timeOf(at)
	return r, err
}

// AuditDenial records that something was refused for want of permission.
func (d *DB) AuditDenial(ctx context.Context, actor workspace.Actor, chain, action, object string) error {
	return d.change(ctx, actor, func(t *tx) error {
		return t.audit(event{chain: chain, action: action, kind: "route", id: object, outcome: Denied})
	})
}

// Audit returns rows of a chain, the newest first, older than a sequence
// number (0 for the newest of all), and how many rows the chain has.
func (d *DB) Audit(ctx context.Context, chain string, before int64, limit int) ([]AuditRow, int64, error) {
	where := conditions{}
	where.add("chain = ?", chain)
	if before > 0 {
		where.add("seq < ?", before)
	}
	rows, err := many(ctx, d.read, scanAudit, auditColumns+where.where()+" ORDER BY seq DESC LIMIT "+strconv.Itoa(limit), where.args...)
	if err != nil {
		return nil, 0, err
	}
	total, err := scalar[int64](ctx, d.read, "SELECT COUNT(*) FROM audit WHERE chain = $1", chain)
	return rows, total, err
}

// VerifyAudit reads a chain from its first row and returns how many rows hold.
// It fails at the first that was changed, removed or inserted.
func (d *DB) VerifyAudit(ctx context.Context, chain string) (int64, error) {
	rows, err := many(ctx, d.read, scanAudit, auditColumns+" WHERE chain = $1 ORDER BY seq", chain)
	if err != nil {
		return 0, err
	}
	prev := ""
	for i, row := range rows {
		want, err := row.digest()
		if err != nil {
			return int64(i), err
		}
		if row.Seq != int64(i)+1 || row.PrevHash != prev || row.Hash != want {
			return int64(i), fmt.Errorf("audit row %d of chain %q was changed", row.Seq, chain)
		}
		prev = row.Hash
	}
	return int64(len(rows)), nil
}
