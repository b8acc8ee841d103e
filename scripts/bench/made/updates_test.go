package made

import (
	"strings"
	"testing"
)

func TestEachSetOfTemplatesIsTwoHundredPairsInFortyTopics(t *testing.T) {
	pairs, topics, questions := make(map[string]int), make(map[string]int), make(map[string]bool)
	for _, h := range Updates() {
		for _, p := range h.Pairs {
			pairs[h.Set]++
			topics[h.Set+", "+p.Topic]++
			if questions[h.Title()+p.Question] {
				t.Errorf("%s: %s is asked twice", h.Title(), p.Question)
			}
			questions[h.Title()+p.Question] = true
		}
	}
	if pairs["told"] != 220 {
		t.Errorf("%d pairs are told", pairs["told"])
	}
	delete(pairs, "told")
	delete(topics, "told, told")
	for set, n := range pairs {
		if n != 200 {
			t.Errorf("%s: %d pairs", set, n)
		}
	}
	if len(topics) != 40*len(pairs) {
		t.Errorf("%d topics in %d sets", len(topics), len(pairs))
	}
	for name, n := range topics {
		if n != pairsOfTopic {
			t.Errorf("%s: %d pairs", name, n)
		}
	}
}

func TestNewerIsWrittenAfterOlder(t *testing.T) {
	for _, h := range Updates() {
		for _, p := range h.Pairs {
			places := append(p.Older, p.Newer)
			if len(places) < 2 {
				t.Errorf("%s: nothing is older", p.Question)
			}
			for i := 1; i < len(places); i++ {
				checkSteps(t, p.Question, places[i-1:i+1], h.Statements)
			}
		}
	}
}

// checkSteps fails where the second of two statements does not replace the first.
func checkSteps(t *testing.T, question string, places []int, all []Statement) {
	t.Helper()
	older, newer := all[places[0]], all[places[1]]
	if places[0] >= places[1] || older.Text == newer.Text || older.Speaker != newer.Speaker || older.Attribute != newer.Attribute {
		t.Errorf("%s: %+v, %+v", question, older, newer)
	}
	if older.ValidFrom.IsZero() != newer.ValidFrom.IsZero() || newer.ValidFrom.Before(older.ValidFrom) {
		t.Errorf("%s: dates %v, %v", question, older.ValidFrom, newer.ValidFrom)
	}
}

func TestStatementsAreFinishedAndSaidOnce(t *testing.T) {
	for _, h := range Updates() {
		said, attributes := make(map[string]bool), make(map[string]int)
		for _, s := range h.Statements {
			if said[s.Speaker+s.Text] || strings.ContainsAny(s.Text, "{}") {
				t.Errorf("%s: %+v", h.Title(), s)
			}
			said[s.Speaker+s.Text] = true
			attributes[s.Attribute]++
		}
		delete(attributes, "")
		if h.Set != "told" && len(attributes) != len(h.Pairs)/10 {
			t.Errorf("%s: %d attributes", h.Title(), len(attributes))
		}
		for name, n := range attributes {
			if n < 2 {
				t.Errorf("%s has %d values", name, n)
			}
		}
	}
}
