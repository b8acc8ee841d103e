package recall

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"holdfast/internal/memory"
)

var story = []string{
	"The caterer comes on Tuesday evening.", "Lena collected the keys to the hall.",
	"The violin concert starts at eight o'clock.", "Parking is free behind the library.", "The flowers are bought at the market.",
}

func expanding(sessions, window int) func(*Request) {
	return func(r *Request) { r.Expand = &Expansion{Sessions: sessions, Window: window} }
}

func since(at time.Time) with { return func(d *memory.Draft) { d.ValidFrom = &at } }

// alone is said in a role, so that no words of its neighbours count in it.
func alone(d *memory.Draft) { d.Speaker = new("user") }

// tell writes a session in workspace layer and answers its ids.
func (w *world) tell(run string, changes []with, texts ...string) []string {
	w.t.Helper()
	out := make([]string, len(texts))
	for i, text := range texts {
		out[i] = w.add(text, append([]with{inRun(run)}, changes...)...)
	}
	return out
}

func TestR020NeighboursComeFromEachSideOfAHit(t *testing.T) {
	for _, layer := range []string{"Workspace", "Session"} {
		w := newWorld(t)
		ids := w.tell("r1", []with{inLayer(layer)}, story...)
		w.tell("r2", nil, "The bakery opens at six.", "The bakery closes at noon.")
		w.sync(here)
		for window, want := range map[int][]string{0: ids[2:3], 1: ids[1:4], 2: ids, 3: ids, 20: ids} {
			for _, mode := range modes {
				for name, one := range map[string]func(*Request){"": func(*Request) {}, "raw": raw} {
					c := w.ask("When does the violin concert start?", in(mode), inRunOf("r1"), most(1), expanding(1, window), one)
					got := c.ids()
					slices.Sort(got)
					if !slices.Equal(got, want) {
						t.Errorf("%s %s, %s, window %d: %v, want %v", mode, name, layer, window, got, want)
					}
				}
			}
		}
		w.ask("When does the violin concert start?", inRunOf("r1"), most(1)).holds(t, ids[2])
	}
}

func TestR020TheSessionsOfTheBestHitsAreOpened(t *testing.T) {
	w := newWorld(t)
	var hits, beside []string
	for i := range 5 {
		run := fmt.Sprint("r", i)
		hits = append(hits, w.add("Harbour pilot"+strings.Repeat(" harbour pilot", 5-i)+".", inRun(run), alone))
		beside = append(beside, w.add(fmt.Sprintf("Lunch number %d.", i), inRun(run), alone))
	}
	loner := w.add("The harbour pilot is Olga.")
	w.sync(here)
	for n := 1; n <= 5; n++ {
		c := w.ask("harbour pilot", in(Lexical), expanding(n, 3))
		want := slices.Concat(hits, []string{loner}, beside[:n])
		if got := c.ids(); got[0] != hits[0] || len(got) != len(want) {
			t.Errorf("%d sessions: %v", n, got)
		}
		c.holds(t, want...)
	}
}

func TestR020ANeighbourPassesEveryFilter(t *testing.T) {
	w := newWorld(t)
	old := start.Add(-1000 * time.Hour)
	kept := w.add("Kept before.", inRun("r1"), tagged("k", "v"))
	w.add("Untagged.", inRun("r1"))
	w.add("Of long ago.", inRun("r1"), tagged("k", "v"), since(old))
	w.add("Over.", inRun("r1"), tagged("k", "v"), until(start))
	w.add("The deputy is Olga.", inRun("r1"), tagged("k", "v"), ofAttribute("deputy"))
	w.add("Of Ida.", inRun("r1"), tagged("k", "v"), ofUser("ida"))
	w.add("A session entry.", inRun("r1"), tagged("k", "v"), inLayer("Session"))
	w.add(hostile, inRun("r1"), tagged("k", "v"))
	w.add("s3", inRun("r1"), tagged("k", "v"), pointing("s3://k"))
	w.delete(here, w.add("Gone.", inRun("r1"), tagged("k", "v")))
	hit := w.add("The harbour pilot has a boat.", inRun("r1"), tagged("k", "v"))
	after := w.add("The deputy is Pavel.", inRun("r1"), tagged("k", "v"), ofAttribute("deputy"))
	w.sync(here)
	narrow := func(r *Request) { r.After = &start }
	w.ask("harbour pilot", in(Lexical), having("k", "v"), narrow, expanding(1, 1)).holds(t, kept, hit, after)
}

func TestR020ManyThatDoNotPassArePassedOverWithinBounds(t *testing.T) {
	w := newWorld(t)
	kept := w.add("Kept.", inRun("r1"), tagged("k", "v"))
	for i := range 60 {
		w.add(fmt.Sprintf("Untagged %d.", i), inRun("r1"))
	}
	hit := w.add("The harbour pilot.", inRun("r1"), tagged("k", "v"))
	w.sync(here)
	w.ask("harbour pilot", in(Lexical), having("k", "v"), expanding(1, 1)).holds(t, kept, hit)
	for i := range 80 {
		w.add(fmt.Sprintf("Untagged as well %d.", i), inRun("r1"))
	}
	w.add("Too far.", inRun("r1"), tagged("k", "v"))
	w.sync(here)
	w.ask("harbour pilot", in(Lexical), having("k", "v"), expanding(1, 1)).holds(t, kept, hit)
}

