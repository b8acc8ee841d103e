package openai

import (
	"errors"
	"math"
	"testing"

	"holdfast/internal/embed"
)

// FuzzAnswer: whatever the other side writes is refused or makes unit vectors.
func FuzzAnswer(f *testing.F) {
	for _, seed := range []string{
		"", "null", "[]", "{}", `{"data":null}`, `{"data":[null,null]}`, `{"data":[{},{}]}`,
		`{"data":[{"index":1,"embedding":[3,4]},{"index":0,"embedding":[0,-1]}]}`,
		`{"data":[{"embedding":[1e38,1e38]},{"embedding":[1e-45,0]}]}`,
		`{"data":[{"index":0,"embedding":[1,null]},{"index":0,"embedding":null}]}`,
		`{"data":[{"index":-9223372036854775808,"embedding":[1,0]},{"index":1.5,"embedding":[0,1]}]}`,
	} {
		f.Add([]byte(seed))
	}
	embedder, err := New(Options{URL: "http://models.example", Model: "m", Dimension: 2})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		vectors, err := embedder.decode(body, 2)
		if err != nil {
			if !errors.Is(err, embed.ErrBadAnswer) || vectors != nil {
				t.Fatalf("%d vectors, error %v", len(vectors), err)
			}
			return
		}
		for _, vector := range vectors {
			if length := math.Hypot(float64(vector[0]), float64(vector[1])); math.Abs(length-1) > 1e-5 {
				t.Fatalf("vector %v", vector)
			}
		}
	})
}
