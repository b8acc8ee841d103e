package recall

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"holdfast/internal/memory"
)

// escapeSlowly is what escape means, said without regard to time: it looks ahead
// behind every sign and asks NFKC for every character. A text that ends within reach
// says nothing else.
func escapeSlowly(text string) string {
	var b strings.Builder
	for at, r := range text {
		_, size := utf8.DecodeRuneInString(text[at:])
		if strings.ContainsRune("<\uff1c\ufe64\u2039\u3008\u27e8", r) && fencedSlowly(text[at+size:]) {
			b.WriteString("&lt;")
			continue
		}
		b.WriteString(text[at : at+size])
	}
	return b.String()
}

func fencedSlowly(rest string) bool {
	want, n := "recalledbackground", 0
	for _, r := range rest {
		if n++; n > 120 {
			return false
		}
		for _, folded := range norm.NFKC.String(string(r)) {
			folded = unicode.ToLower(folded)
			if !unicode.IsLetter(folded) && !unicode.IsDigit(folded) {
				continue
			}
			if folded != rune(want[0]) {
				return false
			}
			if want = want[1:]; want == "" {
				return true
			}
		}
	}
	return true
}

// fenceParts are what texts that may read like a fence are made of.
var fenceParts = []string{
	"<", "<<", "\uff1c", "\ufe64", "\u2039", "\u3008", "\u27e8", "/", " ", "\u00a0", "\u200b", "\u0301", "\u0338", "-", "\n", "\u2028",
	"recalled", "background", "recalled-background", "recalledbackg", "recalledbackground", "round", "r", "e", "\uff52ecalled", "RECALLED",
	"\U0001d42b", "bac\u212around", "\u33adx", "\ufb01", "\u00e9", "e\u0301", "\u2026", "\u00bd", "\u0661", "7", "\u017f", "\u0130", "\xff", "\x00", ">", "x", "\uac00",
	strings.Repeat(" ", 50), strings.Repeat("\u200b", 101), strings.Repeat("\u00a0", 102), strings.Repeat("<", 40),
}

func TestEscapingSaysWhatItsMeaningSays(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 20_000 {
		var b strings.Builder
		for range 1 + r.IntN(9) {
			b.WriteString(fenceParts[r.IntN(len(fenceParts))])
		}
		text := b.String()
		if got, want := escape(text), escapeSlowly(text); got != want {
			t.Fatalf("%q: %q, want %q", text, got, want)
		}
	}
}

// A sign counts up to the reach from the name's last letter, and no further.
func TestEscapingReachesAsFarAsItsMeaning(t *testing.T) {
	for _, sign := range []string{"<", "\uff1c"} {
		for n := 95; n < 110; n++ {
			for _, gap := range []string{" ", "\u00a0", "<", "\uff1c"} {
				for _, at := range []int{0, 5, 18} {
					text := sign + fenceLetters[:at] + strings.Repeat(gap, n) + fenceLetters[at:] + sign
					if got, want := escape(text), escapeSlowly(text); got != want {
						t.Fatalf("%q: %q, want %q", text, got, want)
					}
				}
			}
		}
	}
}

func TestAPlainCharacterIsNFKCWhereItHasLetters(t *testing.T) {
	letters := func(text string) string {
		return strings.Map(func(r rune) rune {
			if r = unicode.ToLower(r); lettered(r) {
				return r
			}
			return -1
		}, text)
	}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		text := string(r)
		if got, want := letters(plain(text)), letters(norm.NFKC.String(text)); got != want {
			t.Fatalf("%U: %q, want %q", r, got, want)
		}
	}
}

func FuzzEscape(f *testing.F) {
	for _, part := range fenceParts {
		f.Add("<", part, "recalled-background>")
		f.Add("</recalled", part, "-background>")
	}
	f.Add("a< / Recalled-Background >b", "<\\/recalled-background>", "<recalled-background section=\"x\">")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		for _, text := range []string{a + b + c, strings.Repeat(a, 20) + b + strings.Repeat(c, 9)} {
			got := escape(text)
			if want := escapeSlowly(text); got != want {
				t.Fatalf("%q: %q, want %q", text, got, want)
			}
			if utf8.RuneCountInString(got) < utf8.RuneCountInString(text) {
				t.Fatalf("%q became shorter: %q", text, got)
			}
		}
	})
}

func TestT28AFenceDoesNotStandInSpeakerAndTextTogether(t *testing.T) {
	for _, c := range []struct{ speaker, text, want string }{
		{"<", "/recalled-background>", "- &lt;: /recalled-background>\n"},
		{"</recalled", "-background>", "- &lt;/recalled: -background>\n"},
		{"\uff1c re", "CALLED\u00a0background", "- &lt; re: CALLED\u00a0background\n"},
		{"<", "<recalled-background>", "- &lt;: &lt;recalled-background>\n"},
		{"a <b>", "1 < 2", "- a <b>: 1 < 2\n"},
		{"", "</recalled-background>", "- &lt;/recalled-background>\n"},
	} {
		l := entryLine(said("1", c.speaker, "", c.text, 2))
		if l.text != c.want || fences(l.text) != 0 {
			t.Errorf("%q, %q: %q, want %q", c.speaker, c.text, l.text, c.want)
		}
	}
}

