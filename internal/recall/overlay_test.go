package recall

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"holdfast/internal/errs"
	"holdfast/internal/ledger"
	"holdfast/internal/memory"
	"holdfast/internal/store"
	"holdfast/internal/tenant"
)

// after is a workspace in which everything that can happen to a memory has
// happened since the index stopped.
type after struct {
	stays, added, changed, gone, held, old, current string
}

func (w *world) stopped() after {
	w.t.Helper()
	a := after{
		stays: w.add("The ferry has a bell."), changed: w.add("The ferry leaves at nine."), gone: w.add("The ferry is blue."),
		held: w.add("The ferry carries sheep."), old: w.add("The ferry master is Olga.", ofAttribute("master")),
	}
	w.sync(here)
	a.added = w.add("The ferry takes bicycles.")
	a.current = w.add("The ferry master is Pavel.", ofAttribute("master"))
	w.update(a.changed, "The ferry leaves at ten.")
	w.update(a.held, hostile+" ferry")
	w.delete(here, a.gone)
	return a
}

func TestA03WhatTheIndexHasNotReachedIsRightAtOnceInEveryMode(t *testing.T) {
	for _, mode := range modes {
		w := newWorld(t)
		a := w.stopped()
		reached, head := int64(5), w.head(here)
		c := w.ask("ferry leaves master", in(mode), func(r *Request) { r.AtLeast = head.Sequence })
		c.holds(t, a.stays, a.added, a.changed, a.current)
		for _, e := range c.Sections[WorkspaceEntries] {
			if e.Memory.ID == a.changed && e.Memory.Content != "The ferry leaves at ten." {
				t.Errorf("%s: an old text: %q", mode, e.Memory.Content)
			}
		}
		if c.SupersededHidden != 1 {
			t.Errorf("%s: %d superseded ones hidden, want 1", mode, c.SupersededHidden)
		}
		if arm := c.arm("overlay"); arm.State != Ran || c.IndexSequence != reached {
			t.Errorf("%s: overlay %+v, index at %d", mode, arm, c.IndexSequence)
		}
		w.sync(here)
		later := w.ask("ferry leaves master", in(mode))
		later.holds(t, a.stays, a.added, a.changed, a.current)
		if arm := later.arm("overlay"); arm.State != Skipped || arm.Reason == "" || later.IndexSequence != head.Recall {
			t.Errorf("%s: overlay %+v, index at %d of %d", mode, arm, later.IndexSequence, head.Recall)
		}
	}
}

func TestA03AnIndexThatNeverRanStillLetsWritesBeSeen(t *testing.T) {
	w := newWorld(t)
	id := w.add("The ferry has a bell.")
	w.add("The harbour wall is granite.")
	for _, mode := range []Mode{Hybrid, Lexical, Deterministic} {
		if c := w.ask("ferry bell", in(mode)); c.ids()[0] != id || c.IndexSequence != 0 {
			t.Errorf("%s: %v, index at %d", mode, c.ids(), c.IndexSequence)
		}
	}
}

func TestR082DeterministicModeWaitsForAnIndexOfThisProcess(t *testing.T) {
	w := newWorld(t)
	a := w.stopped()
	w.CatchUp = w.indexer.Sync
	c := w.ask("ferry", in(Deterministic))
	c.holds(t, a.stays, a.added, a.changed, a.current)
	if c.arm("overlay").State != Skipped || c.IndexSequence != w.head(here).Recall {
		t.Errorf("overlay %+v, index at %d", c.arm("overlay"), c.IndexSequence)
	}
	late := w.add("The ferry has a mast.")
	w.CatchUp = func(context.Context, tenant.Scope) error { return errAway }
	c = w.ask("ferry", in(Deterministic)) // says so and answers with the overlay
	c.holds(t, a.stays, a.added, a.changed, a.current, late)
	if c.arm("overlay").State != Ran {
		t.Errorf("overlay %+v", c.arm("overlay"))
	}
}

