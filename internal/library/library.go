package library

import (
	"context"
	"fmt"
	"io"

	"golang.org/x/sync/singleflight"

	"kernelwake/internal/blob"
	"kernelwake/internal/evidence"
	"kernelwake/internal/fault"
	"kernelwake/internal/sqlstore"
)

// Library reads parsed forms and runs.
type Library struct {
	records *sqlstore.DB
	blobs   blob.Store
	cache   *cache
	loading singleflight.Group
}

// New returns a library that keeps up to cacheBytes of parsed forms at hand.
func New(records *sqlstore.DB, blobs blob.Store, cacheBytes int64) *Library {
	return &Library{records: records, blobs: blobs, cache: newCache(cacheBytes)}
}

// Parsed returns the whole parsed form of a capture. It is shared: callers
// must not change it.
func (l *Library) Parsed(ctx context.Context, parsedSHA256 string) (*evidence.Parsed, error) {
	return l.load(ctx, "whole "+parsedSHA256, parsedSHA256, func(content blob.Content) (*evidence.Parsed, int64, error) {
		data := make([]byte, content.Size())
		if _, err := io.ReadFull(content, data); err != nil {
			return nil, 0, fmt.Errorf("reading parsed form %s: %w", parsedSHA256, err)
		}
		if evidence.Digest(data) != parsedSHA256 {
			return nil, 0, changed(parsedSHA256)
		}
		parsed, err := evidence.Decode(data)
		return parsed, content.Size(), err
	})
}

// Outcomes returns the parsed form of a capture as a comparison reads it:
// without the tables that only screens draw, at a fraction of the cost.
func (l *Library) Outcomes(ctx context.Context, parsedSHA256 string) (*evidence.Parsed, error) {
	if whole, ok := l.cache.get("whole " + parsedSHA256); ok {
		return whole, nil
	}
	return l.load(ctx, "outcomes "+parsedSHA256, parsedSHA256, func(content blob.Content) (*evidence.Parsed, int64, error) {
		parsed, size, err := evidence.DecodeOutcomes(content)
		return parsed, size, err
	})
}

func (l *Library) load(ctx context.Context, key, digest string, decode func(blob.Content) (*evidence.Parsed, int64, error)) (*evidence.Parsed, error) {
	if parsed, ok := l.cache.get(key); ok {
		return parsed, nil
	}
	loaded, err, _ := l.loading.Do(key, func() (any, error) {
		content, err := l.blobs.Open(ctx, digest)
		if err != nil {
			return nil, err
		}
		defer content.Close()
		parsed, size, err := decode(content)
		if err != nil {
			return nil, err
		}
		l.cache.put(key, parsed, size)
		return parsed, nil
	})
	if err != nil {
		return nil, err
	}
	return loaded.(*evidence.Parsed), nil
}

// Runs returns runs with what a comparison reads of their captures, in the
// order asked.
func (l *Library) Runs(ctx context.Context, workspaceID string, ids []string) ([]evidence.RunEvidence, error) {
	stored, err := l.records.StoredRuns(ctx, workspaceID, ids)
	if err != nil {
		return nil, err
	}
	runs := make([]evidence.RunEvidence, 0, len(stored))
	for _, run := range stored {
		filled, err := l.Fill(ctx, run.Evidence(sqlstore.StoredCapture.Parsed))
		if err != nil {
			return nil, err
		}
		runs = append(runs, filled)
	}
	return runs, nil
}

// Fill gives each capture of a run the outcomes of its parsed form.
func (l *Library) Fill(ctx context.Context, run evidence.RunEvidence) (evidence.RunEvidence, error) {
	for i := range run.Captures {
		parsed, err := l.Outcomes(ctx, run.Captures[i].ParsedSHA256)
		if err != nil {
			return run, fmt.Errorf("reading capture %s of run %s: %w", run.Captures[i].ID, run.ID, err)
		}
		run.Captures[i].Parsed = parsed
	}
	return run, nil
}

func changed(digest string) error {
	return fault.New(fault.Internal, "parsed_form_changed", "the parsed form %s was changed on disk", digest).
		WithHint("restore the data folder from a backup, or import the original bytes again")
}
