package made

import (
	"slices"
	"strings"
	"testing"
)

func TestUpdatesAreTwoHundredPairsInFortyTopics(t *testing.T) {
	pairs, topics, questions := 0, make(map[string]int), make(map[string]bool)
	for _, h := range Updates() {
		for _, p := range h.Pairs {
			pairs++
			topics[p.Topic]++
			if questions[p.Question] {
				t.Errorf("%s is asked twice", p.Question)
			}
			questions[p.Question] = true
		}
	}
	if pairs != 200 || len(topics) != 40 {
		t.Errorf("%d pairs in %d topics", pairs, len(topics))
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
			older, newer := h.Statements[p.Older], h.Statements[p.Newer]
			if p.Older >= p.Newer || older.Text == newer.Text || older.Speaker != newer.Speaker || older.Attribute != newer.Attribute {
				t.Errorf("%s: %+v, %+v", p.Question, older, newer)
			}
			if older.ValidFrom.IsZero() != newer.ValidFrom.IsZero() || newer.ValidFrom.Before(older.ValidFrom) {
				t.Errorf("%s: dates %v, %v", p.Question, older.ValidFrom, newer.ValidFrom)
			}
		}
	}
}

func TestStatementsAreFinishedAndSaidOnce(t *testing.T) {
	for _, h := range Updates() {
		said, attributes := make(map[string]bool), make(map[string]int)
		for _, s := range h.Statements {
			if said[s.Speaker+s.Text] || strings.ContainsAny(s.Text, "{}") {
				t.Errorf("%s: %+v", h.Name, s)
			}
			said[s.Speaker+s.Text] = true
			attributes[s.Attribute]++
		}
		delete(attributes, "")
		if len(attributes) != len(h.Pairs)/10 {
			t.Errorf("%s: %d attributes", h.Name, len(attributes))
		}
		for name, n := range attributes {
			if n != 2 {
				t.Errorf("%s has %d values", name, n)
			}
		}
	}
}

// A share that says old and new in the same words is easy; it must stay a share.
func TestMostPairsChangeTheirWords(t *testing.T) {
	for _, h := range Updates() {
		alike := 0
		for _, p := range h.Pairs {
			if oneWordApart(words(h.Statements[p.Older].Text), words(h.Statements[p.Newer].Text)) {
				alike++
			}
		}
		if alike > 40 {
			t.Errorf("%s: %d of %d pairs differ by a word only", h.Name, alike, len(h.Pairs))
		}
	}
}

func oneWordApart(a, b []string) bool {
	different := slices.DeleteFunc(slices.Clone(a), func(w string) bool { return slices.Contains(b, w) })
	return len(a) == len(b) && len(different) < 2
}

// The question must lead to its pair among what stands around it, by plain search.
func TestPairsAreFoundAmongTheirDistractors(t *testing.T) {
	for _, h := range Updates() {
		var all []string
		for _, s := range h.Statements {
			all = append(all, s.Speaker+" "+s.Text)
		}
		x, found, first := newBM25(all), 0, 0
		for _, p := range h.Pairs {
			got := x.first(p.Question, 10)
			if slices.Contains(got, p.Newer) {
				found++
			}
			if got[0] == p.Newer {
				first++
			}
		}
		t.Logf("%s: %d statements, plain BM25 finds %d of the newer, %d first", h.Name, len(all), found, first)
		if found < 70 || first > 60 {
			t.Errorf("%s: plain BM25 finds %d of the newer, %d first", h.Name, found, first)
		}
	}
}
