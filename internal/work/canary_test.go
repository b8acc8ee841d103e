package work_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/erase"
	"holdfast/internal/erasure"
	"holdfast/internal/errs"
	"holdfast/internal/ledger"
	"holdfast/internal/memory"
	"holdfast/internal/obs"
	"holdfast/internal/outbox"
	"holdfast/internal/search"
	"holdfast/internal/search/memsearch"
	"holdfast/internal/store"
	"holdfast/internal/store/faultstore"
	"holdfast/internal/store/keys"
	"holdfast/internal/store/memstore"
	"holdfast/internal/tenant"
	"holdfast/internal/work"
)

// waits are the looks that an erased item waits for; none: its canary is gone.
func (w *world) waits(id string) []erase.Look {
	w.t.Helper()
	item, found := w.get(keys.Canary(scope, id))
	if !found {
		return nil
	}
	out := []erase.Look{}
	for _, look := range []erase.Look{erase.Consolidation, erase.Reindex} {
		if erase.Waits(item, look) {
			out = append(out, look)
		}
	}
	return out
}

// erasedVictim is a victim whose erasure is complete.
func (w *world) erasedVictim() string {
	w.t.Helper()
	id := w.victim()
	w.sync(scope)
	w.delete(id, false)
	w.runJobs()
	w.erased(tableOf(w.store), id)
	return id
}

// ends consolidates a run of one entry, and runs what comes of it.
func (w *world) ends(run string) {
	w.t.Helper()
	w.add(fact("The crane is out of use.", inLayer("Session"), inRun(run)))
	if _, err := w.consolidator().Consolidate(w.t.Context(), w.target(scope, agent), askOf(run)); err != nil {
		w.t.Fatal(err)
	}
	w.runJobs()
}

