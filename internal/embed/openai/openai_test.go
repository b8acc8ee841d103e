package openai

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"holdfast/internal/embed"
	"holdfast/internal/embed/embedtest"
	"holdfast/internal/openaihttp"
)

func TestPort(t *testing.T) {
	embedtest.Run(t, func(t *testing.T) embed.Embedder {
		return embedderFor(t, optionsFor(newDouble(t), &naps{}))
	}, nil)
}

func TestPortInSmallRequests(t *testing.T) {
	embedtest.Run(t, func(t *testing.T) embed.Embedder {
		options := optionsFor(newDouble(t), &naps{})
		options.BatchSize = 2
		return embedderFor(t, options)
	}, nil)
}

func TestRequestIsTheProtocols(t *testing.T) {
	d := newDouble(t)
	options := optionsFor(d, &naps{})
	options.AskDimension, options.MaxCharacters, options.BatchSize = true, 5, 2
	mustEmbed(t, embedderFor(t, options), "", "naïveté", "two", " \n", "three")
	want := []request{
		{Model: testModel, Input: []string{"naïve", "two"}, Format: "float", Dimensions: testDimension},
		{Model: testModel, Input: []string{"three"}, Format: "float", Dimensions: testDimension},
	}
	if !reflect.DeepEqual(d.seen(), want) {
		t.Errorf("asked %+v", d.seen())
	}
	for _, header := range d.headers {
		if header.Get("Authorization") != "Bearer "+testKey || header.Get("Content-Type") != "application/json" {
			t.Errorf("headers %v", header)
		}
	}
}

func TestNoKeyNoAuthorization(t *testing.T) {
	d := newDouble(t)
	options := optionsFor(d, &naps{})
	options.Key = ""
	mustEmbed(t, embedderFor(t, options), "text")
	if _, sent := d.headers[0]["Authorization"]; sent {
		t.Error("an Authorization header without a key")
	}
}

func TestEmptyTextsAreNotAsked(t *testing.T) {
	d := newDouble(t)
	mustEmbed(t, embedderFor(t, optionsFor(d, &naps{})), "", "  ", "\n\t")
	if len(d.seen()) != 0 {
		t.Errorf("%d requests for nothing", len(d.seen()))
	}
}

func TestIndexesDecideTheOrder(t *testing.T) {
	x, y, z := axis(0), axis(1), axis(2)
	for name, reply := range map[string]http.HandlerFunc{
		"turned round": data(item(2, z), item(1, y), item(0, x)),
		"in order":     data(item(0, x), item(1, y), item(2, z)),
		"left out": data(map[string]any{"embedding": x}, map[string]any{"embedding": y},
			map[string]any{"embedding": z}),
	} {
		vectors := mustEmbed(t, embedderFor(t, optionsFor(newDouble(t, reply), &naps{})), "a", "b", "c")
		for i, vector := range vectors {
			if vector[i] != 1 {
				t.Errorf("%s: place %d has %v", name, i, vector)
			}
		}
	}
}

func TestVectorsAreScaledToUnitLength(t *testing.T) {
	long := []float64{3000, 0, 0, -4000, 0, 0, 0, 0}
	vector := mustEmbed(t, embedderFor(t, optionsFor(newDouble(t, data(item(0, long))), &naps{})), "a")[0]
	if math.Abs(float64(vector[0])-.6) > 1e-6 || math.Abs(float64(vector[3])+.8) > 1e-6 {
		t.Errorf("vector %v", vector)
	}
}

func TestBadAnswersAreRefusedAndNotAskedAgain(t *testing.T) {
	x, y := axis(0), axis(1)
	for name, reply := range map[string]http.HandlerFunc{
		"not JSON":            raw("<html>fine</html>"),
		"empty body":          raw(""),
		"another object":      raw(`{"error":{"message":"no"}}`),
		"data is no list":     raw(`{"data":{"embedding":[1]}}`),
		"one too few":         data(item(0, x)),
		"one too many":        data(item(0, x), item(1, y), item(2, x)),
		"index there twice":   data(item(0, x), item(0, y)),
		"index beyond":        data(item(0, x), item(2, y)),
		"index negative":      data(item(0, x), item(-1, y)),
		"some without index":  data(item(1, x), map[string]any{"embedding": y}),
		"dimension too small": data(item(0, x), item(1, y[1:])),
		"dimension too large": data(item(0, x), item(1, append(axis(1), 0))),
		"no embedding":        data(item(0, x), map[string]any{"index": 1}),
		"embedding is text":   data(item(0, x), item(1, "AACAPw==")),
		"NaN":                 raw(`{"data":[{"index":0,"embedding":[NaN,0,0,0,0,0,0,0]},{"index":1,"embedding":[1,0,0,0,0,0,0,0]}]}`),
		"NaN as null":         raw(`{"data":[{"index":0,"embedding":[null,1,0,0,0,0,0,0]},{"index":1,"embedding":[1,0,0,0,0,0,0,0]}]}`),
		"over float32":        raw(`{"data":[{"index":0,"embedding":[1e39,0,0,0,0,0,0,0]},{"index":1,"embedding":[1,0,0,0,0,0,0,0]}]}`),
		"zeros":               data(item(0, x), item(1, make([]float64, testDimension))),
		"too large":           raw(strings.Repeat(" ", answerHead+numberSize*embed.MaxBatch*testDimension+1)),
	} {
		d := newDouble(t, reply)
		refused(t, name, embedderFor(t, optionsFor(d, &naps{})), embed.ErrBadAnswer)
		if len(d.seen()) != 1 {
			t.Errorf("%s: asked %d times", name, len(d.seen()))
		}
	}
}

