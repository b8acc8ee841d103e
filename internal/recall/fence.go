package recall

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// fence is the element that blocks are wrapped in: its name is the label that
// tells a model what it reads (T.28).
const fence = "recalled-background"

// fenceLetters are the letters of the fence's name.
var fenceLetters = strings.ReplaceAll(fence, "-", "")

// fenceReach is how far behind a '<' the fence's name is looked for, in runes.
const fenceReach = 120

// likeLess are signs that a reader, or a model, takes for a '<'.
const likeLess = "<\uff1c\ufe64\u2039\u3008\u27e8"

func opens(r rune) bool {
	return r == '<' || r >= utf8.RuneSelf && strings.ContainsRune(likeLess, r)
}

// escape keeps a text from opening or closing a fence: only what reads like one
// is changed, every other byte stays. It is the last thing done to a text, so that
// nothing can make a fence of it afterwards. It takes time in proportion to the text,
// whatever that is.
func escape(text string) string {
	if ordinary(text) || !strings.ContainsAny(text, likeLess) {
		return text
	}
	var b strings.Builder
	done := 0
	for _, at := range fencing(text) {
		_, size := utf8.DecodeRuneInString(text[at:])
		b.WriteString(text[done:at])
		b.WriteString("&lt;")
		done = at + size
	}
	if done == 0 {
		return text
	}
	b.WriteString(text[done:])
	return b.String()
}

// ordinary tells a text of ASCII alone, without a '<' and without control characters,
// as most are: in others every rune has to be looked at.
func ordinary(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c == '<' || c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// sign is a '<' in a text: its place in bytes and in runes.
type sign struct{ at, n int }

// fencing are the places of the signs behind which the fence's name stands within
// reach, or the text ends before it says something else: the next entry of the block may
// say the rest. Signs without a letter between them wait for the same one, so that the
// name is looked for once behind them all.
func fencing(text string) []int {
	var found []int
	var waiting []sign
	n := 0
	for at, r := range text {
		if n++; opens(r) {
			waiting = append(waiting, sign{at, n})
			continue
		}
		if len(waiting) == 0 || silent(text[at:]) {
			continue
		}
		if runes := named(text[at:]); runes > 0 {
			found = appendWithin(found, waiting, n+runes-1)
		}
		waiting = waiting[:0]
	}
	return appendWithin(found, waiting, n)
}

// appendWithin adds the places of the signs within reach of the rune that ends a name.
func appendWithin(found []int, signs []sign, end int) []int {
	for _, s := range signs {
		if end-s.n <= fenceReach {
			found = append(found, s.at)
		}
	}
	return found
}

// silent tells a text whose first character has no letter or digit.
func silent(text string) bool {
	left, ok := spell(fenceLetters, text)
	return ok && left == fenceLetters
}

// named is how many runes at the start of a text read like the fence's name, or its
// beginning where the text is over, 0 if they do not: letters count, in any case, width and mathematical style, and whatever stands
// between them does not, be it space, slash, hyphen or a character that cannot be seen.
// Two of them at most overlap, since the name's first letter is in it twice.
func named(text string) int {
	left, n := fenceLetters, 0
	for at := range text {
		if n++; n > fenceReach {
			return 0
		}
		var ok bool
		if left, ok = spell(left, text[at:]); !ok {
			return 0
		}
		if left == "" {
			break
		}
	}
	return n
}

// spell takes the letters of a text's first character off the letters that are wanted;
// false where they are others.
func spell(want, text string) (left string, ok bool) {
	for _, r := range plain(text) {
		if r = unicode.ToLower(r); !lettered(r) {
			continue
		}
		if r != rune(want[0]) {
			return want, false
		}
		if want = want[1:]; want == "" {
			break
		}
	}
	return want, true
}

// plain is a text's first character as NFKC has it; empty where that holds neither
// letter nor digit. NFKC is asked for few characters, since it takes its time.
func plain(text string) string {
	if text[0] < utf8.RuneSelf {
		return text[:1]
	}
	_, size := utf8.DecodeRuneInString(text)
	parts := norm.NFKC.PropertiesString(text[:size]).Decomposition()
	switch {
	case parts == nil:
		return text[:size]
	case !bytes.ContainsFunc(parts, lettered):
		return ""
	case utf8.RuneCount(parts) == 1:
		return string(parts)
	}
	return norm.NFKC.String(text[:size])
}

func lettered(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
