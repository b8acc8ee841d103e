package work_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/erase"
	"holdfast/internal/erasure"
	facts "holdfast/internal/fact"
	"holdfast/internal/ledger"
	"holdfast/internal/obs"
	"holdfast/internal/outbox"
	"holdfast/internal/search/memsearch"
	"holdfast/internal/search/words/memwords"
	"holdfast/internal/store"
	"holdfast/internal/store/faultstore"
	"holdfast/internal/store/keys"
	"holdfast/internal/store/memstore"
	"holdfast/internal/work"
)

// gone is an erasure of facts that is complete, and what there was before it.
type gone struct {
	*desk
	use  string
	item string
	rows map[store.Key]store.Item
	docs map[string]facts.Document
}

// erasedFacts deletes facts in one way or another, and erases them.
func erasedFacts(d *desk, use string) *gone {
	d.t.Helper()
	g := &gone{desk: d, use: use}
	g.item = d.beginAfter(use, func() { g.rows, g.docs = d.table(), maps.Clone(d.words.docs) })
	d.runAll()
	d.complete(g.item)
	if got := d.waits(g.item); len(got) != 2 {
		d.t.Fatalf("waits for %v", got)
	}
	return g
}

// table are all rows.
func (w *world) table() map[store.Key]store.Item {
	w.t.Helper()
	out := map[store.Key]store.Item{}
	err := tableOf(w.store).Scan(w.t.Context(), func(item store.Item) error { out[item.Key] = item; return nil })
	if err != nil {
		w.t.Fatal(err)
	}
	return out
}

// look looks for what was erased, and does what comes of it.
func (d *desk) look(look erase.Look) {
	d.t.Helper()
	actions, err := d.looks().After(d.t.Context(), scope, look)
	if err == nil && len(actions) > 0 {
		err = d.store.Commit(d.t.Context(), store.Tx{Actions: actions})
	}
	if err != nil {
		d.t.Fatal(err)
	}
	d.runAll()
}

var factUses = []string{"fact", "user", "experiment"}

func TestT26ErasedFactsAreLookedForAfterAConsolidationAndAReindex(t *testing.T) {
	for _, use := range factUses {
		g := erasedFacts(deskOver(newWorld(t)), use)
		steps := g.steps(g.item)
		g.look(erase.Consolidation)
		if got := g.waits(g.item); !slices.Equal(got, []erase.Look{erase.Reindex}) {
			t.Errorf("%s waits for %v", use, got)
		}
		g.look(erase.Reindex)
		if got := g.waits(g.item); got != nil {
			t.Errorf("%s waits for %v at the end", use, got)
		}
		if len(g.measured) > 0 || g.logged.Len() > 0 || !slices.Equal(g.steps(g.item), steps) {
			t.Errorf("%s: an alarm: %v %s", use, g.measured, g.logged)
		}
	}
}

// back puts rows back that were there before the erasure.
func (g *gone) back(want func(store.Key) bool) {
	g.t.Helper()
	n := 0
	for key, item := range g.rows {
		if want(key) {
			g.put(item)
			n++
		}
	}
	if n == 0 {
		g.t.Fatal("no such row")
	}
}

// returns are what may come back of erased facts: by use, what, and what is found.
var returns = []struct {
	use, what, found string
	hits             float64
	steps            string // with what the erasure itself has counted
}{
	{"fact", "head", "heads 1", 1, "versions 1, index 1, canary 1"},
	{"fact", "version", "versions 1", 1, "versions 2, index 1, canary 0"},
	{"fact", "lists", "rows 4", 4, "versions 1, index 1, canary 4"},
	{"fact", "index", "index 1", 1, "versions 1, index 2, canary 0"},
	{"fact", "all", "heads 1 versions 1 index 1 rows 4", 7, "versions 2, index 2, canary 1"},
	{"user", "head", "heads 1", 1, "facts 5, counts 0, canary 1"},
	{"user", "version", "versions 1", 1, "facts 5, counts 0, canary 1"},
	{"user", "lists", "list 1", 1, "facts 9, counts 0, canary 0"},
	{"user", "index", "index 1", 1, "facts 5, counts 0, canary 1"},
	{"user", "all", "heads 1 versions 1 index 1 list 1", 4, "facts 5, counts 0, canary 3"},
	{"experiment", "head", "heads 1", 1, "facts 5, counts 2, canary 1"},
	{"experiment", "lists", "list 1", 1, "facts 9, counts 2, canary 0"},
	{"experiment", "index", "index 1", 1, "facts 5, counts 2, canary 1"},
	{"experiment", "counts", "counts 2", 2, "facts 5, counts 4, canary 0"},
	{"experiment", "all", "heads 1 versions 1 index 1 list 1 counts 2", 6, "facts 5, counts 4, canary 3"},
}

