package recall

import (
	"context"
	"time"

	"holdfast/internal/recall/rank"
	"holdfast/internal/search"
)

// Removal names a filter that took candidates out.
type Removal string

// The filters. ByIndex is what the index believed and the table did not: gone, held,
// changed, or never the caller's. ByFloor is policy that is in the answer anyway.
const (
	ByTags         Removal = "tags"
	ByWindow       Removal = "window"
	ByAsOf         Removal = "asOf"
	BySupersession Removal = "superseded"
	ByScore        Removal = "minScore"
	ByFloor        Removal = "floor"
	ByIndex        Removal = "index"
)

var removals = []Removal{ByTags, ByWindow, ByAsOf, BySupersession, ByScore, ByFloor, ByIndex}

// Removed is how many candidates a filter took out: texts that the query finds and
// every other filter lets pass. Of what the caller may not see at all no number is
// told.
type Removed struct {
	By    Removal
	Count int
}

// Explained says how an entry of the answer came there.
type Explained struct {
	ID      string
	Section Section
	// Arms are those that know the entry, of lexical, semantic and overlay; or floor,
	// profile, summary or expansion alone, for what nobody had to find.
	Arms  []string
	Parts *rank.Parts // of its score; nil: it was not ranked
	// First and Last are its places in the ranking, from 1, before and after the second
	// scorer; 0: it was not ranked.
	First, Last int
}

// Window is a stretch of time that a query names, From inclusive and To exclusive.
type Window struct{ From, To time.Time }

// Step is how long a part of the retrieve took.
type Step struct {
	Name         string
	Milliseconds float64
}

// Numbers tell how many candidates there were.
type Numbers struct {
	Proposed int // by the arms and the overlay
	Read     int // of these from the table
	Ranked   int
	Expanded int // neighbours that sessions added
}

// Diagnostics explain a retrieve (R0.32). Making them changes nothing of the rest.
type Diagnostics struct {
	Entries []Explained // of every id in the answer
	Removed []Removed   // filters that took something out
	// Window is the first stretch of time that the query names; nil: none, or a month
	// of no certain year. It weighs and never filters (R0.74).
	Window    *Window
	Anchor    time.Time
	Overrides Effective
	Rerank    RerankReport
	Timings   []Step
	Numbers   Numbers
}

// explain makes the diagnostics of an answer; nil where nobody asked.
func (p *pass) explain(out Context) *Diagnostics {
	if !p.req.Explain {
		return nil
	}
	p.removed[BySupersession] = p.hidden
	d := &Diagnostics{
		Entries: p.explained(out), Removed: []Removed{}, Window: p.named(), Anchor: p.anchor(),
		Overrides: p.effective(), Rerank: p.reranking, Timings: p.steps, Numbers: p.numbers,
	}
	d.Numbers.Ranked = len(p.ranked)
	for _, by := range removals {
		if n := p.removed[by]; n > 0 {
			d.Removed = append(d.Removed, Removed{by, n})
		}
	}
	return d
}

// explained tells of every id in the answer, in the order of the sections.
func (p *pass) explained(out Context) []Explained {
	found := make(map[string]scored, len(p.ranked))
	for _, c := range p.ranked {
		found[c.id] = c
	}
	list := []Explained{}
	told := map[string]bool{}
	for _, s := range packingOrder {
		for _, e := range out.Sections[s] {
			list = append(list, explainedOf(s, e.Memory.ID, found))
			told[e.Memory.ID] = true
		}
	}
	for _, digest := range []struct {
		section Section
		arm     string
		text    *Digest
	}{{UserProfile, "profile", out.Profile}, {SessionSummary, "summary", out.Summary}} {
		if digest.text == nil {
			continue
		}
		for _, id := range digest.text.SourceIDs {
			if !told[id] {
				list = append(list, Explained{ID: id, Section: digest.section, Arms: []string{digest.arm}})
			}
		}
	}
	return list
}

func explainedOf(s Section, id string, found map[string]scored) Explained {
	e := Explained{ID: id, Section: s, Arms: []string{"expansion"}}
	c, ranked := found[id]
	switch {
	case s == TenantFloors:
		e.Arms = []string{"floor"}
	case ranked:
		e.Arms, e.Parts, e.First, e.Last = c.arms(), &c.parts, c.before, c.after
	}
	return e
}

// arms are those that know a candidate.
func (c candidate) arms() (out []string) {
	if c.lexical > 0 {
		out = append(out, "lexical")
	}
	if c.hasVec {
		out = append(out, "semantic")
	}
	if c.fresh {
		out = append(out, "overlay")
	}
	return out
}

// named is the stretch of time that the query names first.
func (p *pass) named() *Window {
	for _, s := range rank.Spans(p.question, p.rankOptions()) {
		if s.AnyYearOf == 0 {
			return &Window{From: s.From, To: s.To}
		}
	}
	return nil
}

// takenOut are the numbers of what each of the filters that the caller chose takes out
// of what all others let pass.
func (r Request) takenOut() (out []search.Tally) {
	for _, n := range r.narrowings(exact) {
		fails := not(search.Filter{All: n.filters})
		out = append(out, search.Tally{Filter: both(fails, r.filter(exact, n.by)), Over: true})
	}
	return out
}

// tell notes them.
func (p *pass) tell(numbers []int) {
	if !p.req.Explain {
		return
	}
	for i, n := range p.req.narrowings(exact) {
		p.removed[n.by] += numbers[tallies+i]
	}
}

// timed runs a step, and notes how long it took where somebody asked.
func (p *pass) timed(ctx context.Context, name string, step func(context.Context) error) error {
	if !p.req.Explain {
		return step(ctx)
	}
	from := p.Clock.Now()
	err := step(ctx)
	p.steps = append(p.steps, Step{name, float64(p.Clock.Now().Sub(from)) / float64(time.Millisecond)})
	return err
}
