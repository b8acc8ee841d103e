package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

const talk = `[{"sample_id": "talk-1", "conversation": {
  "speaker_a": "Ines", "speaker_b": "Tarek",
  "session_1_date_time": "1:56 pm on 8 May, 2023",
  "session_1": [{"speaker": "Ines", "dia_id": "D1:1", "text": "The ferry was late."},
                {"speaker": "Tarek", "dia_id": "D1:2", "text": "As ever."}],
  "session_2_date_time": "9:05 am on 12 May, 2023",
  "session_2": [{"speaker": "Tarek", "dia_id": "D2:1", "text": "I bought a kayak."}],
  "session_3_date_time": "9:05 am on 1 June, 2023"},
 "observation": {
  "session_1_observation": {"Tarek": [["Tarek waits for ferries.", "D1:2"]], "Ines": [["The ferry came late.", ["D1:1", "D1:2"]]]},
  "session_2_observation": {"Tarek": [["Tarek owns a kayak.", "D2:1; D1:1"]]}},
 "qa": [{"question": "Who has a kayak?", "evidence": ["D2:1", "D2:1"], "category": 4},
        {"question": "Who sold a kayak?", "evidence": ["D2:1"], "category": 5},
        {"question": "Two ids in one?", "evidence": ["D1:1; D1:2"], "category": 1},
        {"question": "A turn that is not there?", "evidence": ["D9:1"], "category": 1},
        {"question": "Nothing to show?", "evidence": [], "category": 5}]}]`

// written is a folder with conversations.
func written(t *testing.T, text string) string {
	t.Helper()
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "locomo-dev"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "locomo-dev", "locomo_dev.json"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return folder
}

func TestReadLocomo(t *testing.T) {
	all, _, left, err := readLocomo(written(t, talk))
	if err != nil || len(all) != 1 || left != 3 {
		t.Fatalf("read %d conversations, left %d questions out: %v", len(all), left, err)
	}
	c := all[0]
	if len(c.Turns) != 3 || c.Turns[2].Session != "session_2" || c.Turns[2].Speaker != "Tarek" {
		t.Errorf("turns %+v", c.Turns)
	}
	if want := time.Date(2023, 5, 8, 13, 56, 0, 0, time.UTC); !c.Turns[0].Date.Equal(want) {
		t.Errorf("date %v", c.Turns[0].Date)
	}
	if len(c.Questions) != 2 || !slices.Equal(c.Questions[0].Evidence, []string{"D2:1"}) || c.Questions[0].Adversarial || !c.Questions[1].Adversarial {
		t.Errorf("questions %+v", c.Questions)
	}
}

func TestReadLocomoFacts(t *testing.T) {
	_, facts, _, err := readLocomo(written(t, talk))
	if err != nil || len(facts) != 1 || len(facts[0].Turns) != 3 || len(facts[0].Questions) != 2 {
		t.Fatalf("%+v, %v", facts, err)
	}
	f := facts[0]
	if got := f.Turns[0]; got.Text != "The ferry came late." || got.Session != "session_1" || got.Speaker != "" || got.Date.IsZero() {
		t.Errorf("first fact %+v", got)
	}
	if q := f.Questions[0]; q.Text != "Who has a kayak?" || !slices.Equal(q.Evidence, []string{f.Turns[2].ID}) {
		t.Errorf("question %+v", q)
	}
	if !f.Questions[1].Adversarial {
		t.Error("a fact answers an adversarial question")
	}
	for _, broken := range []string{`["alone"]`, `[1, "D1:1"]`} {
		text := strings.Replace(talk, `["Tarek waits for ferries.", "D1:2"]`, broken, 1)
		if _, _, _, err := readLocomo(written(t, text)); err == nil {
			t.Errorf("%s is taken", broken)
		}
	}
}

func TestReadLocomoSaysWhenThereIsNothing(t *testing.T) {
	if _, _, _, err := readLocomo(t.TempDir()); !errors.Is(err, errNoData) {
		t.Errorf("error %v", err)
	}
}