// kinds are the rows that may come back.
var kinds = map[string]func(store.Key) bool{
	"head": func(k store.Key) bool { return strings.Contains(k.PK, keys.FactInfix) && k.SK == keys.HeadSK },
	"version": func(k store.Key) bool {
		return strings.Contains(k.PK, keys.FactInfix) && strings.HasPrefix(k.SK, keys.VersionPrefix)
	},
	"lists":  func(k store.Key) bool { return strings.Contains(k.PK, "#FL#") },
	"counts": func(k store.Key) bool { return strings.Contains(k.PK, "#FC#") || strings.Contains(k.PK, "#FU#") },
}

func (g *gone) comesBack(what string) {
	g.t.Helper()
	if what == "index" || what == "all" {
		maps.Copy(g.words.docs, g.docs)
	}
	for kind, is := range kinds {
		if kind == what || what == "all" && (kind != "counts" || g.use == "experiment") {
			g.back(is)
		}
	}
}

func TestT26FactsThatComeBackAreAnAlarmAndAreErasedAgain(t *testing.T) {
	for _, c := range returns {
		for _, look := range []erase.Look{erase.Consolidation, erase.Reindex} {
			t.Run(c.use+" "+c.what+" "+string(look), func(t *testing.T) {
				g := erasedFacts(deskOver(newWorld(t)), c.use)
				before, steps, head := g.erasure(g.item), g.steps(g.item), g.head(scope)
				g.comesBack(c.what)
				g.look(look)
				line := g.logged.String()
				if len(g.measured) != 1 || g.measured[0].Name != obs.CanaryHits || g.measured[0].Value != c.hits {
					t.Errorf("measured %+v", g.measured)
				}
				for _, part := range []string{`"level":"ERROR"`, g.item, "[" + c.found + "]", string(look)} {
					if !strings.Contains(line, part) {
						t.Errorf("the alarm does not say %q: %s", part, line)
					}
				}
				if strings.Contains(line, canary) || strings.Contains(line, "annabella") {
					t.Errorf("the alarm tells: %s", line)
				}
				if got := g.erasure(g.item); got.Status != before.Status || !got.ErasedAt.Equal(*before.ErasedAt) || got.Attempts != before.Attempts {
					t.Errorf("a complete record changed: %+v, then %+v", before, got)
				}
				if now := g.head(scope); now.Items != head.Items || now.Bytes != head.Bytes {
					t.Errorf("the workspace's counts changed: %+v, then %+v", head, now)
				}
				if again := g.steps(g.item); strings.Join(again, ", ") != c.steps {
					t.Errorf("steps %q, then %q", steps, again)
				}
				g.complete(g.item)
				g.startsAnew()
			})
		}
	}
}

// startsAnew holds that the canary waits as if it were new, and finds nothing then.
func (g *gone) startsAnew() {
	g.t.Helper()
	if got := g.waits(g.item); len(got) != 2 {
		g.t.Errorf("waits for %v", got)
	}
	was := len(g.measured)
	g.look(erase.Consolidation)
	g.look(erase.Reindex)
	if got := g.waits(g.item); got != nil || len(g.measured) != was {
		g.t.Errorf("waits for %v, measured %v", got, g.measured)
	}
	for key := range g.table() {
		if kinds["lists"](key) {
			g.t.Errorf("%v is left", key)
		}
	}
}

// A fact beyond the page that is looked for one by one is found by its row in the list,
// and goes with all its rows and its document.
func TestT26AFactOfALongListIsFoundByItsRow(t *testing.T) {
	for _, use := range []string{"user", "experiment"} {
		d := deskOver(newWorld(t))
		root, run := d.run("annabella", use == "experiment")
		d.victims(run)
		last := d.save(run, "users/annabella", canary+" last", "")
		g := &gone{desk: d, use: use, rows: d.table(), docs: maps.Clone(d.words.docs)}
		g.item = d.deletes(use, root, run, "")
		d.runAll()
		head := d.head(scope)
		g.back(func(key store.Key) bool { return strings.Contains(key.PK+key.SK, last) })
		d.words.docs[last] = g.docs[last]
		d.look(erase.Reindex)
		if line := d.logged.String(); len(d.measured) != 1 || !strings.Contains(line, "[list 1]") {
			t.Errorf("%s: measured %v: %s", use, d.measured, line)
		}
		if now := d.head(scope); now.Items != head.Items || now.Bytes != head.Bytes {
			t.Errorf("%s: the workspace's counts changed: %+v, then %+v", use, head, now)
		}
		d.complete(g.item)
	}
}

