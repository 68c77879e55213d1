package importing

import (
	"slices"
	"sync"
)

// busy lets one import at a time work on the same bytes in a workspace, so that
// the others find them kept and recognise them.
type busy struct {
	mu   sync.Mutex
	held map[string]*waiting
}

type waiting struct {
	sync.Mutex
	// users are the holder and those who wait.
	users int
}

// lock takes the keys, in one order for all, and returns what gives them back.
func (b *busy) lock(keys []string) (unlock func()) {
	keys = slices.Compact(slices.Sorted(slices.Values(keys)))
	for _, key := range keys {
		b.mu.Lock()
		one := b.held[key]
		if one == nil {
			one = new(waiting)
			b.held[key] = one
		}
		one.users++
		b.mu.Unlock()
		one.Lock()
	}
	return func() {
		for _, key := range keys {
			b.mu.Lock()
			one := b.held[key]
			if one.users--; one.users == 0 {
				delete(b.held, key)
			}
			b.mu.Unlock()
			one.Unlock()
		}
	}
}
