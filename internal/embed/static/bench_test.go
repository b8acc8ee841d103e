package static

import (
	"context"
	"strings"
	"testing"
)

const benchText = "The gardener moved the tomato seedlings into the greenhouse on Thursday because the forecast warned of frost, and she asked her neighbour to water them."

// BenchmarkSentence is one sentence of 25 words: the target is 20 µs.
func BenchmarkSentence(b *testing.B) { benchmark(b, benchText) }

// BenchmarkAccents has text that must be decomposed first.
func BenchmarkAccents(b *testing.B) {
	benchmark(b, "Die Gärtnerin brachte am Donnerstag die Setzlinge ins Gewächshaus, weil Frost drohte.")
}

// BenchmarkLongText is a text at the size limit of a memory: only its first
// pieces may cost anything.
func BenchmarkLongText(b *testing.B) {
	benchmark(b, strings.Repeat(benchText+" ", 16000/len(benchText)))
}

func benchmark(b *testing.B, text string) {
	embedder, texts := New(), []string{text}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := embedder.Embed(context.Background(), texts); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLoad is what reading the table costs: the target is 50 ms.
func BenchmarkLoad(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := read(func() (string, string, error) { return readFolder(".") }); err != nil {
			b.Fatal(err)
		}
	}
}
