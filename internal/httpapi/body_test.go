package httpapi

import (
	"io"
	"slices"
	"strings"
	"testing"
)

// TestT9ValidationListsPointersAndRules: all faults at once, each with pointer
// and rule, none with the value.
func TestT9ValidationListsPointersAndRules(t *testing.T) {
	h := newGate(t, testDeps(io.Discard)).Handler(echoStore())
	for _, c := range []struct {
		name, members string
		want          []string
	}{
		{"unknown member", `"shelf":"top"`, []string{"/shelf"}},
		{"another case is unknown", `"Level":"low"`, []string{"/Level"}},
		{"dots and slashes in names", `"a.b/c~d":1`, []string{"/a.b~1c~0d"}},
		{"wrong type", `"runId":7`, []string{"/runId"}},
		{"list for a text", `"runId":["x"]`, []string{"/runId"}},
		{"too short", `"runId":""`, []string{"/runId"}},
		{"a tag's value: the key is data", `"tags":{"secret-key":7}`, []string{"/tags"}},
		{"a null in tags", `"tags":{"k":null}`, []string{"/tags"}},
		{"tags as a list", `"tags":["a"]`, []string{"/tags"}},
		{"too many tags", `"tags":{"a":"","b":"","c":"","d":""}`, []string{"/tags"}},
		{"a tag twice", `"tags":{"a":"","\u0061":""}`, []string{"/tags"}},
		{"over the bound", `"importance":2`, []string{"/importance"}},
		{"fraction", `"count":1.5`, []string{"/count"}},
		{"exponent in a whole number", `"count":1e-2`, []string{"/count"}},
		{"whole number too long", `"count":99999999999999999999`, []string{"/count"}},
		{"below", `"count":-99999999999999999999`, []string{"/count"}},
		{"number beyond all bounds", `"importance":1e999`, []string{"/importance"}},
		{"long number", `"importance":` + strings.Repeat("1", 5000), []string{"/importance"}},
		{"word for a bool", `"hard":"yes"`, []string{"/hard"}},
		{"not of the list", `"level":"middle"`, []string{"/level"}},
		{"items", `"sources":[{"kind":"url","id":""},{"kind":"fax","id":"1","x":1}]`, []string{"/sources/0/id", "/sources/1/kind", "/sources/1/x"}},
		{"missing in an item", `"sources":[{}]`, []string{"/sources/0/id", "/sources/0/kind"}},
		{"null item", `"sources":[null]`, []string{"/sources/0"}},
		{"too many items", `"sources":[{"kind":"url","id":"1"},{"kind":"url","id":"2"},{"kind":"url","id":"3"}]`, []string{"/sources"}},
		{"twice", `"level":"low","level":"low"`, []string{"/level"}},
		{"twice by an escape", `"level":"low","l\u0065vel":"low"`, []string{"/level"}},
		{"several", `"level":7,"importance":"x","shelf":1`, []string{"/level", "/importance", "/shelf"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			answer := ask(t, h, "POST", "/v1/things", bodyOf(c.members))
			answer.want(t, 400, "VALIDATION_FAILED")
			if !slices.Equal(answer.pointers(), c.want) {
				t.Errorf("pointers %q, want %q", answer.pointers(), c.want)
			}
			if strings.Contains(answer.raw, "secret-key") || strings.Contains(answer.raw, "middle") {
				t.Errorf("echoed: %s", answer.raw)
			}
		})
	}
}