// An index of another process follows the log by itself; its statistics count for the
// order, so what it has not reached is waited for (R0.10).
func TestR010DeterministicModeWaitsForAnIndexThatFollows(t *testing.T) {
	w := newWorld(t)
	a := w.stopped()
	w.during = func() {
		if len(w.pauses) == 3 {
			w.sync(here)
		}
	}
	c := w.ask("ferry", in(Deterministic))
	c.holds(t, a.stays, a.added, a.changed, a.current)
	if c.arm("overlay").State != Skipped || len(w.pauses) != 3 {
		t.Errorf("overlay %+v after %v", c.arm("overlay"), w.pauses)
	}
	if again := w.ask("ferry", in(Deterministic)).bytes(t); again != c.bytes(t) || len(w.pauses) != 3 {
		t.Errorf("%s after %v\nwas\n%s", again, w.pauses, c.bytes(t))
	}
}

// One that stands still is waited for within bounds; then the overlay answers.
func TestR010AnIndexThatStandsStillIsWaitedForWithinBounds(t *testing.T) {
	w := newWorld(t)
	a := w.stopped()
	c := w.ask("ferry", in(Deterministic))
	c.holds(t, a.stays, a.added, a.changed, a.current)
	var all time.Duration
	for _, d := range w.pauses {
		all += d
	}
	if c.arm("overlay").State != Ran || all < settleTime || all > settleTime+settleMost || w.pauses[0] != settleFirst {
		t.Errorf("overlay %+v after %v", c.arm("overlay"), w.pauses)
	}
	w.pauses = nil
	if w.ask("ferry", func(r *Request) { r.AtLeast = w.head(here).Sequence }); len(w.pauses) != 0 {
		t.Errorf("a write in reach of the overlay was waited for: %v", w.pauses)
	}
}

// A write beyond the overlay is in the answer, or there is none.
func TestA03AWriteBeyondTheOverlayIsWaitedForOrToldAsLater(t *testing.T) {
	w := newWorld(t)
	early, _, _ := w.lagging()
	for name, catchUp := range map[string]func(context.Context, tenant.Scope) error{
		"of another process": nil, "of this process": func(context.Context, tenant.Scope) error { return errAway },
	} {
		w.CatchUp = catchUp
		_, err := w.Retrieve(t.Context(), question("buoy zero", func(r *Request) { r.AtLeast = 4 }))
		if !errs.Is(err, errs.Unavailable) {
			t.Errorf("%s: %v", name, err)
		}
	}
	w.CatchUp = nil
	last := w.head(here)
	for n, gone := range map[int64]bool{last.Recall - overlayRows: true, last.Recall - overlayRows + 1: false, last.Sequence: false} {
		_, err := w.Retrieve(t.Context(), question("buoy", func(r *Request) { r.AtLeast = n }))
		if errs.Is(err, errs.Unavailable) != gone || !gone && err != nil {
			t.Errorf("row %d of %d: %v", n, last.Recall, err)
		}
	}
	w.during = func() { w.sync(here) }
	c := w.ask("buoy zero", func(r *Request) { r.AtLeast = 4 })
	if got := c.ids(); len(got) == 0 || got[0] != early {
		t.Errorf("entries %v, overlay %+v", got, c.arm("overlay"))
	}
}

// lagging is a workspace whose index is further behind than the overlay reaches.
func (w *world) lagging() (early, gone string, recent []string) {
	w.t.Helper()
	early, gone = w.add("Buoy zero is red."), w.add("Buoy one is red.")
	w.sync(here)
	w.delete(here, gone)
	w.update(early, "Buoy zero is green.")
	for i := range overlayRows {
		recent = append(recent, w.add(fmt.Sprintf("Buoy %d is green.", 10+i)))
	}
	return early, gone, recent
}

func TestA04BeyondTheOverlayTheNewestCountAndTheAnswerSaysSo(t *testing.T) {
	for _, mode := range modes {
		w := newWorld(t)
		early, gone, recent := w.lagging()
		c := w.ask("buoy green", in(mode), func(r *Request) { r.TopN, r.TokenBudget = 300, 32_000 })
		if arm := c.arm("overlay"); arm.State != Degraded || arm.Reason == "" || c.IndexSequence != 2 {
			t.Errorf("%s: overlay %+v, index at %d", mode, arm, c.IndexSequence)
		}
		if slices.Contains(c.ids(), gone) {
			t.Errorf("%s: what was deleted beyond the bound came back", mode)
		}
		if got := c.text(early); got != "Buoy zero is green." {
			t.Errorf("%s: what was changed beyond the bound reads %q", mode, got)
		}
		if got := len(c.ids()); got != len(recent)+1 {
			t.Errorf("%s: %d of the newest %d and one that was changed", mode, got, len(recent))
		}
	}
}

