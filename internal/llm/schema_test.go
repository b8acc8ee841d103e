package llm

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// inObject is a schema of an object with one member.
func inObject(member string) string {
	return `{"type":"object","properties":{"a":` + member + `},"required":["a"],"additionalProperties":false}`
}

func TestSchemasOfTheSubset(t *testing.T) {
	for _, schema := range []string{
		testSchema, inObject(`{"type":"string"}`), inObject(`{"type":"boolean","description":"x"}`), inObject(`{"type":["boolean","null"]}`),
		inObject(`{"type":"array","items":{"type":"integer"}}`), inObject(inObject(inObject(`{"type":"string","maxLength":0}`))),
	} {
		if err := CheckSchema(json.RawMessage(schema)); err != nil {
			t.Errorf("%s: %v", schema, err)
		}
	}
}

func TestOtherSchemasAreRefused(t *testing.T) {
	for _, schema := range []string{
		``, `{`, `null`, `true`, `[]`, `{}`, `{"type":"string"}`, `{"type":"array","items":{"type":"string"}}`,
		`{"type":["object","null"],"properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}`,
		`{"type":"object"}`, `{"type":"object","properties":{},"required":[],"additionalProperties":false}`,
		`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`,
		`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":true}`,
		`{"type":"object","properties":{"a":{"type":"string"}},"required":[],"additionalProperties":false}`,
		`{"type":"object","properties":{"a":{"type":"string"}},"required":["a","b"],"additionalProperties":false}`,
		`{"type":"object","properties":{"a":{"type":"string"}},"required":["a","a"],"additionalProperties":false}`,
		`{"type":"object","properties":{"a":{"type":"string"},"a":{"type":"string"}},"required":["a"],"additionalProperties":false}`,
		`{"$schema":"x",` + inObject(`{"type":"string"}`)[1:],
		inObject(`{"type":"number"}`), inObject(`{"type":"null"}`), inObject(`{"type":["string","integer"]}`), inObject(`{"type":["null","string"]}`),
		inObject(`{"type":["string",null]}`), inObject(`{"type":null}`), inObject(`{"enum":["a"]}`), inObject(`{"anyOf":[{"type":"string"}]}`), inObject(`{"$ref":"#"}`), inObject(`"string"`), inObject(`null`),
		inObject(`{"type":"string","minLength":1}`), inObject(`{"type":"string","pattern":"a"}`), inObject(`{"type":"string","format":"date"}`),
		inObject(`{"type":"string","enum":[]}`), inObject(`{"type":"string","enum":["a",null]}`), inObject(`{"type":["string","null"],"enum":["a"]}`), inObject(`{"type":"string","enum":[1]}`),
		inObject(`{"type":"string","maxLength":-1}`), inObject(`{"type":"string","maxLength":1.5}`), inObject(`{"type":"string","maxLength":null}`),
		inObject(`{"type":"string","description":null}`), inObject(`{"type":"string","nullable":true}`),
		inObject(`{"type":"string","maximum":1}`), inObject(`{"type":"integer","maximum":null}`), inObject(`{"type":"integer","minimum":"1"}`), inObject(`{"type":"integer","enum":[1]}`),
		inObject(`{"type":"array"}`), inObject(`{"type":"array","items":true}`), inObject(`{"type":"array","items":{"type":"string"},"maxItems":-1}`),
		inObject(`{"type":"array","items":{"type":"string"},"maxItems":null}`), inObject(`{"type":"array","items":{"type":"string"},"minItems":1}`),
		inObject(strings.Repeat(`{"type":"array","items":`, maxDepth) + `{"type":"string"}` + strings.Repeat("}", maxDepth)),
	} {
		if err := CheckSchema(json.RawMessage(schema)); !errors.Is(err, ErrSchema) {
			t.Errorf("%s: %v", schema, err)
		}
	}
}

// TestBoundsAreSentInWords: strict modes refuse their keywords. Members keep their
// order, in which models write them.
func TestBoundsAreSentInWords(t *testing.T) {
	s, err := readSchema(json.RawMessage(testSchema))
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"type":"object","properties":{` +
		`"items":{"type":"array","description":"What is kept. At most 2 items.","items":{"type":"object","properties":{` +
		`"kind":{"type":"string","enum":["fact","decision"]},"text":{"type":"string","description":"At most 4 characters."},` +
		`"rank":{"type":"integer","description":"From 1 to 9."},"from":{"type":["integer","null"],"description":"At least 0."}},` +
		`"required":["kind","text","rank","from"],"additionalProperties":false}},` +
		`"note":{"type":["string","null"],"enum":["short","long",null]},"sure":{"type":"boolean"}},` +
		`"required":["items","note","sure"],"additionalProperties":false}`
	if got := string(s.portable()); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// FuzzSchema: what is read is written as a schema that can be read again.
func FuzzSchema(f *testing.F) {
	for _, seed := range []string{testSchema, inObject(`{"type":"integer","maximum":7,"description":" \" "}`), `{}`, ``} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		s, err := readSchema(raw)
		if err != nil {
			if !errors.Is(err, ErrSchema) {
				t.Fatal(err)
			}
			return
		}
		if err := CheckSchema(s.portable()); err != nil {
			t.Fatalf("%s: %v", s.portable(), err)
		}
	})
}
