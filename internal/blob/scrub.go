package blob

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
)

// Damage is a blob whose bytes are not those of its digest.
type Damage struct {
	Digest string
	// Got is the digest of the bytes found; empty where they can't be read.
	Got string
	Err error
}

// Scrub reads every blob and reports those whose bytes changed. It returns how
// many it read.
func Scrub(ctx context.Context, store Store, report func(Damage)) (checked int, err error) {
	err = store.Each(ctx, func(digest string, _ int64) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		checked++
		got, err := rehash(ctx, store, digest)
		if err != nil || got != digest {
			report(Damage{Digest: digest, Got: got, Err: err})
		}
		return nil
	})
	return checked, err
}

func rehash(ctx context.Context, store Store, digest string) (string, error) {
	content, err := store.Open(ctx, digest)
	if err != nil {
		return "", err
	}
	defer content.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, content); err != nil {
		return "", fmt.Errorf("reading blob %s: %w", digest, err)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
