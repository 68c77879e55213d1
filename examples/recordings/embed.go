// Package recordings holds the captures that this project recorded, for the
// demo and for tests that compare real ones. The README of each folder says
// how they were made and what to expect of them.
package recordings

import "embed"

// Files are the captures and setups, by their path below this folder.
//
//go:embed training/*.json.gz training/setup.json serving/*.zip serving/setup-*.json fleet/*.kwcap.json
var Files embed.FS
