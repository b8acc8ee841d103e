package memory

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/errs"
	"holdfast/internal/ids"
	"holdfast/internal/run"
	"holdfast/internal/store"
	"holdfast/internal/store/boltstore"
	"holdfast/internal/store/keys"
)

// runRow is a run's row.
func (w *world) runRow(runID string) run.Run {
	w.t.Helper()
	hash, err := w.RunHash(context.Background(), w.scope, runID)
	if err != nil {
		w.t.Fatal(err)
	}
	r, found, err := run.Read(context.Background(), w.Store, w.scope, hash)
	if err != nil || !found {
		w.t.Fatalf("run %v, %v", found, err)
	}
	return r
}

// move changes a run's row as a consolidation does.
func (w *world) move(runID string, change func(*run.Run)) {
	w.t.Helper()
	r := w.runRow(runID)
	change(&r)
	w.commit(r.Put("run"))
}

func (w *world) commit(actions ...store.Action) {
	w.t.Helper()
	if err := w.Store.Commit(context.Background(), store.Tx{Actions: actions}); err != nil {
		w.t.Fatal(err)
	}
}

// cleared seals and clears the open stretch.
func (w *world) cleared(runID string) {
	w.t.Helper()
	w.move(runID, func(r *run.Run) { r.Cleared, r.Open = r.Open, r.Open+1 })
}

func TestR047AnAppendOpensARunAndArmsIt(t *testing.T) {
	w := newWorld(t)
	w.add("The team has five members.", func(d *Draft) { d.RunID = ptr("run-1") })
	r := w.runRow("run-1")
	if r.Open != 1 || r.Armed || !r.Due.IsZero() || !ids.Valid(r.ID) {
		t.Errorf("%+v", r)
	}
	id := w.add("The tower gets a clock.", inRun("run-1"))
	armed := w.runRow("run-1")
	if !armed.Armed || !armed.Due.Equal(utc(w.clock.Now()).Add(1800*time.Second)) || armed.ID != r.ID {
		t.Errorf("%+v", armed)
	}
	if m := w.head(id); m.Stretch != 1 || m.RunHash != r.Hash {
		t.Errorf("%+v", m)
	}
	w.add("The bell is bronze.", inRun("run-1"))
	if again := w.runRow("run-1"); again.Revision != armed.Revision {
		t.Error("an append wrote the row of a run that is armed")
	}
	w.sound()
}

