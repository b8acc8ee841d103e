package openai

import (
	"context"
	"strings"

	"holdfast/internal/embed"
	"holdfast/internal/openaihttp"
)

// Embedder asks one model at one address.
type Embedder struct {
	options Options             // without the key
	address *openaihttp.Address // which has it
	profile embed.Profile
}

// New checks the options and answers the embedder. It does not ask the address.
func New(options Options) (*Embedder, error) {
	if err := options.check(); err != nil {
		return nil, err
	}
	options.setDefaults()
	address, err := openaihttp.New(openaihttp.Options{URL: options.URL, Path: "embeddings", Key: options.Key, Client: options.Client})
	if err != nil {
		return nil, err
	}
	options.Key = ""
	return &Embedder{
		options: options,
		address: address,
		profile: embed.Profile{Model: options.Model, Dimension: options.Dimension,
			Version: options.Version, LexicalShare: options.LexicalShare, Floor: options.Floor},
	}, nil
}

// Profile names the model as configured.
func (e *Embedder) Profile() embed.Profile { return e.profile }

// Embed answers one vector a text as the port says. A text of white space has
// nothing to embed and is not sent; of a longer text the first MaxCharacters count.
func (e *Embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if len(texts) > embed.MaxBatch {
		return nil, embed.ErrTooMany
	}
	if err := ctx.Err(); err != nil {
		return nil, embed.Ended(err)
	}
	vectors := make([][]float32, len(texts))
	var asked []string
	var places []int
	for i, text := range texts {
		if strings.TrimSpace(text) == "" {
			vectors[i] = make([]float32, e.profile.Dimension)
			continue
		}
		asked, places = append(asked, embed.Cut(text, e.options.MaxCharacters)), append(places, i)
	}
	for start := 0; start < len(asked); start += e.options.BatchSize {
		end := min(start+e.options.BatchSize, len(asked))
		answered, err := e.request(ctx, asked[start:end])
		if err != nil {
			return nil, err
		}
		for i, vector := range answered {
			vectors[places[start+i]] = vector
		}
	}
	return vectors, nil
}

// request gets the vectors of one batch, trying again what may pass.
func (e *Embedder) request(ctx context.Context, texts []string) ([][]float32, error) {
	body, err := e.encode(texts)
	if err != nil {
		return nil, err
	}
	for attempt := 1; ; attempt++ {
		answer, failure := e.post(ctx, body)
		if failure == nil {
			return e.decode(answer, len(texts))
		}
		if err := ctx.Err(); err != nil {
			return nil, embed.Ended(err)
		}
		if !failure.passing || attempt >= e.options.Attempts {
			return nil, failure.err
		}
		if err := e.pause(ctx, attempt, failure); err != nil {
			return nil, err
		}
	}
}
