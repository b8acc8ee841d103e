package httpapi

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"holdfast/internal/errs"
)

// every is a type with every keyword that a schema tag can state.
type every struct {
	_      struct{}           `additionalProperties:"false"`
	Above  float64            `json:"above" required:"false" exclusiveMinimum:"0" exclusiveMaximum:"1"`
	Step   int32              `json:"step" required:"false" multipleOf:"3" maximum:"9"`
	Small  float32            `json:"small" required:"false"`
	Choice int                `json:"choice" required:"false" enum:"1,2,5"`
	Form   string             `json:"form" required:"false" pattern:"^[a-z]+$" patternDescription:"lower case"`
	Exact  string             `json:"exact" required:"false" minLength:"2" maxLength:"2"`
	ID     string             `json:"id" required:"false" format:"uuid"`
	At     Time               `json:"at" required:"false"`
	Raw    []byte             `json:"raw" required:"false"`
	Once   []string           `json:"once" required:"false" uniqueItems:"true" minItems:"1"`
	Grid   [][]int            `json:"grid" required:"false" maxItems:"3"`
	Pair   string             `json:"pair" required:"false" dependentRequired:"form"`
	Free   any                `json:"free" required:"false"`
	Many   map[string]source  `json:"many" required:"false" minProperties:"1"`
	Scores map[string]float64 `json:"scores" required:"false"`
	Null   *string            `json:"null"`
	Tree   *every             `json:"tree" required:"false"`
	Open   loose              `json:"open" required:"false"`
	Size   uint8              `json:"size" required:"false" maximum:"255"`
	Must   source             `json:"must" required:"false"`
}

type loose struct {
	_ struct{} `additionalProperties:"true"`
	A string   `json:"a"`
}

// TestRulesOfEveryKeyword: one value that passes and some that do not.
func TestRulesOfEveryKeyword(t *testing.T) {
	r := ruleOf(reflect.TypeFor[every]())
	for _, c := range []struct {
		good string
		bad  []string
	}{
		{`"above":0.5`, []string{`"above":0`, `"above":1`, `"above":"x"`}},
		{`"step":-6`, []string{`"step":4`, `"step":12`, `"step":3000000000`, `"step":3.5`}},
		{`"small":1e38`, []string{`"small":1e39`}},
		{`"choice":5`, []string{`"choice":3`, `"choice":"5"`}},
		{`"form":"abc"`, []string{`"form":"aBc"`, `"form":""`}},
		{`"exact":"\u00fcx"`, []string{`"exact":"x"`, `"exact":"\ud83d\ude42"`, `"exact":"abc"`}},
		{`"id":"018f0000-0000-7000-8000-000000000001"`, []string{`"id":"018F0000-0000-7000-8000-000000000001"`, `"id":"x"`}},
		{`"at":"2026-03-01T00:00:00Z"`, []string{`"at":"2026-03-01"`, `"at":1`}},
		{`"raw":"aGk="`, []string{`"raw":"a"`, `"raw":"%%%%"`}},
		{`"once":["a","b"]`, []string{`"once":[]`, `"once":["a","a"]`, `"once":["a","\u0061"]`, `"once":[1]`}},
		{`"grid":[[1],[],[2,3]]`, []string{`"grid":[1]`, `"grid":[[],[],[],[]]`, `"grid":[["1"]]`}},
		{`"pair":"x","form":"a"`, []string{`"pair":"x"`}},
		{`"free":{"a":[1,null,{"b":"c"}]}`, []string{`"free":{"a":1,"a":2}`, `"free":["\u0000"]`, `"free":{"\ud800":1}`, `"free":1e999`}},
		{`"many":{"k":{"kind":"url","id":"1"}}`, []string{`"many":{}`, `"many":{"k":{"kind":"url"}}`, `"many":{"k":{"kind":"url","id":"1","x":1}}`}},
		{`"scores":{"a":1.5,"b":-2}`, []string{`"scores":{"a":"1.5"}`, `"scores":{"a":1e999}`}},
		{`"tree":{"null":"x","tree":{"null":null}}`, []string{`"tree":{}`, `"tree":{"null":"x","tree":{"null":null,"step":4}}`}},
		{`"open":{"a":"x","b":[1]}`, []string{`"open":{"b":1}`, `"open":{"a":"x","b":1,"b":2}`}},
		{`"size":255`, []string{`"size":256`, `"size":-1`}},
	} {
		if seen := checkJSON([]byte(`{"null":null,`+c.good+`}`), r, ""); seen.broken || len(seen.fields) > 0 {
			t.Errorf("%s: %+v", c.good, seen)
		}
		for _, bad := range c.bad {
			seen := checkJSON([]byte(`{"null":null,`+bad+`}`), r, "")
			if seen.broken || len(seen.fields) == 0 || seen.fields[0].Rule == "" {
				t.Errorf("%s: %+v", bad, seen)
			}
		}
	}
	if seen := checkJSON([]byte(`{}`), r, ""); len(seen.fields) != 1 || seen.fields[0].Pointer != "/null" {
		t.Errorf("a nullable member that must be there: %+v", seen)
	}
}

