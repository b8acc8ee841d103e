// Package llm is the port to a language model: one call, JSON out. Every sentence
// below is a contract that llmtest shows for each adapter.
//
// Complete sends one task and answers one JSON value. Instructions are the
// service's own words; Input is data, which adapters put apart from the
// instructions, fenced and labelled as data. The answer is valid JSON, or an error:
// ErrAnswer when the model answered something else or was cut off, ErrUnavailable
// when it does not answer now (429, 5xx, a broken connection, the context's end),
// ErrRefused when it will not answer this task however often it is asked. Whether
// the JSON follows the Schema is the caller's to check: providers do not all hold to
// it. No adapter retries, and none logs or puts into an error any text of task or
// answer.
package llm

import (
	"context"
	"encoding/json"
	"errors"
)

// The errors.
var (
	ErrUnavailable = errors.New("llm: the model does not answer now")
	ErrAnswer      = errors.New("llm: the model's answer is not JSON")
	ErrRefused     = errors.New("llm: the model refuses the task")
)

// Task is one question to a model.
type Task struct {
	Name         string          // stable name of the task, such as run_extract; the offline adapter chooses its rules by it
	Instructions string          // what to do
	Input        any             // data, encoded as JSON
	Schema       json.RawMessage // JSON Schema of the answer, in the subset that all providers take
	MaxTokens    int             // most tokens of the answer
	// Repair is what was wrong with an earlier answer, in the service's words and
	// without any of its text; empty at the first try.
	Repair string
}

// Usage counts tokens as the model's provider does; 0 where no model was asked.
type Usage struct{ Input, Output int }

// Total is all of them.
func (u Usage) Total() int { return u.Input + u.Output }

// Answer is what a model said.
type Answer struct {
	JSON  json.RawMessage
	Usage Usage // also set with ErrAnswer
}

// Model is the port. Implementations are safe for concurrent use.
type Model interface {
	// Name names provider and model, for records.
	Name() string
	Complete(ctx context.Context, t Task) (Answer, error)
}
