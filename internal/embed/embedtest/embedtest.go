// Package embedtest is the conformance suite of the embedding port: one subtest
// for each sentence of the port's contract. It imports the port and testing.
package embedtest

import (
	"context"
	"fmt"
	"math"
	"testing"

	"holdfast/internal/embed"
)

// Exceptions names subtests that an adapter cannot pass, each with the reason.
// They are reported as passed over; a name that no subtest has fails.
type Exceptions map[string]string

// Run runs the suite; fresh is called once a subtest.
func Run(t *testing.T, fresh func(t *testing.T) embed.Embedder, except Exceptions) {
	for name := range except {
		if !known(name) {
			t.Errorf("exception %q names no subtest", name)
		}
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if why, ok := except[c.name]; ok {
				t.Skipf("declared exception: %s", why)
			}
			c.run(&world{TB: t, embedder: fresh(t)})
		})
	}
}

func known(name string) bool {
	for _, c := range cases {
		if c.name == name {
			return true
		}
	}
	return false
}

var cases = []struct {
	name string
	run  func(*world)
}{
	{"a profile names model, dimension and version", profileNames},
	{"a profile stays the same", profileStays},
	{"a profile's share and floor are in range", profileRange},
	{"one vector a text, in order", inOrder},
	{"a text that is there twice gets its vector twice", repeated},
	{"vectors have the profile's dimension", dimension},
	{"vectors have unit length", unitLength},
	{"a text with nothing to embed has the zero vector", nothingToEmbed},
	{"a batch of empty texts only is answered", onlyEmpty},
	{"the same text gives the same vector", sameText},
	{"a batch of 0 texts answers 0 vectors", noTexts},
	{"a batch of MaxBatch texts is taken", fullBatch},
	{"a batch over MaxBatch is refused", overBatch},
	{"an ended context answers ErrUnavailable and its own error", endedContext},
	{"errors never hold the text", errorsHoldNoText},
	{"vectors belong to the caller", ownVectors},
	{"texts that are not UTF-8 are embedded", brokenText},
	{"concurrent calls do not disturb each other", concurrent},
}

// texts differ from each other in every word.
var texts = []string{
	"The orchard ripens in September.",
	"Her passport expires next spring",
	"two violins, one cello",
	"Die Brücke über den Fluss",
	"invoices: forty-seven unpaid",
}

// world is a subtest with its embedder.
type world struct {
	testing.TB
	embedder embed.Embedder
}

// embed asks for the vectors and fails the test unless there is one a text.
func (w *world) embed(texts ...string) [][]float32 {
	w.Helper()
	vectors, err := w.embedder.Embed(context.Background(), texts)
	if err != nil {
		w.Fatalf("embed: %v", err)
	}
	if len(vectors) != len(texts) {
		w.Fatalf("%d vectors for %d texts", len(vectors), len(texts))
	}
	return vectors
}

// batch is count texts, no two alike.
func batch(count int) []string {
	texts := make([]string, count)
	for i := range texts {
		texts[i] = fmt.Sprintf("parcel number %d", i)
	}
	return texts
}

// near allows the last bits to differ: some models compute on hardware that adds
// in an order of its own.
func near(a, b []float32) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if math.Abs(float64(a[i])-float64(b[i])) > 1e-5 {
			return false
		}
	}
	return true
}

func length(vector []float32) float64 {
	var sum float64
	for _, x := range vector {
		sum += float64(x) * float64(x)
	}
	return math.Sqrt(sum)
}
