package sqlstore

import (
	"database/sql"
	"errors"

	"kernelwake/internal/fault"
)

// Once makes a create harmless to repeat: the sender's key, and the digest of
// what was sent. The zero value asks for nothing.
type Once struct {
	Key           string
	RequestSHA256 string
}

// replay returns the id of what an earlier request with the same key made,
// empty if there was none. Another request under a used key is refused.
func (t *tx) replay(in string, once Once) (string, error) {
	if once.Key == "" {
		return "", nil
	}
	type earlier struct{ digest, object string }
	found, err := one(t.ctx, t, func(row scanner) (e earlier, err error) {
		err = row.Scan(&e.digest, &e.object)
		return e, err
	}, "SELECT request_sha256, object_id FROM idempotency WHERE workspace_id = $1 AND member_id = $2 AND key = $3", in, t.actor.MemberID, once.Key)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	if found.digest != once.RequestSHA256 {
		return "", fault.New(fault.Conflict, "idempotency_key_reused", "this Idempotency-Key was used for another request, which made %s", found.object).
			WithHint("use a fresh key for each new request; repeat a key only to repeat the same request")
	}
	return found.object, nil
}

// remember ties the key to what the request made.
func (t *tx) remember(in string, once Once, objectID string) error {
	if once.Key == "" {
		return nil
	}
	_, err := t.exec("INSERT INTO idempotency (workspace_id, member_id, key, request_sha256, object_id, created_at) VALUES ($1, $2, $3, $4, $5, $6)",
		in, t.actor.MemberID, once.Key, once.RequestSHA256, objectID, t.at.UnixMicro())
	return err
}