func TestOptionsAreChecked(t *testing.T) {
	sound := Options{URL: "https://models.example/v1/", Model: "m", Dimension: 3, Key: testKey}
	embedder, err := New(sound)
	if err != nil {
		t.Fatal(err)
	}
	if embedder.address.Endpoint() != "https://models.example/v1/embeddings" {
		t.Errorf("endpoint %q", embedder.address.Endpoint())
	}
	for name, change := range map[string]func(*Options){
		"no URL":              func(o *Options) { o.URL = "" },
		"scheme":              func(o *Options) { o.URL = "ftp://models.example" },
		"no host":             func(o *Options) { o.URL = "https:///v1" },
		"not a URL":           func(o *Options) { o.URL = "https://models.example/%zz" + testKey },
		"query":               func(o *Options) { o.URL += "?key=" + testKey },
		"user":                func(o *Options) { o.URL = "https://me:" + testKey + "@models.example" },
		"model":               func(o *Options) { o.Model = " " },
		"dimension":           func(o *Options) { o.Dimension = 0 },
		"batch too large":     func(o *Options) { o.BatchSize = embed.MaxBatch + 1 },
		"batch negative":      func(o *Options) { o.BatchSize = -1 },
		"attempts negative":   func(o *Options) { o.Attempts = -1 },
		"characters negative": func(o *Options) { o.MaxCharacters = -1 },
		"version negative":    func(o *Options) { o.Version = -1 },
		"share":               func(o *Options) { o.LexicalShare = 1.1 },
		"floor":               func(o *Options) { o.Floor = 1 },
		"key":                 func(o *Options) { o.Key = testKey + "\r\nX-Other: 1" },
	} {
		options := sound
		change(&options)
		if _, err := New(options); !errors.Is(err, openaihttp.ErrOption) || strings.Contains(err.Error(), testKey) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestDefaults(t *testing.T) {
	embedder, err := New(Options{URL: "http://models.example", Model: "m", Dimension: 3})
	if err != nil {
		t.Fatal(err)
	}
	want := embed.Profile{Model: "m", Dimension: 3, Version: 1, LexicalShare: .5}
	if embedder.Profile() != want {
		t.Errorf("profile %+v", embedder.Profile())
	}
	o := embedder.options
	if o.BatchSize != embed.MaxBatch || o.MaxCharacters != 6000 || o.Attempts != 4 || o.Client.Timeout != 30*time.Second {
		t.Errorf("options %+v", o)
	}
}

func TestAPrintedEmbedderDoesNotShowTheKey(t *testing.T) {
	embedder := embedderFor(t, optionsFor(newDouble(t), &naps{}))
	for _, format := range []string{"%v", "%+v", "%#v"} {
		if strings.Contains(fmt.Sprintf(format, embedder), testKey) {
			t.Errorf("%s shows the key", format)
		}
	}
}

// refused asks for two texts and expects the error, no vectors, and no word of
// text, key or answer in it.
func refused(t *testing.T, name string, embedder embed.Embedder, want error) {
	t.Helper()
	vectors, err := embedder.Embed(context.Background(), []string{"marzipan", "lighthouse"})
	if !errors.Is(err, want) || vectors != nil {
		t.Errorf("%s: %d vectors, error %v", name, len(vectors), err)
		return
	}
	for _, secret := range []string{"marzipan", "lighthouse", testKey, "127.0.0.1", "html"} {
		if strings.Contains(err.Error(), secret) {
			t.Errorf("%s: the error holds %q: %v", name, secret, err)
		}
	}
}

func mustEmbed(t *testing.T, embedder embed.Embedder, texts ...string) [][]float32 {
	t.Helper()
	vectors, err := embedder.Embed(context.Background(), texts)
	if err != nil {
		t.Fatal(err)
	}
	return vectors
}

func axis(i int) []float64 {
	vector := make([]float64, testDimension)
	vector[i] = 2
	return vector
}
