package factsearch

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"holdfast/internal/fact"
	"holdfast/internal/search/words"
)

// pass is one search on its way.
type pass struct {
	*Service
	target  fact.Target
	filter  fact.Filter
	terms   []string
	k       int
	changed []string // facts that the index has not reached
	scorer  words.Scorer
	hits    []Hit
}

// listPage is how many facts are read at a time where some are in quarantine.
const listPage = 100

// newest answers what was changed last, without what is in quarantine.
func (p *pass) newest(ctx context.Context) ([]Hit, error) {
	limit, before := p.k, ""
	for {
		page, err := p.Facts.List(ctx, p.target, p.filter, limit, before)
		if err != nil {
			return nil, err
		}
		for _, f := range page.Facts {
			if f.Searched() && len(p.hits) < p.k {
				p.hits = append(p.hits, Hit{Fact: f})
			}
		}
		if page.Next == "" || len(p.hits) == p.k {
			return p.hits, nil
		}
		limit, before = listPage, page.Next
	}
}

// best answers what matches best.
func (p *pass) best(ctx context.Context) ([]Hit, error) {
	if err := p.lag(ctx); err != nil {
		return nil, err
	}
	if err := p.propose(ctx); err != nil {
		return nil, err
	}
	if err := p.read(ctx, p.changed); err != nil {
		return nil, err
	}
	slices.SortFunc(p.hits, Better)
	return p.hits[:min(len(p.hits), p.k)], nil
}

// Better orders hits: by score, ties newest first (S3.33), then by larger id.
func Better(a, b Hit) int {
	return cmp.Or(cmp.Compare(b.score(), a.score()), b.UpdatedAt.Compare(a.UpdatedAt), strings.Compare(b.ID, a.ID))
}

func (h Hit) score() float64 {
	if h.Score == nil {
		return 0
	}
	return *h.Score
}

// read reads facts from the table and scores those that the caller may see.
func (p *pass) read(ctx context.Context, list []string) error {
	if len(list) == 0 {
		return nil
	}
	found, err := p.Facts.Found(ctx, p.target, p.filter, list)
	if err != nil {
		return err
	}
	for _, f := range found {
		if f == nil {
			continue
		}
		if score := p.scorer.Text(f.Text); score > 0 {
			p.hits = append(p.hits, Hit{Fact: f, Score: &score})
		}
	}
	return nil
}
