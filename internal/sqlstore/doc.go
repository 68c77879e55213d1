// Package sqlstore keeps workspaces and evidence in SQL: everything but the
// bytes themselves. One text of queries, with numbered placeholders in order
// of appearance, serves SQLite now and PostgreSQL later; only the DDL in
// migrations differs. Every change writes its audit row in the same
// transaction.
package sqlstore
