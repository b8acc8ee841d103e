package memory

import (
	"encoding/json"
	"reflect"
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

// FuzzQuickHeads: whatever is stored, what is read quickly is what encoding/json reads.
func FuzzQuickHeads(f *testing.F) {
	f.Add(stored(f, common()))
	f.Add(stored(f, whole()))
	f.Add([]byte(`{"f":2,"text":"a","tags":{"a":"b"},"tags":{"c":"d"},"temporal":{"validTo":"2031-01-02T03:04:05+01:00"}}`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		got := readHead(doc)
		if got == nil {
			return
		}
		want := &storedHead{Memory: &Memory{}}
		if err := json.Unmarshal(doc, want); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%s: read %+v, want %+v, %v", doc, got.Memory, want.Memory, err)
		}
	})
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
