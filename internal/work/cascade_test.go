package work_test

import (
	"testing"

	"holdfast/internal/ledger"
	"holdfast/internal/memory"
	"holdfast/internal/store"
)

// A text that was merged with one that cites it leads to itself.
func TestA06AMemoryThatCitesItselfIsErased(t *testing.T) {
	for _, cascade := range []bool{false, true} {
		w := newWorld(t)
		id := w.add(fact("The " + canary + " is low."))
		if again := w.add(fact("the "+canary+" is LOW.", citing(derivedFrom(id)))); again != id {
			t.Fatalf("%s did not join %s", again, id)
		}
		w.delete(id, cascade)
		w.runJobs()
		if jobs := w.jobs(); len(jobs) > 0 {
			t.Fatalf("cascade %v: jobs %+v", cascade, jobs)
		}
		w.erased(w.store.(store.Scanner), id)
	}
}

// family is a memory, one derived from it alone, one that has a message as well,
// and a grandchild.
func (w *world) family() (root, alone, both, grandchild string) {
	root = w.add(fact("The " + canary + " is low."))
	alone = w.add(fact("Low water: the "+canary+" shows it.", citing(derivedFrom(root))))
	both = w.add(fact("The skipper waits for water.", citing(derivedFrom(root), memory.Source{Kind: memory.MessageSource, ID: "m1"})))
	grandchild = w.add(fact("All "+canary+" notes agree.", citing(derivedFrom(alone))))
	w.sync(scope)
	return root, alone, both, grandchild
}

func TestR067CascadeTakesWhatIsDerivedFromTheErasedAlone(t *testing.T) {
	w := newWorld(t)
	root, alone, both, grandchild := w.family()
	w.delete(root, true)
	w.runJobs()
	for _, id := range []string{root, alone, grandchild} {
		w.erased(w.store.(store.Scanner), id)
	}
	m := w.memory(both)
	if m.Status != memory.Active || m.Content != "The skipper waits for water." || len(m.Cites()) != 0 || len(m.Provenance.Sources) != 1 {
		t.Errorf("%+v", m)
	}
	w.sync(scope)
	if w.hits("skipper")[both].ID == "" {
		t.Error("what cites others too left the index")
	}
}

func TestR044WithoutCascadeTheDerivedStay(t *testing.T) {
	w := newWorld(t)
	root, alone, both, grandchild := w.family()
	w.delete(root, false)
	w.runJobs()
	for _, id := range []string{alone, both, grandchild} {
		if m := w.memory(id); m.Status != memory.Active || len(m.Cites()) != 1 {
			t.Errorf("%+v", m)
		}
	}
	if e := w.erasure(root); e.Status != memory.ErasureComplete {
		t.Errorf("%+v", e)
	}
	if w.times(ledger.Delete, "") != 1 || w.times(ledger.Erase, "") != 1 {
		t.Error("more than one memory was erased")
	}
	w.delete(alone, true) // what cites an erased memory can be erased in its turn
	w.runJobs()
	if w.erasure(alone).Status != memory.ErasureComplete || w.erasure(grandchild).Status != memory.ErasureComplete {
		t.Error("the second cascade did not end")
	}
}

// A memory that is derived while the erasure runs is taken along as well.
func TestR067WhatIsDerivedMeanwhileGoesToo(t *testing.T) {
	w := newWorld(t)
	root := w.add(fact("The " + canary + " is low."))
	w.delete(root, true)
	late := ""
	w.index.hook = func(searchOp) { // the last step before the end
		w.index.hook = nil
		late = w.add(fact("Low water at the "+canary+".", citing(derivedFrom(root))))
	}
	w.runJobs()
	if late == "" {
		t.Fatal("the hook was not used")
	}
	w.erased(w.store.(store.Scanner), root)
	w.erased(w.store.(store.Scanner), late)
}
