package llmtest

import (
	"encoding/json"
	"testing"

	"holdfast/internal/llm"
)

// Schema fails the test unless the schema is of the subset that all providers take
// and answer, which is one that should pass, follows it.
func Schema(t testing.TB, schema, answer json.RawMessage) {
	t.Helper()
	if err := llm.CheckSchema(schema); err != nil {
		t.Error(err)
		return
	}
	if err := llm.Check(schema, answer); err != nil {
		t.Error(err)
	}
}
