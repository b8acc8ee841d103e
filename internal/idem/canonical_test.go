package idem

import (
	"bytes"
	"encoding/json"
	"math/big"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestT47SameValuesHaveOneHash whatever their spelling, and others another one.
func TestT47SameValuesHaveOneHash(t *testing.T) {
	groups := [][]string{
		{`0.5`, `0.50`, `5e-1`, `5E-1`, ` 50e-2 `, `0.0005e+3`},
		{`0`, `-0`, `0.0`, `0e9`, `-0.00e-99999999999999999999`},
		{`64`, `64.0`, `6.4e1`, `640e-1`}, {`-64`, `-6.4e1`}, {`1e3`, `1000`},
		{`1e400`, `10e399`}, {`0.1`}, {`0.10000000000000000001`}, {`9007199254740993`}, {`9007199254740992`},
		{`"a/b"`, `"\u0061\/b"`}, {`"A/b"`}, {`"5"`}, {`5`},
		{`{"a":1,"b":[2,3]}`, `{ "b" : [2.0,3], "\u0061":1 }`}, {`{"a":1,"b":[3,2]}`}, {`{"a":1}`},
		{`{"a":{"b":1},"c":2}`, `{"c":2,"a":{"b":1}}`}, {`{"a":{"b":1,"c":2}}`},
		{`null`}, {`true`}, {`false`}, {`"null"`}, {`[]`}, {`{}`}, {`[[]]`}, {`[null]`}, {`""`}, {``}, {`{`}, {`1 2`},
	}
	seen := map[string]string{}
	for _, group := range groups {
		first := RequestHash([]byte(group[0]))
		if other, taken := seen[first]; taken {
			t.Errorf("%s and %s have one hash", group[0], other)
		}
		seen[first] = group[0]
		for _, spelled := range group[1:] {
			if RequestHash([]byte(spelled)) != first {
				t.Errorf("%s is not %s", spelled, group[0])
			}
		}
	}
}

// same compares two decoded values, numbers exactly.
func same(a, b any) bool {
	switch x := a.(type) {
	case json.Number:
		y, ok := b.(json.Number)
		if !ok {
			return false
		}
		p, good := new(big.Rat).SetString(x.String())
		q, fine := new(big.Rat).SetString(y.String())
		return good && fine && p.Cmp(q) == 0
	case []any:
		y, ok := b.([]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for i := range x {
			if !same(x[i], y[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for name := range x {
			if other, there := y[name]; !there || !same(x[name], other) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(a, b)
}

func decode(text string) (value any, ok bool) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	return value, d.Decode(&value) == nil && json.Valid([]byte(text))
}

// huge tells an exponent that big.Rat would spell out.
func huge(text string) bool {
	text = strings.ToLower(text)
	for {
		_, rest, found := strings.Cut(text, "e")
		if !found {
			return false
		}
		if digits := strings.TrimLeft(rest, "+-0"); len(digits) > 2 && strings.Trim(digits[:3], "0123456789") == "" {
			return true
		}
		text = rest
	}
}

// FuzzT47HashesAreEqualWhereValuesAre and only there.
func FuzzT47HashesAreEqualWhereValuesAre(f *testing.F) {
	for _, pair := range [][2]string{{`0.5`, `5e-1`}, {`{"a":1,"b":2}`, `{"b":2.0,"a":1}`}, {`[1,2]`, `[12]`}, {`"a"`, `"\u0061"`},
		{`{"a":1,"a":2}`, `{"a":2}`}, {`1`, `01`}, {`["\ud83d\ude42"]`, `["🙂"]`}, {`[1,-]`, `[1e]`}} {
		f.Add(pair[0], pair[1])
	}
	f.Fuzz(func(t *testing.T, one, two string) {
		if !utf8.ValidString(one) || !utf8.ValidString(two) || huge(one) || huge(two) {
			return // no JSON, or numbers too long to compare
		}
		a, ok := decode(one)
		if _, read := canonical(nil, []byte(one)); read != ok {
			t.Fatalf("%q: read %v, JSON %v", one, read, ok)
		}
		b, fine := decode(two)
		if ok && fine && same(a, b) != (RequestHash([]byte(one)) == RequestHash([]byte(two))) {
			t.Fatalf("%q and %q: same value %v", one, two, same(a, b))
		}
		var indented bytes.Buffer
		if ok && json.Indent(&indented, []byte(one), "", "  ") == nil && RequestHash(indented.Bytes()) != RequestHash([]byte(one)) {
			t.Fatalf("%q has another hash when it is indented", one)
		}
	})
}

// BenchmarkRequestHash of an ordinary append.
func BenchmarkRequestHash(b *testing.B) {
	body := []byte(`{"workspaceId":"018f0000-0000-7000-8000-000000000001","layer":"Workspace","type":"fact","importance":0.5,"tags":{"b":"2","a":"1"},"content":"` + strings.Repeat("The gate is green. ", 20) + `"}`)
	b.ReportAllocs()
	for b.Loop() {
		RequestHash(body)
	}
}
