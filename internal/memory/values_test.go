package memory

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"holdfast/internal/ledger"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
)

// reign adds a value of the attribute cook that began in a year.
func (w *world) reign(name string, year int) string {
	w.t.Helper()
	return w.add("The cook is "+name+".", ofAttribute("cook"), from(fmt.Sprint(year, "-01-01T00:00:00Z")))
}

func (w *world) endsIn(id string, year int) {
	w.t.Helper()
	if got := w.head(id).Temporal.ReplacedFrom; got == nil || got.Year() != year {
		w.t.Errorf("%s ends %v, want %d", w.head(id).Content, got, year)
	}
}

func TestR085ALateValueCutsShortTheOneBefore(t *testing.T) {
	w := newWorld(t)
	a, c := w.reign("Ada", 2019), w.reign("Cleo", 2023)
	w.endsIn(a, 2023)
	before := w.head(a)
	b := w.reign("Ben", 2021)
	w.endsIn(a, 2021)
	w.endsIn(b, 2023)
	m, late := w.head(a), w.head(b)
	if m.Temporal.SupersededBy != c || !m.Temporal.SupersededAt.Equal(*before.Temporal.SupersededAt) || late.Temporal.SupersededBy != c {
		t.Errorf("%+v, %+v", m.Temporal, late.Temporal)
	}
	want := []Narrowing{{At: late.Temporal.RecordedAt, From: *before.Temporal.ReplacedFrom}}
	if !slices.Equal(m.Temporal.Narrowed, want) {
		t.Errorf("narrowed %+v, want %+v", m.Temporal.Narrowed, want)
	}
	w.wantOps(a, ledger.Create, ledger.Supersede, ledger.Supersede)
	w.wantOps(b, ledger.Create)
	d := w.reign("Dora", 2025)
	b2 := w.reign("Bob", 2022)
	if late := w.head(b2); late.Temporal.SupersededBy != c || w.head(c).Temporal.SupersededBy != d {
		t.Errorf("the successor in time is not the one after: %+v", late.Temporal)
	}
	w.endsIn(b, 2022)
	w.endsIn(a, 2021)
	w.sound()
}

func TestR085AChainOutlivesWhatIsDeletedInIt(t *testing.T) {
	w := newWorld(t)
	a, c, d := w.reign("Ada", 2015), w.reign("Cleo", 2019), w.reign("Dora", 2023)
	if err := w.delete(agent, c); err != nil {
		t.Fatal(err)
	}
	b := w.reign("Ben", 2017)
	w.endsIn(a, 2017)
	if m := w.head(b); m.Temporal.SupersededBy != d || m.Temporal.ReplacedFrom.Year() != 2023 {
		t.Errorf("%+v", m.Temporal)
	}
	for _, id := range []string{a, b, d} {
		if err := w.delete(agent, id); err != nil {
			t.Fatal(err)
		}
	}
	w.sound() // no row of the attribute is left
}

func TestA02AHeldValueTakesItsPlaceInTheChainAgain(t *testing.T) {
	w := newWorld(t)
	a, c := w.reign("Ada", 2019), w.reign("Cleo", 2023)
	if _, err := w.update(agent, a, hostile); err != nil {
		t.Fatal(err)
	}
	w.sound()
	b := w.reign("Ben", 2021)
	w.endsIn(a, 2023) // it is in no chain while it is held
	m, err := w.review(reviewer, a, Release)
	if err != nil || m.Status != Superseded || m.Temporal.SupersededBy != c || len(m.Held) != 1 {
		t.Fatalf("%+v, %v", m, err)
	}
	w.endsIn(a, 2021)
	w.endsIn(b, 2023)
	w.sound()
}

func TestA02WhatIsOverAndSaysNoBeginningSupersedesNothing(t *testing.T) {
	w := newWorld(t)
	live := w.add("The cook is Nils.", ofAttribute("cook"))
	over := w.add("The cook was Lars.", ofAttribute("cook"), until("2020-01-01T00:00:00Z"))
	if m := w.head(over); m.Status != Superseded || m.Temporal.SupersededBy != live || w.head(live).Status != Active {
		t.Errorf("%+v", m)
	}
	w.sound()
	alone := w.add("The mate was Olaf.", ofAttribute("mate"), until("2020-01-01T00:00:00Z"))
	mate := w.add("The mate is Per.", ofAttribute("mate"), from("2018-01-01T00:00:00Z"))
	if w.head(alone).Status != Superseded || w.head(mate).Status != Active {
		t.Error("what is over stands in the way of what is not")
	}
	w.sound()
}

func TestTheRowOfAnAttributeIsBounded(t *testing.T) {
	w := newWorld(t)
	for year := range mostPast + 10 {
		w.reign(fmt.Sprint("No ", year), 1900+year)
	}
	m := w.head(w.reign("Last", 2000))
	h, err := w.Hasher(context.Background(), w.scope)
	if err != nil {
		t.Fatal(err)
	}
	key := keys.Attribute(w.scope, h.attribute(m))
	item := w.items()[key]
	row, err := decodeCurrent(key, &item)
	if err != nil || len(row.past) != mostPast || row.past[0].From.Year() != 1910 || row.id != m.ID || store.Size(item) > 16<<10 {
		t.Errorf("%d values from %v, %d bytes, %v", len(row.past), row.past[0].From, store.Size(item), err)
	}
	item.Attrs[attrDoc] = store.B([]byte("{"))
	if _, err := decodeCurrent(key, &item); err == nil {
		t.Error("a broken row was read")
	}
}

