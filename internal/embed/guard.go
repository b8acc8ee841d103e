package embed

import (
	"context"
	"fmt"
	"log/slog"
)

// Guard makes a panic of a model the error ErrUnavailable, wherever it is called: beside
// a request nobody else would keep it from ending the process. The line that tells of it
// names its type and not its value, which may hold the text.
func Guard(e Embedder, log *slog.Logger) Embedder { return guarded{e, log} }

type guarded struct {
	Embedder
	log *slog.Logger
}

// Embed implements Embedder.
func (g guarded) Embed(ctx context.Context, texts []string) (vectors [][]float32, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			g.log.LogAttrs(ctx, slog.LevelError, "the embedding model panicked", slog.String("error", fmt.Sprintf("%T", cause)))
			vectors, err = nil, ErrUnavailable
		}
	}()
	return g.Embedder.Embed(ctx, texts)
}
