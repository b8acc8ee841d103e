package embedtest

import (
	"context"
	"errors"
	"math"
	"strings"
	"sync"

	"holdfast/internal/embed"
)

func noTexts(w *world) {
	w.embed()
	vectors, err := w.embedder.Embed(context.Background(), []string{})
	if err != nil || len(vectors) != 0 {
		w.Errorf("%d vectors, error %v", len(vectors), err)
	}
}

func fullBatch(w *world) { w.embed(batch(embed.MaxBatch)...) }

func overBatch(w *world) {
	vectors, err := w.embedder.Embed(context.Background(), batch(embed.MaxBatch+1))
	if !errors.Is(err, embed.ErrTooMany) || vectors != nil {
		w.Errorf("%d vectors, error %v", len(vectors), err)
	}
}

func endedContext(w *world) {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	vectors, err := w.embedder.Embed(ended, texts)
	if !errors.Is(err, embed.ErrUnavailable) || !errors.Is(err, context.Canceled) || vectors != nil {
		w.Errorf("%d vectors, error %v", len(vectors), err)
	}
}

func errorsHoldNoText(w *world) {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	_, atEnd := w.embedder.Embed(ended, []string{"marzipan"})
	_, tooMany := w.embedder.Embed(context.Background(), append(batch(embed.MaxBatch), "marzipan"))
	for _, err := range []error{atEnd, tooMany} {
		if err == nil || strings.Contains(err.Error(), "marzipan") {
			w.Errorf("error %v", err)
		}
	}
}

func ownVectors(w *world) {
	first := w.embed(texts[0])[0]
	kept := append([]float32(nil), first...)
	w.embed(texts...)
	if !near(first, kept) {
		w.Error("a later call changed an answered vector")
	}
	clear(first)
	if !near(w.embed(texts[0])[0], kept) {
		w.Error("a caller's change reached a later answer")
	}
}

func brokenText(w *world) {
	for i, vector := range w.embed("caf\xe9 terrace", "\xff\xfe") {
		if length := length(vector); length != 0 && math.Abs(length-1) > 1e-5 {
			w.Errorf("vector %d has length %v", i, length)
		}
	}
}

func concurrent(w *world) {
	expected := w.embed(texts...)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			vectors, err := w.embedder.Embed(context.Background(), texts)
			if err != nil {
				w.Errorf("embed: %v", err)
				return
			}
			for i := range texts {
				if !near(vectors[i], expected[i]) {
					w.Errorf("text %d got another vector", i)
				}
			}
		})
	}
	group.Wait()
}
