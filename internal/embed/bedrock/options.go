package bedrock

import (
	"errors"
	"fmt"
	"strings"

	"holdfast/internal/clock"
	"holdfast/internal/embed"
)

// DefaultModel is Titan Text Embeddings V2.
const DefaultModel = "amazon.titan-embed-text-v2:0"

// DefaultDimension is the middle one of Titan V2's: half the storage of 1,024, for
// which AWS states 99 % of its retrieval accuracy.
const DefaultDimension = 512

// Protocol is the form of a model's requests and answers.
type Protocol string

// The protocols.
const (
	TitanV2 Protocol = "titan-v2" // inputText, dimensions, normalize
	TitanV1 Protocol = "titan-v1" // inputText alone: the model has one dimension
	Cohere  Protocol = "cohere"   // texts, of which there is one; Embed 3
)

// Options say which model. The zero of each is its default.
type Options struct {
	// Model is a model's id, or the id or ARN of an inference profile or of
	// provisioned throughput. Default DefaultModel.
	Model string
	// Protocol is needed where Model is an ARN that does not show it. Default: by
	// the model's id, and TitanV2 for ids that say nothing.
	Protocol Protocol
	// Dimension of the vectors; answers with another are refused. Titan V2 has 256,
	// 512 and 1,024. Default DefaultDimension.
	Dimension int
	// Version tells profiles apart when vectors of the same model stop being
	// comparable. Default 1.
	Version int
	// LexicalShare and Floor go into the profile. Default .45, the middle of what
	// the design gives for transformers (retrieval, section 1), and .1, which is an
	// estimate: texts that have nothing to do with each other lie about there with
	// Titan V2. Measure both on your own texts.
	LexicalShare, Floor float64

	Concurrency   int // requests under way at once, of all calls together. Default 8
	MaxCharacters int // of each text, the rest does not count. Default 6,000: under Titan's 8,192 tokens in nearly all scripts
	Attempts      int // tries of each request, the first included. Default 4

	Clock clock.Clock // to know how far the deadline is. Default: the system's
}

var errOptions = errors.New("bedrock: wrong option")

func (o *Options) setDefaults() {
	orDefault(&o.Model, DefaultModel)
	orDefault(&o.Protocol, protocolOf(o.Model))
	orDefault(&o.Dimension, DefaultDimension)
	orDefault(&o.Version, 1)
	orDefault(&o.LexicalShare, .45)
	orDefault(&o.Floor, .1)
	orDefault(&o.Concurrency, 8)
	orDefault(&o.MaxCharacters, 6000)
	orDefault(&o.Attempts, 4)
	if o.Clock == nil {
		o.Clock = clock.System{}
	}
}

func orDefault[T comparable](value *T, fallback T) {
	var zero T
	if *value == zero {
		*value = fallback
	}
}

// protocolOf reads the protocol from a model's id, which inference profiles keep
// behind a prefix.
func protocolOf(model string) Protocol {
	switch {
	case strings.Contains(model, "cohere.embed-"):
		return Cohere
	case strings.Contains(model, "titan-embed-text-v1"), strings.Contains(model, "titan-embed-g1-text"):
		return TitanV1
	}
	return TitanV2
}

// check says which option is wrong, without its value.
func (o *Options) check() error {
	titan := o.Protocol == TitanV2 && strings.Contains(o.Model, "titan-embed-text-v2")
	switch {
	case strings.TrimSpace(o.Model) != o.Model || strings.ContainsAny(o.Model, "\r\n\x00"):
		return fmt.Errorf("%w: Model has white space", errOptions)
	case o.Protocol != TitanV2 && o.Protocol != TitanV1 && o.Protocol != Cohere:
		return fmt.Errorf("%w: Protocol is none of those there are", errOptions)
	case o.Dimension < 1:
		return fmt.Errorf("%w: Dimension must be at least 1", errOptions)
	case titan && o.Dimension != 256 && o.Dimension != 512 && o.Dimension != 1024:
		return fmt.Errorf("%w: Dimension of Titan V2 must be 256, 512 or 1024", errOptions)
	case o.Concurrency < 1 || o.MaxCharacters < 1 || o.Attempts < 1 || o.Version < 1:
		return fmt.Errorf("%w: Concurrency, MaxCharacters, Attempts and Version must not be negative", errOptions)
	case !(o.LexicalShare >= 0 && o.LexicalShare <= 1) || !(o.Floor >= -1 && o.Floor < 1):
		return fmt.Errorf("%w: LexicalShare must be 0 to 1, Floor from -1 to below 1", errOptions)
	}
	return nil
}

func (o *Options) profile() embed.Profile {
	return embed.Profile{Model: o.Model, Dimension: o.Dimension, Version: o.Version,
		LexicalShare: o.LexicalShare, Floor: o.Floor}
}
