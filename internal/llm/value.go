package llm

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Value reads the one JSON value of a model's text. White space around it does not
// count, nor does a fence of Markdown, in which some models put all that they write.
// Anything else is ErrAnswer.
func Value(text string) (json.RawMessage, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil, fmt.Errorf("%w: it is empty", ErrAnswer)
	}
	if inner, ok := unfenced(text); ok {
		text = inner
	}
	if !json.Valid([]byte(text)) {
		return nil, ErrAnswer
	}
	return json.RawMessage(text), nil
}

// unfenced takes a Markdown fence, such as ```json, off the whole of a text.
func unfenced(text string) (string, bool) {
	const fence = "```"
	inner, opened := strings.CutPrefix(text, fence)
	inner, closed := strings.CutSuffix(inner, fence)
	if !opened || !closed {
		return "", false
	}
	return strings.TrimSpace(strings.TrimPrefix(inner, "json")), true
}
