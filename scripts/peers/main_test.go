package main

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

const talk = `[{"name": "talk", "items": [
  {"id": "D1:1", "session": "1", "speaker": "Ines", "text": "Which boat did you buy?"},
  {"id": "D1:2", "session": "1", "speaker": "Tarek", "text": "A kayak, in blue."},
  {"id": "D2:1", "session": "2", "speaker": "Tarek", "text": "The ferries were late."}],
 "questions": [{"text": "Was the ferry late?", "category": 4, "evidence": ["D2:1"]},
  {"text": "Who bought boats?"}, {"text": "What did Tarek say?"}, {"text": "\"NEAR( AND? *"}, {"text": "?"}]}]`

func TestEveryPeerRanks(t *testing.T) {
	var out bytes.Buffer
	if err := run(strings.NewReader(talk), &out); err != nil {
		t.Fatal(err)
	}
	var peers []peer
	if err := json.NewDecoder(&out).Decode(&peers); err != nil {
		t.Fatal(err)
	}
	if len(peers) != len(engines)*len(forms) {
		t.Fatalf("%d peers", len(peers))
	}
	for _, p := range peers {
		t.Run(p.Name, func(t *testing.T) {
			got := p.Collections[0]
			if len(got.Ranked) != 5 || len(got.Took) != 5 || got.Index <= 0 {
				t.Fatalf("%+v", got)
			}
			if first := got.Ranked[0]; len(first) == 0 || first[0] != "D2:1" {
				t.Errorf("the ferry is %v", first)
			}
			// The turn after the one about boats is found by its window.
			if boats := got.Ranked[1]; slices.Contains(boats, "D1:2") != strings.Contains(p.Name, "windowed") {
				t.Errorf("boats are %v", boats)
			}
			if said := got.Ranked[2]; slices.Contains(said, "D2:1") != strings.Contains(p.Name, "speaker") {
				t.Errorf("Tarek said %v", said)
			}
			if none := got.Ranked[4]; len(none) != 0 {
				t.Errorf("no word finds %v", none)
			}
		})
	}
}

func TestBrokenInputIsRefused(t *testing.T) {
	if err := run(strings.NewReader(`[{`), &bytes.Buffer{}); err == nil {
		t.Error("taken")
	}
}

func TestAnyWordQuotes(t *testing.T) {
	for text, want := range map[string]string{
		"":                      ``,
		" ?! ":                  ``,
		"Who has kayaks?":       `"Who" OR "has" OR "kayaks"`,
		`a "b" NOT text:c*`:     `"a" OR "b" OR "NOT" OR "text" OR "c"`,
		"Tarek's café, 3rd_day": `"Tarek" OR "s" OR "café" OR "3rd" OR "day"`,
	} {
		if got := anyWord(text); got != want {
			t.Errorf("%q gives %s", text, got)
		}
	}
}

func TestWindowEndsWithTheSession(t *testing.T) {
	items := []item{{"1", "a", "s", "Ines"}, {"2", "b", "s", "Tarek"}, {"3", "c", "t", "Ines"}}
	for i, want := range [][]string{{"a", "b", "c"}, {"\na", "a\nb", "\nc"}, {"\nInes: a", "a\nTarek: b", "\nInes: c"}} {
		if got := forms[i].texts(items); !slices.Equal(got, want) {
			t.Errorf("form %q: %q", forms[i].suffix, got)
		}
	}
}
