// Package workspace holds the tenant and who may do what in it: workspaces,
// members, roles, credentials, and the one table of roles and actions that
// every route is checked against. No I/O happens here; stores keep these
// values and package httpapi asks May.
package workspace
