package openai

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/embed"
	"holdfast/internal/openaihttp"
)

// Options says whom to ask and how. URL, Model and Dimension must be given; the
// zero of all else is its default.
type Options struct {
	URL       string // http or https, up to and without /embeddings, such as https://host/v1
	Key       string // sent as bearer token; empty: none is sent
	Model     string // as the address names it
	Dimension int    // of the model's vectors; answers with another are refused

	// AskDimension sends the dimension along, for models that can shorten their
	// vectors. Addresses that do not know the member may refuse it.
	AskDimension bool
	// Version tells profiles apart when vectors of the same model stop being
	// comparable. Default 1.
	Version int
	// LexicalShare and Floor go into the profile. Default .5 (design, retrieval
	// section 1: .4 to .5 with a transformer) and 0. Measure Floor for the model:
	// it lies near 0 for some and over .6 for others.
	LexicalShare, Floor float64

	BatchSize     int // texts a request, at most embed.MaxBatch, which is the default
	MaxCharacters int // of each text, the rest does not count. Default 6,000: under 8,192 tokens in nearly all scripts
	Attempts      int // tries of each request, the first included. Default 4

	// Client makes the requests. Its time limit, if any, holds for one try; the
	// context's deadline holds for all. The default allows 30 s a try and follows
	// no redirects, which would carry texts to addresses that nobody configured.
	Client *http.Client
	Clock  clock.Clock // to know how far the deadline is. Default: the system's
	Random io.Reader   // for jitter. Default: the system's
	// Sleep waits for d or the context's end, whose error it answers. Default: a timer.
	Sleep func(ctx context.Context, d time.Duration) error
}

const attemptLimit = 30 * time.Second

// check says which option is wrong, without its value.
func (o *Options) check() error {
	switch {
	case strings.TrimSpace(o.Model) == "":
		return fmt.Errorf("%w: Model is missing", openaihttp.ErrOption)
	case o.Dimension < 1:
		return fmt.Errorf("%w: Dimension must be at least 1", openaihttp.ErrOption)
	case o.BatchSize < 0 || o.BatchSize > embed.MaxBatch:
		return fmt.Errorf("%w: BatchSize must be 0 to %d", openaihttp.ErrOption, embed.MaxBatch)
	case o.MaxCharacters < 0 || o.Attempts < 0 || o.Version < 0:
		return fmt.Errorf("%w: MaxCharacters, Attempts and Version must not be negative", openaihttp.ErrOption)
	case o.LexicalShare < 0 || o.LexicalShare > 1 || o.Floor < -1 || o.Floor >= 1:
		return fmt.Errorf("%w: LexicalShare must be 0 to 1, Floor from -1 to below 1", openaihttp.ErrOption)
	}
	return nil
}

func (o *Options) setDefaults() {
	if o.Client == nil {
		o.Client = openaihttp.Client(attemptLimit)
	}
	orDefault(&o.Version, 1)
	orDefault(&o.LexicalShare, .5)
	orDefault(&o.BatchSize, embed.MaxBatch)
	orDefault(&o.MaxCharacters, 6000)
	orDefault(&o.Attempts, 4)
	if o.Clock == nil {
		o.Clock = clock.System{}
	}
	if o.Random == nil {
		o.Random = rand.Reader
	}
	if o.Sleep == nil {
		o.Sleep = clock.Pause
	}
}

func orDefault[T int | float64](value *T, fallback T) {
	if *value == 0 {
		*value = fallback
	}
}