// TestT13TimesOfABody: an offset is read, a time without one refused.
func TestT13TimesOfABody(t *testing.T) {
	h := newGate(t, testDeps(io.Discard)).Handler(echoStore())
	for text, want := range map[string]string{
		`"2026-03-01T02:00:00+02:00"`:     "2026-03-01T00:00:00Z",
		`"2026-03-01T12:30:00.250-05:00"`: "2026-03-01T17:30:00.25Z",
		`"2026-03-01T00:00:00Z"`:          "2026-03-01T00:00:00Z",
		`"\u0032026-03-01T00:00:00Z"`:     "2026-03-01T00:00:00Z",
	} {
		answer := ask(t, h, "POST", "/v1/things", bodyOf(`"validFrom":`+text))
		answer.want(t, 200, "")
		if at := answer.body["got"].(map[string]any)["validFrom"]; at != want {
			t.Errorf("%s came back as %v, want %s", text, at, want)
		}
	}
	for _, text := range []string{
		`"2026-03-01T02:00:00"`, `"2026-03-01"`, `"1772330400"`, `1772330400`, `"2026-02-30T00:00:00Z"`, `""`, `"soon"`, `true`,
		`"2026-03-01T2:00:00Z"`, `"2026-03-01T02:00:00,5Z"`, `"2026-03-01T02:00:00.Z"`, `"2026-03-01T02:00:60Z"`, `"2026-03-01T24:00:00Z"`,
		`"2026-03-01T02:00:00+24:00"`, `"2026-03-01T02:00:00+02:60"`, `"2026-03-01T02:00:00.1234567890Z"`, `"2026-03-01 02:00:00Z"`, `"0000-01-01T00:00:00Z"`,
		`"2026-03-01T02:00:00Z "`, `"+2026-03-01T02:00:00Z"`,
	} {
		answer := ask(t, h, "POST", "/v1/things", bodyOf(`"validFrom":`+text))
		answer.want(t, 400, "VALIDATION_FAILED")
		if !slices.Equal(answer.pointers(), []string{"/validFrom"}) {
			t.Errorf("%s: pointers %q", text, answer.pointers())
		}
	}
}

// TestT8BrokenTextIsRefused: what is no JSON object in UTF-8 without NUL.
func TestT8BrokenTextIsRefused(t *testing.T) {
	h := newGate(t, testDeps(io.Discard)).Handler(echoStore())
	whole := bodyOf(`"runId":"MARK"`)
	deep := strings.Repeat(`{"a":`, 9000) + "1" + strings.Repeat("}", 9000)
	for name, c := range map[string]struct{ body, code string }{
		"open":                 {"{", "MALFORMED_JSON"},
		"empty":                {" ", "MALFORMED_JSON"},
		"list":                 {"[]", "VALIDATION_FAILED"},
		"null":                 {"null", "VALIDATION_FAILED"},
		"number":               {"7", "VALIDATION_FAILED"},
		"text":                 {`"x"`, "VALIDATION_FAILED"},
		"trailing garbage":     {whole + "x", "MALFORMED_JSON"},
		"two values":           {whole + whole, "MALFORMED_JSON"},
		"cut":                  {whole[:len(whole)-1], "MALFORMED_JSON"},
		"byte order mark":      {"\ufeff" + whole, "MALFORMED_JSON"},
		"lone byte":            {strings.Replace(whole, "MARK", "\xff", 1), "MALFORMED_JSON"},
		"bad sequence":         {strings.Replace(whole, "MARK", "\xc3\x28", 1), "MALFORMED_JSON"},
		"encoded surrogate":    {strings.Replace(whole, "MARK", "\xed\xa0\x80", 1), "MALFORMED_JSON"},
		"raw NUL":              {strings.Replace(whole, "MARK", "a\x00b", 1), "MALFORMED_JSON"},
		"raw NUL outside":      {"\x00" + whole, "MALFORMED_JSON"},
		"raw line feed":        {strings.Replace(whole, "MARK", "a\nb", 1), "MALFORMED_JSON"},
		"NUL escape":           {strings.Replace(whole, "MARK", `a\u0000b`, 1), "VALIDATION_FAILED"},
		"NUL in a name":        {strings.Replace(whole, "runId", `run\u0000`, 1), "VALIDATION_FAILED"},
		"NUL in a tag":         {bodyOf(`"tags":{"a\u0000":"x"}`), "VALIDATION_FAILED"},
		"NUL in a tag's value": {bodyOf(`"tags":{"a":"\u0000"}`), "VALIDATION_FAILED"},
		"lone high surrogate":  {strings.Replace(whole, "MARK", `\ud83d`, 1), "VALIDATION_FAILED"},
		"lone low surrogate":   {strings.Replace(whole, "MARK", `\ude00x`, 1), "VALIDATION_FAILED"},
		"two high surrogates":  {strings.Replace(whole, "MARK", `\ud83d\ud83d`, 1), "VALIDATION_FAILED"},
		"bad escape":           {strings.Replace(whole, "MARK", `\x41`, 1), "MALFORMED_JSON"},
		"short escape":         {strings.Replace(whole, "MARK", `\u12`, 1), "MALFORMED_JSON"},
		"deep objects":         {bodyOf(`"tags":` + deep), "VALIDATION_FAILED"},
		"deep lists":           {strings.Repeat("[", 60000), "VALIDATION_FAILED"},
		"comma at the end":     {strings.TrimSuffix(whole, "}") + ",}", "MALFORMED_JSON"},
		"NaN":                  {bodyOf(`"importance":NaN`), "MALFORMED_JSON"},
		"Infinity":             {bodyOf(`"importance":Infinity`), "MALFORMED_JSON"},
		"hexadecimal":          {bodyOf(`"importance":0x1`), "MALFORMED_JSON"},
		"leading zero":         {bodyOf(`"importance":01`), "MALFORMED_JSON"},
		"plus":                 {bodyOf(`"importance":+1`), "MALFORMED_JSON"},
		"no fraction":          {bodyOf(`"importance":1.`), "MALFORMED_JSON"},
		"single quotes":        {`{'a':1}`, "MALFORMED_JSON"},
		"comment":              {`{"a":1/*x*/}`, "MALFORMED_JSON"},
		"half a word":          {bodyOf(`"hard":tru`), "MALFORMED_JSON"},
	} {
		t.Run(name, func(t *testing.T) {
			ask(t, h, "POST", "/v1/things", c.body).want(t, 400, c.code)
		})
	}
}

