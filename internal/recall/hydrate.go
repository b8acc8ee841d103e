package recall

import (
	"context"
	"time"

	"holdfast/internal/memory"
	"holdfast/internal/tenant"
)

// hydrate reads every candidate from the table and drops what the request may
// not see, whatever the index believed.
func (p *pass) hydrate(ctx context.Context) error {
	p.found = p.shortlist(p.found)
	if err := p.locate(ctx, p.found); err != nil {
		return err
	}
	byScope := map[tenant.Scope][]int{}
	for i, c := range p.found {
		if c.memory == nil && !c.scope.IsZero() {
			byScope[c.scope] = append(byScope[c.scope], i)
		}
	}
	for scope, at := range byScope {
		ids := make([]string, len(at))
		for j, i := range at {
			ids[j] = p.found[i].id
		}
		memories, err := memory.Load(ctx, p.Store, scope, ids)
		if err != nil {
			return err
		}
		for j, i := range at {
			p.found[i].memory = memories[j]
		}
	}
	kept := p.found[:0]
	for _, c := range p.found {
		if p.keep(c) {
			kept = append(kept, c)
		}
	}
	p.found = kept
	return nil
}

// keep decides over one candidate and counts what only supersession hides (R0.14).
func (p *pass) keep(c candidate) bool {
	m := c.memory
	if m == nil || !m.Recallable(p.req.Subject, p.req.RunID) || !p.req.tagged(m) || isFloor(m) {
		return false
	}
	if !c.fresh && c.version != m.Version {
		return false // the index scored an older text
	}
	if m.Status == memory.Superseded || p.over(m) {
		p.hidden++
		return false
	}
	return true
}

// over tells a memory that is no longer valid in the world (R0.73).
func (p *pass) over(m *memory.Memory) bool {
	return m.Temporal.ValidTo != nil && !p.now.Before(*m.Temporal.ValidTo)
}

// age is how long ago a memory was recorded; never negative.
func (p *pass) age(at time.Time) time.Duration { return max(0, p.now.Sub(at)) }
