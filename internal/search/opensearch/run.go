package opensearch

import (
	"cmp"
	"context"
	"strconv"

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

// first asks the statistics and the semantic arm.
func (r *run) first(ctx context.Context) {
	queries := []query{{r.scopes.routing(), r.scopes.totals(r.query.Plain)}}
	if len(r.terms) > 0 {
		queries = append(queries, query{r.scopes.routing(), r.scopes.frequencies(r.terms)})
	}
	if r.query.Semantic > 0 {
		queries = append(queries, query{r.scopes.routing(), r.scopes.nearest(&r.query, r.index.patience)})
	}
	counting := len(r.query.Tallies) > 0 || r.profile != ""
	if counting {
		queries = append(queries, query{r.scopes.routing(), r.scopes.counts(&r.query, r.terms, r.profile, r.index.patience)})
	}
	results, err := r.index.multi(ctx, queries)
	if err != nil {
		r.answer.LexicalErr, r.answer.SemanticErr = err, err
		r.forget()
		return
	}
	var uncounted error
	if counting {
		last := len(results) - 1
		uncounted = r.numbers(&results[last])
		results = results[:last]
	}
	r.answer.LexicalErr = r.measure(results)
	if r.query.Semantic > 0 {
		r.semantic(&results[len(results)-1])
	}
	if r.profile != "" { // without its numbers nobody knows what this arm misses
		r.answer.SemanticErr = cmp.Or(r.answer.SemanticErr, uncounted)
	}
	r.forget()
}

// forget leaves out the errors of arms that were not asked.
func (r *run) forget() {
	if r.query.Lexical <= 0 {
		r.answer.LexicalErr = nil
	}
	if r.profile == "" {
		r.answer.SemanticErr = nil
	}
}

// measure reads the statistics.
func (r *run) measure(results []result) error {
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

// semantic reads that arm's hits.
func (r *run) semantic(result *result) {
	if r.answer.SemanticErr = result.err(); r.answer.SemanticErr != nil {
		return
	}
	for i := range result.Hits.Hits {
		h := &result.Hits.Hits[i]
		if at, ok := r.place(h); ok {
			at.Semantic, at.HasVec = cosineOf(h.Score), true
			r.known = append(r.known, h.id())
		}
	}
}

// cosineOf turns the engine's score, (1 + cosine)/2, back.
func cosineOf(score float64) float64 { return max(-1, min(1, 2*score-1)) }

// second asks the lexical arm, whose hits come first in the answer.
func (r *run) second(ctx context.Context) {
	if r.query.Lexical <= 0 || r.answer.LexicalErr != nil {
		return
	}
	terms := rarest(r.terms, r.answer.Stats)
	if len(terms) == 0 {
		return
	}
	body := r.scopes.matching(&r.query, terms, r.answer.Stats, r.known, r.index.patience)
	result, err := r.index.one(ctx, query{r.scopes.routing(), body})
	if err != nil {
		r.answer.LexicalErr = err
		return
	}
	if r.answer.LexicalErr = r.others(&result); r.answer.LexicalErr == nil {
		r.lexical(&result)
	}
}

// others reads the lexical scores of what the semantic arm found.
func (r *run) others(result *result) error {
	if len(r.known) == 0 {
		return nil
	}
	var answer struct {
		Best struct {
			Hits hits `json:"hits"`
		} `json:"best"`
	}
	if err := read(result, "others", &answer); err != nil {
		return err
	}
	for i := range answer.Best.Hits.Hits {
		h := &answer.Best.Hits.Hits[i]
		if at, ok := r.place(h); ok {
			at.Lexical = h.Score
		}
	}
	return nil
}

// lexical reads that arm's hits and puts them before the others.
func (r *run) lexical(result *result) {
	semantic, places := r.answer.Hits, r.found
	r.answer.Hits, r.found = nil, map[string]int{}
	for i := range result.Hits.Hits {
		h := &result.Hits.Hits[i]
		at, ok := r.place(h)
		if !ok {
			continue
		}
		if before, known := places[h.id()]; known {
			*at = semantic[before]
		} else if score, err := strconv.ParseFloat(string(h.Matched.Cosine), 64); err == nil {
			at.Semantic, at.HasVec = cosineOf(score), true
		}
		at.Lexical = h.Score
	}
	for i := range semantic {
		id := documentID(scopeKey(semantic[i].Scope), semantic[i].ID)
		if _, known := r.found[id]; !known {
			r.answer.Hits = append(r.answer.Hits, semantic[i])
		}
	}
}

// place answers the hit's place in the answer, a new one at the end if it has none;
// not for one outside the query's scopes or without an id.
func (r *run) place(h *hit) (*search.Hit, bool) {
	f := &h.Fields
	if len(f.Scope) != 1 || len(f.ID) != 1 || len(f.Item) != 1 || len(f.Version) != 1 {
		return nil, false
	}
	scope, ok := r.scopes.scopes[f.Scope[0]]
	if !ok {
		return nil, false
	}
	id := h.id()
	i, known := r.found[id]
	if !known {
		i = len(r.answer.Hits)
		r.found[id] = i
		r.answer.Hits = append(r.answer.Hits, search.Hit{Scope: scope, ID: f.ID[0], Item: f.Item[0], Version: f.Version[0]})
	}
	return &r.answer.Hits[i], true
}