// TestSchemasThatCannotBeCheckedPanic when the rule is made.
func TestSchemasThatCannotBeCheckedPanic(t *testing.T) {
	for name, s := range map[string]*huma.Schema{
		"combination":  {OneOf: []*huma.Schema{{Type: huma.TypeString}}},
		"unknown type": {Type: "tuple"},
		"enum":         {Type: huma.TypeNumber, Enum: []any{"x"}},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			newCompiler(NewRegistry()).compile(s)
		})
	}
}

// stricter are the rules by which the walker refuses what huma.Validate accepts.
var stricter = []string{sayTwice, sayNUL, saySurrogate, timeRule, "must be a whole number", "must be a number that fits",
	"must not be nested so deep", "must not have a member twice", "must be a UUID in lower case", "must be base64",
	"must not hold an item twice", sayMissing + " with "}

func isStricter(text string) bool {
	return slices.ContainsFunc(stricter, func(s string) bool { return strings.Contains(text, s) })
}

// FuzzBodyDecoder: what the walker accepts is JSON, obeys huma's reading of the
// schema and fits the Go type; what it refuses, huma refuses too or the rule is
// one of those that we add.
func FuzzBodyDecoder(f *testing.F) {
	for _, seed := range []string{
		`{}`, `{"null":null}`, `{"null":"x","grid":[[1,2],[]],"free":{"a":[1]}}`, `{"null":null,"tree":{"null":"\u00e9"}}`,
		`{"null":null,"many":{"a":{"kind":"url","id":"1"}},"open":{"a":"b","c":1}}`, `{"null":null,"step":3,"above":0.25,"small":1e2}`,
		`{"null":null,"at":"2026-03-01T00:00:00.5+02:00","id":"018f0000-0000-7000-8000-000000000001"}`, `{"null":null,"once":["a","\u0061"]}`,
		`{"null":null,"pair":"a","form":"b","exact":"\ud83d\ude42x"}`, `[{}]`, `{"null":"\ud800"}`, `{"null":"a\u0000"}`, `{"a":1,"a":2}`,
		`{"null":null,"raw":"aGk=","size":3,"scores":{"x":1e5}}`, "{\"null\":\"\xff\"}", `{"null":1e999}`, `{"null":null,"choice":5}`, `{"null":nul}`,
		`{"null":null,"step":-0,"small":-0.0e-5}`, `{"null":null,"size":-0.0,"step":0.3e1,"grid":[[1e3,64.0]]}`, `{"null":null}x`, ` {"null" : null , "grid" : [ [ ] ] } `,
	} {
		f.Add([]byte(seed))
	}
	registry := huma.NewMapRegistry(schemaPrefix, SchemaName)
	schema := registry.Schema(reflect.TypeFor[every](), true, "")
	r := ruleOf(reflect.TypeFor[every]())
	f.Fuzz(func(t *testing.T, raw []byte) {
		seen := checkJSON(raw, r, "")
		if seen.broken && len(seen.fields) > 0 && json.Valid(raw) {
			t.Fatalf("valid JSON called broken: %q", raw)
		}
		var value any
		err := json.Unmarshal(raw, &value)
		if seen.broken {
			if err == nil && utf8.Valid(raw) {
				t.Fatalf("valid JSON called broken: %q", raw)
			}
			return
		}
		result := &huma.ValidateResult{}
		if err == nil {
			huma.Validate(registry, schema, huma.NewPathBuffer(nil, 0), huma.ModeWriteToServer, value, result)
		}
		if len(seen.fields) > 0 {
			if err == nil && len(result.Errors) == 0 && !slices.ContainsFunc(seen.fields, func(f errs.Field) bool { return isStricter(f.Rule) }) {
				t.Fatalf("only the walker refuses %q: %+v", raw, seen.fields)
			}
			return
		}
		if err != nil || len(result.Errors) > 0 {
			t.Fatalf("only the walker accepts %q: %v %v", raw, err, result.Errors)
		}
		var typed every
		if err := json.Unmarshal(seen.respelled(raw), &typed); err != nil {
			t.Fatalf("accepted, and yet no value: %q: %v", raw, err)
		}
	})
}
