// Package llm is the port to a language model: one call, JSON out. Every sentence
// below is a contract that llmtest shows for each adapter.
//
// Name names provider and model and stays the same. Complete sends one task and
// answers one JSON value. Instructions, and after them Repair, are the service's own
// words; Input is data, which adapters put apart from the instructions, fenced so
// that nothing in it can close the fence, and labelled as data (T.28). Whether the
// JSON follows the Schema is the caller's to see to, with Check: providers do not all
// hold to it.
//
// An answer that is not JSON, is empty, was cut off or is over MaxAnswer is ErrAnswer,
// with the usage where the provider told it. A model that refuses, and a task that
// its provider calls wrong or that is not whole, is ErrRefused: asking again changes
// nothing. A provider that does not answer now is ErrUnavailable: 429, 5xx, a broken
// connection, a key or an address that is not right. An ended context is
// ErrUnavailable and the context's own error, both for errors.Is. With an error there
// is no JSON.
//
// No adapter asks again after an error, but in a plainer form where the provider says
// that it does not know the one it got. None logs or puts into an error any text of
// task or answer. The answer belongs to the caller, and calls do not disturb each
// other. Texts leave the machine with every adapter but offline: whoever configures
// it decides that.
//
// The package also has what adapters share: how a task is told (Render), the subset
// of JSON Schema that all providers take (CheckSchema, Check), and how an answer is
// read (Value). It imports the standard library only.
package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// The errors.
var (
	ErrUnavailable = errors.New("llm: the model does not answer now")
	ErrAnswer      = errors.New("llm: the model's answer is not JSON")
	ErrRefused     = errors.New("llm: the task is refused")
)

// MaxAnswer is the most bytes that a provider's whole reply may have.
const MaxAnswer = 1 << 20

// Task is one question to a model.
type Task struct {
	// Name is the task's stable name, such as run_extract: 1 to 64 ASCII letters,
	// digits, hyphens and underscores. The offline adapter chooses its rules by it.
	Name         string
	Instructions string          // what to do
	Input        any             // data, encoded as JSON
	Schema       json.RawMessage // JSON Schema of the answer, in the subset of CheckSchema
	MaxTokens    int             // most tokens of the answer; 0: the provider's own limit
	// Repair is what was wrong with an earlier answer, in the service's words and
	// without any of its text, such as an error of Check; empty at the first try.
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

// Ended is the port's error for a context that is over.
func Ended(cause error) error { return fmt.Errorf("%w: %w", ErrUnavailable, cause) }