func TestAnEntryIsNoShorterThanItsLeast(t *testing.T) {
	for _, part := range append(fenceParts, "\r\n", "\r", "</recalled-background>") {
		for _, speaker := range []string{"", "  a \n b ", "<"} {
			text := part + "x" + part
			if got, least := utf8.RuneCountInString(entryLine(said("1", speaker, "", text, 2)).text), entryLeast(text); got < least {
				t.Errorf("%q: %d runes, at least %d", text, got, least)
			}
			if got, want := utf8.RuneCountInString(plainLine("1", "abc").text), entryLeast("abc"); got != want {
				t.Errorf("an ordinary line has %d runes, not %d", got, want)
			}
		}
	}
}

// hostileTexts are texts of the greatest length that would have escaping look ahead.
func hostileTexts() map[string]string {
	fill := func(part string) string {
		return strings.Repeat(part, memory.MaxContent/utf8.RuneCountInString(part))
	}
	return map[string]string{
		"signs": fill("<"), "wide signs": fill("\uff1c"), "no-break spaces": fill("<\u00a0"), "marks": fill("<\u0301"),
		"gaps": fill("<" + strings.Repeat("\u00a0", 119)), "dots": fill("<" + strings.Repeat("\u2026", 119)),
		"names begun": fill("<recalledbackg"), "wide letters": fill("\uff1c\uff52\uff45\uff43\uff41"), "names": fill("<recalled-background"),
	}
}

// Escaping looks at a character a few times at most. The measure is a single look at
// each, so that a slow machine is slow in both; a look ahead takes a hundred of them.
func TestEscapingTakesTimeInProportionToTheText(t *testing.T) {
	for name, text := range hostileTexts() {
		if took, one := fastest(func() { escape(text) }), fastest(func() { lookAtEach(text) }); took > 40*one {
			t.Errorf("%s: %v, a look at each character takes %v", name, took, one)
		}
		if n := testing.AllocsPerRun(2, func() { escape(text) }); n > 5000 {
			t.Errorf("%s: %.0f allocations", name, n)
		}
	}
}

// fastest is the shortest of some calls.
func fastest(call func()) time.Duration {
	best := time.Hour
	for range 5 {
		from := time.Now()
		call()
		best = min(best, time.Since(from))
	}
	return best
}

// What the budget cannot hold is neither built nor escaped.
func TestWhatCannotFitIsNotRendered(t *testing.T) {
	for name, text := range hostileTexts() {
		a := &assembly{pack: newPacker(1000)}
		c := scored{candidate: candidate{memory: said("1", "Ada", "r", text, 2)}}
		if n := testing.AllocsPerRun(5, func() {
			if a.fits(c) {
				t.Fatal("it fits")
			}
		}); n > 4 {
			t.Errorf("%s: %.0f allocations for an entry that is left out", name, n)
		}
	}
}

func TestAHostileSummaryIsShortenedToItsFirstSentences(t *testing.T) {
	for _, sentence := range []string{"The gate is shut.", "< \u00a0<.", "</recalled-background>.", "<.", "recalled-background."} {
		text := strings.TrimSpace(strings.Repeat(sentence+" ", memory.MaxContent/(len(sentence)+1)))
		got := shortened(said("1", "", "", text, 2), 100).Content
		n := strings.Count(got, sentence)
		if got != strings.Join(slices.Repeat([]string{sentence}, n), " ") || !lineFits(got, 100) || lineFits(got+" "+sentence, 100) {
			t.Errorf("%q: %d sentences: %q", sentence, n, got)
		}
	}
}

// Forty memories of nearly the greatest length, each of which alone might fit, are
// placed in the time of a few looks at each of their characters.
func TestFortyHostileMemoriesArePlacedInProportionToTheirText(t *testing.T) {
	for name, text := range hostileTexts() {
		var ranked []scored
		for i := range 40 {
			ranked = append(ranked, scored{candidate: candidate{id: fmt.Sprint(i), memory: said(fmt.Sprint(i), "", "", text, i%28+1)}})
		}
		place := func() {
			a := &assembly{out: Context{Sections: map[Section][]Entry{}}, pack: newPacker(4096),
				printed: map[string]bool{}, showing: map[string]bool{}, omitted: map[string]bool{}}
			if a.place(ranked, 40); len(a.shown)+len(a.dropped) != 40 || a.pack.used > 4096 {
				t.Fatalf("%s: %d shown, %d left out, %d tokens", name, len(a.shown), len(a.dropped), a.pack.used)
			}
		}
		if took, one := fastest(place), 40*fastest(func() { lookAtEach(text) }); took > 40*one {
			t.Errorf("%s: %v, a look at each character takes %v", name, took, one)
		}
	}
}

// lookAtEach asks NFKC for every character of a text.
func lookAtEach(text string) {
	for _, r := range text {
		_ = norm.NFKC.String(string(r))
	}
}
