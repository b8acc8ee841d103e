package memory

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"
)

// common is a memory with every member that readHead knows.
func common() *Memory {
	m := whole()
	m.ID, m.WorkspaceID, m.ArtifactURI = "", "", ""
	m.Provenance.Sources, m.Provenance.Elsewhere, m.Temporal.Narrowed = nil, nil, nil
	m.Quarantine, m.Held, m.Review, m.Merges, m.Parts, m.Deletion = nil, nil, nil, nil, nil, nil
	return m
}

func stored(t testing.TB, m *Memory) []byte {
	t.Helper()
	doc, err := json.Marshal(storedHead{format, m})
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func TestQuickHeadsAreThoseOfEncodingJSON(t *testing.T) {
	bare := &Memory{Layer: Workspace, Content: "é \"<b>\" \n 😀", Temporal: Temporal{RecordedAt: time.Unix(0, 0).UTC()}}
	for _, want := range []*Memory{common(), bare, {}} {
		if got := readHead(stored(t, want)); got == nil || got.Format != format || !reflect.DeepEqual(got.Memory, want) {
			t.Errorf("read %+v of %+v", got, want)
		}
	}
}

// What is rare is left to encoding/json, whole.
func TestQuickHeadsKnowWhatTheyDoNotKnow(t *testing.T) {
	rest := whole()
	for name, change := range map[string]func(m *Memory){
		"uri": func(m *Memory) { m.ArtifactURI = rest.ArtifactURI }, "sources": func(m *Memory) { m.Provenance.Sources = rest.Provenance.Sources },
		"elsewhere": func(m *Memory) { m.Provenance.Elsewhere = rest.Provenance.Elsewhere }, "narrowed": func(m *Memory) { m.Temporal.Narrowed = rest.Temporal.Narrowed },
		"quarantine": func(m *Memory) { m.Quarantine = rest.Quarantine }, "held": func(m *Memory) { m.Held = rest.Held }, "review": func(m *Memory) { m.Review = rest.Review },
		"merges": func(m *Memory) { m.Merges = rest.Merges }, "parts": func(m *Memory) { m.Parts = rest.Parts }, "deletion": func(m *Memory) { m.Deletion = rest.Deletion },
	} {
		want := common()
		change(want)
		doc := stored(t, want)
		if readHead(doc) != nil {
			t.Errorf("%s is known", name)
		}
		if got, err := decodeHead(doc); err != nil || !reflect.DeepEqual(got.Memory, want) {
			t.Errorf("%s: read %+v, %v", name, got.Memory, err)
		}
	}
}

// odd are documents that a quick reader could take for something else than
// encoding/json does.
var odd = []string{
	``, `{`, `}`, `{}`, `{}x`, `{}{}`, ` { "text" : "a" } `, `[]`, `null`, `1`, `{"text"}`, `{"text":}`, `{"text":"a",}`, `{,}`, `{"text":"a""f":1}`, `{"text":"a"`,
	`{"te\u0078t":"a"}`, `{"TEXT":"a"}`, `{"text":"\"\\\/\b\f\n\r\t\u00e9 \u003c"}`, `{"text":"\x"}`, `{"text":"\u12"}`, `{"text":"\u12g4"}`, `{"text":"a`, `{"text":"\`,
	`{"text":"\ud83d\ude00"}`, `{"text":"\ud800"}`, `{"text":"\uD800\u0041"}`, `{"text":"\\ud800"}`, `{"tags":{"\ud800":"a"}}`, "{\"text\":\"\xff\"}", "{\"text\":\"\\n\xff\"}",
	"{\"text\":\"a\nb\"}", "{\"text\":\"a\x01b\\n\"}", "{\"tags\":{\"\x01\\n\":\"\"}}", `{"text":1}`, `{"text":null}`, `{"subject":null}`, `{"subject":[]}`, `{"tags":{"a":1}}`, `{"tags":null}`,
	`{"version":-0}`, `{"version":01}`, `{"version":+1}`, `{"version":1.0}`, `{"version":1e3}`, `{"version":"1"}`, `{"version":9223372036854775807}`, `{"version":9223372036854775808}`,
	`{"importance":0.1234567890123456789}`, `{"importance":7.42973297593641e-05}`, `{"importance":1.2345678901234567e5}`, `{"importance":-0.0}`, `{"importance":1e999}`, `{"importance":NaN}`, `{"importance":inf}`, `{"importance":.5}`,
	`{"importance":1.}`, `{"importance":"0.5"}`, `{"importance":null}`, `{"nonNegotiable":1}`, `{"nonNegotiable":tru}`, `{"nonNegotiable":null}`,
	`{"salt":""}`, `{"salt":"AA==\n"}`, `{"salt":"\u0041A=="}`, `{"salt":"AAA"}`, `{"salt":"*"}`, `{"salt":[1]}`, `{"createdAt":"2031-02-03"}`, `{"createdAt":"\u0032031-02-03T04:05:06Z"}`,
	`{"createdAt":"2031-02-03T04:05:06.123456789+01:00"}`, `{"createdAt":null}`, `{"createdAt":1}`, `{"temporal":{"validFrom":"2031-01-02T03:04:05Z","validFrom":null}}`,
	`{"f":2,"text":"a","tags":{"a":"b"},"tags":{"c":"d"},"text":"e","temporal":{"validTo":"2031-01-02T03:04:05+01:00"}}`, `{"subject":{"user":"a"},"subject":{"agent":"b"}}`, `{"subject":{"more":1}}`,
}

// readsAlike fails where a document is read quickly, and not as encoding/json reads it.
func readsAlike(t *testing.T, doc []byte) {
	t.Helper()
	got := readHead(doc)
	if got == nil {
		return
	}
	want := &storedHead{Memory: &Memory{}}
	if err := json.Unmarshal(doc, want); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%q: read %+v, want %+v, %v", doc, got.Memory, want.Memory, err)
	}
}

func TestOddHeadsAreReadAlikeOrNot(t *testing.T) {
	for _, doc := range odd {
		readsAlike(t, []byte(doc))
	}
}

// What is read does not change with what is read after it, into the same memory.
func TestQuickHeadsOutliveTheirParser(t *testing.T) {
	filler := stored(t, &Memory{Content: strings.Repeat("z", 4000)})
	readHead(filler)
	for _, want := range []*Memory{common(), {Content: strings.Repeat("\n", 1000)}} {
		doc := stored(t, want)
		got := readHead(doc)
		clear(doc)
		readHead(filler)
		if !reflect.DeepEqual(got.Memory, want) {
			t.Errorf("read %+v, want %+v", got.Memory, want)
		}
	}
}

// FuzzQuickHeads: whatever is stored, what is read quickly is what encoding/json reads.
func FuzzQuickHeads(f *testing.F) {
	f.Add(stored(f, common()))
	f.Add(stored(f, whole()))
	for _, doc := range odd {
		f.Add([]byte(doc))
	}
	f.Fuzz(readsAlike)
}

func BenchmarkDecodeHead(b *testing.B) {
	doc := stored(b, common())
	for name, decode := range map[string]func() error{
		"quick":    func() error { _, err := decodeHead(doc); return err },
		"standard": func() error { return json.Unmarshal(doc, &storedHead{Memory: &Memory{}}) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := decode(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
