package analysis

import (
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// What is looked up is what is computed, of every rune there is.
func TestTraitsAreThoseOfTheRune(t *testing.T) {
	for r := range rune(utf8.MaxRune + 1) {
		got, want := traitOf(r), computed(r)
		if got.normal && !isNormal(r) {
			t.Errorf("%U is not normal", r)
		}
		if got.normal, got.stable = false, false; got != want {
			t.Errorf("%U: %+v, want %+v", r, got, want)
		}
	}
}

// A text is normalized as norm does it, wherever its first rune that is not normal stands.
func FuzzNormalized(f *testing.F) {
	for _, text := range []string{"", "café — “quoted”", "cafe\u0301", "ﬁne…", "か\u3099", "漢字、한글。", "\u1100\u1161", "각\u11a8", "\xff", "И\u0306"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if got, want := normalized(text), norm.NFKC.String(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	})
}

// Words of stable runes keep all of them, whatever stands beside them.
func TestWordsWithoutAccentsAreBare(t *testing.T) {
	stable := []rune{}
	for r := range rune(tabled) {
		if traitOf(r).stable {
			stable = append(stable, r)
		}
	}
	if len(stable) < 500 {
		t.Fatalf("%d runes", len(stable))
	}
	for i, a := range stable {
		word := string([]rune{a, stable[(7*i+1)%len(stable)], stable[(31*i+5)%len(stable)], a})
		if bare(word) != word || bared(word) != word {
			t.Errorf("%q: %q, %q", word, bare(word), bared(word))
		}
	}
	for word, want := range map[string]string{"café": "cafe", "ёлка": "елка", "чай": "чай", "Σοφία": "Σοφια", "straße": "straße", "שָׁלוֹם": "שלום", "o.k": "o.k"} {
		if got := bared(word); got != want {
			t.Errorf("%s: %s, want %s", word, got, want)
		}
	}
}
