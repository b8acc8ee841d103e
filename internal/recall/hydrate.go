package recall

import (
	"context"
	"slices"

	"holdfast/internal/memory"
	"holdfast/internal/tenant"
)

// hydrate reads candidates from the table, best first, and drops what the request
// may not see, whatever the index believed.
func (p *pass) hydrate(ctx context.Context) error {
	defer p.embeddedAll()
	proposed := p.found
	p.found, p.numbers.Proposed = nil, len(proposed)
	return p.read(ctx, proposed)
}

// read adds those of the candidates that may be seen. Fresh ones are read already
// and all count. Of the others the best are read: as many as are worth ranking,
// and more only when most of them had to be dropped.
func (p *pass) read(ctx context.Context, proposed []candidate) error {
	unread := p.keepFresh(proposed)
	limit, before := p.req.hydrated(), len(p.found)
	if len(unread) > limit {
		unread = p.bestFirst(unread)
	}
	for len(unread) > 0 && len(p.found)-before < limit/2 {
		n := min(limit, len(unread))
		if err := p.load(ctx, unread[:n]); err != nil {
			return err
		}
		unread = unread[n:]
	}
	p.left = unread
	return nil
}

// keepFresh adds those that were read already, and answers the others in the place of
// all.
func (p *pass) keepFresh(proposed []candidate) (unread []candidate) {
	unread = proposed[:0]
	for _, c := range proposed {
		switch {
		case !c.fresh:
			unread = append(unread, c)
		case p.keep(c):
			p.found = append(p.found, c)
		}
	}
	return unread
}

// load reads candidates and keeps what may be seen.
func (p *pass) load(ctx context.Context, cs []candidate) error {
	if err := p.see(ctx, cs); err != nil {
		return err
	}
	p.numbers.Read += len(cs)
	p.found = slices.Grow(p.found, len(cs))
	for _, c := range cs {
		p.counted(c)
		if p.keep(c) {
			p.found = append(p.found, c)
		}
	}
	return nil
}

// see reads what the request sees of candidates.
func (p *pass) see(ctx context.Context, cs []candidate) error {
	if err := p.locate(ctx, cs); err != nil {
		return err
	}
	byScope := map[tenant.Scope][]int{}
	for i, c := range cs {
		if !c.scope.IsZero() {
			byScope[c.scope] = append(byScope[c.scope], i)
		}
	}
	for scope, at := range byScope {
		ids := make([]string, len(at))
		for j, i := range at {
			ids[j] = cs[i].id
		}
		memories, err := memory.Load(ctx, p.Store, scope, ids)
		if err != nil {
			return err
		}
		views, err := p.asSeen(ctx, scope, memories)
		if err != nil {
			return err
		}
		for j, i := range at {
			cs[i].memory, cs[i].past = views[j].Memory, views[j].Past
		}
	}
	return p.renew(ctx, cs)
}

// counted takes a candidate that was read out of the index's number of those that
// were not: the table has told by now what it is.
func (p *pass) counted(c candidate) {
	if c.memory == nil && !c.shared || c.memory != nil && c.memory.Layer == memory.Workspace {
		p.unread = max(0, p.unread-1)
	}
}

// keep decides over one candidate and counts what only supersession hides (R0.14):
// beside the index's number those of which the index does not know it yet.
func (p *pass) keep(c candidate) bool {
	why := p.removal(c)
	if why == "" {
		return true
	}
	p.removed[why]++
	if why == BySupersession {
		p.hidden++
		p.replaced = append(p.replaced, c)
	}
	return false
}

// removal says why a candidate is no entry; empty where it may be one.
func (p *pass) removal(c candidate) Removal {
	switch m := c.memory; {
	case m == nil:
		return p.nothing()
	case p.refusal(m) != "":
		return p.refusal(m)
	case !c.fresh && c.version != m.Version:
		return ByIndex // which scored another text; the one that is seen does not match
	case c.past && !p.req.IncludeSuperseded:
		return BySupersession
	case p.req.AsOf != nil && p.doubled(c):
		return ByIndex
	}
	return ""
}

// nothing is why there is nothing to see of a candidate.
func (p *pass) nothing() Removal {
	if p.req.AsOf != nil {
		return ByAsOf
	}
	return ByIndex
}

// refusal names the filter that a memory does not pass, be it current or past; empty
// where it passes all.
func (p *pass) refusal(m *memory.Memory) Removal {
	switch {
	case !m.Recallable(p.req.Subject, p.req.RunID):
		return ByIndex // which should have known
	case isFloor(m):
		return ByFloor
	case !p.req.tagged(m):
		return ByTags
	case !p.req.inWindow(m):
		return ByWindow
	}
	return ""
}

// shows tells a memory that may be an entry.
func (p *pass) shows(v memory.View) bool {
	return v.Memory != nil && p.refusal(v.Memory) == "" && (!v.Past || p.req.IncludeSuperseded)
}

// doubled tells a memory that an earlier candidate shows already: an index that is
// between two states may know one text as the current and as an earlier one.
func (p *pass) doubled(c candidate) bool {
	at := c.place()
	if p.taken[at] {
		return true
	}
	p.taken[at] = true
	return false
}

// place is where a memory lies.
type place struct {
	scope tenant.Scope
	id    string
}

func (c candidate) place() place { return place{c.scope, c.id} }
