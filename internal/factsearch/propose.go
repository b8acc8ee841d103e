package factsearch

import (
	"context"
	"slices"
	"strings"

	"holdfast/internal/errs"
	"holdfast/internal/search/words"
)

// spare is how many proposals more than the answer holds are asked for, since some may
// have to be dropped; rounds is how often more are asked for where too many were.
const (
	spare  = 10
	rounds = 5
)

// propose asks the index for candidates and reads them, until there are enough or no
// more. All are scored with the numbers of the first answer.
func (p *pass) propose(ctx context.Context) error {
	q, err := p.query(ctx)
	if err != nil {
		return err
	}
	for round := range rounds {
		answer, err := p.Index.Search(ctx, q)
		if err != nil {
			return err
		}
		if round == 0 {
			p.scorer = words.NewScorer(p.terms, answer.Statistics)
		}
		list := make([]string, len(answer.Hits))
		for i, h := range answer.Hits {
			list[i] = h.ID
		}
		if err := p.read(ctx, list); err != nil {
			return err
		}
		if len(list) < q.Limit || len(p.hits) >= p.k {
			return nil
		}
		q.Without = append(q.Without, list...)
	}
	return errs.Later("The index names too much that is gone; try again.", nil)
}

// query is what the index is asked: what lies under the filter and within the caller's
// border (S3.15), of the own user's folder its current generation.
func (p *pass) query(ctx context.Context) (words.Query, error) {
	q := words.Query{
		Scope: p.target.Scope, Space: p.target.Space.Hash(), Tags: p.filter.Tags(), Words: p.terms,
		Limit: p.k + spare, Without: slices.Clone(p.changed), Not: []string{users},
	}
	path, user := p.filter.Path().String(), p.target.Border.User
	own := users + user + "/"
	inside := user != "" && strings.HasPrefix(path, own)
	if !inside {
		q.Under = []string{path}
	}
	if user == "" || !inside && path != "" {
		return q, nil
	}
	generation, err := p.Facts.Generation(ctx, p.target)
	if err != nil || generation == 0 {
		return q, err
	}
	if inside {
		own = path
	}
	q.Under = append(q.Under, indexed(own, user, generation))
	return q, nil
}
