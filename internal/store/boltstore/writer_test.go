package boltstore

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"go.etcd.io/bbolt"

	"holdfast/internal/store"
)

func openTest(t *testing.T, o Options) *Store {
	t.Helper()
	if o.Path == "" {
		o.Path = t.TempDir()
	}
	s, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// holdWriter keeps the writer from starting a transaction until release is called.
func holdWriter(t *testing.T, s *Store) (release func()) {
	t.Helper()
	tx, err := s.db.Begin(true)
	if err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := tx.Rollback(); err != nil {
			t.Fatal(err)
		}
	}
}

// transactions answers how many transactions the file has seen.
func transactions(t *testing.T, s *Store) (n int) {
	t.Helper()
	if err := s.db.View(func(tx *bbolt.Tx) error { n = tx.ID(); return nil }); err != nil {
		t.Fatal(err)
	}
	return n
}

func key(sk string) store.Key { return store.Key{PK: "p", SK: sk} }

func put(sk string, cond *store.Cond) store.Tx {
	item := store.Item{Key: key(sk), Attrs: store.Attrs{"t": store.S(sk)}}
	return store.Tx{Actions: []store.Action{store.PutItem("put "+sk, item, cond)}}
}

func found(t *testing.T, s *Store, sk string) bool {
	t.Helper()
	_, found, err := s.Get(context.Background(), key(sk))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// queued hands commits to the writer in order, as callers would one after the
// other, and answers their answers.
func queued(s *Store, txs ...store.Tx) []chan error {
	var answers []chan error
	for _, tx := range txs {
		p := prepare(tx)
		s.queue <- p
		answers = append(answers, p.done)
	}
	return answers
}

func TestWhatWaitsIsOneTransactionAndFailsAlone(t *testing.T) {
	s := openTest(t, Options{})
	before := transactions(t, s)
	release := holdWriter(t, s)
	txs := []store.Tx{put("first", nil)} // wakes the writer; its group is what comes before it can begin
	for n := range 30 {
		txs = append(txs,
			put(fmt.Sprint("s", n), store.IfAbsent()),
			put(fmt.Sprint("s", n), store.IfAbsent()), // sees the one before it in the group
			put(fmt.Sprint("s", n), store.IfExists()))
	}
	answers := queued(s, txs...)
	release()
	for i, answer := range answers {
		err := <-answer
		if again := i > 0 && i%3 == 2; again != store.Failed(err, fmt.Sprint("put s", (i-1)/3)) || !again && err != nil {
			t.Fatalf("commit %d: %v", i, err)
		}
	}
	if spent := transactions(t, s) - before; spent > 2 {
		t.Fatalf("91 commits took %d transactions", spent)
	}
	for n := range 30 {
		if !found(t, s, fmt.Sprint("s", n)) {
			t.Fatal("missing", n)
		}
	}
}

func TestNothingToWriteIsNoTransaction(t *testing.T) {
	s := openTest(t, Options{})
	before := transactions(t, s)
	check := store.Tx{Actions: []store.Action{store.CheckItem("", key("s"), store.IfAbsent())}}
	if err := s.Commit(t.Context(), check); err != nil {
		t.Fatal(err)
	}
	if err := s.Commit(t.Context(), put("s", store.IfExists())); !store.Failed(err, "put s") {
		t.Fatal(err)
	}
	if after := transactions(t, s); after != before {
		t.Fatalf("transactions %d, then %d", before, after)
	}
}

func TestACallerWhoLeavesBeforeTheGroupChangesNothing(t *testing.T) {
	s := openTest(t, Options{})
	release := holdWriter(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	for n := range 5 {
		all.Go(func() {
			if err := s.Commit(ctx, put(fmt.Sprint("left", n), nil)); !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
	}
	stays := queued(s, put("stays", nil))
	cancel()
	all.Wait()
	release()
	if err := <-stays[0]; err != nil {
		t.Fatal(err)
	}
	for n := range 5 {
		if found(t, s, fmt.Sprint("left", n)) {
			t.Fatal("happened although its caller had left", n)
		}
	}
	if err := s.Commit(ctx, put("late", nil)); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
}

func TestAGroupIsBounded(t *testing.T) {
	s := &Store{queue: make(chan *pending, 2*maxGroup)}
	for range 2 * maxGroup {
		s.queue <- &pending{bytes: 100}
	}
	if n := len(s.gather([]*pending{<-s.queue})); n != maxGroup {
		t.Fatalf("%d small commits in a group", n)
	}
	for len(s.queue) > 0 {
		<-s.queue
	}
	for range 20 {
		s.queue <- &pending{bytes: 4 << 20}
	}
	if n := len(s.gather([]*pending{<-s.queue})); n != maxGroupBytes/(4<<20) {
		t.Fatalf("%d large commits in a group", n)
	}
}

func TestCloseAnswersEveryCaller(t *testing.T) {
	folder := t.TempDir()
	s, err := Open(Options{Path: folder, NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	const callers = 20
	acknowledged := make([]int, callers)
	started := make(chan struct{}, callers)
	var all sync.WaitGroup
	for who := range callers {
		all.Go(func() {
			for n := 0; ; n++ {
				err := s.Commit(context.Background(), put(fmt.Sprint(who, "#", n), nil))
				if n == 3 {
					started <- struct{}{}
				}
				if errors.Is(err, store.ErrClosed) {
					return
				}
				if err != nil {
					t.Error(err)
					return
				}
				acknowledged[who] = n + 1
			}
		})
	}
	for range callers {
		<-started
	}
	for range 2 {
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	all.Wait()
	if _, _, err := s.Get(t.Context(), key("s")); !errors.Is(err, store.ErrClosed) {
		t.Fatal(err)
	}
	again := openTest(t, Options{Path: folder})
	for who, n := range acknowledged {
		if !found(t, again, fmt.Sprint(who, "#", n-1)) {
			t.Fatalf("caller %d: commit %d is missing", who, n-1)
		}
	}
}

func TestADamagedItemFailsAloneAndLeavesTheStoreUsable(t *testing.T) {
	s := openTest(t, Options{})
	for _, sk := range []string{"bad", "good"} {
		if err := s.Commit(t.Context(), put(sk, nil)); err != nil {
			t.Fatal(err)
		}
	}
	err := s.db.Update(func(tx *bbolt.Tx) error {
		items := tx.Bucket(itemsBucket)
		raw := append([]byte{}, items.Get(itemKey(key("bad")))...)
		raw[len(raw)-1] ^= 1
		return items.Put(itemKey(key("bad")), raw)
	})
	if err != nil {
		t.Fatal(err)
	}
	release := holdWriter(t, s)
	answers := queued(s, put("first", nil), put("bad", nil), put("good", store.IfExists()))
	release()
	for i, damaged := range []bool{false, true, false} {
		if err := <-answers[i]; errors.Is(err, ErrCorrupt) != damaged || !damaged && err != nil {
			t.Fatalf("commit %d: %v", i, err)
		}
	}
	if _, _, err := s.Get(t.Context(), key("bad")); !errors.Is(err, ErrCorrupt) {
		t.Fatal(err)
	}
	if _, err := s.GetMany(t.Context(), []store.Key{key("good"), key("bad")}); !errors.Is(err, ErrCorrupt) {
		t.Fatal(err)
	}
	if _, err := s.Query(t.Context(), store.Query{PK: "p"}); !errors.Is(err, ErrCorrupt) {
		t.Fatal(err)
	}
	if !found(t, s, "good") {
		t.Fatal("the good item is gone")
	}
}
