package work_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"holdfast/internal/commit"
	"holdfast/internal/ledger"
	"holdfast/internal/memory"
	"holdfast/internal/search"
	"holdfast/internal/search/memsearch"
	"holdfast/internal/store"
	"holdfast/internal/work"
)

func TestT18SyncIndexesWhatTheLogSays(t *testing.T) {
	w := newWorld(t)
	kept := w.add(fact("The lighthouse at Skerry is painted white."))
	changed := w.add(fact("The ferry leaves at nine."))
	gone := w.add(fact("The pier has a clock."))
	held := w.add(fact(hostile))
	pointer := w.add(fact("The plan of the pier.", pointing("s3://plans/pier")))
	shared := w.add(fact("Nobody dives alone.", inLayer("Tenant")))
	w.update(changed, "The ferry leaves at ten.")
	w.delete(gone, false)
	w.sync(scope)
	hits := w.hits("lighthouse ferry pier clock dives plan instructions")
	for id, want := range map[string]int64{kept: 1, changed: 2, shared: 1, gone: 0, held: 0, pointer: 0} {
		if hits[id].Version != want {
			t.Errorf("version %d of %s in the index, want %d", hits[id].Version, id, want)
		}
	}
	if hits[shared].Scope != scope.Own() || hits[kept].Scope != scope {
		t.Errorf("partitions %v and %v", hits[shared].Scope, hits[kept].Scope)
	}
	if at, head := w.cursor(scope), w.head(scope); at != head.Sequence || w.marked() {
		t.Errorf("cursor %d of %d, marked %v", at, head.Sequence, w.marked())
	}
}

func TestT20SyncGoesOnFromTheCursor(t *testing.T) {
	w := newWorld(t)
	first := w.add(fact("The lighthouse is white."))
	w.sync(scope)
	second := w.add(fact("The harbour wall is granite."))
	w.index.seen = nil
	w.sync(scope)
	w.sync(scope) // a doubled message
	if len(w.index.seen) != 1 || w.index.seen[0].Document.ID != second {
		t.Fatalf("second run: %+v", w.index.seen)
	}
	if hits := w.hits("lighthouse harbour"); len(hits) != 2 || hits[first].ID == "" {
		t.Fatalf("hits %v", hits)
	}
}

func TestT20AnApplyErrorLeavesTheCursorAndTheMark(t *testing.T) {
	w := newWorld(t)
	w.add(fact("The lighthouse is white."))
	w.sync(scope)
	before := w.cursor(scope)
	id := w.add(fact("The harbour wall is granite."))
	w.index.apply = errAway
	if err := w.indexer.Sync(t.Context(), scope); !errors.Is(err, errAway) {
		t.Fatalf("%v", err)
	}
	if w.cursor(scope) != before || !w.marked() {
		t.Fatalf("cursor %d, was %d; marked %v", w.cursor(scope), before, w.marked())
	}
	w.index.apply = nil
	w.sync(scope)
	if w.hits("harbour")[id].ID == "" || w.marked() || w.cursor(scope) != w.head(scope).Sequence {
		t.Fatalf("after the index came back: cursor %d, marked %v", w.cursor(scope), w.marked())
	}
}

// A backlog of more than a page is indexed a page at a time: what was done stays
// done when a later page fails.
func TestT20SyncKeepsThePagesItHasDone(t *testing.T) {
	w := newWorld(t)
	for i := range 510 {
		w.add(fact(fmt.Sprintf("Buoy %d is green.", i)))
	}
	applied := 0
	w.index.hook = func(op searchOp) {
		if applied++; applied == 500 {
			w.index.mu.Lock()
			w.index.apply = errAway
			w.index.mu.Unlock()
		}
	}
	if err := w.indexer.Sync(t.Context(), scope); !errors.Is(err, errAway) || w.cursor(scope) != 500 {
		t.Fatalf("%v, cursor %d", err, w.cursor(scope))
	}
	w.index.apply, w.index.hook = nil, nil
	w.sync(scope)
	if n, err := w.index.Count(t.Context(), scope); err != nil || n != 510 || w.cursor(scope) != 510 {
		t.Fatalf("%d documents, cursor %d, %v", n, w.cursor(scope), err)
	}
}

