package recall

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/search"
)

const defaultSearchTime = 3 * time.Second

// The numbers that the index is asked for, none of which any limit of the arms cuts.
// With Explain the numbers of what each of the request's own filters takes out follow.
const (
	tallyHidden = iota // less the next one: reach.hidden
	tallyNotHidden
	tallyWorkspace // what may be an entry of layer Workspace
	tallies
)

// search asks the index, both arms at once, for what may be an entry: of whatever is
// superseded or no longer valid, however much there is, it only tells the number.
func (p *pass) search(ctx context.Context) error {
	r := p.reach()
	q := search.Query{
		Scopes: r.scopes, Filter: r.shown, Now: r.now, Text: p.req.Query, Without: p.changed,
		Tallies: []search.Tally{
			tallyHidden: r.hidden[0], tallyNotHidden: r.hidden[1], tallyWorkspace: {Filter: ofWorkspace(r.shown)},
		},
	}
	if p.req.Explain {
		q.Tallies = append(q.Tallies, p.req.takenOut()...)
	}
	p.skip("lexical", "semantic")
	if p.req.Mode.semantic() {
		p.vector(ctx)
	}
	if !p.armed(&q, p.req.proposals()) {
		return nil
	}
	hits := p.propose(ctx, q)
	p.found, p.full = p.located(hits), len(hits) >= p.req.proposals()
	return nil
}

// armed has the mode's arms asked for so many hits each, the semantic one where the
// query's vector is there; false: no arm is.
func (p *pass) armed(q *search.Query, most int) bool {
	if p.req.Mode.lexical() {
		q.Lexical = most
	}
	if p.query != nil {
		q.Vector, q.Profile, q.Semantic = p.query, p.Embedder.Profile().Name(), most
	}
	return q.Lexical > 0 || q.Semantic > 0
}

// ask asks the index within its time; an error of both arms is one of each.
func (p *pass) ask(ctx context.Context, q search.Query) search.Answer {
	limited, cancel := clock.Within(ctx, cmp.Or(p.SearchTime, defaultSearchTime))
	defer cancel()
	answer, err := p.Index.Search(limited, q)
	if err != nil {
		return search.Answer{LexicalErr: err, SemanticErr: err}
	}
	return answer
}

// propose asks the index and notes which arms took part.
func (p *pass) propose(ctx context.Context, q search.Query) []search.Hit {
	answer := p.ask(ctx, q)
	p.took("lexical", q.Lexical > 0, answer.LexicalErr)
	p.took("semantic", q.Semantic > 0, answer.SemanticErr)
	if q.Semantic > 0 {
		p.judge(ctx, answer)
	}
	p.stats = answer.Stats
	p.unembedded = answer.Unembedded
	if len(answer.Tallies) == len(q.Tallies) {
		p.hidden += max(0, answer.Tallies[tallyHidden]-answer.Tallies[tallyNotHidden])
		p.unread = answer.Tallies[tallyWorkspace]
		p.tell(answer.Tallies)
	}
	return answer.Hits
}

// judge says what became of the semantic arm. Where it failed alone the order is that of
// the lexical mode, so the overlay compares no vectors either.
func (p *pass) judge(ctx context.Context, answer search.Answer) {
	switch {
	case answer.SemanticErr == nil:
		p.said(ctx, answered)
		if answer.CountErr != nil {
			p.degraded("semantic", "the index cannot count what this arm misses")
		}
	case answer.LexicalErr == nil:
		p.said(ctx, failed)
		if p.req.Mode.lexical() {
			p.query = nil
		}
	}
}

// skip notes arms that the mode does not ask.
func (p *pass) skip(names ...string) {
	for _, name := range names {
		p.arms[name] = Arm{Name: name, State: Skipped, Reason: "the mode does not use it"}
	}
}

func (p *pass) took(name string, asked bool, err error) {
	switch {
	case err != nil && asked:
		p.degraded(name, "the index does not answer")
	case asked:
		p.arms[name] = Arm{Name: name, State: Ran}
	}
}

func (p *pass) degraded(name, why string) {
	p.arms[name] = Arm{Name: name, State: Degraded, Reason: why}
}

// embeddedAll degrades the semantic arm where memories that the request may see have
// no vector of the model: after a change of the model, or while embedding is put off,
// it would else find nothing and seem well.
func (p *pass) embeddedAll() {
	if arm := p.arms["semantic"]; arm.State == Ran && p.unembedded > 0 {
		p.degraded("semantic", fmt.Sprintf("memories in reach without a vector of the model yet: %d", p.unembedded))
	}
}
