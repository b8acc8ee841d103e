package static

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

const (
	// continuation marks a piece that goes on within a word.
	continuation = "##"
	// unknown stands for a word that the pieces cannot spell.
	unknown int32 = -1
	// maxWordRunes: longer words are unknown, as in the reference tokeniser.
	maxWordRunes = 100
)

// vocabulary cuts text into numbered word pieces the way of uncased BERT: lower
// case, accents off, words split at white space, at punctuation and around each
// CJK ideograph, then longest match first from the left.
type vocabulary struct {
	starts, inner map[string]int32 // pieces that begin a word, and those that go on in one
	longest       int              // bytes of the longest piece
}

func newVocabulary(names []string) *vocabulary {
	v := &vocabulary{starts: make(map[string]int32, len(names)), inner: make(map[string]int32, len(names)/4)}
	for i, name := range names {
		if rest, found := strings.CutPrefix(name, continuation); found && rest != "" {
			v.inner[rest] = int32(i)
		} else {
			v.starts[name] = int32(i)
		}
		v.longest = max(v.longest, len(name))
	}
	return v
}

// appendIDs appends the numbers of the text's pieces to ids until ids' capacity
// is full; a word that cannot be spelt is one unknown.
func (v *vocabulary) appendIDs(ids []int32, text string) []int32 {
	var space [maxWordRunes * utf8.UTFMax]byte
	word, runes := space[:0], 0
	for _, r := range decomposed(text) {
		if len(ids) == cap(ids) {
			return ids
		}
		class := classify(r)
		if class == ignored {
			continue
		}
		if class == letter {
			if runes++; runes <= maxWordRunes {
				word = utf8.AppendRune(word, unicode.ToLower(r))
			}
			continue
		}
		ids = v.appendWord(ids, word, runes)
		word, runes = word[:0], 0
		if class == single {
			ids = v.appendWord(ids, utf8.AppendRune(word, unicode.ToLower(r)), 1)
		}
	}
	return v.appendWord(ids, word, runes)
}

// appendWord appends the pieces of one word, all of them or unknown, as far as
// ids' capacity goes.
func (v *vocabulary) appendWord(ids []int32, word []byte, runes int) []int32 {
	if runes == 0 || len(ids) == cap(ids) {
		return ids
	}
	before := len(ids)
	if runes > maxWordRunes {
		return append(ids, unknown)
	}
	for pieces := v.starts; len(word) > 0; pieces = v.inner {
		id, size := v.longestMatch(pieces, word)
		if size == 0 {
			return append(ids[:before], unknown)
		}
		if len(ids) < cap(ids) {
			ids = append(ids, id)
		}
		word = word[size:]
	}
	return ids
}

// longestMatch finds the longest of pieces that word begins with; size 0: none.
func (v *vocabulary) longestMatch(pieces map[string]int32, word []byte) (id int32, size int) {
	for size = min(len(word), v.longest); size > 0; size-- {
		if size < len(word) && !utf8.RuneStart(word[size]) {
			continue
		}
		if id, found := pieces[string(word[:size])]; found {
			return id, size
		}
	}
	return unknown, 0
}

// decomposed separates accents from their letters; plain ASCII has none.
func decomposed(text string) string {
	for i := 0; i < len(text); i++ {
		if text[i] >= utf8.RuneSelf {
			return norm.NFD.String(text)
		}
	}
	return text
}
