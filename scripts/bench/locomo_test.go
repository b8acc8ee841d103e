package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
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
 "qa": [{"question": "Who has a kayak?", "evidence": ["D2:1", "D2:1"], "category": 4},
        {"question": "Two ids in one?", "evidence": ["D1:1; D1:2"], "category": 1},
        {"question": "A turn that is not there?", "evidence": ["D9:1"], "category": 1},
        {"question": "Nothing to show?", "evidence": [], "category": 5}]}]`

func TestReadLocomo(t *testing.T) {
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "locomo-dev"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "locomo-dev", "locomo_dev.json"), []byte(talk), 0o644); err != nil {
		t.Fatal(err)
	}
	all, left, err := readLocomo(folder)
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
	if len(c.Questions) != 1 || !slices.Equal(c.Questions[0].Evidence, []string{"D2:1"}) {
		t.Errorf("questions %+v", c.Questions)
	}
}

func TestReadLocomoSaysWhenThereIsNothing(t *testing.T) {
	if _, _, err := readLocomo(t.TempDir()); !errors.Is(err, errNoData) {
		t.Errorf("error %v", err)
	}
}
