//go:build integration

package opensearch

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"holdfast/internal/embed"
	"holdfast/internal/search"
	"holdfast/internal/tenant"
)

const wide = "static-256"

// corpus makes conversations of two people, or of a user and an assistant, in
// sessions of 20 turns, with words as frequent as those of a language (Zipf).
// Vectors lie around the topics of the sessions.
func corpus(n, dimension int) []search.Document {
	random := rand.New(rand.NewPCG(7, 3))
	zipf := rand.NewZipf(random, 1.15, 8, 20_000)
	docs := make([]search.Document, n)
	var topic []float32
	for i := range docs {
		if i%20 == 0 {
			topic = spread(random, make([]float32, dimension), 1)
		}
		speakers := [2]string{"Nora", "Emil Lund"}
		if i/20%5 == 4 {
			speakers = [2]string{"user", "assistant"}
		}
		docs[i] = search.Document{
			Scope: talkScope, ID: fmt.Sprintf("%08d", i), Version: 1, Sequence: int64(i + 1),
			Text: sentence(zipf, 4+random.IntN(40)), Speaker: speakers[i%2], Session: fmt.Sprint("s", i/20),
			Fields: search.Fields{"status": {"active"}, "run": {fmt.Sprint("r", i/20)}},
			Vector: inSteps(spread(random, topic, .8)), Profile: wide,
		}
	}
	return docs
}

// inSteps is a vector as the table keeps it.
func inSteps(vector []float32) []float32 {
	out, err := embed.Decode(embed.Encode(vector), len(vector))
	if err != nil {
		panic(err)
	}
	return out
}

func sentence(zipf *rand.Zipf, words int) string {
	var b strings.Builder
	for range words {
		b.WriteString(spell(zipf.Uint64()) + " ")
	}
	return b.String()
}

// spell writes a number with letters.
func spell(n uint64) string {
	out := []byte{'w'}
	for ; n > 0; n /= 20 {
		out = append(out, "bcdfghjklmnpqrtvwxyz"[n%20])
	}
	return string(append(out, 'a'))
}

// spread answers a vector around another.
func spread(random *rand.Rand, around []float32, by float64) []float32 {
	out := make([]float32, len(around))
	for i, v := range around {
		out[i] = v + float32(by*random.NormFloat64())
	}
	return out
}

// asked makes a question of words of a document and a vector near its own.
func asked(random *rand.Rand, d search.Document, proposals int) search.Query {
	words := strings.Fields(d.Text)
	random.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
	return search.Query{
		Scopes: []tenant.Scope{talkScope, talkScope.Own()}, Text: strings.Join(words[:min(len(words), 6)], " "),
		Vector: spread(random, d.Vector, .5), Profile: wide, Lexical: proposals, Semantic: proposals,
		Filter: search.Filter{Field: "status", In: []string{"active"}},
	}
}