// What the same end user writes later is neither found nor erased, also when something
// of before comes back, or a row of before comes to name it.
func TestT26WhatAnEndUserWritesAfterwardsIsNoHitAndStays(t *testing.T) {
	g := erasedFacts(deskOver(newWorld(t)), "user")
	_, run := g.run("annabella", false)
	later := g.save(run, "users/annabella", "later", "")
	g.save(run, "users/annabella/b", "later still", later)
	stays := func() {
		t.Helper()
		if _, versions, err := g.served.Versions(t.Context(), run, later); err != nil || len(versions) != 2 || g.words.docs[later].Text != "later still" {
			t.Errorf("%+v, %v, in the index: %+v", versions, err, g.words.docs[later])
		}
	}
	g.look(erase.Consolidation)
	if len(g.measured) > 0 {
		t.Errorf("measured %v: %s", g.measured, g.logged)
	}
	stays()
	g.comesBack("all")
	f, err := g.served.Get(t.Context(), run, later)
	if err != nil {
		t.Fatal(err)
	}
	row := keys.FactList(scope, g.canaryRow().Attrs.Text("a.list"), f.UpdatedAt, later)
	g.put(store.Item{Key: row, Attrs: store.Attrs{"p": store.S("users/annabella/b/"), "g": store.N(2)}})
	g.look(erase.Reindex)
	if line := g.logged.String(); len(g.measured) != 1 || !strings.Contains(line, "list 2]") {
		t.Errorf("measured %v: %s", g.measured, line)
	}
	stays()
	g.complete(g.item)
	for _, target := range []facts.Target{run, g.panel()} {
		if page, err := g.served.List(t.Context(), target, facts.Filter{}, 10, ""); err != nil || len(page.Facts) != 1 {
			t.Errorf("%+v, %v", page, err)
		}
	}
}

func (g *gone) canaryRow() store.Item {
	g.t.Helper()
	item, found := g.get(keys.Canary(scope, g.item))
	if !found {
		g.t.Fatal("no canary")
	}
	return item
}

// A fact's id is never given again: what a run wrote meanwhile over one that came back
// goes with it.
func TestT26AFactThatIsThereAgainIsBuriedAgain(t *testing.T) {
	g := erasedFacts(deskOver(newWorld(t)), "fact")
	g.comesBack("all")
	_, run := g.run("annabella", false)
	g.save(run, "users/annabella/c", canary+" over it", g.item)
	g.look(erase.Reindex)
	g.complete(g.item)
	if n := g.times(ledger.Delete, g.item); n != 2 || len(g.measured) != 1 {
		t.Errorf("%d deletes, measured %v", n, g.measured)
	}
	if got := g.steps(g.item); !slices.Equal(got, []string{"versions 3", "index 2", "canary 1"}) {
		t.Errorf("steps %q", got)
	}
	g.startsAnew()
}

// Of an end user, no name and no path is kept.
func TestT26ACanaryOfFactsHoldsIdsAndKeysOnly(t *testing.T) {
	for _, use := range factUses {
		g := erasedFacts(deskOver(newWorld(t)), use)
		item := g.canaryRow()
		for name, v := range item.Attrs {
			if text := v.S + string(v.B); strings.Contains(text, canary) || strings.Contains(text, "annabella") || strings.Contains(text, "users/") {
				t.Errorf("%s of %s: %s", name, use, text)
			}
		}
		if e := g.erasure(g.item); len(e.Rows) != 0 || len(erasure.DecodeKeys(item.Attrs["rows"])) == 0 {
			t.Errorf("%s: record %+v, canary %v", use, e, item)
		}
	}
}

// The embedded index is made anew with what came back; the look that follows takes it out.
func TestT26AFactThatAnIndexIsFilledWithAgainIsTakenOut(t *testing.T) {
	for _, use := range factUses {
		g := erasedFacts(deskOver(newWorld(t)), use)
		g.back(kinds["head"])
		x := memwords.New(g.clock)
		g.indexer.Words, g.indexer.Facts = x, facts.Projector{Facts: g.served}
		r := work.Rebuild{Scanner: tableOf(g.store), Index: g.index, Words: x, Cursors: g.cursors, Profile: g.profile(), Workers: 1, Erased: g.looks().Reindexed}
		if _, err := r.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n, err := x.Count(t.Context(), scope); err != nil || n != 1 {
			t.Fatalf("%d documents, %v", n, err)
		}
		for range 2 { // the look, and what comes of it
			g.clock.Advance(time.Minute)
			e := g.eraser()
			e.Words = work.WordsCopy{Indexer: g.indexer}
			if err := e.Run(t.Context(), scope, g.job().ID); err != nil {
				t.Fatal(err)
			}
		}
		if n, err := x.Count(t.Context(), scope); err != nil || n != 0 || len(g.measured) != 1 || len(g.waits(g.item)) != 2 {
			t.Errorf("%s: %d documents, %v, measured %v", use, n, err, g.measured)
		}
		g.complete(g.item)
	}
}

