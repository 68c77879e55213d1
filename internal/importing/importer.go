package importing

import (
	"fmt"
	"os"
	"sync"

	"kernelwake/internal/blob"
	"kernelwake/internal/evidence"
	"kernelwake/internal/sqlstore"
)

// Step is a point of an import after which a kill must lose nothing that was
// acknowledged and show nothing half-written.
type Step string

// The steps, in order.
const (
	Spooled     Step = "spooled"      // every file is in a temporary file
	Parsed      Step = "parsed"       // every capture's parsed form is in a temporary file
	BlobMoved   Step = "blob_moved"   // the exact bytes are in place
	ParsedMoved Step = "parsed_moved" // the parsed forms are in place
	Committed   Step = "committed"    // the transaction is on disk
	Answered    Step = "answered"     // the answer was sent
)

// Steps are all steps in order.
var Steps = []Step{Spooled, Parsed, BlobMoved, ParsedMoved, Committed, Answered}

// parsers is how many files are parsed at a time: parsing takes memory in
// proportion to a capture.
const parsers = 2

// Options are what an importer works with.
type Options struct {
	Records *sqlstore.DB
	Blobs   blob.Store
	// Detect tells a file's format from its content.
	Detect func(evidence.File) (evidence.Format, error)
	// PendingDir holds the names of digests moved and not yet committed.
	PendingDir string
	// Product is the version that goes into the provenance.
	Product string
	// At is called at each step; nil does nothing.
	At func(Step)
}

// Importer brings captures in and takes them away.
type Importer struct {
	Options
	parsing chan struct{}
	// gate keeps the removal of bytes out while an import that may count on
	// them stands between finding and committing them.
	gate sync.RWMutex
	busy busy
}

// New returns an importer.
func New(options Options) (*Importer, error) {
	if err := os.MkdirAll(options.PendingDir, 0o700); err != nil {
		return nil, fmt.Errorf("making the folder of pending imports: %w", err)
	}
	return &Importer{Options: options, parsing: make(chan struct{}, parsers), busy: busy{held: map[string]*waiting{}}}, nil
}

// Reached reports that a step was reached, for a test that kills there.
func (i *Importer) Reached(step Step) {
	if i.At != nil {
		i.At(step)
	}
}
