package apikey

import (
	"crypto/sha256"
	"sync"
	"time"
)

// CacheFor is the longest that a row is used without being read again (T.5).
const CacheFor = 30 * time.Second

// defaultCached is how many keys are kept when nothing else is said.
const defaultCached = 10_000

// cached is a key's row as it was read.
type cached struct {
	principal Principal
	digest    [sha256.Size]byte
	readAt    time.Time // when the read began
}

// fresh tells whether the row may still be used. A clock that stepped back makes
// it stale.
func (c *cached) fresh(now time.Time) bool {
	age := now.Sub(c.readAt)
	return age >= 0 && age < CacheFor
}

// cache keeps rows by key id, at most a fixed number of them.
type cache struct {
	most int

	mu    sync.RWMutex
	rows  map[string]*cached
	epoch uint64 // counts forgets: a row read before one is not kept after it
}

func newCache(most int) *cache { return &cache{most: most, rows: make(map[string]*cached)} }

// get answers a row that may be used now, and the epoch to give to put when
// there is none.
func (c *cache) get(keyID string, now time.Time) (*cached, uint64) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if row := c.rows[keyID]; row != nil && row.fresh(now) {
		return row, c.epoch
	}
	return nil, c.epoch
}

// put keeps a row, unless a key was forgotten since its read began.
func (c *cache) put(keyID string, row *cached, epoch uint64, now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if epoch != c.epoch {
		return
	}
	if _, replaces := c.rows[keyID]; !replaces && len(c.rows) >= c.most {
		c.makeRoom(now)
	}
	c.rows[keyID] = row
}

// makeRoom drops what is stale, and half of the rest (in the map's random order)
// when that is not enough: the walk is then paid for by many puts.
func (c *cache) makeRoom(now time.Time) {
	for id, row := range c.rows {
		if !row.fresh(now) {
			delete(c.rows, id)
		}
	}
	for id := range c.rows {
		if len(c.rows) <= c.most/2 {
			return
		}
		delete(c.rows, id)
	}
}

// forget drops a key's row, also one that is being read right now.
func (c *cache) forget(keyID string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.epoch++
	delete(c.rows, keyID)
}
