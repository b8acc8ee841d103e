package recall

import (
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"holdfast/internal/ledger"
	"holdfast/internal/memory"
	"holdfast/internal/search"
	"holdfast/internal/store"
	"holdfast/internal/work"
)

// bytes is an answer as text, but for its receipt, time and diagnostics.
func (c Context) bytes(t testing.TB) string {
	t.Helper()
	c.ReceiptID, c.At, c.Diagnostics = "", time.Time{}, nil
	raw, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func (w *world) fleet() {
	w.t.Helper()
	for i := range 30 {
		w.add(fmt.Sprintf("Ferry %d carries %d cars.", i%7, i), inRun(fmt.Sprint("run", i%3)), tagged("line", fmt.Sprint(i%2)))
	}
	w.add("The ferry master is Olga.", ofAttribute("master"))
	w.add("The ferry master is Pavel.", ofAttribute("master"))
	w.store(here, floor("Sign the register."))
	w.store(sibling, fact("Every ferry has a bell.", inLayer("Tenant")))
	w.add("Ida likes the ferry.", ofUser("ida"), ofType("preference"))
	w.add("The winter ferry runs.", until(w.clock.Now().Add(time.Hour)))
}

func TestR010TheSameStateAndRequestGiveTheSameBytes(t *testing.T) {
	w := newWorld(t)
	w.fleet()
	w.sync(here, sibling)
	requests := [][]func(*Request){
		{in(Deterministic), most(100)}, {in(Deterministic), asUser("ida")}, {in(Deterministic), raw}, {in(Deterministic), budget(80)},
		{in(Deterministic), having("line", "1"), most(3), least(.05)},
		{in(Deterministic), most(100), asOf(memory.RecordedAxis, start.Add(20*time.Second))},
		{in(Deterministic), most(100), asOf(memory.BothAxes, start.Add(40*time.Second)), withSuperseded},
		{in(Deterministic), most(2), expanding(2, 3), between(new(start.Add(5*time.Second)), nil)},
	}
	var want []string
	for _, r := range requests {
		want = append(want, w.ask("ferry cars master", r...).bytes(t))
	}
	if !strings.Contains(want[0], "winter") {
		t.Error("a memory that was valid at the newest change is left out")
	}
	for name, other := range map[string]*world{
		"asked again": w, "in another process": w.again(false), "over an index that follows the log": w.again(true),
	} {
		other.clock.Advance(100 * 24 * time.Hour) // no clock: now is the newest change
		for _, processors := range []int{1, 4} {
			before := runtime.GOMAXPROCS(processors)
			for i, r := range requests {
				if got := other.ask("ferry cars master", r...).bytes(t); got != want[i] {
					t.Errorf("%s, request %d:\n%s\nwant\n%s", name, i, got, want[i])
				}
			}
			runtime.GOMAXPROCS(before)
		}
	}
	if c := w.ask("ferry winter", most(100)); strings.Contains(c.bytes(t), "winter") {
		t.Error("the other modes do have a clock")
	}
}

// again is another process over the same table, with an index of its own.
func (w *world) again(follows bool) *world {
	w.t.Helper()
	next := worldOver(w.t, w.Store, w.clock)
	if follows {
		next.sync(sibling, here)
		return next
	}
	cursors := work.NewMemoryCursors()
	r := work.Rebuild{Scanner: w.Store.(store.Scanner), Index: next.index, Cursors: cursors, Profile: w.model.Profile().Name()}
	if _, err := r.Run(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
	next.Cursors = cursors
	return next
}

// Seals and other rows that change no recall are not the newest change.
func TestR082ReadingDoesNotChangeWhatIsRead(t *testing.T) {
	w := newWorld(t)
	w.fleet()
	w.sync(here, sibling)
	before := w.ask("ferry", in(Deterministic)).bytes(t)
	w.clock.Advance(90 * time.Minute)
	if _, err := w.commits.Do(t.Context(), commitOf(here, ledger.Entry{Op: ledger.Seal, Family: "receipts"})); err != nil {
		t.Fatal(err)
	}
	w.sync(here)
	if after := w.ask("ferry", in(Deterministic)).bytes(t); after != before {
		t.Errorf("%s\nwas\n%s", after, before)
	}
}

func TestR087DeterministicRankingIsScoreThenNewestThenId(t *testing.T) {
	w := newWorld(t)
	var ids []string
	for i := range 5 {
		ids = append(ids, w.add(fmt.Sprintf("Ferry number%d.", i)))
	}
	w.sync(here)
	slices.Reverse(ids)
	if got := w.ask("ferry", in(Deterministic)).ids(); !slices.Equal(got, ids) {
		t.Errorf("%v, want the newest first: %v", got, ids)
	}
	best := w.add("Ferry ferry ferry.")
	if got := w.ask("ferry", in(Deterministic)).ids(); got[0] != best {
		t.Errorf("%v, want %s first", got, best)
	}
}

func TestR082AScopeOverTheBoundIsTold(t *testing.T) {
	w := newWorld(t)
	id := w.add("The ferry has a bell.")
	w.sync(here)
	real := search.Hit{Scope: here, ID: id, Version: 1, Lexical: 1}
	for n, state := range map[int]ArmState{deterministicScope - 1: Ran, deterministicScope: Degraded} {
		hits := []search.Hit{real}
		for range n - 1 {
			ghost := real
			ghost.ID = w.IDs.New()
			hits = append(hits, ghost)
		}
		w.index.change = func(a search.Answer) search.Answer { a.Hits = hits; return a }
		c := w.ask("ferry", in(Deterministic))
		c.holds(t, id)
		if arm := c.arm("lexical"); arm.State != state || (arm.Reason != "") != (state == Degraded) {
			t.Errorf("%d entries: %+v", n, arm)
		}
	}
}
