package recall

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"holdfast/internal/memory"
)

// moment is the table as it stood after one write.
type moment struct {
	at   time.Time
	rows map[string]memory.Memory
}

// histories is a workspace with a random history, and what it was at each step.
type histories struct {
	*world
	random  *rand.Rand
	ids     []string
	moments []moment
	n       int
}

func (h *histories) pick() string { return h.ids[h.random.IntN(len(h.ids))] }

// step does one random thing.
func (h *histories) step() {
	h.clock.Advance(time.Duration(h.random.IntN(4)) * time.Second) // sometimes two writes in one instant but for 1 s
	h.n++
	text := fmt.Sprintf("Harbour number %d has %d cranes.", h.n, h.random.IntN(5))
	switch k := h.random.IntN(10); {
	case k < 5 || len(h.ids) == 0:
		h.append(text)
	case k < 8:
		h.edit(text)
	case k < 9:
		h.drop()
	default:
		if h.random.IntN(2) == 0 {
			h.sync(here)
		}
	}
	h.note()
}

func (h *histories) append(text string) {
	var changes []with
	if h.random.IntN(2) == 0 {
		changes = append(changes, ofAttribute(fmt.Sprint("a", h.random.IntN(3))))
	}
	if h.random.IntN(2) == 0 {
		from := start.Add(time.Duration(h.random.IntN(60)-20) * time.Second)
		changes = append(changes, since(from))
		if h.random.IntN(2) == 0 {
			changes = append(changes, until(from.Add(time.Duration(1+h.random.IntN(60))*time.Second)))
		}
	}
	if h.random.IntN(8) == 0 {
		text = hostile + " harbour"
	}
	h.ids = append(h.ids, h.add(text, changes...))
}

// edit changes a text, or decides over it where it is held.
func (h *histories) edit(text string) {
	id := h.pick()
	m := h.row(id)
	if m == nil {
		return
	}
	if m.Status == memory.Quarantined {
		h.clock.Advance(time.Second)
		if _, err := h.Memories.Review(h.t.Context(), h.target(here), memory.Ruling{ID: id, Verdict: memory.Release}); err != nil {
			h.t.Fatal(err)
		}
		return
	}
	if h.random.IntN(8) == 0 {
		text = hostile + " harbour"
	}
	h.update(id, text)
}

func (h *histories) drop() {
	if id := h.pick(); h.row(id) != nil {
		h.delete(here, id)
	}
}

func (h *histories) row(id string) *memory.Memory {
	h.t.Helper()
	found, err := memory.Load(h.t.Context(), h.Store, here, []string{id})
	if err != nil {
		h.t.Fatal(err)
	}
	return found[0]
}

func (h *histories) note() {
	h.t.Helper()
	found, err := memory.Load(h.t.Context(), h.Store, here, h.ids)
	if err != nil {
		h.t.Fatal(err)
	}
	m := moment{h.clock.Now(), map[string]memory.Memory{}}
	for _, one := range found {
		if one != nil {
			m.rows[one.ID] = *one
		}
	}
	h.moments = append(h.moments, m)
}

// known is the table at an instant; nil: before all.
func (h *histories) known(at time.Time) map[string]memory.Memory {
	var out map[string]memory.Memory
	for _, m := range h.moments {
		if !m.at.After(at) {
			out = m.rows
		}
	}
	return out
}

// expected is the naive model: what an as-of read shows, by content, and how many it hides.
func (h *histories) expected(a memory.AsOf, r Request) (shown []string, hidden int) {
	then, now := h.known(a.At), h.moments[len(h.moments)-1].rows
	for id, today := range now {
		m := today
		if a.Axis != memory.ValidAxis {
			was, known := then[id]
			if !known || was.Status == memory.Quarantined {
				continue
			}
			m = was
		}
		valid := (m.Temporal.ValidFrom == nil || !a.At.Before(*m.Temporal.ValidFrom)) && (m.Temporal.ValidTo == nil || a.At.Before(*m.Temporal.ValidTo))
		if today.Status == memory.Quarantined || a.Axis != memory.RecordedAxis && !valid || !r.inWindow(&today) {
			continue
		}
		past := m.Status == memory.Superseded && (a.Axis == memory.RecordedAxis || !a.At.Before(*m.Temporal.ReplacedFrom))
		if past && !r.IncludeSuperseded {
			hidden++
			continue
		}
		shown = append(shown, m.Content)
	}
	return shown, hidden
}

// TestR073AsOfOverRandomHistories compares as-of reads with a model that remembers the
// table after every write.
func TestR073AsOfOverRandomHistories(t *testing.T) {
	t.Parallel()
	for seed := range uint64(40) {
		h := &histories{world: newWorld(t), random: rand.New(rand.NewPCG(seed, 9))}
		for range 40 {
			h.step()
		}
		if h.random.IntN(2) == 0 {
			h.sync(here)
		}
		for range 60 {
			h.compare(seed)
		}
	}
}

func (h *histories) compare(seed uint64) {
	h.t.Helper()
	at := start.Add(time.Duration(h.random.IntN(200)-30) * time.Second)
	at = at.Add(time.Duration(h.random.IntN(3)-1) * time.Duration(h.random.IntN(2)) * 400 * time.Nanosecond)
	a := memory.AsOf{At: at, Axis: axes[h.random.IntN(3)]}
	mode := []Mode{Lexical, Deterministic}[h.random.IntN(2)]
	changes := []func(*Request){in(mode), most(200), budget(32000), asOf(a.Axis, a.At)}
	if h.random.IntN(3) == 0 {
		changes = append(changes, withSuperseded)
	}
	if h.random.IntN(3) == 0 {
		after, before := at.Add(-time.Minute), at.Add(time.Duration(h.random.IntN(60))*time.Second)
		changes = append(changes, between(&after, &before))
	}
	r := question("harbour", changes...)
	want, hidden := h.expected(a, r)
	c := h.ask("harbour", changes...)
	label := fmt.Sprintf("seed %d, %s, %s at %v, window %v to %v", seed, mode, a.Axis, at, r.After, r.Before)
	c.shows(h.t, label, want...)
	if c.SupersededHidden != hidden || c.OmittedWorkspace != 0 {
		h.t.Errorf("%s: %d hidden, want %d; %d omitted", label, c.SupersededHidden, hidden, c.OmittedWorkspace)
	}
}
