package rerank

import (
	"context"

	"holdfast/internal/search/analysis"
)

// Text is a candidate as a scorer sees it.
type Text struct {
	Text    string
	Speaker string
	Score   float64 // of the first ranking, 0 to 1
}

// Scorer scores texts for a question: one number a text, 0 to 1, higher is better.
type Scorer interface {
	Name() string
	Scores(ctx context.Context, q analysis.Question, texts []Text) ([]float64, error)
}
