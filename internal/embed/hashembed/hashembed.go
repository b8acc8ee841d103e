// Package hashembed is the embedder of unit tests: texts that share words are
// near each other, nothing is loaded and the same text gives the same vector on
// every machine.
//
// It counts folded words by feature hashing (Weinberger and others, 2009): each
// word adds 1 to the component that its hash names. Components are never
// negative, so words cannot cancel out: only a text without a letter or digit
// has the zero vector. It knows nothing of meaning and must not serve users. It
// may import embed and text folding only.
package hashembed

import (
	"context"
	"fmt"
	"hash/fnv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"holdfast/internal/embed"
)

// Embedder hashes words into vectors of one dimension.
type Embedder struct{ dimension int }

// New makes an embedder of the dimension; below 1 it panics. From 256 up,
// texts without a common word stay near cosine 0.
func New(dimension int) *Embedder {
	if dimension < 1 {
		panic("hashembed: dimension below 1")
	}
	return &Embedder{dimension: dimension}
}

// Profile names the hash function and the dimension.
func (e *Embedder) Profile() embed.Profile {
	return embed.Profile{Model: "hash", Dimension: e.dimension, Version: 1, LexicalShare: .6}
}

// Embed answers one vector a text as the port says.
func (e *Embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if len(texts) > embed.MaxBatch {
		return nil, embed.ErrTooMany
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("%w: %w", embed.ErrUnavailable, err)
	}
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		vectors[i] = e.vector(text)
	}
	return vectors, nil
}

func (e *Embedder) vector(text string) []float32 {
	vector := make([]float32, e.dimension)
	for _, word := range words(text) {
		hash := fnv.New64a()
		hash.Write([]byte(word))
		vector[hash.Sum64()%uint64(e.dimension)]++
	}
	return embed.Normalize(vector)
}

// words folds case, width and accents away and splits at all that is neither
// letter nor digit.
func words(text string) []string {
	folded := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(text))
	return strings.FieldsFunc(folded, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}
