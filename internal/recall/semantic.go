package recall

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"holdfast/internal/clock"
)

// defaultEmbedTime is several times what a model beside the service takes, and about
// what a caller of one far away waits for anyway.
const defaultEmbedTime = 500 * time.Millisecond

// coming is the query's vector on its way.
type coming struct {
	vector chan []float32 // of one; nil: the model gave none
	within context.Context
	end    func(outcome) bool // nil: said already
}

// startVector asks the model, while the retrieve reads what it needs anyway. The arm is
// not asked where it was away lately, but in the mode that has no other. Stop ends what
// is still under way.
func (p *pass) startVector(ctx context.Context) (stop func()) {
	if !p.req.Mode.semantic() {
		return func() {}
	}
	end, ok := p.Breaker.begin()
	if !ok && p.req.Mode != Semantic {
		return func() {}
	}
	within, cancel := clock.Within(ctx, cmp.Or(p.EmbedTime, defaultEmbedTime))
	p.coming = &coming{make(chan []float32, 1), within, end}
	go func(to chan<- []float32) { to <- p.embed(within) }(p.coming.vector)
	return func() {
		cancel()
		p.said(ctx, nothingSaid)
	}
}

// embed makes the query's vector; nil where the model does not answer.
func (p *pass) embed(ctx context.Context) []float32 {
	vectors, err := p.Embedder.Embed(ctx, []string{p.question.Meaning(p.req.Query)})
	if err != nil || len(vectors) != 1 || len(vectors[0]) != p.Embedder.Profile().Dimension {
		return nil
	}
	return vectors[0]
}

// vector waits for the query's vector, and notes why there is none.
func (p *pass) vector(ctx context.Context) {
	if p.coming == nil {
		p.degraded("semantic", "it failed several times in a row and is left out for a few seconds")
		return
	}
	select {
	case p.query = <-p.coming.vector:
	case <-p.coming.within.Done(): // whatever the model makes of that
		select { // what came in time counts, also where something else took longer
		case p.query = <-p.coming.vector:
		default:
		}
	}
	if p.query == nil {
		p.degraded("semantic", "the embedding model does not answer")
		p.said(ctx, failed)
	}
}

// said tells the breaker once what became of the arm. Of a request that has ended
// nothing can be said.
func (p *pass) said(ctx context.Context, o outcome) {
	if p.coming == nil || p.coming.end == nil {
		return
	}
	if ctx.Err() != nil {
		o = nothingSaid
	}
	if p.coming.end(o) {
		p.Log.LogAttrs(ctx, slog.LevelWarn, "semantic arm is left out for a while")
	}
	p.coming.end = nil
}
