// Package cli is the command line: it parses arguments, runs one command and
// prints its answer for people or as JSON. Commands on files and on the data
// folder work alone, serve and demo run a server, all others talk to one
// through package client. Nothing is computed here.
package cli