// reindexed makes the index anew.
func (w *world) reindexed() *world {
	w.t.Helper()
	x := &index{Index: memsearch.New(w.clock)}
	out := worldOver(w.t, w.store, w.clock, x, work.NewMemoryCursors())
	r := work.Rebuild{Scanner: tableOf(w.store), Index: x, Cursors: out.cursors, Profile: w.profile(), Workers: 1, Erased: out.looks().Reindexed}
	if _, err := r.Run(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
	return out
}

func TestT26AnErasedItemIsLookedForAfterAConsolidationAndAReindex(t *testing.T) {
	for _, reindexFirst := range []bool{false, true} {
		w := newWorld(t)
		id := w.erasedVictim()
		if got := w.waits(id); len(got) != 2 {
			t.Fatalf("waits for %v", got)
		}
		want := []erase.Look{erase.Reindex}
		if reindexFirst {
			w, want = w.reindexed(), []erase.Look{erase.Consolidation}
			w.runJobs()
		} else {
			w.ends("r1")
		}
		if got := w.waits(id); !slices.Equal(got, want) {
			t.Errorf("waits for %v, want %v", got, want)
		}
		if reindexFirst {
			w.ends("r1")
		} else {
			w = w.reindexed()
			w.runJobs()
		}
		if got := w.waits(id); got != nil {
			t.Errorf("waits for %v at the end", got)
		}
		if len(w.measured) > 0 || w.logged.Len() > 0 {
			t.Errorf("an alarm: %v %s", w.measured, w.logged)
		}
		w.erased(tableOf(w.store), id)
	}
}

func TestT26WhatIsErasedAfterwardsWaitsForTheNextOne(t *testing.T) {
	w := newWorld(t)
	w.erasedVictim()
	actions, err := w.looks().After(t.Context(), scope, erase.Consolidation)
	if err != nil || len(actions) != 1 {
		t.Fatal(actions, err)
	}
	w.clock.Advance(time.Second)
	late := w.add(fact("The later one."))
	w.delete(late, false)
	w.runJobs()
	if err := w.store.Commit(t.Context(), store.Tx{Actions: actions}); err != nil {
		t.Fatal(err)
	}
	w.runJobs()
	if got := w.waits(late); len(got) != 2 {
		t.Errorf("waits for %v", got)
	}
}

func TestT26NobodyLooksWhereNothingWaits(t *testing.T) {
	w := newWorld(t)
	w.ends("r1") // the entries that it clears are erased, and wait for the next one
	w = w.reindexed()
	if n := len(w.jobs()); n != 1 {
		t.Errorf("%d jobs", n)
	}
	w.runJobs()
	w = w.reindexed()
	if n := len(w.jobs()); n != 0 {
		t.Errorf("%d jobs where nothing waits", n)
	}
}

// leftovers are what may come back of an erased victim, each with what is found.
func leftovers(w *world, id string) map[string]func() {
	doc := func(at tenant.Scope, id string) func() {
		return func() {
			op := search.Op{Document: search.Document{Scope: at, ID: id, Item: id, Sequence: 2 * w.head(scope).Sequence, Text: canary}}
			if err := w.index.Index.Apply(w.t.Context(), []search.Op{op})[0]; err != nil {
				w.t.Fatal(err)
			}
		}
	}
	row := func(key store.Key) func() {
		return func() {
			w.put(store.Item{Key: key, Attrs: store.Attrs{"d": store.B([]byte(`{"text":"` + canary + `"}`))}})
		}
	}
	lookUp := func(tag string, attrs store.Attrs) func() {
		return func() {
			for _, key := range w.lookUps(id) {
				if key.SK == tag {
					w.put(store.Item{Key: key, Attrs: attrs})
					return
				}
			}
			w.t.Fatalf("no row %s in %v", tag, w.lookUps(id))
		}
	}
	hash := func() string {
		h, err := w.memories.RunHash(w.t.Context(), scope, "run-"+canary)
		if err != nil {
			w.t.Fatal(err)
		}
		return h
	}()
	return map[string]func(){
		"index 1":       doc(scope, id),
		"versions 1":    row(keys.MemoryVersion(scope, id, 2)),
		"vectors 1":     row(keys.MemoryVector(scope, id, "p")),
		"edges 1":       row(keys.Derived(scope, id, "0192f0c1-0000-7000-8000-0000000000ff")),
		"suggestions 1": row(keys.Suggested(scope, id, hash, 1, "0192f0c1-0000-7000-8000-0000000000ff")),
		"rows 1":        lookUp("DUP", store.Attrs{"e": store.S("other=1 " + id + "=2")}),
		"rows 1 ":       lookUp("AT", store.Attrs{"id": store.S(id)}),
		"rows 1  ":      row(keys.RunEntry(scope, hash, id)),
	}
}

// lookUps are the rows that an erased memory stood in, as its canary has them.
func (w *world) lookUps(id string) []store.Key {
	w.t.Helper()
	item, found := w.get(keys.Canary(scope, id))
	if !found {
		w.t.Fatal("no canary")
	}
	return erasure.DecodeKeys(item.Attrs["rows"])
}

func TestT26WhatComesBackIsAnAlarmAndIsErasedAgain(t *testing.T) {
	for what := range leftovers(newWorld(t), "") {
		t.Run(what, func(t *testing.T) {
			w := newWorld(t)
			id := w.erasedVictim()
			before, steps := w.erasure(id), w.steps(id)
			comesBack(w, id, what)
			w.ends("r1")
			line := w.logged.String()
			if len(w.measured) != 1 || w.measured[0].Name != obs.CanaryHits || w.measured[0].Value != 1 {
				t.Errorf("measured %+v", w.measured)
			}
			for _, part := range []string{`"level":"ERROR"`, id, spaceID, strings.TrimSpace(what), "consolidation"} {
				if !strings.Contains(line, part) {
					t.Errorf("the alarm does not say %q: %s", part, line)
				}
			}
			if strings.Contains(line, canary) {
				t.Errorf("the alarm tells: %s", line)
			}
			if got := w.erasure(id); got.Status != before.Status || !got.ErasedAt.Equal(*before.ErasedAt) || got.Attempts != before.Attempts {
				t.Errorf("a complete record changed: %+v, then %+v", before, got)
			}
			if got := w.waits(id); len(got) != 2 {
				t.Errorf("the canary begins anew, and waits for %v", got)
			}
			if again := w.steps(id); slices.Equal(again, steps) {
				t.Errorf("the steps count nothing: %q", again)
			}
			w.erased(tableOf(w.store), id)
			w.ends("r2")
			if got := w.waits(id); len(got) != 1 || len(w.measured) != 1 {
				t.Errorf("waits for %v, measured %v", got, w.measured)
			}
		})
	}
}

func comesBack(w *world, id, what string) {
	w.t.Helper()
	back, known := leftovers(w, id)[what]
	if !known {
		w.t.Fatalf("no leftover %q", what)
	}
	back()
}

// A restored row that is a memory again is found, and made a tombstone again.
func TestT26AMemoryThatIsThereAgainIsBuriedAgain(t *testing.T) {
	w := newWorld(t)
	id := w.victim()
	head, _ := w.get(keys.Memory(scope, id))
	w.sync(scope)
	w.delete(id, false)
	w.runJobs()
	before := w.erasure(id)
	w.put(head)
	w = w.reindexed()
	if w.documents(canary) == 0 {
		t.Fatal("the index does not know it")
	}
	w.runJobs()
	w.sync(scope)
	w.nowhere("after it was buried again")
	if got := w.erasure(id); got.Status != memory.ErasureComplete || !got.ErasedAt.Equal(*before.ErasedAt) || len(w.measured) != 1 {
		t.Errorf("%+v, measured %v", got, w.measured)
	}
	if got := w.steps(id); !slices.Contains(got, "canary 1") || w.times(ledger.Erase, id) != 1 {
		t.Errorf("steps %q, %d receipts", got, w.times(ledger.Erase, id))
	}
	w.unindexed(id)
	w.verified()
}

// What cannot be erased again is a dead job, which can be driven again; the record stays.
func TestT26AReopenedErasureThatDiesIsDrivenAgain(t *testing.T) {
	w := newWorld(t)
	id := w.erasedVictim()
	w.index.kept = searchDocument{Scope: scope, ID: id}
	w = w.keeping(w.index.kept)
	w.runJobs()
	job := w.job()
	if job.State != outbox.Dead || w.erasure(id).Status != memory.ErasureComplete {
		t.Fatalf("%+v, %+v", job, w.erasure(id))
	}
	if _, err := w.memories.Delete(t.Context(), w.target(scope, admin), memory.Removal{ID: id, Subject: memory.Subject{UserID: "ida"}}); !errs.Is(err, errs.NotFound) {
		t.Errorf("deleted again: %v", err)
	}
	w.index.kept = searchDocument{}
	w.redrive(job)
	w.runJobs()
	if got := w.waits(id); len(w.jobs()) != 0 || len(got) != 2 || len(w.measured) != 1 {
		t.Errorf("jobs %v, waits for %v, measured %v", w.jobs(), got, w.measured)
	}
}

// keeping is the world with an index made anew that keeps a document.
func (w *world) keeping(doc searchDocument) *world {
	w.t.Helper()
	out := w.reindexed()
	out.index.kept = doc
	return out
}

func TestT26ACanaryGoesAfterThirtyDays(t *testing.T) {
	w := newWorld(t)
	id := w.erasedVictim()
	item, _ := w.get(keys.Canary(scope, id))
	if got := item.Expires.Sub(*w.erasure(id).ErasedAt); got < 30*24*time.Hour-time.Second || got > 30*24*time.Hour {
		t.Errorf("kept for %v", got)
	}
	w.clock.Advance(31 * 24 * time.Hour)
	w = w.reindexed()
	w.runJobs()
	if got := w.waits(id); got != nil {
		t.Errorf("waits for %v", got)
	}
}

// R0.46: a complete record keeps no look-up keys, and a canary no text.
func TestR046ACanaryHoldsIdsAndKeysOnly(t *testing.T) {
	w := newWorld(t)
	id := w.victim()
	w.delete(id, false)
	if len(w.erasure(id).Rows) == 0 {
		t.Error("the look-up rows are forgotten while the erasure is on its way")
	}
	w.runJobs()
	if e := w.erasure(id); len(e.Rows) != 0 || len(w.lookUps(id)) != 2 {
		t.Errorf("%+v, canary %v", e, w.lookUps(id))
	}
	w.ends("r1")
	w = w.reindexed()
	w.runJobs()
	if _, found := w.get(keys.Canary(scope, id)); found {
		t.Error("the canary is kept")
	}
}

// sweptLook runs a look with a fault at every store call of its first try.
func sweptLook(t *testing.T, prepare func(w *world) string, check func(w *world, id string)) {
	t.Helper()
	var table *memstore.Store
	var c *clock.Fixed
	var x *index
	var id string
	faultstore.Sweep(t, func(t testing.TB) store.Store {
		table, c = filled(t), clock.NewFixed(start)
		x = &index{Index: memsearch.New(c)}
		w := worldOver(t, table, c, x, work.NewMemoryCursors())
		id = prepare(w)
		if err := w.looks().Reindexed(t.Context(), scope); err != nil {
			t.Fatal(err)
		}
		return table
	}, func(t *testing.T, s *faultstore.Store) {
		broken := worldOver(t, s, c, x, work.NewMemoryCursors())
		for _, job := range worldOver(t, table, c, x, broken.cursors).jobs() {
			_ = broken.eraser().Run(t.Context(), scope, job.ID) // the fault: what it leaves counts
		}
		c.Advance(time.Second)
		for _, job := range worldOver(t, table, c, x, broken.cursors).jobs() {
			_ = broken.eraser().Run(t.Context(), scope, job.ID) // what the first try left
		}
		s.Disarm()
		w := worldOver(t, table, c, x, work.NewMemoryCursors()) // the next process
		w.runJobs()
		if left := w.jobs(); len(left) > 0 {
			t.Fatalf("jobs left: %+v", left)
		}
		w.measured = append(w.measured, broken.measured...)
		check(w, id)
	})
}

func TestT26AFaultAtEveryStoreCallOfALook(t *testing.T) {
	sweptLook(t, func(w *world) string { return w.erasedVictim() }, func(w *world, id string) {
		if got := w.waits(id); !slices.Equal(got, []erase.Look{erase.Consolidation}) || len(w.measured) > 0 {
			w.t.Errorf("waits for %v, measured %v", got, w.measured)
		}
	})
}

func TestT26AFaultAtEveryStoreCallOfAReopenedErasure(t *testing.T) {
	t.Parallel()
	for _, what := range []string{"versions 1", "rows 1", "index 1"} {
		sweptLook(t, func(w *world) string {
			id := w.erasedVictim()
			comesBack(w, id, what)
			return id
		}, func(w *world, id string) {
			if got := w.waits(id); len(got) != 2 || len(w.measured) == 0 {
				w.t.Errorf("waits for %v, measured %v", got, w.measured)
			}
			w.erased(tableOf(w.store), id)
		})
	}
}

// looksFor looks for so many more of a canary and answers in how many tries, 9 at most.
func (w *world) looksFor(canary store.Item, more int, eraser *erase.Eraser) (tries int) {
	w.t.Helper()
	for range more {
		canary.Key = keys.Canary(scope, w.ids.New())
		w.put(canary)
	}
	if err := w.looks().Reindexed(w.t.Context(), scope); err != nil {
		w.t.Fatal(err)
	}
	for ; len(w.jobs()) > 0 && tries < 9; tries++ {
		w.clock.Advance(time.Minute)
		if err := eraser.Run(w.t.Context(), scope, w.job().ID); err != nil {
			w.t.Fatal(err)
		}
	}
	return tries
}

// Many erased items are looked for in several tries.
func TestT26ManyCanariesAreLookedAtInBatches(t *testing.T) {
	w := newWorld(t)
	id := w.erasedVictim()
	item, _ := w.get(keys.Canary(scope, id))
	tries := w.looksFor(item, 1200, w.eraser())
	if got := w.waits(id); tries != 3 || !slices.Equal(got, []erase.Look{erase.Consolidation}) {
		t.Errorf("%d tries, waits for %v", tries, got)
	}
}
