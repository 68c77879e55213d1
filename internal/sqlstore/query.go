package sqlstore

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"kernelwake/internal/fault"
	"kernelwake/internal/id"
	"kernelwake/internal/workspace"
)

// tx is one write transaction: who writes, and the one time everything in it
// carries.
type tx struct {
	*sql.Tx
	ctx   context.Context
	db    *DB
	actor workspace.Actor
	at    time.Time
	made  uint16
}

// change runs work in one transaction; nothing of it is kept on an error.
func (d *DB) change(ctx context.Context, actor workspace.Actor, work func(*tx) error) error {
	begun, err := d.write.BeginTx(ctx, nil)
	if err != nil {
		return unavailable(err)
	}
	defer begun.Rollback()
	if err := work(&tx{Tx: begun, ctx: ctx, db: d, actor: actor, at: d.now().UTC().Truncate(time.Microsecond)}); err != nil {
		return err
	}
	if err := begun.Commit(); err != nil {
		return unavailable(err)
	}
	return nil
}

// exec runs a statement and returns how many rows it changed.
func (t *tx) exec(query string, args ...any) (int64, error) {
	result, err := t.ExecContext(t.ctx, query, args...)
	if err != nil {
		return 0, writing(err)
	}
	return result.RowsAffected()
}

// newID makes an identifier. Those of one transaction sort in the order they
// were made: a count stands before the random part.
func (t *tx) newID(kind id.Kind) (string, error) {
	count := binary.BigEndian.AppendUint16(nil, t.made)
	t.made++
	return id.New(kind, t.at, io.MultiReader(bytes.NewReader(count), t.db.random))
}

// querier is a database or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// errNoRow stands for a row that a foreign key asked for in vain.
var errNoRow = sql.ErrNoRows

// scanner is a row to read.
type scanner interface{ Scan(into ...any) error }

// many reads every row of a query.
func many[T any](ctx context.Context, from querier, read func(scanner) (T, error), query string, args ...any) ([]T, error) {
	rows, err := from.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, unavailable(err)
	}
	defer rows.Close()
	all := []T{}
	for rows.Next() {
		value, err := read(rows)
		if err != nil {
			return nil, fmt.Errorf("reading a row: %w", err)
		}
		all = append(all, value)
	}
	if err := rows.Err(); err != nil {
		return nil, unavailable(err)
	}
	return all, nil
}

// one reads the only row of a query, or returns sql.ErrNoRows.
func one[T any](ctx context.Context, from querier, read func(scanner) (T, error), query string, args ...any) (T, error) {
	all, err := many(ctx, from, read, query, args...)
	if err != nil || len(all) == 0 {
		var none T
		if err == nil {
			err = sql.ErrNoRows
		}
		return none, err
	}
	return all[0], nil
}

// scalar reads a single value.
func scalar[T any](ctx context.Context, from querier, query string, args ...any) (T, error) {
	return one(ctx, from, func(row scanner) (value T, err error) {
		err = row.Scan(&value)
		return value, err
	}, query, args...)
}

// conditions collects the parts of a WHERE clause; each "?" becomes the next
// numbered placeholder.
type conditions struct {
	parts []string
	args  []any
}

func (c *conditions) add(part string, args ...any) {
	var numbered strings.Builder
	rest := part
	for _, arg := range args {
		before, after, _ := strings.Cut(rest, "?")
		c.args = append(c.args, arg)
		numbered.WriteString(before + "$" + strconv.Itoa(len(c.args)))
		rest = after
	}
	c.parts = append(c.parts, numbered.String()+rest)
}

// in adds a condition that a column is one of some values.
func (c *conditions) in(column string, values []string) {
	args := make([]any, len(values))
	for i, value := range values {
		args[i] = value
	}
	c.add(column+" IN ("+strings.TrimSuffix(strings.Repeat("?,", len(values)), ",")+")", args...)
}

// label adds a condition that a column of labels holds "key=value", or a key
// alone; no label asked for adds none.
func (c *conditions) label(column, label string) {
	if label != "" {
		c.add("LOWER("+column+`) LIKE ? ESCAPE '\'`, contains(labelPattern(label)))
	}
}

// labelPattern is how "key=value", or a key alone, stands in the stored JSON.
func labelPattern(label string) string {
	key, value, both := strings.Cut(label, "=")
	quoted, _ := json.Marshal(key)
	if !both {
		return string(quoted) + ":"
	}
	quotedValue, _ := json.Marshal(value)
	return string(quoted) + ":" + string(quotedValue)
}

func (c *conditions) where() string {
	return " WHERE " + strings.Join(c.parts, " AND ")
}

// contains is a LIKE pattern that finds text anywhere, whatever the case of
// ASCII letters.
func contains(text string) string {
	return "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(strings.ToLower(text)) + "%"
}

// micros turns a time into what is stored; nil stays NULL.
func micros(at *time.Time) any {
	if at == nil || at.IsZero() {
		return nil
	}
	return at.UnixMicro()
}

func timeOf(stored int64) time.Time { return time.UnixMicro(stored).UTC() }

func optionalTime(stored sql.NullInt64) *time.Time {
	if !stored.Valid {
		return nil
	}
	at := timeOf(stored.Int64)
	return &at
}

// text is a value as it is stored in a JSON column. Maps are written with
// sorted keys, nil ones as {}.
func text(value any) (string, error) {
	data, err := json.Marshal(value)
	if err != nil {
		return "", fmt.Errorf("encoding a value to store: %w", err)
	}
	return string(data), nil
}

// stored reads a JSON column into its destination.
type stored struct{ into any }

func (s stored) Scan(source any) error {
	switch value := source.(type) {
	case string:
		return json.Unmarshal([]byte(value), s.into)
	case []byte:
		return json.Unmarshal(value, s.into)
	}
	return fmt.Errorf("a JSON column holds %T", source)
}

// missing turns "no row" into a fault that names what was asked for.
func missing(err error, kind, name string) error {
	if !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	return fault.New(fault.NotFound, kind+"_not_found", "there is no %s %q in this workspace", kind, name).
		WithHint("list the %ss to see what there is", kind)
}