// TestT8TextIsKeptByteForByte: escapes, astral characters, unnormalised text.
func TestT8TextIsKeptByteForByte(t *testing.T) {
	h := newGate(t, testDeps(io.Discard)).Handler(echoStore())
	for sent, want := range map[string]string{
		`e\u0301 beside \u00e9`:         "e\u0301 beside \u00e9",
		`\ud83d\ude42 and 🙂`:            "🙂 and 🙂",
		`tab\tquote\" slash\/ <b>&amp;`: "tab\tquote\" slash/ <b>&amp;",
		"İstanbul, 東京":                  "İstanbul, 東京",
	} {
		answer := ask(t, h, "POST", "/v1/things", bodyOf(`"tags":{"ключ":"`+sent+`","a.b":"","A":""}`))
		answer.want(t, 200, "")
		tags := answer.body["got"].(map[string]any)["tags"].(map[string]any)
		if tags["ключ"] != want || tags["a.b"] != "" || tags["A"] != "" {
			t.Errorf("tags %q, want %q", tags, want)
		}
	}
}

// TestNullIsTheSameAsAbsent: only where the member is not required.
func TestNullIsTheSameAsAbsent(t *testing.T) {
	h := newGate(t, testDeps(io.Discard)).Handler(echoStore())
	answer := ask(t, h, "POST", "/v1/things", bodyOf(`"runId":null,"tags":null,"level":null,"validFrom":null,"sources":null`))
	answer.want(t, 200, "")
	if runID := answer.body["got"].(map[string]any)["runId"]; runID != nil {
		t.Errorf("runId %v", runID)
	}
	refused := ask(t, h, "POST", "/v1/things", `{"workspaceId":"`+ours+`","content":null}`)
	refused.want(t, 400, "VALIDATION_FAILED")
	if !slices.Equal(refused.pointers(), []string{"/content"}) {
		t.Errorf("pointers %q", refused.pointers())
	}
}

// TestLongFaultListsAreCut: neither the number of faults nor a name makes an
// answer long.
func TestLongFaultListsAreCut(t *testing.T) {
	h := newGate(t, testDeps(io.Discard)).Handler(echoStore())
	var members []string
	for i := range 300 {
		members = append(members, `"`+strings.Repeat("ü", 80)+string(rune('a'+i%26))+`":1`)
	}
	answer := ask(t, h, "POST", "/v1/things", bodyOf(strings.Join(members, ",")))
	answer.want(t, 400, "VALIDATION_FAILED")
	if n := len(answer.pointers()); n != maxFields {
		t.Errorf("%d faults, want %d", n, maxFields)
	}
	if first := answer.pointers()[0]; len(first) > maxName+len("/…") {
		t.Errorf("pointer of %d bytes", len(first))
	}
}