func TestR049WhatIsClearedIsGoneForEveryReader(t *testing.T) {
	w := newWorld(t)
	id := w.add("The tower gets a clock.", inRun("run-1"))
	held := w.add(hostile, inRun("run-1"))
	apart, kept := w.add("The bell is bronze.", inRun("run-2")), w.add("The wall is old.")
	w.cleared("run-1")
	ctx := context.Background()
	_, updated := w.update(agent, id, "The tower is tall.")
	for name, err := range map[string]error{
		"get":      second(w.Get(ctx, w.as(agent), id, Subject{})),
		"versions": second(w.Versions(ctx, w.as(agent), id, Subject{})),
		"update":   updated,
		"delete":   w.delete(agent, id),
	} {
		if !errs.Is(err, errs.NotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
	found, err := Load(ctx, w.Store, w.scope, []string{id, held, apart, kept})
	if err != nil || found[0] != nil || found[1] == nil || found[2] == nil || found[3] == nil {
		t.Errorf("%v, %v", found, err)
	}
	page, err := w.List(ctx, w.as(reviewer), Filter{}, 10, "")
	if err != nil || len(page.Entries) != 3 {
		t.Errorf("%d entries, %v", len(page.Entries), err)
	}
	if again := w.add("The tower gets a clock.", inRun("run-1")); again == id || w.head(again).Stretch != 2 {
		t.Errorf("merged into what is gone: %+v", w.head(again))
	}
	e, err := w.Erasure(ctx, w.as(agent), id, Subject{})
	if err != nil || e.Status != ErasurePending {
		t.Errorf("%+v, %v", e, err)
	}
	_, err = w.Erasure(ctx, w.as(other), held, Subject{})
	wantCode(t, err, "NOT_FOUND")
	if err := w.ForgetCleared(ctx, w.scope, []string{id, held, apart, kept, memoryID}); err != nil {
		t.Fatal(err)
	}
	if !w.head(id).IsDeleted() || w.head(held).Status != Quarantined || w.head(apart).IsDeleted() || w.head(kept).IsDeleted() {
		t.Error("the sweep took the wrong ones")
	}
	w.sound()
}

func second[T any](_ T, err error) error { return err }

func TestAttributesOfAnEarlierStretchAreNotSuperseded(t *testing.T) {
	w := newWorld(t)
	id := w.add("The code is one.", inRun("run-1"), ofAttribute("code"))
	w.move("run-1", func(r *run.Run) { r.Open++ }) // sealed, not cleared
	next := w.add("The code is two.", inRun("run-1"), ofAttribute("code"))
	if m := w.head(id); m.Status != Active || m.Version != 1 {
		t.Errorf("%+v", m)
	}
	if m := w.head(next); m.Status != Active || m.Stretch != 2 {
		t.Errorf("%+v", m)
	}
}

func TestR051AReleasedEntryStandsInTheOpenStretch(t *testing.T) {
	w := newWorld(t)
	held := w.add(hostile, inRun("run-1"))
	w.cleared("run-1")
	w.move("run-1", func(r *run.Run) { r.Due, r.Armed = time.Time{}, false })
	if _, err := w.review(reviewer, held, Release); err != nil {
		t.Fatal(err)
	}
	if m, r := w.head(held), w.runRow("run-1"); m.Status != Active || m.Stretch != 2 || !r.Armed {
		t.Errorf("%+v, %+v", m, r)
	}
	for stretch, want := range map[int64][]string{1: nil, 2: {held}} {
		got, err := w.StretchIDs(context.Background(), w.scope, StretchWalk{Hash: w.head(held).RunHash, Stretch: stretch, Limit: 10})
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("stretch %d: %v, %v", stretch, got, err)
		}
	}
	w.sound()
}

func TestEditsOfSessionEntriesAreCounted(t *testing.T) {
	w := newWorld(t)
	id := w.add("The tower gets a clock.", inRun("run-1"))
	held, bad := w.add(hostile, inRun("run-1")), w.add(hostile+" Now.", inRun("run-1"))
	count := func(want int64) {
		t.Helper()
		n, err := run.Edits(context.Background(), w.Store, w.scope, w.runRow("run-1").Hash)
		if err != nil || n != want {
			t.Errorf("%d edits, want %d, %v", n, want, err)
		}
	}
	count(0)
	steps := []func() error{
		func() error { return second(w.update(agent, id, "The tower is tall.")) },
		func() error { return second(w.review(reviewer, held, Release)) },
		func() error { return second(w.review(reviewer, bad, Reject)) },
		func() error { return w.delete(agent, id) },
		func() error { return second(w.Forget(context.Background(), w.scope, held, false)) },
	}
	for n, step := range steps {
		if err := step(); err != nil {
			t.Fatal(err)
		}
		count(int64(n + 1))
	}
	w.add("The bell is bronze.")
	if err := w.delete(agent, w.add("The bell rings.")); err != nil {
		t.Fatal(err)
	}
	count(int64(len(steps)))
}

// An append that is planned before a stretch is sealed is planned anew after it: it
// never lands in a sealed stretch.
func TestNothingLandsInASealedStretch(t *testing.T) {
	w := newWorld(t)
	w.add("The tower gets a clock.", inRun("run-1"))
	s := &meddling{Store: w.Store}
	o := worldOver(t, s)
	o.clock = w.clock
	for _, text := range []string{"The bell is bronze.", "the TOWER gets a clock."} { // a new entry and a merge
		before := w.runRow("run-1").Open
		s.before = func() { w.move("run-1", func(r *run.Run) { r.Open++ }) }
		a, err := o.Append(context.Background(), o.as(agent), fact(text, inRun("run-1")))
		if err != nil {
			t.Fatal(err)
		}
		if m := w.head(a.ID); m.Stretch != before+1 || a.Merged {
			t.Errorf("%q: %+v", text, m)
		}
	}
}

// meddling calls once before a commit.
type meddling struct {
	store.Store
	before func()
}

func (m *meddling) Commit(ctx context.Context, tx store.Tx) error {
	if before := m.before; before != nil {
		m.before = nil
		before()
	}
	return m.Store.Commit(ctx, tx)
}

func TestStretchIDsWalkBothWays(t *testing.T) {
	w := newWorld(t)
	var want []string
	for n := range 7 {
		want = append(want, w.add(fmt.Sprintf("Lamp %d is lit.", n), inRun("run-1")))
		w.add(fmt.Sprintf("Shed %d is locked.", n), func(d *Draft) { d.RunID = ptr("run-1") }) // of the run, not of a stretch
	}
	for _, back := range []bool{false, true} {
		var got []string
		walk := StretchWalk{Hash: w.runRow("run-1").Hash, Stretch: 1, Back: back, Limit: 3}
		for {
			ids, err := w.StretchIDs(context.Background(), w.scope, walk)
			if err != nil {
				t.Fatal(err)
			}
			if got = append(got, ids...); len(ids) < walk.Limit {
				break
			}
			walk.Beyond = ids[len(ids)-1]
		}
		if back {
			slices.Reverse(got)
		}
		if !slices.Equal(got, want) {
			t.Errorf("back=%v: %v, want %v", back, got, want)
		}
	}
}

func TestT17AFaultedSessionAppendHasOneEffect(t *testing.T) {
	swept(t, func(w *world) { w.add("The tower gets a clock.", inRun("run-2")) },
		func(w *world) error {
			_, err := w.Append(context.Background(), w.keyed(agent, "k", ""), fact("The bell is bronze.", inRun("run-1")))
			return err
		},
		func(w *world) {
			if r := w.runRow("run-1"); r.Revision != 1 || !r.Armed || total(w) != 2 {
				w.t.Errorf("%+v", r)
			}
		})
}

func TestT17AFaultedSweepHasOneEffect(t *testing.T) {
	var list []string
	swept(t, func(w *world) {
		list = []string{w.add("The bell is bronze.", inRun("run-1")), w.add("The bell rings.", inRun("run-1"))}
		w.cleared("run-1")
	},
		func(w *world) error { return w.ForgetCleared(context.Background(), w.scope, list) },
		func(w *world) {
			for _, id := range list {
				if !w.head(id).IsDeleted() {
					w.t.Errorf("%s is there", id)
				}
			}
			if n := total(w); n != 4 {
				w.t.Errorf("%d log rows", n)
			}
		})
}

// BenchmarkAppendsOfOneRun is what the row of a run costs the appends that stand on
// it: many callers, one workspace, on disk.
func BenchmarkAppendsOfOneRun(b *testing.B) {
	for _, layer := range []string{"none", "workspace", "session"} {
		b.Run(layer, func(b *testing.B) {
			s, err := boltstore.Open(boltstore.Options{Path: b.TempDir()})
			if err != nil {
				b.Fatal(err)
			}
			for _, item := range newWorld(b).items() {
				if item.Key == keys.Secret(scope) {
					if err := s.Commit(context.Background(), store.Tx{Actions: []store.Action{store.PutItem("secret", item, nil)}}); err != nil {
						b.Fatal(err)
					}
				}
			}
			w := worldOver(b, s)
			w.clock = clock.NewFixed(start)
			var n atomic.Int64
			b.SetParallelism(50)
			b.ResetTimer()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					d := fact("The harbour office moved crate " + strconv.FormatInt(n.Add(1), 10) + " to the north quay.")
					if layer != "none" {
						d.RunID = ptr("run-1")
					}
					if layer == "session" {
						d.Layer = "Session"
					}
					if _, err := w.Append(context.Background(), w.as(agent), d); err != nil {
						b.Error(err)
					}
				}
			})
			b.StopTimer()
			if err := s.Close(); err != nil {
				b.Fatal(err)
			}
		})
	}
}

// countingCommits counts the transactions.
type countingCommits struct {
	store.Store
	n int
}

func (c *countingCommits) Commit(ctx context.Context, tx store.Tx) error {
	c.n++
	return c.Store.Commit(ctx, tx)
}

// The appends of one run go together as those without a run do, from the first on.
func TestAppendsOfOneRunShareTransactions(t *testing.T) {
	commits := map[bool]int{}
	for _, session := range []bool{false, true} {
		c := &countingCommits{Store: filled(t)}
		w := worldOver(t, c)
		var items []Item
		for n := range MaxItems {
			d := fact(fmt.Sprintf("Lamp number %d is lit.", n))
			if session {
				d = fact(d.Content, inRun("run-1"))
			}
			items = append(items, Item{Target: w.as(agent), Draft: d})
		}
		_, faults := w.AppendMany(context.Background(), items)
		if err := errors.Join(faults...); err != nil {
			t.Fatal(err)
		}
		commits[session] = c.n
	}
	// Each entry has a row more, in its run; the first is alone, for it makes the run.
	if commits[true] > commits[false]*8/7+2 {
		t.Errorf("%d transactions without a run, %d with one", commits[false], commits[true])
	}
}
