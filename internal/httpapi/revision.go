package httpapi

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"kernelwake/internal/evidence"
	"kernelwake/internal/fault"
	"kernelwake/internal/sqlstore"
)

// Edit is what an edit of a thing takes: the revision it was made on.
type Edit struct {
	IfMatch string `header:"If-Match" doc:"the ETag of the revision the edit was made on"`
}

// Create is what a create takes.
type Create struct {
	IdempotencyKey string `header:"Idempotency-Key" maxLength:"200" doc:"makes sending the same create again harmless"`
}

// Tag is the ETag of an answer.
type Tag struct {
	ETag string `header:"ETag"`
}

func tagOf(id string, revision int64) string {
	return fmt.Sprintf("%q", fmt.Sprintf("%s.%d", id, revision))
}

// revision reads the revision that an edit names: "id.revision" as the ETag
// gives it, or the number alone.
func (e Edit) revision(id string) (int64, error) {
	named := strings.Trim(strings.TrimSpace(e.IfMatch), `"`)
	if named == "" {
		return 0, fault.New(fault.Unpinned, "if_match_missing", "an edit must name the revision it was made on").
			WithHint("read %s, then send its ETag as If-Match", id)
	}
	number := strings.TrimPrefix(named, id+".")
	revision, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		return 0, fault.New(fault.Stale, "revision_stale", "If-Match %q names no revision of %s", e.IfMatch, id).
			WithHint("read %s, then send its ETag as If-Match", id)
	}
	return revision, nil
}

// once ties a create to its key and what was sent.
func (c Create) once(ctx context.Context, route string, body any) (sqlstore.Once, error) {
	if c.IdempotencyKey == "" {
		return sqlstore.Once{}, nil
	}
	data, err := marshal(body)
	if err != nil {
		return sqlstore.Once{}, err
	}
	return sqlstore.Once{Key: c.IdempotencyKey, RequestSHA256: evidence.Digest(append([]byte(route+" "), data...))}, nil
}
