// Package ratelimit counts calls by key and by tenant in token buckets (T.14).
//
// A bucket holds as many tokens as calls are allowed a minute and fills at that
// rate; a call takes one token of its key's bucket and one of its tenant's, or,
// when either is empty, none at all. A person's key has ten times an agent's; the
// root key is not counted. Counts are this process's alone: on AWS they stand
// beside the gateway's throttling.
//
// A bucket is kept as one instant, that at which it will be full again (the
// generic cell rate algorithm, ITU-T I.371, annex A), so a bucket that is full is
// the same as none: memory is bounded by dropping those first. It imports apikey
// and clock only.
package ratelimit

import (
	"sync"
	"time"

	"holdfast/internal/apikey"
	"holdfast/internal/clock"
)

// PersonFactor is how many times an agent's rate a person's key has (T.14).
const PersonFactor = 10

// MaxPerMinute is the highest rate that can be set: one call a microsecond.
const MaxPerMinute = 60_000_000

// defaultBuckets is how many buckets of a sort are kept.
const defaultBuckets = 100_000

// Options are the rates. Zero is off.
type Options struct {
	Clock           clock.Clock
	KeyPerMinute    int // of an agent's key
	TenantPerMinute int // of all keys of a tenant together
	Buckets         int // most buckets kept of keys, and of tenants; 0: 100,000
}

// Limiter counts calls. It is safe for concurrent use.
type Limiter struct {
	clock                  clock.Clock
	agent, person, tenants rate

	mu       sync.Mutex
	byKey    buckets
	byTenant buckets
}

// New makes a Limiter.
func New(o Options) *Limiter {
	if o.Buckets <= 0 {
		o.Buckets = defaultBuckets
	}
	return &Limiter{
		clock: o.Clock, agent: perMinute(o.KeyPerMinute), person: perMinute(PersonFactor * o.KeyPerMinute),
		tenants: perMinute(o.TenantPerMinute),
		byKey:   newBuckets(o.Buckets), byTenant: newBuckets(o.Buckets),
	}
}

// Allow counts a call. When it is one too many, ok is false, nothing is counted,
// and the call may be tried after retryAfter, which is at least a second.
func (l *Limiter) Allow(p apikey.Principal) (retryAfter time.Duration, ok bool) {
	if p.Kind == apikey.Root {
		return 0, true
	}
	own := l.agent
	if p.Kind == apikey.Person {
		own = l.person
	}
	now := l.clock.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	keyFull, keyWait := l.byKey.ask(p.KeyID, own, now)
	tenantFull, tenantWait := l.byTenant.ask(p.TenantID, l.tenants, now)
	if wait := max(keyWait, tenantWait); wait > 0 {
		return max(wait, time.Second), false
	}
	l.byKey.set(p.KeyID, own, keyFull, now)
	l.byTenant.set(p.TenantID, l.tenants, tenantFull, now)
	return 0, true
}

// rate is how fast a bucket fills and how much it holds.
type rate struct {
	each time.Duration // for one token to come back; 0: the rate is off
	full time.Duration // for an empty bucket to fill
}

func perMinute(n int) rate {
	if n <= 0 {
		return rate{}
	}
	each := time.Minute / time.Duration(min(n, MaxPerMinute))
	return rate{each: each, full: each * time.Duration(min(n, MaxPerMinute))}
}

// buckets are the instants at which buckets will be full, by id.
type buckets struct {
	most  int
	fulls map[string]time.Time
}

func newBuckets(most int) buckets { return buckets{most: most, fulls: make(map[string]time.Time)} }

// ask answers when the bucket will be full after one more call, and how long to
// wait where it has no token.
func (b buckets) ask(id string, r rate, now time.Time) (full time.Time, wait time.Duration) {
	if r.each == 0 {
		return time.Time{}, 0
	}
	full = b.fulls[id]
	if full.Before(now) {
		full = now
	}
	if latest := now.Add(r.full); full.After(latest) { // the clock stepped back
		full = latest
		b.fulls[id] = full
	}
	full = full.Add(r.each)
	return full, max(full.Sub(now)-r.full, 0)
}

// set keeps what ask answered.
func (b buckets) set(id string, r rate, full, now time.Time) {
	if r.each == 0 {
		return
	}
	if _, known := b.fulls[id]; !known && len(b.fulls) >= b.most {
		b.makeRoom(now)
	}
	b.fulls[id] = full
}

// makeRoom drops full buckets, and half of the others (in the map's random order)
// when that is not enough: those start anew, which lets some calls too many pass
// rather than stop anyone.
func (b buckets) makeRoom(now time.Time) {
	for id, full := range b.fulls {
		if !full.After(now) {
			delete(b.fulls, id)
		}
	}
	for id := range b.fulls {
		if len(b.fulls) <= b.most/2 {
			return
		}
		delete(b.fulls, id)
	}
}
