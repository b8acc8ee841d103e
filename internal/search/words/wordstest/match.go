package wordstest

import (
	"strings"
	"testing"

	"holdfast/internal/search/words"
)

var matchCases = []testCase{
	{"AnyWordMayMatch", func(t *testing.T, x words.Index) {
		put(t, x, doc("1", 1, "Tuesday was quiet"), doc("2", 2, "The directors met on Monday"), doc("3", 3, "none"))
		expect(t, x, query("monday zebra tuesday"), "1", "2")
	}},
	{"AWordMatchesAsTheStartOfAWord", func(t *testing.T, x words.Index) {
		put(t, x, doc("1", 1, "The directors met"))
		for _, text := range []string{"d", "direct", "directors", "DIRECTORS"} {
			expect(t, x, query(text), "1")
		}
		for _, text := range []string{"irectors", "directorships", "meeting", "e"} {
			expect(t, x, query(text))
		}
	}},
	{"LetterCaseDoesNotMatterInTurkishOrEnglish", func(t *testing.T, x words.Index) {
		put(t, x, doc("1", 1, "İSTANBUL"), doc("2", 2, "ISTANBUL"), doc("3", 3, "istanbul"), doc("4", 4, "ıstanbul"), doc("5", 5, "i̇stanbul"))
		for _, text := range []string{"istanbul", "İstanbul", "ISTANBUL", "ıstanbul", "İST", "i̇"} {
			expect(t, x, query(text), "5", "4", "3", "2", "1")
		}
		put(t, x, at("b/", doc("6", 6, "Şarap listesi")))
		expect(t, x, query("ŞARAP"), "6")
		expect(t, x, query("sarap"))
	}},
	{"WordsOfAnyScriptMatch", func(t *testing.T, x words.Index) {
		put(t, x, doc("1", 1, "Москва весной"), doc("2", 2, "東京 の 春"), doc("3", 3, "عنوان المكتب"), doc("4", 4, "नमस्ते दुनिया"))
		for text, want := range map[string]string{"москва": "1", "東京": "2", "المكتب": "3", "नमस्ते": "4", "दुनि": "4"} {
			expect(t, x, query(text), want)
		}
	}},
	{"SignsOfAQueryLanguageMeanNothing", func(t *testing.T, x words.Index) {
		put(t, x, doc("1", 1, "kiln door"), doc("2", 2, "oven"))
		for _, text := range []string{"ki*", "ki?n", "text:kiln", "kiln AND oven~", `"kiln`, "(kiln)", "-kiln", "kiln\\", `{"match_all":{}} kil`} {
			q := query(text)
			expect(t, x, q, idsOf(Reference{Documents: []words.Document{doc("1", 1, "kiln door"), doc("2", 2, "oven")}}.Hits(q))...)
		}
		for _, raw := range []string{"*", "ki*", "k.*", "?", " ", "kiln door", "[a-z]*"} {
			q := query("")
			q.Words = []string{raw}
			if hits := ask(t, x, q).Hits; len(hits) != 0 {
				t.Errorf("%q: %d hits", raw, len(hits))
			}
		}
	}},
	{"NoWordsAnswerNoHits", func(t *testing.T, x words.Index) {
		put(t, x, doc("1", 1, "kiln"))
		expect(t, x, query(""))
		if s := ask(t, x, query("?!")).Statistics; s.Documents != 1 || s.Length != 1 || len(s.DF) != 0 {
			t.Errorf("statistics %+v", s)
		}
	}},
	{"TextWithoutWordsIsNoHit", func(t *testing.T, x words.Index) {
		put(t, x, doc("1", 1, "?! …"))
		expect(t, x, query("a"))
		if s := ask(t, x, query("a")).Statistics; s.Documents != 1 || s.Length != 0 {
			t.Errorf("statistics %+v", s)
		}
	}},
	{"LongWordsAreToldApartByTheirBeginning", func(t *testing.T, x words.Index) {
		long := strings.Repeat("ş", words.MaxLetters)
		put(t, x, doc("1", 1, long+"a"), doc("2", 2, strings.Repeat("x", 4000)))
		expect(t, x, query(long+"b"), "1")
		expect(t, x, query(strings.Repeat("x", 4000)), "2")
		expect(t, x, query(strings.Repeat("ş", words.MaxLetters-1)+"b"))
	}},
	{"ManyWordsAreAsked", func(t *testing.T, x words.Index) {
		put(t, x, doc("1", 1, "w511 w77"), doc("2", 2, "w510"), doc("3", 3, "v"))
		q := query("")
		for i := range words.MaxWords {
			q.Words = append(q.Words, "w"+decimal(i))
		}
		expect(t, x, q, "1", "2")
	}},
	{"PathsAndTagsAreNotSearched", func(t *testing.T, x words.Index) {
		put(t, x, at("walnuts/", doc("1", 1, "plain"), "hazelnut"))
		expect(t, x, query("walnuts hazelnut desk"))
		expect(t, x, query("plain"), "1")
	}},
}

func idsOf(hits []words.Hit) []string {
	var out []string
	for _, h := range hits {
		out = append(out, h.ID)
	}
	return out
}
