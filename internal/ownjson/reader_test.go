package ownjson

import (
	"encoding/json"
	"math"
	"reflect"
	"testing"
	"time"
)

// thing has a member of every kind.
type thing struct {
	Text  string            `json:"text,omitempty"`
	Whole int64             `json:"whole,omitempty"`
	Part  *float64          `json:"part,omitempty"`
	On    bool              `json:"on,omitempty"`
	At    time.Time         `json:"at,omitzero"`
	Raw   []byte            `json:"raw,omitempty"`
	Tags  map[string]string `json:"tags,omitempty"`
	Inner *thing            `json:"inner,omitempty"`
}

func read(r *Reader) *thing {
	t := &thing{}
	t.read(r)
	return t
}

func (t *thing) read(r *Reader) {
	for name := range r.Members() {
		switch name {
		case "text":
			t.Text = r.Text()
		case "whole":
			t.Whole = r.Int()
		case "part":
			part := r.Float()
			t.Part = &part
		case "on":
			t.On = r.Bool()
		case "at":
			t.At = r.Time()
		case "raw":
			t.Raw = r.Bytes()
		case "tags":
			if t.Tags == nil {
				t.Tags = map[string]string{}
			}
			for key := range r.Members() {
				t.Tags[key] = r.Text()
			}
		case "inner":
			if t.Inner == nil {
				t.Inner = &thing{}
			}
			t.Inner.read(r)
		default:
			r.Fail()
		}
	}
}

func TestWhatEncodingJSONWritesIsRead(t *testing.T) {
	part := func(f float64) *float64 { return &f }
	at := time.Date(2031, 2, 3, 4, 5, 6, 789_000_000, time.UTC)
	for _, want := range []thing{
		{}, {Text: "plain"}, {Text: "<a> & \"b\" \\ \u2028\u2029 \b\f\n\r\t\x01\x7f é 仓库 😀"}, {Whole: math.MaxInt64}, {Whole: math.MinInt64}, {Whole: -1},
		{Part: part(0)}, {Part: part(.25)}, {Part: part(-1e-9)}, {Part: part(1e300)}, {Part: part(math.SmallestNonzeroFloat64)},
		{On: true}, {At: at}, {At: at.In(time.FixedZone("", 3600))}, {Raw: []byte{0, 255, 62, 63}}, {Tags: map[string]string{"a": "1", "<": "\t"}},
		{Text: "outer", Inner: &thing{Text: "inner", Inner: &thing{On: true}}, Whole: 7},
	} {
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		r := New(string(text))
		if got := read(r); !r.Whole() || !reflect.DeepEqual(*got, want) {
			t.Errorf("%s: %+v, whole %v", text, *got, r.Whole())
		}
	}
}

func TestAnythingElseIsRefused(t *testing.T) {
	for _, text := range []string{
		``, `{`, `}`, `{}x`, ` {}`, `{} `, `{ }`, `[]`, `null`, `1`, `{"text"}`, `{"text":}`, `{"text":"a",}`, `{,}`, `{"text":"a""on":true}`,
		`{"text":"a"`, `{"text":"a`, `{"text":"\`, `{"text":"\x"}`, `{"text":"\u12"}`, `{"text":"\u12g4"}`, `{"text":"\ud800"}`, `{"text":"\ud800\u0041"}`,
		"{\"text\":\"a\nb\"}", "{\"text\":\"\xff\"}", "{\"text\":\"\\n\xff\"}", `{"text":1}`, `{"text":null}`, `{"other":1}`, `{"whole":1.5}`, `{"whole":01}`,
		`{"whole":-}`, `{"whole":+1}`, `{"whole":1e3}`, `{"whole":9223372036854775808}`, `{"part":.5}`, `{"part":1.}`, `{"part":1e}`, `{"part":01}`, `{"part":0x1}`,
		`{"part":1e999}`, `{"part":Infinity}`, `{"on":tru}`, `{"on":"true"}`, `{"on":1}`, `{"at":"2031-02-03"}`, `{"at":"\u0032031-02-03T04:05:06Z"}`,
		`{"at":"2031-02-03T04:05:06Z`, `{"raw":"*"}`, `{"raw":"AA"}`, `{"tags":{"a":1}}`, `{"inner":{}`,
	} {
		r := New(text)
		if got := read(r); r.Whole() {
			t.Errorf("%s was read as %+v", text, *got)
		}
	}
}

// FuzzAgreesWithEncodingJSON: what is read is what encoding/json reads.
func FuzzAgreesWithEncodingJSON(f *testing.F) {
	for _, text := range []string{`{"text":"a\u003c\ud83d\ude00","whole":-3,"part":1.5e-3,"on":true,"at":"2031-02-03T04:05:06.7Z","raw":"AAE=","tags":{"a":"1"},"inner":{}}`,
		`{"whole":0,"part":-0}`, `{"text":"\"\\\/\b\f\n\r\t"}`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r := New(text)
		got := read(r)
		if !r.Whole() {
			return
		}
		var want thing
		if err := json.Unmarshal([]byte(text), &want); err != nil {
			t.Fatalf("%q was read as %+v, but: %v", text, *got, err)
		}
		if !reflect.DeepEqual(*got, want) {
			t.Fatalf("%q was read as %+v, want %+v", text, *got, want)
		}
	})
}