func TestT20AFaultAtEveryStoreCallOfASyncLosesNothing(t *testing.T) {
	for at := 1; ; at++ {
		w, faults := newFaultyWorld(t)
		w.add(fact("The lighthouse is white.", ofUser("ida")))
		id := w.add(fact("The harbour wall is granite."))
		if !faults.armed(at, func() { _ = w.indexer.Sync(t.Context(), scope) }) {
			break
		}
		if at > 1 && w.cursor(scope) > 0 && len(w.hits("harbour")) == 0 {
			t.Fatalf("call %d: the cursor moved past what is not there", at)
		}
		w.sync(scope)
		if w.hits("harbour")[id].ID == "" || w.marked() || w.cursor(scope) != w.head(scope).Sequence {
			t.Errorf("call %d: cursor %d of %d, marked %v", at, w.cursor(scope), w.head(scope).Sequence, w.marked())
		}
	}
}

func TestT20TwoSyncsAtOnceIndexAllAndNeverGoBack(t *testing.T) {
	w := newWorld(t)
	w.cursors = work.TableCursors{Store: w.store, Consumer: "index"}
	second := *w // another process: an indexer of its own over the same store and index
	for _, one := range []*world{w, &second} {
		one.indexer = &work.Indexer{Store: w.store, Index: w.index, Cursors: w.cursors, Projectors: w.indexer.Projectors}
	}
	var ids []string
	for i := range 40 {
		ids = append(ids, w.add(fact(fmt.Sprintf("Buoy %d is green.", i))))
	}
	var group sync.WaitGroup
	for i := range 6 {
		group.Go(func() {
			x := w.indexer
			if i%2 == 1 {
				x = second.indexer
			}
			if err := x.Sync(context.Background(), scope); err != nil {
				t.Error(err)
			}
		})
	}
	group.Go(func() {
		for _, id := range ids[:10] {
			if _, err := w.memories.Delete(context.Background(), w.target(scope, agent), memory.Removal{ID: id}); err != nil {
				t.Error(err)
			}
		}
	})
	group.Wait()
	w.sync(scope)
	hits := w.hits("buoy green")
	for i, id := range ids {
		if (hits[id].ID != "") != (i >= 10) {
			t.Errorf("buoy %d: in the index %v", i, hits[id].ID != "")
		}
	}
	if w.cursor(scope) != w.head(scope).Sequence || w.marked() {
		t.Errorf("cursor %d of %d, marked %v", w.cursor(scope), w.head(scope).Sequence, w.marked())
	}
}

func TestT20TheMarkStaysWhileTheIndexIsBehind(t *testing.T) {
	w := newWorld(t)
	w.add(fact("The lighthouse is white."))
	if !w.marked() {
		t.Fatal("a commit left no mark")
	}
	late := ""
	w.index.hook = func(searchOp) { // written while the page is being indexed
		w.index.hook = nil
		late = w.add(fact("The harbour wall is granite."))
	}
	w.sync(scope)
	if !w.marked() || w.cursor(scope) != 1 {
		t.Fatalf("marked %v at cursor %d, the newest change is at 2", w.marked(), w.cursor(scope))
	}
	w.sync(scope)
	if w.marked() || w.hits("harbour")[late].ID == "" {
		t.Fatal("the second run did not finish")
	}
}

