package work_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/ids"
	"holdfast/internal/memory"
	"holdfast/internal/search"
	"holdfast/internal/search/memsearch"
	"holdfast/internal/store"
	"holdfast/internal/store/boltstore"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
	"holdfast/internal/work"
)

// harbour fills both workspaces with a memory of every kind.
func (w *world) harbour() {
	w.t.Helper()
	for i := range 40 {
		d := fact(fmt.Sprintf("Berth %d is kept for boat %d.", i, i*7%40), inRun(fmt.Sprint("run", i%4)))
		if i%5 == 0 {
			d.UserID = ptr("ida")
		}
		if i%3 == 0 {
			d.Tags = map[string]string{"quay": fmt.Sprint(i % 2)}
		}
		w.add(d)
	}
	gauge := w.add(fact("The tide gauge reads one.", ofAttribute("gauge")))
	w.update(gauge, "The tide gauge reads two.")
	w.add(fact("The tide gauge reads five.", ofAttribute("gauge")))
	shared := w.add(fact("Nobody dives at night.", inLayer("Tenant")))
	w.updateBy(admin, shared, "Nobody dives alone.")
	w.addTo(w.target(other, admin), fact("Divers carry a knife.", inLayer("Tenant")))
	w.addTo(w.target(other, admin), fact("The other workspace keeps its own berths."))
	w.add(fact("The plan of the quay.", pointing("s3://plans/quay")))
	w.add(fact(hostile))
	w.add(fact("Night watch: berth nine.", inLayer("Session"), inRun("night")))
	deleted, changed, held := w.add(fact("A berth that goes.")), w.add(fact("A berth that is red.")), w.add(fact("A berth that is held."))
	w.update(changed, "A berth that is green now.")
	w.update(changed, "A berth that is blue now.")
	w.update(held, hostile)
	w.delete(deleted, false)
	w.settings.DeferEmbedding = true
	w.add(fact("A berth without a vector."))
	w.settings.DeferEmbedding = false
}

func ptr[T any](v T) *T { return &v }

// answers are what a table of queries finds, with scores and statistics.
func (w *world) answers(x search.Index) []search.Answer {
	w.t.Helper()
	var out []search.Answer
	for _, text := range []string{"berth", "boat 14 berth", "tide gauge", "dives knife", "night watch", "red green held goes", "own berths", "plan instructions"} {
		vectors, err := w.model.Embedder.Embed(w.t.Context(), []string{text})
		if err != nil {
			w.t.Fatal(err)
		}
		for _, scopes := range [][]tenant.Scope{{scope, scope.Own()}, {other, other.Own()}, {scope.Past(), scope.Own().Past()}} {
			for _, f := range []search.Filter{{}, {Field: memory.FieldUser, Missing: true}, {Field: memory.FieldStatus, In: []string{"superseded"}},
				{Field: memory.FieldTag, In: []string{memory.TagTerm("quay", "1")}}, currentAt(start.Add(70 * time.Second))} {
				a, err := x.Search(w.t.Context(), search.Query{Scopes: scopes, Filter: f, Text: text, Lexical: 30,
					Vector: vectors[0], Profile: w.profile(), Semantic: 30})
				if err != nil {
					w.t.Fatal(err)
				}
				out = append(out, a)
			}
		}
	}
	return out
}

