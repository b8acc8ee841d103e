package extract

import (
	"encoding/json"

	"holdfast/internal/llm"
)

// What is wrong with an answer, in words that a model can act on.
const (
	sayLong    = "the answer was too long"
	sayForm    = "the answer did not follow the schema"
	sayNotJSON = "the answer was not one JSON value, or was cut off"
)

// decode reads an answer into v and tells what is wrong with its form.
func decode(schema, raw json.RawMessage, v any) (wrong string) {
	if len(raw) > llm.MaxAnswer {
		return sayLong
	}
	if err := llm.Check(schema, raw); err != nil {
		return err.Error()
	}
	if json.Unmarshal(raw, v) != nil {
		return sayForm
	}
	return ""
}
