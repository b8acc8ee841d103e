package made

import (
	"slices"
	"testing"
)

func rewordedHalves() []Half { return []Half{newReworded("open"), newReworded("held")} }

// A share that says old and new in the same words is easy; it must stay a share.
func TestMostRewordedPairsChangeTheirWords(t *testing.T) {
	for _, h := range rewordedHalves() {
		alike := 0
		for _, p := range h.Pairs {
			if oneWordApart(words(h.Statements[p.Older[0]].Text), words(h.Statements[p.Newer].Text)) {
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
func TestRewordedPairsAreFoundAmongTheirDistractors(t *testing.T) {
	for _, h := range rewordedHalves() {
		if found, first := searched(t, h); found < 70 || first > 60 {
			t.Errorf("%s: plain BM25 finds %d of the newer, %d first", h.Name, found, first)
		}
	}
}
