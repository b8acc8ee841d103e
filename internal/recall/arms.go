package recall

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"holdfast/internal/search"
	"holdfast/internal/search/analysis"
)

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
	if p.req.Mode.lexical() {
		q.Lexical = p.req.proposals()
	}
	if p.req.Mode.semantic() && p.embed(ctx) {
		q.Vector, q.Profile, q.Semantic = p.query, p.Embedder.Profile().Name(), p.req.proposals()
	}
	if q.Lexical == 0 && q.Semantic == 0 {
		return nil
	}
	hits := p.propose(ctx, q)
	p.found, p.full = p.located(hits), len(hits) >= p.req.proposals()
	return nil
}

// propose asks the index and notes which arms took part.
func (p *pass) propose(ctx context.Context, q search.Query) []search.Hit {
	limited, cancel := context.WithTimeout(ctx, cmp.Or(p.SearchTime, 3*time.Second))
	defer cancel()
	answer, err := p.Index.Search(limited, q)
	if err != nil {
		answer = search.Answer{LexicalErr: err, SemanticErr: err}
	}
	p.took("lexical", q.Lexical > 0, answer.LexicalErr)
	p.took("semantic", q.Semantic > 0, answer.SemanticErr)
	if err != nil {
		return nil
	}
	if answer.CountErr != nil && p.arms["semantic"].State == Ran {
		p.arms["semantic"] = Arm{Name: "semantic", State: Degraded, Reason: "the index cannot count what this arm misses"}
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

// skip notes arms that the mode does not ask.
func (p *pass) skip(names ...string) {
	for _, name := range names {
		p.arms[name] = Arm{Name: name, State: Skipped, Reason: "the mode does not use it"}
	}
}

func (p *pass) took(name string, asked bool, err error) {
	switch {
	case err != nil && asked:
		p.arms[name] = Arm{Name: name, State: Degraded, Reason: "the index does not answer"}
	case asked:
		p.arms[name] = Arm{Name: name, State: Ran}
	}
}

// embeddedAll degrades the semantic arm where memories that the request may see have
// no vector of the model: after a change of the model, or while embedding is put off,
// it would else find nothing and seem well.
func (p *pass) embeddedAll() {
	if arm := p.arms["semantic"]; arm.State == Ran && p.unembedded > 0 {
		p.arms["semantic"] = Arm{Name: "semantic", State: Degraded,
			Reason: fmt.Sprintf("memories in reach without a vector of the model yet: %d", p.unembedded)}
	}
}

// embed makes the query's vector within its time.
func (p *pass) embed(ctx context.Context) bool {
	limit := p.EmbedTime
	if limit == 0 {
		limit = 2 * time.Second
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	// names of people say little of meaning and draw the vector to whoever is named
	// (design: vector recall .41 without, .60 with them taken out)
	text := analysis.WithoutNames(p.req.Query, p.question.Names)
	if text == "" {
		text = p.req.Query
	}
	vectors, err := p.Embedder.Embed(ctx, []string{text})
	if err != nil || len(vectors) != 1 {
		p.arms["semantic"] = Arm{Name: "semantic", State: Degraded, Reason: "the embedding model does not answer"}
		return false
	}
	p.query = vectors[0]
	return true
}
