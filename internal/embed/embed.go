// Package embed is the port to embedding models; every sentence below is a
// contract that embedtest shows for each adapter.
//
// A Profile names model, dimension and version; vectors of different profiles
// are never compared. Embed answers one vector a text, in order, of exactly the
// profile's dimension and unit length, or the zero vector for a text with
// nothing to embed. The same text gives the same vector within a profile. A
// batch of 0 texts answers 0 vectors; at most MaxBatch texts a call. An error
// answers no vectors. An ended context answers ErrUnavailable and the context's
// own error, both for errors.Is. Errors never hold the text. Bytes that are not
// UTF-8 do no harm: the text around them is embedded.
//
// The answered vectors belong to the caller and no later call changes them.
// The package also has the arithmetic on vectors that all who keep or compare
// them share, and imports the standard library only.
package embed

import (
	"context"
	"errors"
	"strconv"
)

// MaxBatch is the most texts of one call.
const MaxBatch = 100

// ErrUnavailable: the model does not answer now, or refuses; try again later.
var ErrUnavailable = errors.New("embed: model unavailable")

// ErrBadAnswer: the model answered a wrong count or dimension, or numbers that
// make no vector.
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

// Name is the profile's stable text form, fit for keys: ASCII letters, digits,
// point, hyphen and underscore, to which every other byte of the model's name
// (such as the slash after its maker) is turned.
func (p Profile) Name() string {
	model := []byte(p.Model)
	for i, b := range model {
		if !plain(b) {
			model[i] = '_'
		}
	}
	return string(model) + "-" + strconv.Itoa(p.Dimension) + "-v" + strconv.Itoa(p.Version)
}

func plain(b byte) bool {
	return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9' || b == '.' || b == '-'
}

// Embedder is the port. Implementations are safe for concurrent use.
type Embedder interface {
	Profile() Profile
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}
