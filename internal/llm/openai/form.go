package openai

import (
	"encoding/json"
	"fmt"
	"strings"

	"holdfast/internal/llm"
)

// form is what an address is known not to take.
type form struct {
	noSchema      bool // response_format json_schema
	noMaxTokens   bool // max_tokens: newer models have max_completion_tokens
	noTemperature bool
}

// simplify reads from a complaint what to leave out, one part at a time; false when
// it names nothing that is there to be left out.
func (f *form) simplify(complaint string) bool {
	complaint = strings.ToLower(complaint)
	for _, part := range []struct {
		left *bool
		name string // in complaints
	}{
		{&f.noMaxTokens, "max_completion_tokens"}, {&f.noSchema, "response_format"},
		{&f.noSchema, "json_schema"}, {&f.noTemperature, "temperature"},
	} {
		if !*part.left && strings.Contains(complaint, part.name) {
			*part.left = true
			return true
		}
	}
	return false
}

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

type format struct {
	Type   string      `json:"type"`
	Schema *formSchema `json:"json_schema,omitempty"`
}

type formSchema struct {
	Name   string          `json:"name"`
	Strict bool            `json:"strict"`
	Schema json.RawMessage `json:"schema"`
}

type request struct {
	Model       string    `json:"model"`
	Messages    []message `json:"messages"`
	Format      format    `json:"response_format"`
	Temperature *int      `json:"temperature,omitempty"`
	MaxTokens   int       `json:"max_tokens,omitempty"`
	MaxAnswer   int       `json:"max_completion_tokens,omitempty"`
}

// encode writes a task in this form.
func (f form) encode(model string, t llm.Task, prompt llm.Prompt) ([]byte, error) {
	out := request{Model: model, Format: format{Type: "json_schema", Schema: &formSchema{Name: t.Name, Strict: true, Schema: prompt.Schema}}}
	system := prompt.System
	if f.noSchema {
		out.Format = format{Type: "json_object"}
		system += "\n\nThe JSON Schema of the answer:\n" + string(prompt.Schema)
	}
	out.Messages = []message{{"system", system}, {"user", prompt.User}}
	if f.noMaxTokens {
		out.MaxAnswer = t.MaxTokens
	} else {
		out.MaxTokens = t.MaxTokens
	}
	if !f.noTemperature {
		out.Temperature = new(int)
	}
	body, err := json.Marshal(out)
	if err != nil {
		return nil, fmt.Errorf("%w: the request cannot be written", llm.ErrRefused)
	}
	return body, nil
}
