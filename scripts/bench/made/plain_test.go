package made

import (
	"slices"
	"strings"
	"testing"
)

func plainHalves() []Half { return []Half{newPlain("open"), newPlain("held")} }

// plainTopics are the blocks of a half by the topics' names.
func plainTopics(half string) map[string]block {
	out := make(map[string]block)
	for _, b := range read("plain_" + half) {
		out[b.one("name")] = b
	}
	return out
}

// spaced is a text's words with a space on each side, so that one text has another by
// whole words when it contains it.
func spaced(text string) string { return " " + strings.Join(words(text), " ") + " " }

func spacedAll(texts []string) []string {
	out := make([]string, len(texts))
	for i, text := range texts {
		out[i] = spaced(text)
	}
	return out
}

func textsOf(h Half) []string {
	var out []string
	for _, s := range h.Statements {
		out = append(out, s.Text)
	}
	return out
}

// within are those of the phrases that a text has; all are spaced.
func within(text string, phrases []string) []string {
	return slices.DeleteFunc(slices.Clone(phrases), func(p string) bool { return !strings.Contains(text, p) })
}

func TestPlainHalvesHaveTheirShares(t *testing.T) {
	for _, h := range plainHalves() {
		topics := plainTopics(h.Name)
		chains, same, dated := 0, 0, 0
		for _, p := range h.Pairs {
			if len(p.Older) == 2 {
				chains++
			}
			newer, older := h.Statements[p.Newer], h.Statements[p.Older[0]]
			if sameButFor(topics[p.Topic].list("values"), older.Text, newer.Text) {
				same++
			}
			if !newer.ValidFrom.IsZero() {
				dated++
			}
		}
		if len(h.Pairs) != 100 || chains != 10 || same != restated || dated != 50 {
			t.Errorf("%s: of %d pairs %d are chains, %d in the same words, %d dated", h.Name, len(h.Pairs), chains, same, dated)
		}
	}
}

// sameButFor tells whether two texts differ by a value only.
func sameButFor(values []string, a, b string) bool {
	for _, v := range values {
		for _, w := range values {
			if strings.Contains(a, v) && strings.Replace(a, v, w, 1) == b {
				return true
			}
		}
	}
	return false
}

// Only statements of a pair tell what is asked, and only the newer tells what is so now.
func TestOnlyTheNewerAnswersAPlainQuestion(t *testing.T) {
	for _, h := range plainHalves() {
		topics, all := plainTopics(h.Name), spacedAll(textsOf(h))
		for _, p := range h.Pairs {
			subject, topic, values := spaced(p.Subject), spaced(p.Topic), spacedAll(topics[p.Topic].list("values"))
			asked := spaced(p.Question)
			if !strings.Contains(asked, subject) || !strings.Contains(asked, topic) && topics[p.Topic]["ask"] == nil {
				t.Errorf("%s asks for something else", p.Question)
			}
			places := slices.Concat(p.Older, []int{p.Newer})
			for i, text := range all {
				tells := strings.Contains(text, subject) && (strings.Contains(text, topic) || len(within(text, values)) > 0)
				if tells != slices.Contains(places, i) {
					t.Errorf("%s: %s", p.Question, text)
				}
			}
			current := within(all[p.Newer], values)
			for _, at := range p.Older {
				current = slices.DeleteFunc(current, func(v string) bool { return strings.Contains(all[at], v) })
			}
			if len(current) != 1 {
				t.Errorf("%s: the newer alone has %q", p.Question, current)
			}
		}
	}
}

func TestPlainPairsStandAmongDistractors(t *testing.T) {
	for _, h := range plainHalves() {
		topics, all := plainTopics(h.Name), spacedAll(textsOf(h))
		for _, p := range h.Pairs {
			subject, topic, values := spaced(p.Subject), spaced(p.Topic), spacedAll(topics[p.Topic].list("values"))
			first := subject[:strings.LastIndex(strings.TrimSpace(subject), " ")+2] // « the billing »
			rivals, namesakes, others, changed := 0, 0, 0, 0
			for _, text := range all {
				told := strings.Contains(text, topic) || topics[p.Topic]["was"] != nil && len(within(text, values)) > 0
				switch its := strings.Contains(text, subject); {
				case told && !its:
					rivals++
					namesakes += len(within(text, []string{first}))
				case !told && its:
					others++
					changed += len(within(text, []string{" is now "}))
				}
			}
			if rivals < 12 || namesakes < 1 || others != besides+1 || changed != 1 {
				t.Errorf("%s: %d others, %d with the first word, %d other attributes, %d changed", p.Question, rivals, namesakes, others, changed)
			}
		}
	}
}

func TestPlainTopicsAreEnough(t *testing.T) {
	for _, half := range []string{"open", "held"} {
		kinds := make(map[string]int)
		for name, b := range plainTopics(half) {
			kinds[b.one("kind")]++
			values := slices.Compact(slices.Sorted(slices.Values(b.list("values"))))
			if len(values) < 8 || len(values) != len(b.list("values")) {
				t.Errorf("%s has %d different values", name, len(values))
			}
		}
		for kind, n := range kinds {
			if n <= besides {
				t.Errorf("%s, %s: %d topics", half, kind, n)
			}
		}
	}
}

// In the ordinary case the question leads to its pair by its words alone.
func TestPlainPairsAreFoundByPlainSearch(t *testing.T) {
	for _, h := range plainHalves() {
		if found, _ := searched(t, h); found < 95 {
			t.Errorf("%s: plain BM25 finds %d of the newer", h.Name, found)
		}
	}
}
