package offline

import (
	"bytes"
	"context"
	"encoding/json"

	"holdfast/internal/extract"
	"holdfast/internal/llm"
)

// Model is the llm port without a model.
type Model struct{}

var _ llm.Model = (*Model)(nil)

// New makes one; it has no settings and keeps nothing.
func New() *Model { return &Model{} }

// Name implements llm.Model.
func (*Model) Name() string { return "offline" }

// Complete implements llm.Model for the tasks of package extract; others are refused.
// It counts no tokens.
func (*Model) Complete(ctx context.Context, t llm.Task) (llm.Answer, error) {
	if err := ctx.Err(); err != nil {
		return llm.Answer{}, llm.Ended(err)
	}
	if _, err := llm.Render(t); err != nil {
		return llm.Answer{}, err
	}
	switch t.Name {
	case extract.TaskExtract:
		return answer(t.Input, runExtract)
	case extract.TaskConclude:
		return answer(t.Input, runConclude)
	}
	return llm.Answer{}, llm.ErrRefused
}

// answer reads the input as other adapters send it, as JSON, and writes the answer.
func answer[In, Out any](input any, rules func(In) Out) (llm.Answer, error) {
	raw, err := json.Marshal(input)
	if err != nil {
		return llm.Answer{}, llm.ErrRefused
	}
	var in In
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if d.Decode(&in) != nil {
		return llm.Answer{}, llm.ErrRefused
	}
	out, err := json.Marshal(rules(in))
	if err != nil {
		return llm.Answer{}, llm.ErrRefused
	}
	return llm.Answer{JSON: out}, nil
}
