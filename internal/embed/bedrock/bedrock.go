package bedrock

import (
	"context"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"

	"holdfast/internal/embed"
)

// Embedder asks one model.
type Embedder struct {
	options Options
	client  *bedrockruntime.Client
	profile embed.Profile
	slots   chan struct{} // one a request under way
}

var _ embed.Embedder = (*Embedder)(nil)

// New checks the options and makes the client once; it does not reach out. A
// retryer that cfg brings takes the place of the options' Attempts.
func New(cfg aws.Config, options Options) (*Embedder, error) {
	options.setDefaults()
	if err := options.check(); err != nil {
		return nil, err
	}
	client := bedrockruntime.NewFromConfig(cfg, func(o *bedrockruntime.Options) {
		if cfg.Retryer == nil {
			o.Retryer = patient(options.Attempts)
		}
	})
	return &Embedder{options: options, client: client, profile: options.profile(),
		slots: make(chan struct{}, options.Concurrency)}, nil
}

// Profile names the model as configured.
func (e *Embedder) Profile() embed.Profile { return e.profile }

// Embed answers one vector a text as the port says. A text of white space has
// nothing to embed and is not sent; of a longer text the first MaxCharacters
// count. The first text that fails ends the requests of the others.
func (e *Embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if len(texts) > embed.MaxBatch {
		return nil, embed.ErrTooMany
	}
	if err := ctx.Err(); err != nil {
		return nil, embed.Ended(err)
	}
	within, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	vectors := make([][]float32, len(texts))
	var group sync.WaitGroup
	for i, text := range texts {
		if strings.TrimSpace(text) == "" {
			vectors[i] = make([]float32, e.profile.Dimension)
			continue
		}
		if !e.enter(within) {
			break
		}
		group.Go(func() {
			defer e.leave()
			vector, err := e.request(within, embed.Cut(text, e.options.MaxCharacters))
			if err != nil {
				cancel(err)
			}
			vectors[i] = vector
		})
	}
	group.Wait()
	if err := ctx.Err(); err != nil {
		return nil, embed.Ended(err)
	}
	if within.Err() != nil {
		return nil, context.Cause(within)
	}
	return vectors, nil
}

// enter waits for a slot; false when ctx ended first.
func (e *Embedder) enter(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return false
	case e.slots <- struct{}{}:
		return true
	}
}

func (e *Embedder) leave() { <-e.slots }

// request gets the vector of one text.
func (e *Embedder) request(ctx context.Context, text string) ([]float32, error) {
	body, err := e.encode(text)
	if err != nil {
		return nil, err
	}
	const asJSON = "application/json"
	out, err := e.client.InvokeModel(ctx, &bedrockruntime.InvokeModelInput{
		ModelId: &e.options.Model, Body: body, ContentType: aws.String(asJSON), Accept: aws.String(asJSON),
	}, e.inTime(ctx))
	if err != nil {
		return nil, failed(err)
	}
	return e.decode(out.Body)
}
