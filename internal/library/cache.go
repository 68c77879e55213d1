package library

import (
	"container/list"
	"sync"

	"kernelwake/internal/evidence"
)

// cache keeps the parsed forms read last, up to a number of bytes. The size of
// one is that of its encoded form, which its columns dominate.
type cache struct {
	mu      sync.Mutex
	limit   int64
	held    int64
	order   *list.List // of *entry, the one used last in front
	entries map[string]*list.Element
}

type entry struct {
	key    string
	parsed *evidence.Parsed
	size   int64
}

func newCache(limit int64) *cache {
	return &cache{limit: limit, order: list.New(), entries: map[string]*list.Element{}}
}

func (c *cache) get(key string) (*evidence.Parsed, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	element, ok := c.entries[key]
	if !ok {
		return nil, false
	}
	c.order.MoveToFront(element)
	return element.Value.(*entry).parsed, true
}

// put keeps a parsed form, letting go of those unused longest. One larger than
// the whole cache is not kept.
func (c *cache) put(key string, parsed *evidence.Parsed, size int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, there := c.entries[key]; there || size > c.limit {
		return
	}
	c.entries[key] = c.order.PushFront(&entry{key, parsed, size})
	c.held += size
	for c.held > c.limit {
		oldest := c.order.Back()
		gone := oldest.Value.(*entry)
		c.order.Remove(oldest)
		delete(c.entries, gone.key)
		c.held -= gone.size
	}
}
