// Package httpapi is the HTTP edge: one list of routes that holds each route's
// action, wire types and handlers with one file per noun, and one table from
// failures to statuses. A handler decodes, calls the stores, encodes; the
// OpenAPI document is made from the same list.
//
//go:generate go test -run TestDescriptionInTheRepository -update .
package httpapi
