package main

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// peerTalk is a conversation with a question that it answers and one that it does not.
func peerTalk() conversation {
	at := time.Date(2023, 5, 8, 13, 56, 0, 0, time.UTC)
	return conversation{
		Name: "talk",
		Turns: []turn{
			{ID: "D1:1", Session: "session_1", Speaker: "Ines", Text: "The ferry was late.", Date: at},
			{ID: "D1:2", Session: "session_1", Speaker: "Tarek", Text: strings.Repeat("As ever. ", 300), Date: at},
			{ID: "D2:1", Session: "session_2", Speaker: "Tarek", Text: "I bought a kayak.", Date: at.AddDate(0, 0, 4)},
		},
		Questions: []question{
			{Text: "Who has a kayak?", Category: 4, Evidence: []string{"D2:1"}},
			{Text: "Who has a yacht?", Category: adversarial, Evidence: []string{"D1:1"}, Adversarial: true},
		},
	}
}

const peerFixture = `[{"name": "Sift", "collections": [{"name": "talk", "index": 7000,
  "ranked": [["D1:2", "D2:1", "D1:1"], ["D1:1"]], "took": [300, 100]}]}]`

func TestReadPeersScoresByTheSameFunctions(t *testing.T) {
	rows, err := readPeers(strings.NewReader(peerFixture), []conversation{peerTalk()})
	if err != nil || len(rows) != 1 {
		t.Fatalf("%+v, %v", rows, err)
	}
	r := rows[0]
	if r.Arm != "Sift" || r.Questions != 2 || r.Recall10 != 1 || r.Session1 != .5 || r.Session5 != 1 {
		t.Errorf("row %+v", r.armRow)
	}
	if want := (1 + ndcgAt([]string{"x", "D2:1"}, set("D2:1"), 10)) / 2; r.NDCG10 != want {
		t.Errorf("NDCG %v, want %v", r.NDCG10, want)
	}
	if r.P50 != 100 || r.P99 != 300 || r.Calls != 2 || r.Index != 7000 {
		t.Errorf("times %+v, %v", r.latency, r.Index)
	}
	// The first line is too long for 512 tokens and leaves its room to the second; the
	// question that nothing answers does not count.
	if r.Evidence["512"] != 1 || r.Any["512"] != 1 {
		t.Errorf("evidence %v, any %v", r.Evidence, r.Any)
	}
}

func TestReadPeersRefusesWhatWasNotAsked(t *testing.T) {
	for name, change := range map[string][2]string{
		"no JSON":              {`[{"name"`, `{`},
		"another conversation": {`"talk"`, `"walk"`},
		"no conversation":      {`"collections"`, `"others"`},
		"an answer too few":    {`, ["D1:1"]`, ``},
		"a time too few":       {`[300, 100]`, `[300]`},
		"an unknown turn":      {`"D1:2"`, `"D9:2"`},
		"a turn twice":         {`"D1:2"`, `"D1:1"`},
	} {
		text := strings.Replace(peerFixture, change[0], change[1], 1)
		if _, err := readPeers(strings.NewReader(text), []conversation{peerTalk()}); !errors.Is(err, errPeers) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestPackedHoldsWholeTurnsInRankOrder(t *testing.T) {
	c := peerTalk()
	k := stored{conversation: c, turns: map[string]turn{}}
	for _, t := range c.Turns {
		k.turns[t.ID] = t
	}
	// "- [2023-05-08] Ines: The ferry was late.\n" is 41 characters, Tarek's kayak 40.
	for _, test := range []struct {
		name   string
		ranked []string
		budget int
		want   []string
	}{
		{"nothing ranked", nil, 512, nil},
		{"exactly full", []string{"D2:1", "D1:1"}, 10, []string{"D2:1"}},
		{"one character short", []string{"D1:1"}, 10, nil},
		{"the second fits", []string{"D1:2", "D1:1"}, 11, []string{"D1:1"}},
		{"both", []string{"D2:1", "D1:1"}, 21, []string{"D1:1", "D2:1"}},
		{"all", []string{"D1:2", "D2:1", "D1:1"}, 1024, []string{"D1:1", "D1:2", "D2:1"}},
	} {
		got := slices.Sorted(maps.Keys(k.packed(test.ranked, test.budget)))
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

func TestPlainLineWithoutSpeaker(t *testing.T) {
	got := plainLine(turn{Text: "Ines owns a kayak.", Date: time.Date(2023, 5, 8, 0, 0, 0, 0, time.UTC)})
	if want := "- [2023-05-08] Ines owns a kayak.\n"; got != want {
		t.Errorf("line %q", got)
	}
}

func TestPeersAreTold(t *testing.T) {
	got := forPeers([]conversation{peerTalk()})
	if len(got) != 1 || got[0].Name != "talk" || len(got[0].Items) != 3 || len(got[0].Questions) != 2 {
		t.Fatalf("%+v", got)
	}
	if want := (peerItem{"D2:1", "I bought a kayak.", "session_2", "Tarek"}); got[0].Items[2] != want {
		t.Errorf("item %+v", got[0].Items[2])
	}
}

func TestPeersThatCannotBeFetchedAreNotBuilt(t *testing.T) {
	t.Setenv("GOPROXY", "off")
	source := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":  "module peers\n\ngo 1.26.0\n\nrequire example.com/absent v1.0.0\n",
		"main.go": "package main\n\nimport _ \"example.com/absent\"\n\nfunc main() {}\n",
	} {
		if err := os.WriteFile(filepath.Join(source, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := buildPeers(t.Context(), source, t.TempDir()); err == nil || !strings.Contains(err.Error(), "example.com/absent") {
		t.Errorf("error %v", err)
	}
}