// Hits that lie far from one another in a long run each have their neighbours.
func TestR020HitsFarApartInALongSession(t *testing.T) {
	w := newWorld(t)
	var ids []string
	hit := map[int]bool{0: true, 3: true, 300: true, 301: true, 590: true, 599: true}
	for i := range 600 {
		text := fmt.Sprintf("Filler %d.", i)
		if hit[i] {
			text = fmt.Sprintf("The harbour pilot %d.", i)
		}
		ids = append(ids, w.add(text, inRun("r1"), alone))
	}
	w.sync(here)
	var want []string
	for i, id := range ids {
		for j := range hit {
			if max(i-j, j-i) <= 2 {
				want = append(want, id)
				break
			}
		}
	}
	w.ask("harbour pilot", in(Lexical), budget(32000), expanding(1, 2)).holds(t, want...)
}

// What comes in as a neighbour is dropped and omitted no more, and evicts nobody.
func TestR020NeighboursComeBehindRankedHitsAndWithinTheBudget(t *testing.T) {
	w := newWorld(t)
	for i := range 12 {
		w.add(fmt.Sprintf("The harbour pilot makes trip %d of the day.", i), inRun("r1"))
	}
	w.sync(here)
	for _, mode := range modes {
		for _, tokens := range []int{64, 90, 120, 4096} {
			plain := w.ask("harbour pilot trip", in(mode), most(3), budget(tokens))
			c := w.ask("harbour pilot trip", in(mode), most(3), budget(tokens), expanding(3, 20))
			if c.Compilation.TokensUsed > tokens {
				t.Errorf("%s: %d of %d tokens", mode, c.Compilation.TokensUsed, tokens)
			}
			got := c.ids()
			for _, id := range plain.ids() {
				if !slices.Contains(got, id) {
					t.Errorf("%s, %d tokens: %s was evicted", mode, tokens, id)
				}
			}
			if len(got)+c.OmittedWorkspace != 12 || len(got)+len(c.Compilation.Dropped) != 12 {
				t.Errorf("%s, %d tokens: %d shown, %d omitted, %d dropped", mode, tokens, len(got), c.OmittedWorkspace, len(c.Compilation.Dropped))
			}
			for _, s := range c.Compilation.Sections {
				if s.Included != len(got) || s.Omitted != 12-len(got) {
					t.Errorf("%s, %d tokens: %+v", mode, tokens, s)
				}
			}
			if tokens == 4096 && len(got) != 12 {
				t.Errorf("%s: %d neighbours and hits", mode, len(got))
			}
			checkOrder(t, c)
		}
	}
}

// checkOrder asks for falling scores in sections and for blocks in session order.
func checkOrder(t *testing.T, c Context) {
	t.Helper()
	for name, entries := range c.Sections {
		if !slices.IsSortedFunc(entries, func(a, b Entry) int { return int(1e9 * (b.Score - a.Score)) }) {
			t.Errorf("%s: scores rise", name)
		}
	}
	for _, b := range c.Blocks {
		if !slices.IsSorted(b.EntryIDs) {
			t.Errorf("%s: not in the order of the session: %v", b.Name, b.EntryIDs)
		}
	}
}

// A neighbour keeps the score it ranked with, below the least score too, or has 0.
func TestR020ANeighboursScore(t *testing.T) {
	w := newWorld(t)
	w.add("Nothing of this.", inRun("r1"), alone)
	w.add("The harbour pilot has a boat.", inRun("r1"), alone)
	w.add("A harbour.", inRun("r1"), alone)
	w.sync(here)
	all := w.ask("harbour pilot boat", in(Lexical)).Sections[WorkspaceEntries]
	scores := map[string]float64{all[0].Memory.ID: all[0].Score, all[1].Memory.ID: all[1].Score}
	c := w.ask("harbour pilot boat", in(Lexical), least(all[1].Score+.01), expanding(1, 2))
	if len(c.Sections[WorkspaceEntries]) != 3 {
		t.Fatalf("%v", c.ids())
	}
	for _, e := range c.Sections[WorkspaceEntries] {
		if e.Score != scores[e.Memory.ID] {
			t.Errorf("%q scores %v, want %v", e.Memory.Content, e.Score, scores[e.Memory.ID])
		}
	}
	if items := w.journal.last(t).Items; len(items) != 3 {
		t.Errorf("the receipt names %d", len(items))
	}
}

// Two days of one session stand under their headers, the earlier first.
func TestR086AnOpenedSessionStandsInItsOrder(t *testing.T) {
	w := newWorld(t)
	first := w.add("We begin.", inRun("r1"))
	w.clock.Advance(24 * time.Hour)
	second := w.add("Then lunch.", inRun("r1"))
	hit := w.add("The harbour pilot has a boat.", inRun("r1"))
	other := w.add("A harbour pilot, alone.", inRun("r2"))
	w.sync(here)
	c := w.ask("harbour pilot boat", in(Lexical), expanding(1, 5))
	if got := c.Blocks[0].EntryIDs; !slices.Equal(got, []string{first, second, hit, other}) {
		t.Errorf("%v\n%s", got, c.Blocks[0].Text)
	}
	if strings.Count(c.Blocks[0].Text, "[2026-05-01]") != 1 || strings.Count(c.Blocks[0].Text, "[2026-05-02]") != 2 {
		t.Errorf("%s", c.Blocks[0].Text)
	}
}

// A tenant memory of a sibling does not open the sibling's session.
func TestR020ASiblingsSessionStaysClosed(t *testing.T) {
	w := newWorld(t)
	w.store(sibling, fact("Secret of the sibling.", inRun("r1")))
	shared := w.store(sibling, fact("The harbour pilot has a boat.", inRun("r1"), inLayer("Tenant")))
	w.store(sibling, fact("Secret too.", inRun("r1")))
	w.add("Of this workspace.", inRun("r1"))
	w.sync(here, sibling)
	w.ask("harbour pilot", in(Lexical), expanding(3, 5)).holds(t, shared)
}
