package bedrock

import (
	"bytes"
	"encoding/json"
	"fmt"

	"holdfast/internal/embed"
)

// titanRequest and cohereRequest are the models' requests
// (https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-titan-embed-text.html,
// https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-embed.html).
type titanRequest struct {
	InputText  string `json:"inputText"`
	Dimensions int    `json:"dimensions,omitempty"`
	Normalize  *bool  `json:"normalize,omitempty"`
}

type cohereRequest struct {
	Texts     []string `json:"texts"`
	InputType string   `json:"input_type"`
	Truncate  string   `json:"truncate"`
}

// answer has the member that each protocol uses.
type answer struct {
	Embedding  json.RawMessage   `json:"embedding"`
	Embeddings []json.RawMessage `json:"embeddings"`
}

func (e *Embedder) encode(text string) ([]byte, error) {
	var message any
	switch e.options.Protocol {
	case TitanV1:
		message = titanRequest{InputText: text}
	case Cohere: // the port has one kind of text, so queries are embedded as documents too
		message = cohereRequest{Texts: []string{text}, InputType: "search_document", Truncate: "END"}
	default:
		normalize := true
		message = titanRequest{InputText: text, Dimensions: e.options.Dimension, Normalize: &normalize}
	}
	body, err := json.Marshal(message)
	if err != nil {
		return nil, fmt.Errorf("%w: the request cannot be written", embed.ErrUnavailable)
	}
	return body, nil
}

// decode checks the answer to one text.
func (e *Embedder) decode(body []byte) ([]float32, error) {
	var read answer
	if json.Unmarshal(body, &read) != nil {
		return nil, fmt.Errorf("%w: not the JSON of the protocol", embed.ErrBadAnswer)
	}
	vectors := read.Embeddings
	if e.options.Protocol != Cohere {
		vectors = nil
		if len(read.Embedding) > 0 {
			vectors = []json.RawMessage{read.Embedding}
		}
	}
	if len(vectors) != 1 {
		return nil, fmt.Errorf("%w: %d vectors for 1 text", embed.ErrBadAnswer, len(vectors))
	}
	return e.vector(vectors[0])
}

// vector reads one vector and scales it to unit length. A null within would read
// as 0; a vector of zeros has no direction.
func (e *Embedder) vector(raw json.RawMessage) ([]float32, error) {
	var vector []float32
	if json.Unmarshal(raw, &vector) != nil || bytes.Contains(raw, []byte("null")) {
		return nil, fmt.Errorf("%w: a vector has what is not a number", embed.ErrBadAnswer)
	}
	if len(vector) != e.profile.Dimension {
		return nil, fmt.Errorf("%w: dimension %d where %d is expected", embed.ErrBadAnswer, len(vector), e.profile.Dimension)
	}
	if embed.Dot(embed.Normalize(vector), vector) == 0 {
		return nil, fmt.Errorf("%w: a vector without direction", embed.ErrBadAnswer)
	}
	return vector, nil
}
