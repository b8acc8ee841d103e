package recall

import (
	"context"

	"holdfast/internal/memory"
	"holdfast/internal/tenant"
)

// renew scores those of the candidates, which are read, of which the index scored
// another text than the request sees: it was changed while the retrieve ran, beyond the
// overlay, or in a workspace whose index lags. It is then a matter of the text that is
// seen whether they match. Those that do not stay as they are.
func (p *pass) renew(ctx context.Context, cs []candidate) error {
	for scope, at := range p.outdated(cs) {
		views := make([]memory.View, len(at))
		for j, i := range at {
			views[j] = cs[i].view()
		}
		scored, err := p.score(ctx, scope, views)
		if err != nil {
			return err
		}
		for j, i := range at {
			p.renewed(&cs[i], scored[j])
		}
	}
	return nil
}

// renewed puts a candidate as it is now in the place of what the index made of it. Where
// the index had a vector and there is none of this text yet, it is one that is missing.
func (p *pass) renewed(c *candidate, now candidate) {
	if c.hasVec && !now.hasVec {
		p.unembedded++
	}
	if now.matches() {
		now.shared = c.shared
		*c = now
	}
}

// outdated are the places of the candidates to score anew, by their scopes. With AsOf
// one text may be proposed beside another of the same memory: then the index has scored
// what is seen.
func (p *pass) outdated(cs []candidate) map[tenant.Scope][]int {
	var out map[tenant.Scope][]int
	var known map[place]bool
	for i, c := range cs {
		if c.memory == nil || c.version == c.memory.Version || !p.shows(c.view()) {
			continue
		}
		if out == nil {
			out, known = map[tenant.Scope][]int{}, upToDate(cs)
		}
		if !known[c.place()] {
			out[c.scope] = append(out[c.scope], i)
		}
	}
	return out
}

// upToDate are the places of what is seen as the index scored it.
func upToDate(cs []candidate) map[place]bool {
	out := map[place]bool{}
	for _, c := range cs {
		if c.memory != nil && c.version == c.memory.Version {
			out[c.place()] = true
		}
	}
	return out
}