// A row of before there were stamps is changed under the condition of its id.
func TestAnAttributeRowOfTheFormatBeforeIsRead(t *testing.T) {
	w := newWorld(t)
	id := w.reign("Ada", 2019)
	h, err := w.Hasher(context.Background(), w.scope)
	if err != nil {
		t.Fatal(err)
	}
	old := store.Item{Key: keys.Attribute(w.scope, h.attribute(w.head(id))), Attrs: store.Attrs{attrID: store.S(id)}}
	if err := w.Store.Commit(context.Background(), store.Tx{Actions: []store.Action{store.PutItem("row", old, nil)}}); err != nil {
		t.Fatal(err)
	}
	w.reign("Ben", 2021)
	w.endsIn(id, 2021)
	w.sound()
}

// Two processes that write late values of one attribute at once leave values that
// follow each other without a gap.
func TestR085LateValuesOfTwoProcessesFindTheirPlaces(t *testing.T) {
	w := newWorld(t)
	w.reign("First", 1900)
	w.reign("Last", 2020)
	var group sync.WaitGroup
	for n := range 2 {
		process := worldOver(t, w.Store)
		group.Go(func() {
			r := rand.New(rand.NewPCG(uint64(n), 85))
			for _, i := range r.Perm(20) {
				year := 1902 + 5*i + n
				d := fact(fmt.Sprint("The cook is No ", year, "."), ofAttribute("cook"), from(fmt.Sprint(year, "-01-01T00:00:00Z")))
				if _, err := process.Append(context.Background(), process.as(agent), d); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	w.sound()
	page, err := w.List(context.Background(), w.as(agent), Filter{}, 100, "")
	if err != nil || len(page.Entries) != 42 {
		t.Fatalf("%d values, %v", len(page.Entries), err)
	}
	slices.SortFunc(page.Entries, func(a, b *Memory) int { return a.Temporal.ValidFrom.Compare(*b.Temporal.ValidFrom) })
	for i, m := range page.Entries[:41] {
		if end := *m.Temporal.ReplacedFrom; !end.Equal(*page.Entries[i+1].Temporal.ValidFrom) {
			t.Errorf("%s ends %v", m.Content, end)
		}
	}
}

func TestT17AFaultedLateValueHasOneEffect(t *testing.T) {
	var a, b string
	swept(t, func(w *world) { a = w.reign("Ada", 2019); w.reign("Cleo", 2023) },
		func(w *world) error {
			got, err := w.Append(context.Background(), w.keyed(agent, "k", ""),
				fact("The cook is Ben.", ofAttribute("cook"), from("2021-01-01T00:00:00Z")))
			b = got.ID
			return err
		},
		func(w *world) {
			w.endsIn(a, 2021)
			w.endsIn(b, 2023)
			if n := total(w); n != 5 || len(w.head(a).Temporal.Narrowed) != 1 {
				w.t.Errorf("%d log rows", n)
			}
		})
}

func TestT17AFaultedReleaseIntoAChainHasOneEffect(t *testing.T) {
	var a string
	swept(t, func(w *world) {
		a = w.reign("Ada", 2019)
		w.reign("Cleo", 2023)
		if _, err := w.update(agent, a, hostile); err != nil {
			w.t.Fatal(err)
		}
		w.reign("Ben", 2021)
	},
		func(w *world) error {
			_, err := w.Review(context.Background(), w.keyed(reviewer, "k", ""), Ruling{ID: a, Verdict: Release})
			return err
		},
		func(w *world) {
			w.endsIn(a, 2021)
			if m := w.head(a); len(m.Held) != 1 || m.Status != Superseded {
				w.t.Errorf("%+v", m)
			}
		})
}

func TestNarrowingsAndPeriodsAreBounded(t *testing.T) {
	at := instant("2026-01-01T00:00:00Z")
	m := &Memory{Temporal: Temporal{SupersededAt: &at, ReplacedFrom: &at}}
	for n := range mostHeld + 5 {
		when := at.Add(time.Duration(2*n) * time.Hour)
		m.Quarantine = &Quarantine{At: when}
		m.free(when.Add(time.Hour))
		m.Temporal.narrow(when, at.Add(-time.Duration(n+1)*time.Hour))
	}
	if len(m.Held) != mostHeld || !m.heldAt(at) || !m.heldAt(at.Add(time.Hour)) || m.heldAt(at.Add(23*time.Hour)) {
		t.Errorf("%d periods from %+v", len(m.Held), m.Held[0])
	}
	if got := m.Temporal.replaced(at.Add(500 * time.Hour)); len(m.Temporal.Narrowed) != mostNarrowed || !got.Equal(*m.Temporal.ReplacedFrom) {
		t.Errorf("%d narrowings, ends %v", len(m.Temporal.Narrowed), got)
	}
}
