package opensearch

import (
	"context"
	"errors"

	"holdfast/internal/search"
	"holdfast/internal/search/analysis"
)

// Search asks the arms in two rounds; see the package comment. A request that fails
// takes its arm with it.
func (x *Index) Search(ctx context.Context, q search.Query) (search.Answer, error) {
	scopes, err := scopedTo(q.Scopes...)
	if err != nil {
		return search.Answer{}, err
	}
	profile := ""
	if q.Semantic > 0 {
		profile = q.Profile
	}
	if err := x.check(&q); err != nil {
		return search.Answer{}, err
	}
	r := run{index: x, scopes: scopes, query: q, profile: profile, terms: analysis.Terms(q.Text), found: map[string]int{}}
	r.first(ctx)
	r.second(ctx)
	if errors.Is(ctx.Err(), context.Canceled) {
		return search.Answer{}, ctx.Err()
	}
	return r.answer, nil
}

// check refuses vectors of a wrong dimension and drops those that find nothing:
// without a direction, or of a profile that the index does not keep.
func (x *Index) check(q *search.Query) error {
	if len(q.Tallies) > search.MaxTallies {
		return search.ErrBadRequest
	}
	if q.Semantic <= 0 {
		q.Semantic, q.Vector = 0, nil
		return nil
	}
	if len(q.Vector) == 0 || !finite(q.Vector) {
		return search.ErrBadRequest
	}
	dimension, known := x.dimensions[q.Profile]
	if known && dimension != len(q.Vector) {
		return search.ErrBadRequest
	}
	if !known || !hasDirection(q.Vector) {
		q.Semantic, q.Vector = 0, nil
	}
	q.Semantic = min(q.Semantic, maxWindow)
	return nil
}
