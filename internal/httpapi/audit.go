package httpapi

import (
	"context"
	"strconv"

	"kernelwake/internal/sqlstore"
)

// AuditPage asks for a page of the audit log.
type AuditPage struct {
	InWorkspace
	Page
}

func listAudit(a *API, ctx context.Context, input *AuditPage) (*Listed[sqlstore.AuditRow], error) {
	before := int64(0)
	if input.Cursor != "" {
		var err error
		before, err = strconv.ParseInt(input.Cursor, 10, 64)
		if err := checkCursor(err == nil && before > 0, input.Cursor); err != nil {
			return nil, err
		}
	}
	rows, total, err := a.Records.Audit(ctx, scopeOf(ctx).workspaceID, before, input.Limit+1)
	if err != nil {
		return nil, err
	}
	return listed(rows, total, input.Limit, func(r sqlstore.AuditRow) string { return strconv.FormatInt(r.Seq, 10) }), nil
}
