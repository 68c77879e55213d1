// Package server opens the stores of a data folder, wires them to the API,
// listens and shuts down. It is the outermost package but the command line;
// nothing imports it but that.
package server
