// Package library reads kept evidence: the parsed forms that the blob store
// holds, through a cache bounded in bytes, and runs as a comparison reads
// them. Package importing writes what this package reads.
package library
