package made

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestSetsAreTheSameEachTime(t *testing.T) {
	if !reflect.DeepEqual(Sets(), Sets()) || !reflect.DeepEqual(Updates(), Updates()) {
		t.Error("two calls differ")
	}
}

func TestEveryQuestionHasItsEvidence(t *testing.T) {
	for _, set := range Sets() {
		questions, names := 0, make(map[string]bool)
		for _, c := range set.Talks {
			if names[c.Name] {
				t.Errorf("%s: two talks are called %s", set.Name, c.Name)
			}
			names[c.Name] = true
			questions += len(c.Questions)
			t.Run(c.Name, func(t *testing.T) { checkTalk(t, c, len(set.Kinds)) })
		}
		if questions < 60 || questions > 120 {
			t.Errorf("%s: %d questions", set.Name, questions)
		}
	}
}

// checkTalk fails where a turn or a question is unfinished, doubtful or asked twice.
func checkTalk(t *testing.T, c Conversation, kinds int) {
	said := make(map[string]int)
	by := make(map[string]Turn)
	for _, turn := range c.Turns {
		if _, twice := by[turn.ID]; twice || turn.Date.IsZero() || strings.ContainsAny(turn.Text, "{}|") {
			t.Errorf("turn %+v", turn)
		}
		by[turn.ID] = turn
		said[turn.Session+turn.Speaker+turn.Text]++
	}
	asked := make(map[string]bool)
	for _, q := range c.Questions {
		if asked[q.Text] || q.Category < 1 || q.Category > kinds || strings.ContainsAny(q.Text, "{}|") || len(q.Evidence) == 0 {
			t.Errorf("question %+v", q)
		}
		asked[q.Text] = true
		for _, id := range q.Evidence {
			turn, ok := by[id]
			if !ok || said[turn.Session+turn.Speaker+turn.Text] != 1 {
				t.Errorf("%s: evidence %s %q", q.Text, id, turn.Text)
			}
		}
	}
}

func TestAssistantsWriteMuchAndUsersLittle(t *testing.T) {
	for _, c := range chats() {
		for _, turn := range c.Turns {
			n := len(strings.Fields(turn.Text))
			if turn.Speaker == "assistant" && (n < 150 || n > 400) || turn.Speaker == "user" && (n < 8 || n > 70) {
				t.Errorf("%s %s: %d words", c.Name, turn.Speaker, n)
			}
		}
	}
}

func TestPeopleWriteLittle(t *testing.T) {
	for _, c := range peoples() {
		for _, turn := range c.Turns {
			if n := len(strings.Fields(turn.Text)); n > 25 {
				t.Errorf("%s: %d words: %s", c.Name, n, turn.Text)
			}
		}
		for _, q := range c.Questions {
			a, b, _ := strings.Cut(c.Name, " & ")
			if !strings.Contains(q.Text, a) && !strings.Contains(q.Text, b) {
				t.Errorf("%s names nobody", q.Text)
			}
		}
	}
}

// A set that a plain search answers, or cannot touch at all, tells nothing.
func TestSetsAreNeitherTrivialNorHopeless(t *testing.T) {
	for _, set := range Sets() {
		found, questions := 0.0, 0
		kinds := make([]float64, len(set.Kinds))
		of := make([]int, len(set.Kinds))
		for _, c := range set.Talks {
			x := newBM25(texts(c))
			for _, q := range c.Questions {
				hits := 0
				for _, i := range x.first(q.Text, 10) {
					if slices.Contains(q.Evidence, c.Turns[i].ID) {
						hits++
					}
				}
				share := float64(hits) / float64(len(q.Evidence))
				found += share
				kinds[q.Category-1] += share
				of[q.Category-1]++
				questions++
			}
		}
		for i := range kinds {
			kinds[i] /= float64(of[i])
		}
		recall := found / float64(questions)
		t.Logf("%s: plain BM25 recall@10 %.3f, by kind %.3f", set.Name, recall, kinds)
		if recall < .4 || recall > .85 {
			t.Errorf("%s: plain BM25 has recall@10 %.3f", set.Name, recall)
		}
	}
}

func texts(c Conversation) []string {
	var out []string
	for _, t := range c.Turns {
		out = append(out, t.Speaker+" "+t.Text)
	}
	return out
}
