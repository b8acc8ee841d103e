package rerank

import (
	"context"

	"holdfast/internal/search/analysis"
)

// Cross is the scorer that needs no model: rules that look at question and text
// together.
type Cross struct{}

// Name is "cross".
func (Cross) Name() string { return "cross" }

// Scores scores texts for a question. A feature that does not apply to the question
// counts one half, which says neither this nor that.
func (Cross) Scores(ctx context.Context, q analysis.Question, texts []Text) ([]float64, error) {
	a := ask(q, texts)
	readings := a.readAll(texts)
	a.weigh(readings)
	out := make([]float64, len(texts))
	for i := range readings {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out[i] = a.score(&readings[i])
	}
	return out, nil
}

func (a *asked) score(r *reading) float64 {
	sum := 0.0
	for i := range features {
		f := &features[i]
		value := .5
		if f.applies(a) {
			value = f.of(a, r)
		}
		sum += float64(f.weight * value) // rounded: the same on every machine
	}
	return min(1, max(0, sum))
}