func (w *world) rebuild(x search.Index, cursors work.Cursors) int {
	w.t.Helper()
	n, err := work.Rebuild{Scanner: w.store.(store.Scanner), Index: x, Cursors: cursors, Profile: w.profile(), Workers: 2}.Run(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	return n
}

// sameAsIncremental holds an index that was rebuilt against the one that followed
// the log.
func sameAsIncremental(w *world) {
	w.t.Helper()
	w.sync(scope)
	w.sync(other)
	fresh, cursors := memsearch.New(w.clock), work.NewMemoryCursors()
	n := w.rebuild(fresh, cursors)
	total := 0
	for _, s := range []tenant.Scope{scope, other, scope.Own(), scope.Past(), other.Past(), scope.Own().Past()} {
		want, err := w.index.Count(w.t.Context(), s)
		got, err2 := fresh.Count(w.t.Context(), s)
		if err != nil || err2 != nil || got != want {
			w.t.Errorf("%d documents in %v, want %d (%v, %v)", got, s, want, err, err2)
		}
		total += got
		if at, err := cursors.Cursor(w.t.Context(), s); err != nil || at != w.head(s).Sequence {
			w.t.Errorf("cursor %d of %v, want %d", at, s, w.head(s).Sequence)
		}
	}
	if n != total || n < 40 {
		w.t.Errorf("told %d documents, there are %d", n, total)
	}
	want, got := w.answers(w.index), w.answers(fresh)
	for i := range want {
		if !reflect.DeepEqual(got[i], want[i]) {
			w.t.Errorf("query %d: %+v, want %+v", i, got[i], want[i])
		}
	}
}

func TestT40ARebuiltIndexAnswersLikeOneThatFollowedTheLog(t *testing.T) {
	w := newWorld(t)
	w.harbour()
	sameAsIncremental(w)
	w.runJobs() // erasures and late vectors change what both know
	sameAsIncremental(w)
}

func TestT40TheEmbeddedStoreIsWalkedInTheOrderThatARebuildNeeds(t *testing.T) {
	s, err := boltstore.Open(boltstore.Options{Path: t.TempDir(), NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	err = filled(t).Scan(t.Context(), func(item store.Item) error {
		return s.Commit(t.Context(), store.Tx{Actions: []store.Action{store.PutItem("", item, nil)}})
	})
	if err != nil {
		t.Fatal(err)
	}
	c := clock.NewFixed(start)
	w := worldOver(t, s, c, &index{Index: memsearch.New(c)}, work.NewMemoryCursors())
	w.harbour()
	sameAsIncremental(w)
}

func TestT40MoreMemoriesThanABatchAreAllRebuilt(t *testing.T) {
	w := newWorld(t)
	for i := range 1100 {
		w.add(fact(fmt.Sprintf("Buoy %d.", i)))
	}
	if n := w.rebuild(memsearch.New(w.clock), work.NewMemoryCursors()); n != 1100 {
		t.Errorf("%d documents", n)
	}
}

// What happened before the rebuild must not undo it, what comes after must not
// be lost.
func TestT40TheLogGoesOnWhereTheRebuildEnded(t *testing.T) {
	w := newWorld(t)
	id := w.add(fact("The ferry leaves at nine."))
	w.sync(scope)
	w.update(id, "The ferry leaves at ten.")
	early := w.index.seen
	fresh := &index{Index: memsearch.New(w.clock)}
	w.cursors = work.NewMemoryCursors()
	w.rebuild(fresh, w.cursors)
	for _, err := range fresh.Apply(t.Context(), early) {
		if err != nil {
			t.Fatal(err)
		}
	}
	w.index, w.indexer.Index, w.indexer.Cursors = fresh, fresh, w.cursors
	if hit := w.hits("ferry")[id]; hit.Version != 2 {
		t.Errorf("an operation from before the rebuild left version %d", hit.Version)
	}
	w.update(id, "The ferry leaves at noon.")
	gone := w.add(fact("The pier has a clock."))
	w.sync(scope)
	w.delete(gone, false)
	w.runJobs()
	if hits := w.hits("ferry pier"); hits[id].Version != 3 || hits[gone].ID != "" {
		t.Errorf("hits %+v", hits)
	}
}

// Vectors of another text, another profile or another memory are nobody's.
func TestVectorsOfAnotherTextOrProfileAreNotIndexed(t *testing.T) {
	w := deferring(newWorld(t))
	stray := ids.NewSource(w.clock.Now, nil).New()
	id := w.add(fact("The lighthouse is white."))
	values := make([]float32, 64)
	values[0] = 1
	for _, row := range []store.Item{
		memory.VectorItem(scope, stray, w.profile(), memory.Vector{Version: 1, Values: values}), // the row before it
		memory.VectorItem(scope, id, "another-64-v1", memory.Vector{Version: 1, Values: values}),
		memory.VectorItem(scope, id, w.profile(), memory.Vector{Version: 7, Values: values}),
	} {
		w.put(row)
		fresh := &index{Index: memsearch.New(w.clock)}
		w.rebuild(fresh, work.NewMemoryCursors())
		follows := worldOver(t, w.store, w.clock, &index{Index: memsearch.New(w.clock)}, work.NewMemoryCursors())
		follows.sync(scope)
		for _, x := range []*index{fresh, follows.index} {
			w.index = x
			if hit := w.hits("lighthouse")[id]; hit.ID == "" || hit.HasVec {
				t.Errorf("beside %v: %+v", row.Key, hit)
			}
		}
	}
}

func TestARebuildThatFailsSaysSo(t *testing.T) {
	w := newWorld(t)
	w.harbour()
	run := func(ctx context.Context, x search.Index) error {
		r := work.Rebuild{Scanner: w.store.(store.Scanner), Index: x, Cursors: work.NewMemoryCursors(), Profile: w.profile()}
		_, err := r.Run(ctx)
		return err
	}
	if err := run(t.Context(), &index{Index: memsearch.New(w.clock), apply: errAway}); !errors.Is(err, errAway) {
		t.Errorf("an index that is away: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := run(ended, memsearch.New(w.clock)); !errors.Is(err, context.Canceled) {
		t.Errorf("an ended context: %v", err)
	}
	id := w.add(fact("A berth with a damaged row."))
	item, _ := w.get(keys.Memory(scope, id))
	item.Attrs["d"] = store.B([]byte("{"))
	w.put(item)
	if err := run(t.Context(), memsearch.New(w.clock)); err == nil {
		t.Error("a damaged row was passed over")
	}
}
