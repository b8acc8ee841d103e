package webhook

import (
	"slices"
	"testing"

	"holdfast/internal/ledger"
)

func TestT45RowsAreEvents(t *testing.T) {
	reached := map[Event]bool{ErasureCompleted: true} // no family erases a subject yet
	for _, c := range []struct {
		family string
		op     ledger.Op
		event  Event
	}{
		{"memory", ledger.Create, MemoryAppended}, {"memory", ledger.Merge, MemoryUpdated}, {"memory", ledger.Update, MemoryUpdated},
		{"memory", ledger.Release, MemoryUpdated}, {"memory", ledger.Supersede, MemorySuperseded}, {"memory", ledger.Quarantine, MemoryQuarantined},
		{"memory", ledger.Delete, MemoryDeleted}, {"memory", ledger.Erase, MemoryErased}, {"run", ledger.Update, RunConsolidated},
		{"memories", ledger.Create, MemoriesStored}, {"memories", ledger.Supersede, MemoriesDropped}, {"note", ledger.Create, NoteCreated},
		{"fact", ledger.Create, FactWritten}, {"fact", ledger.Update, FactWritten}, {"fact", ledger.Release, FactWritten},
		{"receipts", ledger.Seal, ""}, {Family, ledger.Create, ""}, {Family, ledger.Update, ""}, {Family, ledger.Delete, ""}, {"nobody", ledger.Create, ""},
	} {
		got, ok := EventOf(ledger.Row{Entry: ledger.Entry{Family: c.family, Op: c.op}})
		if got != c.event || ok != (c.event != "") {
			t.Errorf("%s %s is %q", c.family, c.op, got)
		}
		reached[got] = true
	}
	gone := func(id string) ledger.Row {
		return ledger.Row{Entry: ledger.Entry{Family: "fact", Op: ledger.Delete, ItemID: id}}
	}
	if got, ok := EventOf(gone(newFact())); got != FactDeleted || !ok {
		t.Errorf("a deleted fact is %q", got)
	}
	reached[FactDeleted] = true
	if got, ok := EventOf(gone("u_0011-1")); ok {
		t.Errorf("a folder that is erased is %q", got)
	}
	for _, e := range Events() {
		if !reached[e] {
			t.Errorf("no row is %s", e)
		}
	}
	if n := len(Events()); n != 13 || len(slices.Compact(slices.Sorted(slices.Values(Events())))) != n {
		t.Errorf("%d events", n)
	}
}

func TestT45OnlyWantedEventsAreTold(t *testing.T) {
	w := newWorld(t)
	w.happens(w.item(ledger.Create)) // before anybody listens
	all, few := w.hook("all", Events()...), w.hook("few", MemoryDeleted, MemoryQuarantined)
	w.happens(w.item(ledger.Create), w.item(ledger.Quarantine))
	w.happens(w.item(ledger.Delete))
	w.happens(ledger.Entry{Op: ledger.Seal, Family: "receipts"})
	w.happensIn(other, w.item(ledger.Delete))
	w.settle()
	types := func(url string) (out []Event) {
		for _, c := range w.net.to(url) {
			out = append(out, c.body.Type)
		}
		return out
	}
	if got := types("all"); len(got) != 3 {
		t.Errorf("all: %v", got)
	}
	got := types("few")
	slices.Sort(got)
	if !slices.Equal(got, []Event{MemoryDeleted, MemoryQuarantined}) {
		t.Errorf("few: %v", got)
	}
	w.sound(all.ID, few.ID)
}
