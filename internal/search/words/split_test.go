package words

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestR315Words(t *testing.T) {
	for text, want := range map[string]string{
		"":                            "",
		"?! … %*_":                    "",
		"The directors met on Monday": "the directors met on monday",
		"one,two;three\n4four 5.6":    "one two three 4four 5 6",
		"snake_case don't":            "snake case don t",
		"İSTANBUL ISTANBUL ıstanbul":  "istanbul istanbul istanbul",
		"i̇stanbul I\u0307ST":         "istanbul ist",
		"Şarap ÇAĞRI":                 "şarap çağri",
		"Cafe\u0301 CAFÉ":             "café café",
		"ΟΔΟΣ οδος":                   "οδοσ οδοσ",
		"Straße STRASSE ẞ":            "straße strasse ß",
		"Москва весной":               "москва весной",
		"東京 の 春":                      "東京 の 春",
		"नमस्ते दुनिया":               "नमस्ते दुनिया",
		"٣٤ ४":                        "٣٤ ४",
		"\u0301x \u0301 y":            "x y",
		"a\xffb":                      "a b",
		"a\u200db":                    "a b",
	} {
		if got := strings.Join(Split(text), " "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestTermsAreDistinctAndBounded(t *testing.T) {
	if got := Terms("b a B c A"); !slices.Equal(got, []string{"b", "a", "c"}) {
		t.Errorf("%q", got)
	}
	many := strings.Builder{}
	for i := range MaxWords + 5 {
		many.WriteString(strings.Repeat("x", i%20+1) + string(rune('a'+i/20)) + " ")
	}
	if got := Terms(many.String()); len(got) != MaxWords || got[0] != "xa" {
		t.Errorf("%d words, the first %q", len(got), got[0])
	}
	if got := Split(strings.Repeat("ş", 4000)); len(got) != 1 || utf8.RuneCountInString(got[0]) != MaxLetters {
		t.Errorf("%d words", len(got))
	}
}

func FuzzWordsAreFoldedOnce(f *testing.F) {
	for _, seed := range []string{"", "İstanbul'da 3.5 km", "cafe\u0301 ẞ ΟΔΟΣ", "i\u0307\u0307\u0323", "\xff\xfe", "가각 각", "ǅ ŉ ᾳ ᾼ K Å", strings.Repeat("a\u0301", 200)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		all := Split(text)
		for _, w := range all {
			if w == "" || strings.ContainsFunc(w, unicode.IsSpace) || utf8.RuneCountInString(w) > MaxLetters || !utf8.ValidString(w) {
				t.Fatalf("word %q", w)
			}
		}
		if again := Split(strings.Join(all, " ")); !slices.Equal(all, again) {
			t.Errorf("%q became %q", all, again)
		}
	})
}

func TestS332LetterCaseDoesNotMatter(t *testing.T) {
	for _, text := range []string{"İstanbul'daki ılık IŞIK", "The Directors of Izmir", "Ηράκλειος οδός", "Ёлка и ЖУК", "ﬁn ſtay"} {
		want := Split(text)
		for name, other := range map[string]string{
			"upper": strings.ToUpper(text), "lower": strings.ToLower(text), "title": strings.ToTitle(text),
			"Turkish upper": strings.ToUpperSpecial(unicode.TurkishCase, text), "Turkish lower": strings.ToLowerSpecial(unicode.TurkishCase, text),
		} {
			if got := Split(other); !slices.Equal(got, want) {
				t.Errorf("%s: %q, want %q", name, got, want)
			}
		}
	}
}
