package analysis

import (
	"sync"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// What is looked up is what is computed, of every rune there is.
func TestTraitsAreThoseOfTheRune(t *testing.T) {
	for r := range rune(utf8.MaxRune + 1) {
		if got, want := *traitOf(r), computed(r); got != want {
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

func TestBared(t *testing.T) {
	for word, want := range map[string]string{
		"café": "cafe", "ёлка": "елка", "чай": "чай", "Σοφία": "Σοφια", "straße": "straße", "שָׁלוֹם": "שלום", "o.k": "o.k", "münchen": "munchen",
		"\u0623حمد": "احمد", "कार्यालय": "कार्यालय", "aि": "a", "1\u0301": "1\u0301", "がぎ": "がぎ", "": "", "\xff": bare("\xff"),
	} {
		if got := bared(word); got != want || bare(word) != want {
			t.Errorf("%s: %s and %s, want %s", word, got, bare(word), want)
		}
	}
}

// Rune by rune or as a whole, a folded text is bare in the same way.
func FuzzBared(f *testing.F) {
	for _, text := range []string{"Ünïcödé", "ёй", "कार्यालय बर्लिन", "o\u0301\u0302", "각\u11a8", "שָׁלוֹם", "e\u0301é", "ﬁ", "ø\u0301", "가나", "\xffé", "😀‍👩"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = foldRunes(text)
		if got, want := bared(text), bare(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	})
}

// Pages of traits are made by whoever needs them first.
func TestRacesForAPageEndWithTheSameTraits(t *testing.T) {
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for r := rune(0x1f000); r < 0x1f400; r++ {
				if got := *traitOf(r); got != computed(r) {
					t.Errorf("%U: %+v", r, got)
				}
			}
		})
	}
	group.Wait()
}
