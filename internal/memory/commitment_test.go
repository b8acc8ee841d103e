package memory

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"maps"
	"testing"
	"unicode/utf8"

	"holdfast/internal/ledger"
)

func TestT18TheCanonicalFormIsFixed(t *testing.T) {
	text, err := whole().Canonical()
	if err != nil {
		t.Fatal(err)
	}
	if want := golden(t, "canonical_v1.json", text); string(want) != string(text) {
		t.Errorf("canonical form\n%s\nwant\n%s", text, want)
	}
	sum, err := whole().Commitment()
	if err != nil || !bytes.Equal(sum, ledger.Commit([]byte{1, 2, 3}, text)) || len(sum) != 32 {
		t.Errorf("commitment %s, %v", hex.EncodeToString(sum), err)
	}
}

func TestT18EveryStatementIsCommittedTo(t *testing.T) {
	base, err := whole().Canonical()
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*Memory){
		"content": func(m *Memory) { m.Content += "x" }, "layer": func(m *Memory) { m.Layer = Workspace },
		"type": func(m *Memory) { m.Type = Fact }, "speaker": func(m *Memory) { m.Speaker = "" },
		"tags": func(m *Memory) { m.Tags = map[string]string{"b": "1", "a": "2"} }, "uri": func(m *Memory) { m.ArtifactURI = "" },
		"run": func(m *Memory) { m.RunID = "run" }, "application": func(m *Memory) { m.Subject.ApplicationID = "" },
		"agent": func(m *Memory) { m.Subject.AgentID = "" }, "user": func(m *Memory) { m.Subject.UserID = "" },
		"attribute": func(m *Memory) { m.Attribute = "" }, "importance": func(m *Memory) { m.Importance = nil },
		"floor": func(m *Memory) { m.NonNegotiable = false }, "origin": func(m *Memory) { m.Provenance.Origin = FromWeb },
		"sources": func(m *Memory) { m.Provenance.Sources = m.Provenance.Sources[:1] }, "version": func(m *Memory) { m.Version++ },
		"from": func(m *Memory) { m.Temporal.ValidFrom = nil }, "to": func(m *Memory) { m.Temporal.ValidTo = nil },
		"id": func(m *Memory) { m.ID = "x" },
	} {
		m := whole()
		change(m)
		text, err := m.Canonical()
		if err != nil || bytes.Equal(text, base) {
			t.Errorf("%s is not in the canonical form (%v)", name, err)
		}
	}
}

// One state has one text, and the text gives back the state: no two states share
// a commitment.
func FuzzCanonical(f *testing.F) {
	f.Add("text", "speaker", "k", "v", "user", int64(1))
	f.Add("</x>&\u2028\x7f", "", "", "", "", int64(0))
	f.Add("a\"b\\c", "s", "\"", "}", "u", int64(9))
	f.Fuzz(func(t *testing.T, content, speaker, key, value, user string, version int64) {
		for _, text := range []string{content, speaker, key, value, user} {
			if !utf8.ValidString(text) {
				return // no such text is ever stored
			}
		}
		m := &Memory{ID: memoryID, Content: content, Speaker: speaker, Subject: Subject{UserID: user}, Version: version,
			Tags: map[string]string{key: value, key + "x": value, "z": speaker}}
		text, err := m.Canonical()
		if err != nil {
			t.Fatal(err)
		}
		var back canonical
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatal(err)
		}
		if back.Content != content || back.Speaker != speaker || back.User != user || back.Version != version || !maps.Equal(back.Tags, m.Tags) {
			t.Errorf("%s does not give the memory back", text)
		}
		m.Tags = maps.Clone(m.Tags)
		if again, err := m.Canonical(); err != nil || !bytes.Equal(again, text) {
			t.Errorf("a second text: %s", again)
		}
	})
}

func TestT18RowsOfTheLogCarryTheCommitment(t *testing.T) {
	w := newWorld(t)
	id := w.add("The winch is oiled.")
	if _, err := w.update(agent, id, "The winch is greased."); err != nil {
		t.Fatal(err)
	}
	now, err := w.head(id).Commitment()
	if err != nil {
		t.Fatal(err)
	}
	if err := w.delete(agent, id); err != nil {
		t.Fatal(err)
	}
	rows, err := (ledger.Log{Store: w.Store}).Rows(t.Context(), w.scope, 1, 10)
	if err != nil || len(rows) != 3 {
		t.Fatalf("%v, %v", rows, err)
	}
	if len(rows[0].Entry.Commitment) != 32 || !bytes.Equal(rows[1].Entry.Commitment, now) || bytes.Equal(rows[0].Entry.Commitment, now) {
		t.Error("commitments do not follow the content")
	}
	if rows[2].Entry.Commitment != nil {
		t.Error("a delete commits to content")
	}
}
