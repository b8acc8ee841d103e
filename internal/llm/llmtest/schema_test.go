package llmtest

import "testing"

func TestSchemasAndTheirAnswersAreHeldToTheSubset(t *testing.T) {
	for _, c := range []struct {
		schema, answer string
		fails          bool
	}{
		{string(ownTask.Schema), Sound.Text, false},
		{string(ownTask.Schema), `{"kept":[1]}`, true},
		{`{"type":"object","properties":{"a":{"type":"string","pattern":"x"}},"required":["a"],"additionalProperties":false}`, `{"a":"x"}`, true},
	} {
		record := &recorder{}
		Schema(record, []byte(c.schema), []byte(c.answer))
		if record.failed.Load() != c.fails {
			t.Errorf("%s with %s: fails %v", c.schema, c.answer, !c.fails)
		}
	}
}
