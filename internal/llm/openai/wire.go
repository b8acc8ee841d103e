package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"holdfast/internal/llm"
	"holdfast/internal/openaihttp"
)

// complaintSize is as much as is read of what an address says is wrong.
const complaintSize = 64 << 10

// calledWrong is the error of a request that the address calls wrong, with its words,
// which are never shown: they may repeat the task.
type calledWrong struct {
	error
	complaint string
}

// post makes one request and answers the body of a 200.
func (m *Model) post(ctx context.Context, body []byte) ([]byte, error) {
	response, err := m.address.Post(ctx, body)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", llm.ErrUnavailable, err)
	}
	defer openaihttp.Close(response.Body)
	if response.StatusCode != http.StatusOK {
		return nil, failed(response)
	}
	read, err := openaihttp.Read(response.Body, llm.MaxAnswer)
	switch {
	case errors.Is(err, openaihttp.ErrTooLarge):
		return nil, fmt.Errorf("%w: %w", llm.ErrAnswer, err)
	case err != nil:
		return nil, fmt.Errorf("%w: %w", llm.ErrUnavailable, err)
	}
	return read, nil
}

// failed is the error of another status than 200. What is wrong with the key, the
// address or its load passes or is mended, and then the same task is answered; what
// is wrong with the task stays.
func failed(response *http.Response) error {
	kind := llm.ErrUnavailable
	switch response.StatusCode {
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		kind = llm.ErrRefused
	}
	err := fmt.Errorf("%w: status %d", kind, response.StatusCode)
	if kind != llm.ErrRefused {
		return err
	}
	complaint, broke := io.ReadAll(io.LimitReader(response.Body, complaintSize))
	if broke != nil {
		return fmt.Errorf("%w: %w", llm.ErrUnavailable, openaihttp.Broken(broke))
	}
	return &calledWrong{err, string(complaint)}
}

type reply struct {
	Choices []struct {
		FinishReason string `json:"finish_reason"`
		Message      struct {
			Content string `json:"content"`
			Refusal string `json:"refusal"`
		} `json:"message"`
	} `json:"choices"`
	Usage struct {
		Input  int `json:"prompt_tokens"`
		Output int `json:"completion_tokens"`
	} `json:"usage"`
}

// read takes the answer out of a reply.
func read(body []byte) (llm.Answer, error) {
	var r reply
	if json.Unmarshal(body, &r) != nil {
		return llm.Answer{}, fmt.Errorf("%w: the reply is not that of the protocol", llm.ErrAnswer)
	}
	out := llm.Answer{Usage: llm.Usage{Input: max(r.Usage.Input, 0), Output: max(r.Usage.Output, 0)}}
	if len(r.Choices) != 1 {
		return out, fmt.Errorf("%w: %d choices", llm.ErrAnswer, len(r.Choices))
	}
	choice := r.Choices[0]
	switch {
	case choice.FinishReason == "length":
		return out, fmt.Errorf("%w: it was cut off", llm.ErrAnswer)
	case choice.FinishReason == "content_filter", choice.Message.Refusal != "":
		return llm.Answer{}, fmt.Errorf("%w: by the model", llm.ErrRefused)
	}
	value, err := llm.Value(choice.Message.Content)
	out.JSON = value
	return out, err
}
