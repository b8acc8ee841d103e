package openai

import (
	"context"
	"errors"
	"sync/atomic"

	"holdfast/internal/llm"
	"holdfast/internal/openaihttp"
)

// Model asks one model at one address.
type Model struct {
	options Options             // without the key
	address *openaihttp.Address // which has it
	form    atomic.Pointer[form]
}

var _ llm.Model = (*Model)(nil)

// New checks the options and answers the model. It does not ask the address.
func New(options Options) (*Model, error) {
	if err := options.check(); err != nil {
		return nil, err
	}
	options.setDefaults()
	address, err := openaihttp.New(openaihttp.Options{URL: options.URL, Path: "chat/completions", Key: options.Key, Client: options.Client})
	if err != nil {
		return nil, err
	}
	options.Key = ""
	m := &Model{options: options, address: address}
	m.form.Store(&form{})
	return m, nil
}

// Name names the protocol and the model as configured.
func (m *Model) Name() string { return "openai/" + m.options.Model }

// Complete sends a task as the port says.
func (m *Model) Complete(ctx context.Context, t llm.Task) (llm.Answer, error) {
	if err := ctx.Err(); err != nil {
		return llm.Answer{}, llm.Ended(err)
	}
	prompt, err := llm.Render(t)
	if err != nil {
		return llm.Answer{}, err
	}
	reply, err := m.ask(ctx, t, prompt)
	if err != nil {
		return llm.Answer{}, err
	}
	return read(reply)
}

// ask gets the reply to a task, in the plainest form that the address asks for.
func (m *Model) ask(ctx context.Context, t llm.Task, prompt llm.Prompt) ([]byte, error) {
	form := *m.form.Load()
	for {
		body, err := form.encode(m.options.Model, t, prompt)
		if err != nil {
			return nil, err
		}
		reply, err := m.post(ctx, body)
		if err == nil {
			m.form.Store(&form)
			return reply, nil
		}
		if ended := ctx.Err(); ended != nil {
			return nil, llm.Ended(ended)
		}
		var wrong *calledWrong
		if !errors.As(err, &wrong) {
			return nil, err
		}
		if !form.simplify(wrong.complaint) {
			return nil, wrong.error
		}
	}
}
