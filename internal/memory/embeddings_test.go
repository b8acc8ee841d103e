package memory

import (
	"context"
	"strconv"
	"testing"

	"holdfast/internal/embed"
	"holdfast/internal/embed/hashembed"
)

func TestEmbeddingsAskOnceAText(t *testing.T) {
	m := &model{Embedder: hashembed.New(16)}
	e := (&Service{Deps: Deps{Embedder: m}}).embeddings("b", "c", "b")
	for range 2 {
		got, ok := e.of(context.Background(), "a", "b", "a")
		if !ok || len(got) != 3 || len(got[0]) != 16 {
			t.Fatalf("%v, %v", got, ok)
		}
	}
	if _, ok := e.of(context.Background(), "c"); !ok || m.calls != 1 || len(m.texts) != 3 {
		t.Errorf("%d calls with %q", m.calls, m.texts)
	}
}

func TestEmbeddingsGiveUpAfterOneFailure(t *testing.T) {
	m := &model{Embedder: hashembed.New(16), down: true}
	e := (&Service{Deps: Deps{Embedder: m}}).embeddings()
	for range 3 {
		if _, ok := e.of(context.Background(), "a"); ok {
			t.Error("a vector from a model that is down")
		}
	}
	if m.calls != 1 {
		t.Errorf("%d calls", m.calls)
	}
}

func TestEmbeddingsFillABatchAndNoMore(t *testing.T) {
	m := &model{Embedder: hashembed.New(16)}
	var ahead []string
	for n := range 150 {
		ahead = append(ahead, strconv.Itoa(n))
	}
	e := (&Service{Deps: Deps{Embedder: m}}).embeddings(ahead...)
	for _, text := range []string{"first", "149"} {
		if _, ok := e.of(context.Background(), text); !ok {
			t.Error("no vector")
		}
	}
	if m.calls != 2 || len(m.texts) != 151 {
		t.Errorf("%d calls with %d texts", m.calls, len(m.texts))
	}
}

// slow answers when its context ends.
type slow struct{ embed.Embedder }

func (slow) Embed(ctx context.Context, _ []string) ([][]float32, error) {
	<-ctx.Done()
	return nil, embed.ErrUnavailable
}

func TestASlowModelIsNotWaitedFor(t *testing.T) {
	w := newWorld(t)
	w.Service.Embedder = slow{w.model}
	ctx, cancel := context.WithCancel(context.Background())
	cancel() // the budget's clock is the machine's: end it at once
	e := w.embeddings()
	if _, ok := e.of(ctx, "a"); ok {
		t.Error("a vector from a slow model")
	}
	if EmbedBudget <= 0 {
		t.Error("no budget")
	}
}
