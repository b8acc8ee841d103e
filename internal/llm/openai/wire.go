package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"

	"holdfast/internal/llm"
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
	message, err := http.NewRequestWithContext(ctx, http.MethodPost, m.endpoint, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("%w: the request cannot be made", llm.ErrUnavailable)
	}
	message.Header.Set("Content-Type", "application/json")
	message.Header.Set("Accept", "application/json")
	m.authorize(message.Header)
	response, err := m.options.Client.Do(message)
	if err != nil {
		return nil, broken(err)
	}
	defer closeBody(response.Body)
	if response.StatusCode != http.StatusOK {
		return nil, failed(response)
	}
	return whole(response.Body)
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
		return broken(broke)
	}
	return &calledWrong{err, string(complaint)}
}

// whole reads a reply, if it is not larger than one may be.
func whole(body io.Reader) ([]byte, error) {
	read, err := io.ReadAll(io.LimitReader(body, llm.MaxAnswer+1))
	if err != nil {
		return nil, broken(err)
	}
	if len(read) > llm.MaxAnswer {
		return nil, fmt.Errorf("%w: it is too large", llm.ErrAnswer)
	}
	return read, nil
}

// closeBody reads the small rest of a refused answer, so that the connection can be
// used again.
func closeBody(body io.ReadCloser) {
	_, drained := io.Copy(io.Discard, io.LimitReader(body, complaintSize))
	_ = errors.Join(drained, body.Close()) // the answer is already judged
}

// broken is the error of a connection that failed. Of the cause only the step that
// failed is kept: the rest may hold the address or what the other side wrote.
func broken(cause error) error {
	step := "answer"
	if operation := (*net.OpError)(nil); errors.As(cause, &operation) {
		step = operation.Op
	}
	if timeout := net.Error(nil); errors.As(cause, &timeout) && timeout.Timeout() {
		step += " timeout"
	}
	return fmt.Errorf("%w: connection failed (%s)", llm.ErrUnavailable, step)
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
