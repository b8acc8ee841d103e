package offline

import (
	"unicode"

	"holdfast/internal/extract"
	"holdfast/internal/extract/prose"
)

// English words that are words of few other languages.
var english = set(`the is are was were to of and we i you he she it they our my your his her their this that these those
		with from will have has had not for by at be been but if when than then because i'm we're it's don't i've we've
		let's i'll we'll can should must would every on`)

// isEnglish tells whether a sentence may be read by the rules for English.
func isEnglish(low []string) bool {
	ascii, known := true, 0
	for _, w := range low {
		if english[w] {
			known++
		}
		for i := range len(w) {
			ascii = ascii && w[i] < 0x80
		}
	}
	if others := foreignWords(low); known == 0 || others > known {
		return ascii && others == 0
	}
	return true
}

// Frequent words of other languages in Latin letters.
var others = set(`der die das und ist nicht wir ich ein eine mit auf den dem zu sind wird el los las una por para con que
		es não uma com os da do em vamos le les des est et nous une il lo gli che di sono een het en van niet och att är
		det`)

func foreignWords(low []string) int {
	n := 0
	for _, w := range low {
		if others[w] {
			n++
		}
	}
	return n
}

// Least lengths of a sentence in another language: words, or letters where words are
// not parted by spaces.
const (
	minWords   = 4
	minLetters = 8
)

// foreign keeps a sentence in another language that has a name or number, or is long
// enough to state something.
func (e *entry) foreign(s sentence) []piece {
	letters := prose.WordRunes(s.text)
	if s.question || letters < minLetters || len(s.low) < minWords && !dense(s.text) {
		return nil
	}
	signs := len(prose.Numbers(s.text))
	for _, w := range s.words[1:] {
		if prose.FirstIsUpper(w) {
			signs++
			break
		}
	}
	worth := min(3, float64(signs)*1.5)
	if len(s.low) >= 2*minWords {
		worth++
	}
	if worth < e.least() {
		return nil
	}
	return []piece{e.piece(extract.Fact, unwrapped(s.text), worth)}
}

// dense tells text of scripts that do not part words by spaces.
func dense(text string) bool {
	for _, r := range text {
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer) {
			return true
		}
	}
	return false
}
