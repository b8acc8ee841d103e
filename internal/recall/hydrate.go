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
	proposed := p.found
	p.found = nil
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
	for part := range slices.Chunk(unread, limit) {
		if err := p.load(ctx, part); err != nil {
			return err
		}
		if len(p.found)-before >= limit/2 {
			return nil
		}
	}
	return nil
}

func (p *pass) keepFresh(proposed []candidate) (unread []candidate) {
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
		for j, i := range at {
			cs[i].memory = memories[j]
		}
	}
	for _, c := range cs {
		p.counted(c)
		if p.keep(c) {
			p.found = append(p.found, c)
		}
	}
	return nil
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
	m := c.memory
	if m == nil || !p.visible(m) {
		return false
	}
	if !c.fresh && c.version != m.Version {
		return false // the index scored an older text
	}
	if p.past(m) {
		p.hidden++
		return false
	}
	return true
}

// visible tells a memory that passes every filter but that of what is current.
func (p *pass) visible(m *memory.Memory) bool {
	return m.Recallable(p.req.Subject, p.req.RunID) && p.req.tagged(m) && !isFloor(m)
}

// past tells a memory that shows only where superseded ones do.
func (p *pass) past(m *memory.Memory) bool { return m.Status == memory.Superseded || p.over(m) }

// over tells a memory that is no longer valid in the world (R0.73).
func (p *pass) over(m *memory.Memory) bool {
	return m.Temporal.ValidTo != nil && !p.now.Before(*m.Temporal.ValidTo)
}
