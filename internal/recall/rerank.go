package recall

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/recall/rank"
	"holdfast/internal/recall/rerank"
)

// reranked is how many of the first ranked entries a second scorer sees.
const reranked = 50

// defaultRerankTime bounds how long it may take.
const defaultRerankTime = 2 * time.Second

// RerankReport says what became of a second scorer (R0.11).
type RerankReport struct {
	Asked, Ran bool
	Scorer     string // its name; empty: none is configured
	Reason     string // why it did not run although it was asked; else empty
}

// rerank lets a second scorer move the scores of the first entries (rerank.Combine)
// and orders all by the new scores. Those that it does not see keep theirs. Where it
// is not there or fails, order and scores stay.
func (p *pass) rerank(ctx context.Context) error {
	report := &p.reranking
	report.Asked = p.req.Rerank
	if p.Reranker != nil {
		report.Scorer = p.Reranker.Name()
	}
	if report.Reason = p.unable(); !report.Asked || report.Reason != "" || len(p.ranked) == 0 {
		return nil
	}
	opinions, err := p.opinions(ctx, p.ranked[:min(reranked, len(p.ranked))])
	if err != nil {
		p.Log.LogAttrs(ctx, slog.LevelWarn, "reranker does not answer")
		report.Reason = "the reranker does not answer"
		return nil
	}
	p.rescore(opinions)
	report.Ran = true
	return nil
}

func (p *pass) rescore(opinions []float64) {
	scores := make([]float64, len(p.ranked))
	for i, c := range p.ranked {
		scores[i] = c.score
	}
	for i, score := range p.inTime(rerank.Combine(scores, opinions)) {
		p.ranked[i].score, p.ranked[i].parts.Second = score, score-scores[i]
	}
	slices.SortStableFunc(p.ranked, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
}

// inTime keeps what stands behind a newer statement behind it: a second scorer knows
// nothing of time.
func (p *pass) inTime(scores []float64) []float64 {
	at := make(map[string]int, len(p.ranked))
	for i, c := range p.ranked {
		at[c.id] = i
	}
	var bounded func(i int) float64
	bounded = func(i int) float64 { // no circle: each is newer than the one before
		if newer, ok := at[p.ranked[i].parts.Behind]; ok {
			return min(scores[i], rank.Behind(bounded(newer)))
		}
		return scores[i]
	}
	out := make([]float64, len(scores))
	for i := range scores {
		out[i] = bounded(i)
	}
	return out
}

// unable says why there is no second scorer to ask; empty where there is one.
func (p *pass) unable() string {
	switch {
	case !p.req.Rerank:
		return ""
	case p.req.Mode == Deterministic:
		return "deterministic mode takes no reranker"
	case p.Reranker == nil:
		return "no reranker is configured"
	}
	return ""
}

var errOpinions = errors.New("recall: a reranker answers one number from 0 to 1 a text")

// opinions asks the scorer within its time.
func (p *pass) opinions(ctx context.Context, first []scored) ([]float64, error) {
	ctx, cancel := clock.Within(ctx, cmp.Or(p.RerankTime, defaultRerankTime))
	defer cancel()
	texts := make([]rerank.Text, len(first))
	for i, c := range first {
		texts[i] = rerank.Text{Text: c.memory.Content, Speaker: c.memory.Speaker, Score: c.score}
	}
	out, err := p.Reranker.Scores(ctx, p.question, texts)
	if err != nil {
		return nil, err
	}
	unsound := func(opinion float64) bool { return !(opinion >= 0 && opinion <= 1) } // so is NaN
	if len(out) != len(texts) || slices.ContainsFunc(out, unsound) {
		return nil, errOpinions
	}
	return out, nil
}
