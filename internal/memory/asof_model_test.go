package memory

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"holdfast/internal/errs"
)

// past is a naive model: every state that a memory was ever in, with when it came to
// be, and for each value of an attribute when the next one began as known then.
type past struct {
	*world
	ids    []string
	states map[string][]state
	ends   map[string]time.Time // of superseded values: when the next one began
	loose  map[string]bool      // superseded, and nobody knows when they began
}

type state struct {
	*Memory
	at  time.Time
	end time.Time
}

func newPast(t *testing.T) *past {
	return &past{world: newWorld(t), states: map[string][]state{}, ends: map[string]time.Time{}, loose: map[string]bool{}}
}

func (p *past) last(id string) *state {
	if all := p.states[id]; len(all) > 0 {
		return &all[len(all)-1]
	}
	return nil
}

// record notes the states that a write left. entered is the memory that took a place
// among the values of its attribute; empty: none did.
func (p *past) record(entered string) {
	now := utc(p.clock.Now())
	if entered != "" && !slices.Contains(p.ids, entered) {
		p.ids = append(p.ids, entered)
	}
	if was := p.last(entered); was != nil && now.Before(was.at) {
		now = was.at // of one memory the clock never runs backwards
	}
	heads := map[string]*Memory{}
	for _, id := range p.ids {
		heads[id] = p.head(id)
	}
	if m := heads[entered]; m != nil && m.Attribute != "" && m.Status != Quarantined {
		p.enter(m, heads, now)
	}
	for id, m := range heads {
		before := p.last(id)
		if before != nil && before.UpdatedAt.Equal(m.UpdatedAt) && before.Status == m.Status &&
			before.Version == m.Version && before.end.Equal(p.ends[id]) {
			continue // not written, or only counted: a merge that brought nothing
		}
		at := now
		if before != nil && at.Before(before.at) {
			at = before.at
		}
		p.states[id] = append(p.states[id], state{Memory: m, at: at, end: p.ends[id]})
	}
}

// enter works out when values end now that m is among them, looking at all of them.
func (p *past) enter(m *Memory, heads map[string]*Memory, now time.Time) {
	was := p.last(m.ID)
	over := func(x *Memory) bool { return x.Temporal.ValidFrom == nil && x.expired(now) }
	start := m.Temporal.EventTime()
	if was != nil && was.Temporal.SupersededAt != nil && over(m) {
		return
	}
	var next, current time.Time
	for id, x := range heads {
		before := p.last(id)
		if id == m.ID || before == nil || x.Attribute != m.Attribute || before.Status == Quarantined || before.IsDeleted() {
			continue
		}
		begin := x.Temporal.EventTime()
		switch {
		case before.Status == Active && x.Status == Superseded:
			p.ends[id], p.loose[id] = start, over(x)
			continue
		case before.Status == Active:
			current = begin
		case p.loose[id]:
			continue
		}
		if start.Before(begin) && (next.IsZero() || begin.Before(next)) {
			next = begin
		}
		if before.Status == Superseded && !start.Before(begin) && start.Before(p.ends[id]) && !over(m) {
			p.ends[id] = start
		}
	}
	switch {
	case m.Status != Superseded:
	case over(m):
		p.ends[m.ID], p.loose[m.ID] = current, true
	case was == nil || was.Temporal.SupersededAt == nil || !next.IsZero() && next.Before(p.ends[m.ID]):
		p.ends[m.ID] = next
	}
}

// at is the state a memory was in at a recorded time; nil: there was none yet.
func (p *past) at(id string, t time.Time) *state {
	all := p.states[id]
	for i := len(all) - 1; i >= 0; i-- {
		if !t.Before(all[i].at) {
			return &all[i]
		}
	}
	return nil
}

// shows is what an as-of read must show of a memory.
func (p *past) shows(id string, a AsOf) (text string, version int64, was bool) {
	now := p.last(id)
	if now.Status == Quarantined || now.IsDeleted() {
		return "", 0, false
	}
	then := now
	if a.Axis != ValidAxis {
		if then = p.at(id, a.At); then == nil || then.Status == Quarantined {
			return "", 0, false
		}
	}
	if from := now.Temporal.ValidFrom; a.Axis != RecordedAxis && from != nil && a.At.Before(*from) {
		return "", 0, false
	}
	if to := now.Temporal.ValidTo; a.Axis != RecordedAxis && to != nil && !a.At.Before(*to) {
		return "", 0, false
	}
	was = then.Status == Superseded && (a.Axis == RecordedAxis || !a.At.Before(then.end))
	return then.Content, then.Version, was
}

// instants are those at which something changed, just before and after, and some
// that have nothing to do with it.
func (p *past) instants(r *rand.Rand) []time.Time {
	var out []time.Time
	for _, id := range p.ids {
		for _, s := range p.states[id] {
			out = append(out, s.at, s.at.Add(-time.Millisecond), s.at.Add(time.Millisecond), s.end, s.end.Add(-time.Millisecond))
			for _, at := range []*time.Time{s.Temporal.ValidFrom, s.Temporal.ValidTo} {
				if at != nil {
					out = append(out, *at, at.Add(-time.Millisecond))
				}
			}
		}
	}
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	out = out[:min(len(out), 120)]
	for range 20 {
		out = append(out, moment(r))
	}
	return out
}

