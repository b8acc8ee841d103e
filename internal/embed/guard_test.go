package embed

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
)

type panicking struct{ Embedder }

func (panicking) Embed(_ context.Context, texts []string) ([][]float32, error) { panic(texts[0]) }

type answering struct{ Embedder }

func (answering) Embed(context.Context, []string) ([][]float32, error) {
	return [][]float32{{1}}, ErrBadAnswer
}

func TestGuardMakesAPanicAnError(t *testing.T) {
	log := &bytes.Buffer{}
	logger := slog.New(slog.NewJSONHandler(log, nil))
	vectors, err := Guard(panicking{}, logger).Embed(t.Context(), []string{"marzipan"})
	if vectors != nil || !errors.Is(err, ErrUnavailable) {
		t.Errorf("%v, %v", vectors, err)
	}
	if strings.Count(log.String(), "\n") != 1 || strings.Contains(log.String(), "marzipan") || !strings.Contains(log.String(), `"error":"string"`) {
		t.Errorf("log %s", log)
	}
	if vectors, err := Guard(answering{}, logger).Embed(t.Context(), nil); len(vectors) != 1 || !errors.Is(err, ErrBadAnswer) {
		t.Errorf("%v, %v", vectors, err)
	}
}
