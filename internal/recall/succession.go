package recall

import (
	"cmp"
	"context"
	"slices"

	"holdfast/internal/clock"
	"holdfast/internal/memory"
	"holdfast/internal/recall/rank"
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
	// overtaken is the factor that keeps a superseded entry just behind its successor.
	overtaken = .999
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
	r := p.reach()
	q := search.Query{
		Scopes: r.scopes, Filter: both(p.req.filter(loose), superseded), Text: p.req.Query, Without: p.changed,
	}
	if p.req.Mode.lexical() {
		q.Lexical = mostReplaced
	}
	if p.query != nil {
		q.Vector, q.Profile, q.Semantic = p.query, p.Embedder.Profile().Name(), mostReplaced
	}
	if q.Lexical == 0 && q.Semantic == 0 {
		return nil
	}
	limited, cancel := clock.Within(ctx, cmp.Or(p.SearchTime, defaultSearchTime))
	defer cancel()
	answer, err := p.Index.Search(limited, q)
	if err != nil {
		answer = search.Answer{LexicalErr: err, SemanticErr: err}
	}
	for name, failed := range map[string]bool{
		"lexical": q.Lexical > 0 && answer.LexicalErr != nil, "semantic": q.Semantic > 0 && answer.SemanticErr != nil,
	} {
		if failed {
			p.degraded(name, "the index does not answer")
		}
	}
	return answer.Hits
}

// findHeirs follows successions of one scope up to what is not superseded. What is gone,
// over, or not for this request to see has no heir.
func (p *pass) findHeirs(ctx context.Context, scope tenant.Scope, olds []candidate) error {
	next := map[string][]string{} // successors to be read, and whose they are
	for _, c := range olds {
		by := c.memory.Temporal.SupersededBy
		next[by] = append(next[by], c.id)
	}
	for range mostSuccessions {
		if len(next) == 0 {
			return nil
		}
		var cs []candidate
		for id := range next {
			cs = append(cs, candidate{scope: scope, id: id})
		}
		if err := p.see(ctx, cs); err != nil {
			return err
		}
		further := map[string][]string{}
		for _, c := range cs {
			switch {
			case c.memory == nil:
			case c.memory.Status == memory.Superseded && c.memory.Temporal.SupersededBy != "":
				by := c.memory.Temporal.SupersededBy
				further[by] = append(further[by], next[c.id]...)
			case !c.past && p.refusal(c.memory) == "":
				c.version, c.fresh = c.memory.Version, true // scored from the table (renew)
				for _, old := range next[c.id] {
					p.heirs[place{scope, old}] = c
				}
			}
		}
		next = further
	}
	return nil
}

// inherit gives successors the score of what they superseded where that is greater, and
// brings in those that no arm proposed. Superseded entries stand behind their successor.
func (p *pass) inherit() {
	if len(p.heirs) == 0 {
		return
	}
	at := map[place]int{}
	for i, c := range p.ranked {
		at[c.place()] = i
	}
	all := p.together(at)
	for _, old := range all {
		heir, ok := p.heirs[old.place()]
		if !ok || old.score <= 0 {
			continue
		}
		if _, ranked := at[heir.place()]; !ranked {
			at[heir.place()] = len(p.ranked)
			p.enter(all[slices.IndexFunc(all, func(c scored) bool { return c.place() == heir.place() })])
		}
		s := &p.ranked[at[heir.place()]]
		if old.score > s.score {
			s.score, s.parts.Succeeds = old.score, old.score
		}
		if i, shown := at[old.place()]; shown {
			p.ranked[i].score = min(p.ranked[i].score, overtaken*s.score)
		}
	}
	slices.SortStableFunc(p.ranked, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
}

// together ranks the superseded ones, and those successors that are not ranked yet, among
// all candidates, and answers all of them, best first. The places of the candidates
// themselves are those of the ranking without them.
func (p *pass) together(ranked map[place]int) []scored {
	all := slices.Clone(p.found)
	if !p.req.IncludeSuperseded {
		all = append(all, p.replaced...)
	}
	entered := map[place]bool{}
	for _, heir := range p.heirs {
		if _, known := ranked[heir.place()]; !known && !entered[heir.place()] {
			entered[heir.place()] = true
			all = append(all, heir)
		}
	}
	var out []scored
	for _, r := range rank.Order(p.question, p.rankable(all), p.stats, p.rankOptions()) {
		out = append(out, scored{candidate: all[r.Index], score: r.Score, parts: r.Parts})
	}
	return out
}

// enter adds a successor to the ranking. One that an arm knows is in the index's number
// of what was not read.
func (p *pass) enter(heir scored) {
	p.numbers.Read++
	if heir.matches() {
		p.counted(heir.candidate)
	}
	p.ranked = append(p.ranked, heir)
}
