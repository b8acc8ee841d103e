package opensearch

import (
	"slices"
	"strconv"

	"holdfast/internal/search"
)

// unembedded names the bucket of Answer.Unembedded; the tallies' are their places.
const unembedded = "unembedded"

// counts asks the query's numbers of what these terms find.
func (r *run) counts(terms []string) query {
	return query{routing: r.scopes.routing(), body: r.scopes.counts(&r.query, terms, r.profile, r.index.patience)}
}

// counts asks the query's numbers, all in one search. profile is the one that was
// asked, also where the index keeps no vectors of it; empty: the semantic arm is
// not asked.
func (s scoped) counts(q *search.Query, terms []string, profile, patience string) object {
	filters := map[string]object{}
	known := knownTo(q, terms)
	for i := range q.Tallies {
		t := &q.Tallies[i]
		clauses := append(conditions(&t.Filter), known)
		if !t.Over {
			clauses = append(clauses, valid(q)...)
		}
		filters[strconv.Itoa(i)] = together(clauses)
	}
	if profile != "" {
		lacking := not(object{"term": object{fieldEmbedded: fieldOf(profile)}})
		filters[unembedded] = together(slices.Concat(conditions(&q.Filter), valid(q), []object{lacking}))
	}
	return object{
		"size": 0, "track_total_hits": false, "timeout": patience, "query": s.only(leftOut(q)...),
		"aggs": object{"counts": object{"filters": object{"filters": filters}}},
	}
}

// knownTo holds for documents that an arm would propose if it had no limit.
func knownTo(q *search.Query, terms []string) object {
	arms := []object{}
	if q.Lexical > 0 && len(terms) > 0 {
		field := passageWindowed
		if q.Plain {
			field = passagePlain
		}
		words := make([]string, len(terms))
		for i, term := range terms {
			words[i] = indexed(term)
		}
		arms = append(arms, object{"nested": object{
			"path": fieldPassages, "query": object{"terms": object{fieldPassages + "." + field: words}},
		}})
	}
	if q.Semantic > 0 {
		arms = append(arms, object{"exists": object{"field": vectorPath(q.Profile)}})
	}
	if len(arms) == 0 {
		return object{"match_none": object{}}
	}
	return object{"bool": object{"should": arms, "minimum_should_match": 1}}
}

// numbers reads the answer.
func (r *run) numbers(result *result) error {
	if err := result.err(); err != nil {
		return err
	}
	var counts struct {
		Buckets map[string]struct {
			Count int `json:"doc_count"`
		} `json:"buckets"`
	}
	if err := read(result, "counts", &counts); err != nil {
		return err
	}
	if n := len(r.query.Tallies); n > 0 {
		r.answer.Tallies = make([]int, n)
	}
	for i := range r.answer.Tallies {
		r.answer.Tallies[i] = counts.Buckets[strconv.Itoa(i)].Count
	}
	r.answer.Unembedded = counts.Buckets[unembedded].Count
	return nil
}