// A commit between the look at the head and the removal of the mark: the newer
// mark must stay.
func TestT20ANewerMarkIsNotRemoved(t *testing.T) {
	w := newWorld(t)
	w.add(fact("The lighthouse is white."))
	hooked := &hookedStore{Store: w.store}
	hooked.before = func(tx store.Tx) {
		if tx.Actions[0].Label == "mark" && tx.Actions[0].Verb == store.Delete {
			hooked.before = nil
			w.add(fact("The harbour wall is granite."))
		}
	}
	x := &work.Indexer{Store: hooked, Index: w.index, Cursors: w.cursors, Projectors: w.indexer.Projectors}
	if err := x.Sync(t.Context(), scope); err != nil {
		t.Fatal(err)
	}
	if hooked.before != nil || !w.marked() {
		t.Fatalf("hook used %v, marked %v", hooked.before == nil, w.marked())
	}
}

func TestR077RowsThatChangeNoRecallMoveTheCursorOnly(t *testing.T) {
	w := newWorld(t)
	id := w.add(fact("The lighthouse is white."))
	w.sync(scope)
	w.index.seen = nil
	w.update(id, "The lighthouse is white.") // the very text
	w.add(fact(hostile))
	w.sync(scope)
	if len(w.index.seen) != 0 || w.cursor(scope) != 3 {
		t.Fatalf("%d operations, cursor %d", len(w.index.seen), w.cursor(scope))
	}
}

// What Refresh writes lies after every row that was there and before every later
// one, whichever comes to the index first.
func TestT20LateAndDoubledOperationsLose(t *testing.T) {
	w := newWorld(t)
	id := w.add(fact("The ferry leaves at nine."))
	stale := &work.Indexer{Store: w.store, Index: memsearch.New(w.clock), Cursors: work.NewMemoryCursors(), Projectors: w.indexer.Projectors}
	recorded := &index{Index: stale.Index}
	stale.Index = recorded
	if err := stale.Sync(t.Context(), scope); err != nil {
		t.Fatal(err)
	}
	if err := stale.Refresh(t.Context(), scope, memory.Family, []string{id}); err != nil {
		t.Fatal(err)
	}
	w.update(id, "The ferry leaves at ten.")
	w.sync(scope)
	for _, err := range w.index.Apply(t.Context(), recorded.seen) { // the old ones come late
		if err != nil {
			t.Fatal(err)
		}
	}
	if hit := w.hits("ferry")[id]; hit.Version != 2 {
		t.Errorf("version %d after late operations", hit.Version)
	}
	w.delete(id, false)
	w.sync(scope)
	w.index.Apply(t.Context(), recorded.seen)
	if len(w.hits("ferry")) != 0 {
		t.Error("a late operation brought a deleted memory back")
	}
}

func TestT20AFamilyWithoutAProjectorIsAnErrorThatMovesNothing(t *testing.T) {
	w := newWorld(t)
	_, err := w.commit.Do(t.Context(), commit.Write{Scope: scope, Actor: ledger.Service(),
		Plan: func(context.Context, commit.Operation) (commit.Plan, error) {
			return commit.Plan{Entries: []ledger.Entry{{Op: ledger.Create, Family: "tide", ItemID: "x", Recall: true}}}, nil
		}})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.indexer.Sync(t.Context(), scope); err == nil || w.cursor(scope) != 0 || !w.marked() {
		t.Fatalf("%v, cursor %d, marked %v", err, w.cursor(scope), w.marked())
	}
}

// Whoever waits for another Sync of the scope waits no longer than its own time, and
// leaves the turn to the next.
func TestASyncThatWaitsForAnotherEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.add(fact("The ferry leaves at nine."))
		held := make(chan struct{})
		w.index.hook = func(search.Op) { <-held }
		first := make(chan error, 1)
		go func() { first <- w.indexer.Sync(t.Context(), scope) }()
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		begun := time.Now()
		if err := w.indexer.Sync(ctx, scope); !errors.Is(err, context.DeadlineExceeded) || time.Since(begun) != time.Second {
			t.Errorf("%v after %v", err, time.Since(begun))
		}
		close(held)
		if err := <-first; err != nil {
			t.Error(err)
		}
		if err := w.indexer.Sync(t.Context(), scope); err != nil {
			t.Error(err)
		}
	})
}
