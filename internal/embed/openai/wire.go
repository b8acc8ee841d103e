package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"holdfast/internal/embed"
	"holdfast/internal/openaihttp"
)

// An answer is at most answerHead bytes and numberSize bytes a number.
const (
	answerHead = 64 << 10
	numberSize = 40
)

type request struct {
	Model      string   `json:"model"`
	Input      []string `json:"input"`
	Format     string   `json:"encoding_format"`
	Dimensions int      `json:"dimensions,omitempty"`
}

type answer struct {
	Data []struct {
		Index     *int            `json:"index"` // some servers leave it out: then order counts
		Embedding json.RawMessage `json:"embedding"`
	} `json:"data"`
}

func (e *Embedder) encode(texts []string) ([]byte, error) {
	message := request{Model: e.options.Model, Input: texts, Format: "float"}
	if e.options.AskDimension {
		message.Dimensions = e.options.Dimension
	}
	body, err := json.Marshal(message)
	if err != nil {
		return nil, fmt.Errorf("%w: the request cannot be written", embed.ErrUnavailable)
	}
	return body, nil
}

// post makes one try and answers the body of a 200.
func (e *Embedder) post(ctx context.Context, body []byte) ([]byte, *failure) {
	response, err := e.address.Post(ctx, body)
	if err != nil {
		return nil, broken(err)
	}
	defer openaihttp.Close(response.Body)
	if response.StatusCode != http.StatusOK {
		return nil, failed(response)
	}
	read, err := openaihttp.Read(response.Body, int64(answerHead+numberSize*e.options.BatchSize*e.options.Dimension))
	switch {
	case errors.Is(err, openaihttp.ErrTooLarge):
		return nil, &failure{err: fmt.Errorf("%w: %w", embed.ErrBadAnswer, err)}
	case err != nil:
		return nil, broken(err)
	}
	return read, nil
}

// broken is a try whose connection failed.
func broken(cause error) *failure {
	return &failure{err: fmt.Errorf("%w: %w", embed.ErrUnavailable, cause), passing: true}
}

// decode checks an answer to count texts and puts its vectors in their order.
func (e *Embedder) decode(body []byte, count int) ([][]float32, error) {
	var read answer
	if json.Unmarshal(body, &read) != nil {
		return nil, fmt.Errorf("%w: not the JSON of the protocol", embed.ErrBadAnswer)
	}
	if len(read.Data) != count {
		return nil, fmt.Errorf("%w: %d vectors for %d texts", embed.ErrBadAnswer, len(read.Data), count)
	}
	vectors := make([][]float32, count)
	for i, item := range read.Data {
		if item.Index != nil {
			i = *item.Index
		}
		if i < 0 || i >= count || vectors[i] != nil {
			return nil, fmt.Errorf("%w: an index is out of range or there twice", embed.ErrBadAnswer)
		}
		vector, err := e.vector(item.Embedding)
		if err != nil {
			return nil, err
		}
		vectors[i] = vector
	}
	return vectors, nil
}

// vector reads one vector and scales it to unit length. A null within is how
// many servers write a number that is none; a vector of zeros has no direction.
func (e *Embedder) vector(raw json.RawMessage) ([]float32, error) {
	var vector []float32
	if json.Unmarshal(raw, &vector) != nil || bytes.Contains(raw, []byte("null")) {
		return nil, fmt.Errorf("%w: a vector has what is not a number", embed.ErrBadAnswer)
	}
	if len(vector) != e.options.Dimension {
		return nil, fmt.Errorf("%w: dimension %d where %d is expected", embed.ErrBadAnswer, len(vector), e.options.Dimension)
	}
	if embed.Dot(embed.Normalize(vector), vector) == 0 {
		return nil, fmt.Errorf("%w: a vector without direction", embed.ErrBadAnswer)
	}
	return vector, nil
}