func TestA03AWriteBeyondTheOverlayIsWaitedForWhereTheIndexIsHere(t *testing.T) {
	w := newWorld(t)
	early, _, _ := w.lagging()
	w.CatchUp = w.indexer.Sync
	if c := w.ask("buoy zero"); c.arm("overlay").State != Degraded {
		t.Errorf("nobody asked for consistency: %+v", c.arm("overlay"))
	}
	c := w.ask("buoy zero", func(r *Request) { r.AtLeast = 4 }) // the change of early
	if got := c.ids(); len(got) == 0 || got[0] != early || c.arm("overlay").State != Skipped {
		t.Errorf("entries %v, overlay %+v", got, c.arm("overlay"))
	}
}

func TestA03ASequenceThatWasNeverAnsweredIs400(t *testing.T) {
	w := newWorld(t)
	w.add("The ferry has a bell.")
	head := w.head(here).Sequence
	for n, ok := range map[int64]bool{0: true, head: true, head + 1: false, 1 << 60: false} {
		_, err := w.Retrieve(t.Context(), question("ferry", func(r *Request) { r.AtLeast = n }))
		if ok && err != nil || !ok && !errs.Is(err, errs.Invalid) {
			t.Errorf("at least %d: %v", n, err)
		}
		if !ok && errs.As(err).Fields[0].Pointer != "/consistency/atLeast" {
			t.Errorf("%+v", errs.As(err))
		}
	}
}

// Rows that change no recall, such as seals, do not use the overlay up.
func TestR077OnlyRowsThatChangeRecallMakeTheIndexLag(t *testing.T) {
	w := newWorld(t)
	first := w.add("The ferry has a bell.")
	w.sync(here)
	quiet := func(n int) {
		for range n {
			w.update(first, "The ferry has a bell.") // the very text
		}
	}
	quiet(3)
	if c := w.ask("ferry"); c.arm("overlay").State != Skipped || c.IndexSequence != 1 {
		t.Errorf("overlay %+v, index at %d", c.arm("overlay"), c.IndexSequence)
	}
	second := w.add("The ferry takes bicycles.")
	quiet(overlayRows + 5)
	c := w.ask("ferry")
	c.holds(t, first, second)
	if c.arm("overlay").State != Ran {
		t.Errorf("overlay %+v", c.arm("overlay"))
	}
}

// A vector that is left of an earlier text says nothing of the present one.
func TestA03TheOverlayScoresWithVectorsOfThePresentTextOnly(t *testing.T) {
	w := newWorld(t)
	id := w.add("The ferry has a bell.")
	vectors, err := w.model.Embedder.Embed(t.Context(), []string{"granite wall"})
	if err != nil {
		t.Fatal(err)
	}
	row := memory.VectorItem(here, id, w.model.Profile().Name(), memory.Vector{Version: 9, Values: vectors[0]})
	if err := w.Store.Commit(t.Context(), store.Tx{Actions: []store.Action{store.PutItem("v", row, nil)}}); err != nil {
		t.Fatal(err)
	}
	w.ask("granite wall", in(Semantic)).holds(t)
}

// The rows that the overlay reads are of other families as well.
func TestA03RowsOfOtherFamiliesAreNoMemories(t *testing.T) {
	w := newWorld(t)
	id := w.add("The ferry has a bell.")
	_, err := w.commits.Do(t.Context(), commitOf(here, ledger.Entry{Op: ledger.Create, Family: "note", ItemID: w.IDs.New(), Recall: true}))
	if err != nil {
		t.Fatal(err)
	}
	w.ask("ferry").holds(t, id)
}

func TestS019QuarantineAndReleaseShowAtOnce(t *testing.T) {
	w := newWorld(t)
	id := w.add(hostile)
	w.sync(here)
	if c := w.ask("instructions prompt"); len(c.ids()) != 0 {
		t.Fatalf("a quarantined text was handed out: %v", c.ids())
	}
	if _, err := w.Memories.Review(t.Context(), w.target(here), memory.Ruling{ID: id, Verdict: memory.Release}); err != nil {
		t.Fatal(err)
	}
	for _, mode := range modes {
		w.ask("instructions prompt", in(mode)).holds(t, id)
	}
}
