package apikey

import (
	"context"
	"sync"
	"testing"
	"time"

	"holdfast/internal/store"
	"holdfast/internal/store/memstore"
)

func TestT5RevocationElsewhereCountsWithin30Seconds(t *testing.T) {
	b := newBench(t, 0)
	p, text := b.issue(nil)
	if !b.accepts(text) {
		t.Fatal("refused")
	}
	b.revoke(p)
	b.clock.Advance(CacheFor - time.Millisecond)
	if !b.accepts(text) {
		t.Error("a key is not kept")
	}
	b.clock.Advance(time.Millisecond)
	if b.accepts(text) {
		t.Error("accepted 30 seconds after its revocation")
	}
}

func TestT5RevocationHereCountsAtOnce(t *testing.T) {
	b := newBench(t, 0)
	p, text := b.issue(nil)
	if !b.accepts(text) {
		t.Fatal("refused")
	}
	b.revoke(p)
	b.Forget(p.KeyID)
	if b.accepts(text) {
		t.Error("accepted after it was forgotten")
	}
}

func TestT5RowThatIsReadDuringARevocationIsNotKept(t *testing.T) {
	b := newBench(t, 0)
	p, text := b.issue(nil)
	b.store.after = func() {
		b.store.after = nil
		b.revoke(p)
		b.Forget(p.KeyID)
	}
	if !b.accepts(text) {
		t.Fatal("the read was before the revocation")
	}
	if b.accepts(text) {
		t.Error("a row read before the revocation was kept")
	}
}

func TestKnownKeysAreReadOnceAndUnknownOnesEachTime(t *testing.T) {
	b := newBench(t, 0)
	_, text := b.issue(nil)
	for range 5 {
		b.accepts(text)
	}
	if b.store.reads != 1 {
		t.Errorf("%d reads of a known key", b.store.reads)
	}
	unknown := b.ids.New()
	for range 3 {
		b.accepts(Format(unknown, someSecret(3)))
	}
	if b.store.reads != 4 {
		t.Errorf("%d reads in all", b.store.reads)
	}
}

func TestClockThatStepsBackMakesRowsStale(t *testing.T) {
	b := newBench(t, 0)
	p, text := b.issue(nil)
	b.accepts(text)
	b.revoke(p)
	b.clock.Advance(-time.Hour)
	if b.accepts(text) {
		t.Error("a row from the future was used")
	}
}

func TestCacheIsBounded(t *testing.T) {
	b := newBench(t, 8)
	var texts []string
	for range 40 {
		_, text := b.issue(nil)
		texts = append(texts, text)
		if !b.accepts(text) || len(b.cache.rows) > 8 {
			t.Fatalf("accepted with %d rows kept", len(b.cache.rows))
		}
	}
	for _, text := range texts {
		if !b.accepts(text) || len(b.cache.rows) > 8 {
			t.Fatalf("accepted with %d rows kept", len(b.cache.rows))
		}
	}
}

func TestFullCacheDropsWhatIsStaleFirst(t *testing.T) {
	b := newBench(t, 4)
	for range 3 {
		_, text := b.issue(nil)
		b.accepts(text)
	}
	b.clock.Advance(CacheFor)
	_, first := b.issue(nil)
	b.accepts(first)
	_, second := b.issue(nil)
	b.accepts(second)
	reads := b.store.reads
	b.accepts(first)
	b.accepts(second)
	if b.store.reads != reads || len(b.cache.rows) != 2 {
		t.Errorf("%d more reads, %d rows", b.store.reads-reads, len(b.cache.rows))
	}
}

func TestConcurrentCallsShareTheCache(t *testing.T) {
	b := newBench(t, 4)
	b.store = nil // counted reads are not safe for concurrent use
	s := New(Options{Store: memstore.New(), Clock: b.clock, Cached: 4})
	var wg sync.WaitGroup
	for n := range 8 {
		p := samples()["agent"]
		p.KeyID = b.ids.New()
		issued, err := s.Issue(p)
		if err != nil {
			t.Fatal(err)
		}
		actions, err := issued.Put()
		if err != nil {
			t.Fatal(err)
		}
		if err := s.store.Commit(context.Background(), store.Tx{Actions: actions}); err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			for range 50 {
				if _, err := s.Authenticate(context.Background(), issued.Text); err != nil {
					t.Error(err)
				}
				if n%4 == 0 {
					s.Forget(p.KeyID)
				}
			}
		})
	}
	wg.Wait()
}
