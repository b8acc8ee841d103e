package memory

import (
	"context"
	"sync"
	"time"

	"holdfast/internal/embed"
	"holdfast/internal/store/keys"
)

// EmbedBudget is how long a write waits for vectors; after it the write goes on
// and leaves a job (design: embedding inline is best effort).
const EmbedBudget = 1500 * time.Millisecond

// embeddings are the vectors of one call's texts. A vector depends on its text
// alone, so a plan that runs again may use those of the run before. After one
// failure the model is not asked again in this call. Plans of one call may run at the
// same time: in the lane and in the caller.
type embeddings struct {
	mu     sync.Mutex
	model  embed.Embedder
	ahead  []string // texts of the other items of a batch, embedded with the first
	known  map[string][]float32
	failed bool
}

func (s *Service) embeddings(ahead ...string) *embeddings {
	return &embeddings{model: s.Embedder, ahead: ahead, known: map[string][]float32{}}
}

// of answers one vector a text, or false when the model does not answer in time.
func (e *embeddings) of(ctx context.Context, texts ...string) ([][]float32, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.learn(ctx, texts) {
		return nil, false
	}
	out := make([][]float32, len(texts))
	for i, text := range texts {
		out[i] = e.known[text]
	}
	return out, true
}

// learn embeds what is not known yet. The texts asked for come first; those ahead
// fill the batch.
func (e *embeddings) learn(ctx context.Context, texts []string) bool {
	var wanted []string
	for _, text := range texts {
		if _, known := e.known[text]; !known && !contains(wanted, text) {
			wanted = append(wanted, text)
		}
	}
	if len(wanted) == 0 {
		return true
	}
	if e.failed {
		return false
	}
	for len(e.ahead) > 0 && len(wanted) < embed.MaxBatch {
		text := e.ahead[0]
		e.ahead = e.ahead[1:]
		if _, known := e.known[text]; !known && !contains(wanted, text) {
			wanted = append(wanted, text)
		}
	}
	ctx, cancel := context.WithTimeout(ctx, EmbedBudget)
	defer cancel()
	vectors, err := e.model.Embed(ctx, wanted)
	if err != nil || len(vectors) != len(wanted) {
		e.failed = true
		return false
	}
	for i, text := range wanted {
		e.known[text] = vectors[i]
	}
	return true
}

// embed writes the vector of m's text, or leaves a job where the workspace defers
// or the model does not answer. What recall never ranks has none; what is in
// quarantine is not shown to a model.
func (c *change) embed(ctx context.Context, e *embeddings, m *Memory) {
	if !m.Indexed() {
		return
	}
	if !c.Workspace.Settings.DeferEmbedding {
		if vectors, ok := e.of(ctx, m.Content); ok {
			v := Vector{Version: m.Version, Values: vectors[0]}
			c.put("vector", VectorItem(c.Scope, m.ID, e.model.Profile().Name(), v), nil)
			return
		}
	}
	c.embedLater(m)
}

// reembed is embed for a text that replaces another: the old vector goes.
func (c *change) reembed(ctx context.Context, e *embeddings, m *Memory) {
	before := len(c.plan.Actions)
	c.embed(ctx, e, m)
	if len(c.plan.Actions) == before && e.model != nil {
		c.remove("vector", keys.MemoryVector(c.Scope, m.ID, e.model.Profile().Name()))
	}
}
