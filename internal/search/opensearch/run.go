package opensearch

import (
	"cmp"
	"context"
	"sync"

	"holdfast/internal/search"
)

// run is one search.
type run struct {
	index   *Index
	scopes  scoped
	query   search.Query
	profile string // asked by the caller; empty: none
	terms   []string
	known   []string       // document ids that the semantic arm found
	found   map[string]int // places in the answer, by document id
	answer  search.Answer
}

// first asks the statistics and, beside them, the semantic arm. That arm has a time of
// its own, since the lexical one waits for what it found.
func (r *run) first(ctx context.Context) {
	var near []hit
	var failed error
	var group sync.WaitGroup
	if r.query.Semantic > 0 {
		group.Go(func() { near, failed = r.nearest(ctx) })
	}
	unmeasured := r.measure(ctx)
	group.Wait()
	if r.query.Lexical > 0 {
		r.answer.LexicalErr = unmeasured
	}
	switch {
	case r.query.Semantic > 0 && failed == nil:
		r.semantic(near)
	case r.query.Semantic > 0:
		r.answer.SemanticErr, r.query.Vector = failed, nil
	case r.profile != "": // all that there is to say of this arm are numbers
		r.answer.SemanticErr = unmeasured
	}
}

// counting tells that the query asks for numbers, and late that these wait for the
// statistics, which tell what terms they are about.
func (r *run) counting() bool { return len(r.query.Tallies) > 0 || r.profile != "" }
func (r *run) late() bool {
	return r.counting() && r.query.Lexical > 0 && len(r.terms) > search.MaxTerms
}

// measure asks the statistics, and the numbers that need not wait for them.
func (r *run) measure(ctx context.Context) error {
	queries := []query{{routing: r.scopes.routing(), body: r.scopes.totals(r.query.Plain)}}
	if len(r.terms) > 0 {
		queries = append(queries, query{routing: r.scopes.routing(), body: r.scopes.frequencies(r.terms)})
	}
	counting := r.counting() && !r.late()
	if counting {
		queries = append(queries, r.counts(r.terms))
	}
	results, err := r.index.multi(ctx, queries)
	if err != nil {
		if r.counting() {
			r.answer.CountErr = err
		}
		return err
	}
	if counting {
		r.answer.CountErr = r.numbers(&results[len(results)-1])
	}
	return r.statistics(results)
}

// statistics reads them.
func (r *run) statistics(results []result) error {
	totals, frequencies := &results[0], &results[0]
	if len(r.terms) > 0 {
		frequencies = &results[1]
	}
	for _, result := range []*result{totals, frequencies} {
		if err := result.err(); err != nil {
			return err
		}
	}
	var err error
	r.answer.Stats, err = statistics(r.terms, totals, frequencies)
	return err
}

// second asks the lexical arm, and the numbers that waited for the statistics.
func (r *run) second(ctx context.Context) {
	if r.query.Lexical <= 0 || r.answer.LexicalErr != nil {
		if r.late() {
			r.answer.CountErr = cmp.Or(r.answer.CountErr, r.answer.LexicalErr)
		}
		return
	}
	terms := held(r.terms, r.answer.Stats)
	var group sync.WaitGroup
	if r.late() {
		group.Go(func() { r.count(ctx, terms) })
	}
	if len(terms) > 0 {
		r.answer.LexicalErr = r.match(ctx, terms)
	}
	group.Wait()
}

// count asks for the numbers alone.
func (r *run) count(ctx context.Context, terms []string) {
	results, err := r.index.multi(ctx, []query{r.counts(terms)})
	if err == nil {
		err = r.numbers(&results[0])
	}
	r.answer.CountErr = err
}

// match asks the lexical arm, whose hits come first in the answer.
func (r *run) match(ctx context.Context, terms []string) error {
	body := r.scopes.matching(&r.query, terms, r.answer.Stats, r.known, r.index.patience)
	result, err := r.index.one(ctx, query{routing: r.scopes.routing(), body: body})
	if err != nil {
		return err
	}
	if err := r.others(&result); err != nil {
		return err
	}
	r.lexical(&result)
	return nil
}