// A try looks for fewer lists than single items, since a list is looked for by many facts.
func TestT26ListsAreLookedForInSmallerBatches(t *testing.T) {
	g := erasedFacts(deskOver(newWorld(t)), "user")
	item := g.canaryRow()
	item.Attrs["rows"] = erasure.EncodeKeys(slices.Repeat([]store.Key{keys.Fact(scope, g.ids.NewFact())}, 45))
	tries := g.looksFor(item, 125, g.eraser())
	if got := g.waits(g.item); tries != 3 || len(g.measured) > 0 || !slices.Equal(got, []erase.Look{erase.Consolidation}) {
		t.Errorf("%d tries, waits for %v", tries, got)
	}
}

// What cannot be erased again is a dead job, which can be driven again.
func TestT26AReopenedErasureOfFactsThatDiesIsDrivenAgain(t *testing.T) {
	for _, use := range factUses {
		g := erasedFacts(deskOver(newWorld(t)), use)
		g.comesBack("index")
		g.words.away = true
		g.look(erase.Reindex)
		job := g.job()
		if job.State != outbox.Dead || g.erasure(g.item).Status != erasure.Complete || len(g.waits(g.item)) != 0 {
			t.Fatalf("%s: %+v, %+v", use, job, g.erasure(g.item))
		}
		g.words.away = false
		g.redrive(job)
		g.runAll()
		g.complete(g.item)
		g.startsAnew()
	}
}

// A look by an eraser that serves no facts is no alarm, and is done later.
func TestT26AnEraserWithoutFactsLeavesTheLookForLater(t *testing.T) {
	g := erasedFacts(deskOver(newWorld(t)), "fact")
	if err := g.looks().Reindexed(t.Context(), scope); err != nil {
		t.Fatal(err)
	}
	if err := g.world.eraser().Run(t.Context(), scope, g.job().ID); err != nil {
		t.Fatal(err)
	}
	if j := g.job(); j.State != outbox.Failed || len(g.waits(g.item)) != 2 || len(g.measured) > 0 {
		t.Errorf("%+v, waits for %v", j, g.waits(g.item))
	}
	g.runAll()
	if got := g.waits(g.item); len(got) != 1 {
		t.Errorf("waits for %v", got)
	}
}

// sweptFacts looks for erased facts with a fault at every store call of the first tries.
func sweptFacts(t *testing.T, use, what string, check func(g *gone)) {
	t.Helper()
	var table *memstore.Store
	var c *clock.Fixed
	var g *gone
	over := func(s store.Store) *desk {
		return deskOver(worldOver(t, s, c, &index{Index: memsearch.New(c)}, work.NewMemoryCursors()))
	}
	faultstore.Sweep(t, func(t testing.TB) store.Store {
		table, c = filled(t), clock.NewFixed(start)
		g = erasedFacts(over(table), use)
		if what != "" {
			g.comesBack(what)
		}
		if err := g.looks().Reindexed(t.Context(), scope); err != nil {
			t.Fatal(err)
		}
		return table
	}, func(t *testing.T, s *faultstore.Store) {
		next := func(s store.Store) *desk { // another process at the same rows and documents
			d := over(s)
			d.t, d.words.docs = t, g.words.docs
			return d
		}
		broken := next(s)
		for range 2 { // the look, and what comes of it
			for _, job := range next(table).jobs() {
				_ = broken.eraser().Run(t.Context(), scope, job.ID) // the fault: what it leaves counts
			}
			c.Advance(time.Second)
		}
		s.Disarm()
		d := next(table)
		d.runAll()
		d.measured = append(d.measured, broken.measured...)
		d.complete(g.item)
		check(&gone{desk: d, use: use, item: g.item})
	})
}

func TestT26AFaultAtEveryStoreCallOfALookForFacts(t *testing.T) {
	t.Parallel()
	for _, use := range factUses {
		sweptFacts(t, use, "", func(g *gone) {
			if got := g.waits(g.item); !slices.Equal(got, []erase.Look{erase.Consolidation}) || len(g.measured) > 0 {
				g.t.Errorf("%s waits for %v, measured %v", use, got, g.measured)
			}
		})
	}
}

func TestT26AFaultAtEveryStoreCallOfAReopenedErasureOfFacts(t *testing.T) {
	t.Parallel()
	for _, use := range factUses {
		sweptFacts(t, use, "all", func(g *gone) {
			if len(g.measured) == 0 {
				g.t.Errorf("%s: no alarm", use)
			}
			g.startsAnew()
		})
	}
}
