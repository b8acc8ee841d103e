package static

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"holdfast/internal/embed"
	"holdfast/internal/embed/embedtest"
)

func TestPort(t *testing.T) {
	embedtest.Run(t, func(t *testing.T) embed.Embedder { return fresh(t) }, nil)
}

func TestMeaningRanksAboveTheUnrelated(t *testing.T) {
	embedder := fresh(t)
	unrelated := []string{
		"The invoice template has a green header.",
		"Rain is expected in the mountains tomorrow.",
		"The choir rehearses in the old church.",
	}
	for _, c := range []struct{ query, related string }{
		{"Which medicine did the physician give the sick person?", "The doctor prescribed antibiotics for the patient's infection."},
		{"water pumping mill in Holland", "The windmill in Kinderdijk pumps water."},
		{"What meat-free lunch dish does the canteen serve?", "The canteen serves vegetarian curry on Wednesdays."},
		{"When does my flight leave?", "Departure from the airport is at six in the morning."},
		{"Who repairs the automobile?", "Our mechanic fixed the car's brakes."},
	} {
		query := one(t, embedder, c.query)
		related := embed.Cosine(query, one(t, embedder, c.related))
		if related < .3 {
			t.Errorf("%q: %.3f to %q", c.query, related, c.related)
		}
		for _, text := range unrelated {
			if other := embed.Cosine(query, one(t, embedder, text)); other > related-.1 || other > embedder.Profile().Floor {
				t.Errorf("%q: %.3f to %q, %.3f to %q", c.query, other, text, related, c.related)
			}
		}
	}
}

func TestOnlyContentWordsWeigh(t *testing.T) {
	embedder := fresh(t)
	plain := one(t, embedder, "ferry harbour")
	for _, text := range []string{
		"The ferry is in the harbour!", "(Ferry) – “HARBOUR”…", "oh yeah, that's our ferry, it's at the harbour",
		"férry harbour 🙂", "harbour ferry",
	} {
		if cosine := embed.Cosine(plain, one(t, embedder, text)); cosine < 1-1e-6 {
			t.Errorf("%q: cosine %v", text, cosine)
		}
	}
	for _, text := range []string{"", "It is what it is.", "don't we'll I'm", "?! … $", "🙂"} {
		if vector := one(t, embedder, text); embed.Cosine(vector, vector) != 0 {
			t.Errorf("%q has a direction", text)
		}
	}
	if cosine := embed.Cosine(plain, one(t, embedder, "not a ferry, no harbour")); cosine > .99 {
		t.Errorf("negation leaves no trace: cosine %v", cosine)
	}
}

func TestOnlyTheFirstPiecesCount(t *testing.T) {
	embedder := fresh(t)
	full := strings.Repeat("lantern ", maxPieces)
	if embed.Cosine(one(t, embedder, full), one(t, embedder, full+strings.Repeat("glacier ", 500))) < 1-1e-6 {
		t.Error("a piece after the limit counts")
	}
	full = strings.Repeat("lantern ", maxPieces-1)
	if embed.Cosine(one(t, embedder, full), one(t, embedder, full+"glacier")) > 1-1e-6 {
		t.Error("the last piece within the limit does not count")
	}
}

// The digest is of encoded vectors made on amd64; every processor must make them.
func TestVectorsAreTheSameOnEveryMachine(t *testing.T) {
	const want = "e677070fd285ab78dfe061f7898efb7086c59effcc68acbbdf8727b8d3ce59c0"
	digest := sha256.New()
	for _, text := range []string{benchText, "Die Gärtnerin brachte die Setzlinge.", "counterproductively 4.50", "東京タワー", ""} {
		digest.Write(embed.Encode(one(t, fresh(t), text)))
	}
	if got := hex.EncodeToString(digest.Sum(nil)); got != want {
		t.Errorf("digest %s", got)
	}
}

func TestProfile(t *testing.T) {
	want := embed.Profile{Model: "static-minilm", Dimension: 256, Version: 1, LexicalShare: .6, Floor: .2}
	if got := fresh(t).Profile(); got != want {
		t.Errorf("profile %+v", got)
	}
}

func TestEmbeddingAllocatesOnlyTheAnswer(t *testing.T) {
	embedder, texts := fresh(t), []string{benchText}
	allocations := testing.AllocsPerRun(50, func() {
		if _, err := embedder.Embed(context.Background(), texts); err != nil {
			t.Error(err)
		}
	})
	if allocations > 2 {
		t.Errorf("%v allocations a sentence", allocations)
	}
}

func fresh(t *testing.T) *Embedder {
	t.Helper()
	embedder := New()
	if err := embedder.Load(); err != nil {
		t.Fatal(err)
	}
	return embedder
}

func one(t *testing.T, embedder *Embedder, text string) []float32 {
	t.Helper()
	vectors, err := embedder.Embed(context.Background(), []string{text})
	if err != nil {
		t.Fatal(err)
	}
	return vectors[0]
}
