package opensearch

import (
	"strconv"

	"holdfast/internal/search"
)

// semantic reads that arm's hits.
func (r *run) semantic(found []hit) {
	for i := range found {
		h := &found[i]
		if at, ok := r.place(h); ok {
			at.Semantic, at.HasVec = cosineOf(h.Score), true
			r.known = append(r.known, h.id())
		}
	}
}

// cosineOf turns the engine's score, (1 + cosine)/2, back.
func cosineOf(score float64) float64 { return max(-1, min(1, 2*score-1)) }

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
		} else if score, err := strconv.ParseFloat(string(h.Matched.Cosine), 64); err == nil && len(r.query.Vector) > 0 {
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
