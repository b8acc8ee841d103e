package llm

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// testSchema has every keyword of the subset.
const testSchema = `{"type":"object","additionalProperties":false,"required":["items","note","sure"],"properties":{
	"items":{"type":"array","maxItems":2,"description":"What is kept.","items":{"type":"object","additionalProperties":false,
		"required":["kind","text","rank","from"],"properties":{
		"kind":{"type":"string","enum":["fact","decision"]},
		"text":{"type":"string","maxLength":4},
		"rank":{"type":"integer","minimum":1,"maximum":9},
		"from":{"type":["integer","null"],"minimum":0}}}},
	"note":{"type":["string","null"],"enum":["short","long",null]},
	"sure":{"type":"boolean"}}}`

// item is a sound item with one member changed.
func item(name, value string) string {
	all := ""
	for _, m := range [][2]string{{"kind", `"fact"`}, {"text", `"abcd"`}, {"rank", "3"}, {"from", "null"}} {
		if m[0] == name {
			m[1] = value
		}
		if m[1] != "" {
			all += `,"` + m[0] + `":` + m[1]
		}
	}
	return "{" + all[1:] + "}"
}

func items(list ...string) string {
	return `{"items":[` + strings.Join(list, ",") + `],"note":null,"sure":true}`
}

func TestAnswersThatFollowTheSchema(t *testing.T) {
	for _, answer := range []string{
		items(), items(item("", "")), items(item("text", `"äöü😀"`), item("from", "0")), items(item("rank", "9")), " \n" + items() + "\t",
		`{"sure":false,"note":"long","items":[]}`, `{"items":[],"note":"short","sure":true}`,
	} {
		if err := Check(json.RawMessage(testSchema), json.RawMessage(answer)); err != nil {
			t.Errorf("%s: %v", answer, err)
		}
	}
}

// TestWhatAnAnswerBreaksIsToldByPlaceAndRule and never with a value or a name of the
// answer's, all of which hold the word marzipan where they can.
func TestWhatAnAnswerBreaksIsToldByPlaceAndRule(t *testing.T) {
	for answer, want := range map[string]string{
		``:                                       "answer must be JSON",
		`{"marzipan":`:                           "answer must be JSON",
		`{} {}`:                                  "answer must be JSON",
		`null`:                                   "answer must be an object that names each member once",
		`["marzipan"]`:                           "answer must be an object that names each member once",
		`"marzipan"`:                             "answer must be an object that names each member once",
		`{"note":null}`:                          "items is missing; sure is missing",
		items(`{}`):                              "items[0].kind is missing; items[0].text is missing; items[0].rank is missing; items[0].from is missing",
		items(`null`):                            "items[0] must be an object that names each member once",
		items(`[[[1]]]`):                         "items[0] must be an object that names each member once",
		`{"items":{},"note":null,"sure":true}`:   "items must be an array",
		`{"items":null,"note":null,"sure":true}`: "items must be an array",
		items(item("", ""), item("", ""), `"marzipan"`):                      "items must have at most 2 items",
		items(item("", ""), item("kind", `"marzipan"`)):                      "items[1].kind must be one of fact, decision",
		items(item("kind", `null`)):                                          "items[0].kind must be a text",
		items(item("kind", `7`)):                                             "items[0].kind must be a text",
		items(item("text", `"marzipan"`)):                                    "items[0].text must have at most 4 characters",
		items(item("text", `["marzipan"]`)):                                  "items[0].text must be a text",
		items(item("rank", `"3"`)):                                           "items[0].rank must be a whole number",
		items(item("rank", `3.0`)):                                           "items[0].rank must be a whole number",
		items(item("rank", `1e1`)):                                           "items[0].rank must be a whole number",
		items(item("rank", `99999999999999999999`)):                          "items[0].rank must be a whole number",
		items(item("rank", `null`)):                                          "items[0].rank must be a whole number",
		items(item("rank", `0`)):                                             "items[0].rank must be at least 1",
		items(item("rank", `10`)):                                            "items[0].rank must be at most 9",
		items(item("from", `-1`)):                                            "items[0].from must be at least 0",
		items(item("from", `"marzipan"`)):                                    "items[0].from must be a whole number, or null",
		`{"items":[],"note":"marzipan","sure":true}`:                         "note must be one of short, long, or null",
		`{"items":[],"note":null,"sure":"true"}`:                             "sure must be true or false",
		`{"items":[],"note":null,"sure":null}`:                               "sure must be true or false",
		`{"items":[],"note":null,"sure":true,"marzipan":1,"Note":2}`:         "answer must have no members but items, note, sure",
		`{"items":[],"note":null,"sure":true,"note":null}`:                   "answer must be an object that names each member once",
		items(item("", "")[:1] + `"kind":"marzipan",` + item("", "")[1:]):    "items[0] must be an object that names each member once",
		items(item("kind", ""), `{"marzipan":{"marzipan":[]}}`) + "marzipan": "answer must be JSON",
	} {
		err := Check(json.RawMessage(testSchema), json.RawMessage(answer))
		var found Violations
		if !errors.As(err, &found) || err.Error() != "the answer does not follow the schema: "+want {
			t.Errorf("%s: %v\nwant %s", answer, err, want)
		}
	}
}

func TestFewOfManyViolationsAreTold(t *testing.T) {
	err := Check(json.RawMessage(testSchema), json.RawMessage(items(`{}`, `{}`, `{}`)))
	var found Violations
	if !errors.As(err, &found) || len(found) != maxViolations || found[0].Place != "items" {
		t.Errorf("%v", err)
	}
}

func TestAnswersAreNotHeldToABrokenSchema(t *testing.T) {
	if err := Check(json.RawMessage(`{"type":"object"}`), json.RawMessage(`{}`)); !errors.Is(err, ErrSchema) {
		t.Errorf("%v", err)
	}
}

// FuzzCheck: no answer and no schema makes it panic, and what passes has the members
// that the schema names.
func FuzzCheck(f *testing.F) {
	for _, answer := range []string{items(), items(item("", "")), `{}`, `null`, `{"items":[{"kind":{}}]}`, "", `{"items":`, strings.Repeat("[", 200)} {
		f.Add([]byte(testSchema), []byte(answer))
	}
	f.Add([]byte(`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}`), []byte(`{"a":""}`))
	f.Add([]byte(strings.Repeat(`{"type":"array","items":`, 50)), []byte(`[]`))
	f.Fuzz(func(t *testing.T, schema, answer []byte) {
		err := Check(schema, answer)
		var found Violations
		if err != nil && !errors.Is(err, ErrSchema) && (!errors.As(err, &found) || len(found) == 0) {
			t.Fatalf("%v", err)
		}
		if err := Check([]byte(testSchema), answer); err == nil {
			var read struct {
				Items []struct{ Kind, Text string }
				Sure  *bool
			}
			if json.Unmarshal(answer, &read) != nil || len(read.Items) > 2 || read.Sure == nil {
				t.Fatalf("passed: %q", answer)
			}
		}
	})
}
