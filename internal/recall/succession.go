package recall

import (
	"context"
	"maps"
	"slices"

	"holdfast/internal/memory"
	"holdfast/internal/search"
	"holdfast/internal/tenant"
)

// Of a superseded memory and its successor the service knows that they are about one
// thing, also where they share no word («We live in Bern.», «We relocated to Basel.»).
// So where a question finds the superseded one its successor is an entry with at least
// that score. Not so in deterministic mode, which ranks by words alone (R0.10), and not
// as of an instant, which has rules of its own.
const (
	// mostReplaced is how many superseded memories each arm is asked for.
	mostReplaced = 40
	// mostSuccessions is how often a successor may have been superseded itself.
	mostSuccessions = 16
)

// succeed finds the superseded memories that the question finds, and what stands in
// their place.
func (p *pass) succeed(ctx context.Context) error {
	if p.req.AsOf != nil || p.req.Mode == Deterministic {
		return nil
	}
	if err := p.findReplaced(ctx); err != nil {
		return err
	}
	p.heirs = map[place]candidate{}
	byScope := map[tenant.Scope][]candidate{}
	for _, c := range p.replaced {
		if c.memory.Temporal.SupersededBy != "" {
			byScope[c.scope] = append(byScope[c.scope], c)
		}
	}
	for scope, olds := range byScope {
		if err := p.findHeirs(ctx, scope, olds); err != nil {
			return err
		}
	}
	return nil
}

// findReplaced asks the index for superseded ones beside those that the overlay brought.
// Where they are shown they are candidates as others are.
func (p *pass) findReplaced(ctx context.Context) error {
	if p.req.IncludeSuperseded {
		for _, c := range p.found {
			if c.memory.Status == memory.Superseded {
				p.replaced = append(p.replaced, c)
			}
		}
		return nil
	}
	if p.hidden == len(p.replaced) {
		return nil
	}
	cs := p.located(p.searchReplaced(ctx))
	if err := p.see(ctx, cs); err != nil {
		return err
	}
	for _, c := range cs {
		if m := c.memory; m != nil && p.refusal(m) == "" && m.Status == memory.Superseded && m.Version == c.version {
			p.replaced = append(p.replaced, c)
		}
	}
	return nil
}

// searchReplaced asks the arms that ran. One that does not answer now is told as such.
func (p *pass) searchReplaced(ctx context.Context) []search.Hit {
	q := search.Query{
		Scopes: p.reach().scopes, Filter: both(p.req.filter(loose), superseded), Text: p.req.Query, Without: p.changed,
	}
	if !p.armed(&q, mostReplaced) {
		return nil
	}
	answer := p.ask(ctx, q)
	if q.Lexical > 0 && answer.LexicalErr != nil {
		p.degraded("lexical", "the index does not answer")
	}
	if q.Semantic > 0 && answer.SemanticErr != nil {
		p.degraded("semantic", "the index does not answer")
	}
	return answer.Hits
}

// successions are ids of successors in one scope, and of those in whose place they stand.
type successions map[string][]string

func (s successions) add(m *memory.Memory, olds ...string) {
	by := m.Temporal.SupersededBy
	s[by] = append(s[by], olds...)
}

// findHeirs follows successions of one scope up to what is not superseded.
func (p *pass) findHeirs(ctx context.Context, scope tenant.Scope, olds []candidate) error {
	next := successions{}
	for _, c := range olds {
		next.add(c.memory, c.id)
	}
	var err error
	for n := 0; n < mostSuccessions && len(next) > 0 && err == nil; n++ {
		next, err = p.succession(ctx, scope, next)
	}
	return err
}

// succession reads successors, notes the heirs among them and answers the successors of
// the others. What is gone, over, or not for this request to see is no heir.
func (p *pass) succession(ctx context.Context, scope tenant.Scope, of successions) (successions, error) {
	var cs []candidate
	for _, id := range slices.Sorted(maps.Keys(of)) {
		cs = append(cs, candidate{scope: scope, id: id})
	}
	if err := p.see(ctx, cs); err != nil {
		return nil, err
	}
	next := successions{}
	for _, c := range cs {
		switch m := c.memory; {
		case m == nil:
		case m.Status == memory.Superseded && m.Temporal.SupersededBy != "":
			next.add(m, of[c.id]...)
		case !c.past && p.refusal(m) == "":
			c.version, c.fresh = m.Version, true // scored from the table (renew)
			for _, old := range of[c.id] {
				p.heirs[place{scope, old}] = c
			}
		}
	}
	return next, nil
}