// agree holds Views over all memories against the model.
func (p *past) agree(r *rand.Rand) {
	p.t.Helper()
	var list []*Memory
	for _, id := range p.ids {
		list = append(list, p.head(id))
	}
	for _, at := range p.instants(r) {
		for _, axis := range []Axis{ValidAxis, RecordedAxis, BothAxes} {
			a := AsOf{At: at, Axis: axis}
			views, err := Views(context.Background(), p.Store, p.scope, list, a)
			if err != nil {
				p.t.Fatal(err)
			}
			for i, v := range views {
				text, version, was := p.shows(p.ids[i], a)
				shown, got := "", int64(0)
				if v.Memory != nil {
					shown, got = v.Content, v.Version
				}
				if shown != text || got != version || v.Past != was {
					p.t.Fatalf("%s at %s, memory %d: %q version %d past %v, want %q version %d past %v\n%+v",
						axis, at, i, shown, got, v.Past, text, version, was, list[i].Temporal)
				}
			}
		}
	}
}

// moment is an instant in the years around the start.
func moment(r *rand.Rand) time.Time {
	return start.Truncate(time.Hour).AddDate(0, 0, r.IntN(3000)-2500)
}

var sayings = []string{"All of the lamps in the long shed %d are lit.", "All lamps in the long shed %d are lit!",
	"all LAMPS in the long shed %d are lit!", "The rope of the long shed %d is dry."}

func saying(r *rand.Rand) string {
	if r.IntN(8) == 0 {
		return fmt.Sprint(hostile, r.IntN(1000))
	}
	return fmt.Sprintf(sayings[r.IntN(len(sayings))], r.IntN(3))
}

func anyDraft(r *rand.Rand) Draft {
	d := fact(saying(r))
	if r.IntN(3) > 0 {
		d.Attribute = ptr([]string{"lamp", "rope"}[r.IntN(2)])
	}
	if r.IntN(2) == 0 {
		d.ValidFrom = ptr(moment(r))
	}
	if r.IntN(4) == 0 {
		if d.ValidTo = ptr(moment(r)); d.ValidFrom != nil && !d.ValidFrom.Before(*d.ValidTo) {
			d.ValidTo = nil
		}
	}
	return d
}

// step makes one random write.
func (p *past) step(r *rand.Rand) {
	p.t.Helper()
	p.clock.Advance(time.Duration(r.IntN(5000)-700) * time.Millisecond)
	if r.IntN(10) == 0 {
		p.clock.Advance(time.Duration(r.IntN(400)) * time.Hour)
	}
	ctx, entered := context.Background(), ""
	var err error
	switch n := r.IntN(12); {
	case n < 6 || len(p.ids) == 0:
		var a Appended
		if a, err = p.Append(ctx, p.as([]Caller{admin, agent}[r.IntN(2)]), anyDraft(r)); err == nil && !a.Merged {
			entered = a.ID
		}
	case n < 8:
		_, err = p.Update(ctx, p.as(agent), Revision{ID: p.any(r), Content: saying(r)})
	case n == 8:
		err = p.delete(admin, p.any(r))
	default:
		id, verdict := p.held(r), Release
		if r.IntN(4) == 0 {
			verdict = Reject
		}
		if id == "" {
			return
		}
		if _, err = p.Review(ctx, p.as(admin), Ruling{ID: id, Verdict: verdict}); err == nil {
			entered = id
		}
	}
	var e *errs.Error
	if err != nil && (!errors.As(err, &e) || e.Kind != errs.NotFound && e.Kind != errs.Conflict) {
		p.t.Fatal(err)
	}
	p.record(entered)
}

func (p *past) any(r *rand.Rand) string { return p.ids[r.IntN(len(p.ids))] }

// held is a memory in quarantine; empty: there is none.
func (p *past) held(r *rand.Rand) string {
	for range 30 {
		if id := p.any(r); p.head(id).Status == Quarantined {
			return id
		}
	}
	return ""
}

// TestR016AsOfReadsEqualAModelOfEveryStateEver: random histories with edits, merges,
// supersessions, late values, deletes, reviews and clocks that step back.
func TestR016AsOfReadsEqualAModelOfEveryStateEver(t *testing.T) {
	const rounds = 60
	var narrowed, held, edited int
	for seed := range uint64(rounds) {
		r := rand.New(rand.NewPCG(seed, 16))
		p := newPast(t)
		for range 20 + r.IntN(60) {
			p.step(r)
		}
		p.agree(r)
		p.sound()
		for _, id := range p.ids {
			m := p.head(id)
			narrowed, held, edited = narrowed+len(m.Temporal.Narrowed), held+len(m.Held), edited+int(m.Version-1)
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	if narrowed < rounds || held < rounds || edited < rounds {
		t.Errorf("too little happened: %d narrowed, %d released, %d edited", narrowed, held, edited)
	}
}
