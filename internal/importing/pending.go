package importing

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"kernelwake/internal/fault"
	"kernelwake/internal/workspace"
)

// pending is a file that names the digests an import moves into place before
// its transaction is on disk. A start that finds one removes those digests
// that no capture names.
type pending struct {
	path    string
	digests []string
}

func (i *Importer) announce(files []*spooled, drafts []*draft) (pending, error) {
	var digests []string
	for _, file := range files {
		digests = append(digests, file.stage.Digest())
	}
	for _, one := range drafts {
		digests = append(digests, one.capture.Provenance.ParsedSHA256)
	}
	file, err := os.CreateTemp(i.PendingDir, "import-*")
	if err != nil {
		return pending{}, unwritable(err)
	}
	_, err = file.WriteString(strings.Join(digests, "\n") + "\n")
	if err := errors.Join(err, file.Close()); err != nil {
		return pending{}, unwritable(err)
	}
	return pending{path: file.Name(), digests: digests}, nil
}

func (p pending) done() { _ = os.Remove(p.path) } // one that stays is settled at the next start

// settle removes the digests of an import that failed, but those that a
// capture names. No import stands between finding and committing meanwhile.
func (i *Importer) settle(p pending) {
	i.gate.Lock()
	defer i.gate.Unlock()
	if i.release(context.Background(), p.digests) == nil {
		p.done()
	}
}

// release deletes the bytes of digests that no capture names.
func (i *Importer) release(ctx context.Context, digests []string) error {
	named, err := i.Records.Named(ctx, digests)
	if err != nil {
		return err
	}
	for _, digest := range digests {
		if !named[digest] {
			err = errors.Join(err, i.Blobs.Delete(ctx, digest))
		}
	}
	return err
}

// Recover clears what a process that is gone left behind: temporary files, and
// bytes moved into place whose transaction never came. It returns how many of
// each.
func (i *Importer) Recover(ctx context.Context) (temporary, unfinished int, err error) {
	if temporary, err = i.Blobs.Clear(ctx); err != nil {
		return temporary, 0, err
	}
	entries, err := os.ReadDir(i.PendingDir)
	if err != nil {
		return temporary, 0, fmt.Errorf("listing pending imports: %w", err)
	}
	for _, entry := range entries {
		p := pending{path: filepath.Join(i.PendingDir, entry.Name())}
		content, err := os.ReadFile(p.path)
		if err != nil {
			return temporary, unfinished, fmt.Errorf("reading a pending import: %w", err)
		}
		if err := i.release(ctx, strings.Fields(string(content))); err != nil {
			return temporary, unfinished, err
		}
		p.done()
		unfinished++
	}
	return temporary, unfinished, nil
}

// Remove takes away a capture that nothing relies on, and its bytes where no
// other capture names them.
func (i *Importer) Remove(ctx context.Context, actor workspace.Actor, workspaceID, captureID string) error {
	i.gate.Lock()
	defer i.gate.Unlock()
	orphaned, err := i.Records.RemoveCapture(ctx, actor, workspaceID, captureID)
	if err != nil {
		return err
	}
	for _, digest := range orphaned {
		if err := i.Blobs.Delete(ctx, digest); err != nil {
			return err
		}
	}
	return nil
}

func unwritable(err error) error {
	return fault.New(fault.Unavailable, "data_folder_unavailable", "the data folder can't be written").
		WithCause(err).WithHint("check that its disk is there, writable and not full")
}
