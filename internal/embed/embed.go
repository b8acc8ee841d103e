// Package embed is the port to embedding models; every sentence below is a
// contract that embedtest shows for each adapter.
//
// A Profile names model, dimension and version; vectors of different profiles
// are never compared. Embed answers one vector a text, in order, of exactly the
// profile's dimension and unit length, or the zero vector for a text with
// nothing to embed. The same text gives the same vector within a profile. A
// batch of 0 texts answers 0 vectors; at most MaxBatch texts a call. An error
// answers no vectors. Errors never hold the text.
package embed

import (
	"context"
	"errors"
	"strconv"
)

// MaxBatch is the most texts of one call.
const MaxBatch = 100

// ErrUnavailable: the model does not answer now; try again.
var ErrUnavailable = errors.New("embed: model unavailable")

// ErrBadAnswer: the model answered a wrong count or dimension.
var ErrBadAnswer = errors.New("embed: wrong count or dimension in the answer")

// ErrTooMany: more than MaxBatch texts.
var ErrTooMany = errors.New("embed: batch over the limit")

// Profile identifies comparable vectors.
type Profile struct {
	Model     string
	Dimension int
	Version   int
	// LexicalShare is the weight of the lexical arm beside this profile's vectors
	// when both are fused (design: .6 with the static table, .4 to .5 with a transformer).
	LexicalShare float64
	// Floor is the cosine of texts that have nothing to do with each other: scores
	// are counted from it.
	Floor float64
}

// Name is the profile's stable text form, fit for keys.
func (p Profile) Name() string {
	return p.Model + "-" + strconv.Itoa(p.Dimension) + "-v" + strconv.Itoa(p.Version)
}

// Embedder is the port. Implementations are safe for concurrent use.
type Embedder interface {
	Profile() Profile
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}
