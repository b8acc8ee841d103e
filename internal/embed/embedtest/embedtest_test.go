package embedtest

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"holdfast/internal/embed"
)

// answer is what an embedder gives back; a spoiler makes it wrong.
type answer struct {
	vectors [][]float32
	err     error
}

type spoiler func(texts []string, a answer) answer

// Each spoilt embedder must fail the subtests named beside it: a suite that lets
// them pass would prove nothing.
func TestTheSuiteBites(t *testing.T) {
	for name, c := range map[string]struct {
		spoil spoiler
		fails []string
	}{
		"order":     {reversed, []string{"one vector a text, in order"}},
		"count":     {oneMore, []string{"a batch of 0 texts answers 0 vectors", "a batch over MaxBatch is refused"}},
		"dimension": {each(func(v []float32) []float32 { return v[1:] }), []string{"vectors have the profile's dimension"}},
		"length":    {each(doubled), []string{"vectors have unit length", "texts that are not UTF-8 are embedded"}},
		"never zero": {each(func(v []float32) []float32 { v[0]++; return embed.Normalize(v) }),
			[]string{"a text with nothing to embed has the zero vector", "a batch of empty texts only is answered"}},
		"always zero": {each(func(v []float32) []float32 { clear(v); return v }),
			[]string{"a text with nothing to embed has the zero vector", "one vector a text, in order", "vectors have unit length"}},
		"talks": {talks, []string{"errors never hold the text"}},
		"other errors": {func(_ []string, a answer) answer { return answer{a.vectors, rename(a.err)} },
			[]string{"a batch over MaxBatch is refused", "an ended context answers ErrUnavailable and its own error"}},
		"never fails": {func(_ []string, a answer) answer { return answer{a.vectors, nil} },
			[]string{"a batch over MaxBatch is refused", "errors never hold the text", "an ended context answers ErrUnavailable and its own error"}},
		"always fails": {func([]string, answer) answer { return answer{nil, embed.ErrUnavailable} },
			[]string{"a batch of MaxBatch texts is taken", "a batch of 0 texts answers 0 vectors", "concurrent calls do not disturb each other"}},
		"drifts": {drifting(), []string{"the same text gives the same vector",
			"vectors belong to the caller", "concurrent calls do not disturb each other"}},
		"shared": {shared(), []string{"vectors belong to the caller"}},
		"twice":  {twiceWrong, []string{"a text that is there twice gets its vector twice"}},
	} {
		failed := failures(&toy{spoil: c.spoil, profile: sound})
		for _, want := range c.fails {
			if !known(want) {
				t.Errorf("no subtest %q", want)
			}
			if !slices.Contains(failed, want) {
				t.Errorf("%s: passes %q", name, want)
			}
		}
	}
}

func TestTheSuiteBitesProfiles(t *testing.T) {
	named, ranged := "a profile names model, dimension and version", "a profile's share and floor are in range"
	for want, profiles := range map[string][]embed.Profile{
		named:  {{Dimension: 16, Version: 1}, {Model: "toy", Version: 1}, {Model: "toy", Dimension: 16}},
		ranged: {{LexicalShare: 1.5}, {LexicalShare: -.1}, {Floor: 1}, {Floor: -2}},
	} {
		for _, profile := range profiles {
			if failed := failures(&toy{spoil: untouched, profile: profile}); !slices.Contains(failed, want) {
				t.Errorf("%+v passes %q", profile, want)
			}
		}
	}
	if failed := failures(&toy{spoil: untouched, profile: sound, growing: true}); !slices.Contains(failed, "a profile stays the same") {
		t.Error("a profile that changes passes")
	}
}

func TestASoundEmbedderPasses(t *testing.T) {
	if failed := failures(&toy{spoil: untouched, profile: sound}); len(failed) > 0 {
		t.Errorf("fails %q", failed)
	}
}

var sound = embed.Profile{Model: "toy", Dimension: 64, Version: 1, LexicalShare: .5}

// toy counts bytes into components: enough of a model to be spoilt.
type toy struct {
	spoil   spoiler
	profile embed.Profile
	growing bool
	calls   atomic.Int64
}

func (e *toy) Profile() embed.Profile {
	profile := e.profile
	if e.growing {
		profile.Version += int(e.calls.Load())
	}
	return profile
}

func (e *toy) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	e.calls.Add(1)
	a := answer{vectors: [][]float32{}}
	for _, text := range texts {
		vector := make([]float32, sound.Dimension)
		for i, b := range []byte(strings.TrimSpace(text)) {
			vector[(int(b)*31+i)%len(vector)]++
		}
		a.vectors = append(a.vectors, embed.Normalize(vector))
	}
	if len(texts) > embed.MaxBatch {
		a = answer{err: embed.ErrTooMany}
	} else if ctx.Err() != nil {
		a = answer{err: fmt.Errorf("%w: %w", embed.ErrUnavailable, ctx.Err())}
	}
	a = e.spoil(texts, a)
	return a.vectors, a.err
}

func untouched(_ []string, a answer) answer { return a }

func reversed(_ []string, a answer) answer {
	slices.Reverse(a.vectors)
	return a
}

func oneMore(_ []string, a answer) answer {
	return answer{append(a.vectors, make([]float32, sound.Dimension)), a.err}
}

func each(change func([]float32) []float32) spoiler {
	return func(_ []string, a answer) answer {
		for i, vector := range a.vectors {
			a.vectors[i] = change(vector)
		}
		return a
	}
}

func doubled(vector []float32) []float32 {
	for i := range vector {
		vector[i] *= 2
	}
	return vector
}

func talks(texts []string, a answer) answer {
	if a.err != nil {
		a.err = fmt.Errorf("%w: %q", a.err, texts)
	}
	return a
}

func rename(err error) error {
	if err == nil {
		return nil
	}
	return errors.New("no")
}

// drifting turns every vector a little further with each call.
func drifting() spoiler {
	var calls atomic.Int64
	return func(_ []string, a answer) answer {
		turn := float32(calls.Add(1)) / 4
		return each(func(v []float32) []float32 { v[0] += turn; return embed.Normalize(v) })(nil, a)
	}
}

// shared answers every caller the same memory.
func shared() spoiler {
	var mu sync.Mutex
	kept := map[string][]float32{}
	return func(texts []string, a answer) answer {
		mu.Lock()
		defer mu.Unlock()
		for i := range a.vectors {
			if kept[texts[i]] == nil {
				kept[texts[i]] = a.vectors[i]
			}
			a.vectors[i] = kept[texts[i]]
		}
		return a
	}
}

// twiceWrong forgets the vector of a text that was there before.
func twiceWrong(texts []string, a answer) answer {
	for i := range a.vectors {
		if slices.Contains(texts[:i], texts[i]) {
			clear(a.vectors[i])
		}
	}
	return a
}

// failures runs every subtest on the embedder and names those that fail.
func failures(embedder embed.Embedder) []string {
	var failed []string
	for _, c := range cases {
		record := &recorder{}
		done := make(chan struct{})
		go func() {
			defer close(done)
			c.run(&world{TB: record, embedder: embedder})
		}()
		<-done
		if record.failed.Load() {
			failed = append(failed, c.name)
		}
	}
	return failed
}

// recorder stands in for a test and keeps whether it failed.
type recorder struct {
	testing.TB
	failed atomic.Bool
}

func (r *recorder) Helper()               {}
func (r *recorder) Error(...any)          { r.failed.Store(true) }
func (r *recorder) Errorf(string, ...any) { r.failed.Store(true) }
func (r *recorder) Fatalf(string, ...any) { r.failed.Store(true); runtime.Goexit() }
