package analysis

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// questionMarks end a question, in Latin, Chinese and Arabic writing.
const questionMarks = "?\uff1f\u061f"

// Asking is the share of a text that stands in questions, 0 to 1, in bytes.
func Asking(text string) float64 {
	if strings.IndexByte(text, '?') < 0 && isASCII(text) {
		return 0 // most texts
	}
	from, asking := 0, 0
	for i, c := range text {
		switch c {
		case '?', '\uff1f', '\u061f':
			asking += i - from
			from = i
		case '.', '!', '\n', '\u3002', '\uff01':
			from = i + utf8.RuneLen(c)
		}
	}
	return float64(asking) / float64(len(text))
}

// Asks tells a text whose last sentence is a question, whatever signs or smileys
// follow its mark: what is said next is most often the answer.
func Asks(text string) bool {
	for len(text) > 0 {
		r, n := utf8.DecodeLastRuneInString(text)
		if strings.ContainsRune(questionMarks, r) && r != utf8.RuneError {
			return true
		}
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return false
		}
		text = text[:len(text)-n]
	}
	return false
}

// Self tells of whom a text speaks, by its words: 1 where of whoever says it, -1 where of whoever
// hears it, 0 where of neither or of both. One "you" is said by the way (you know);
// two are meant.
func Self(words []string) float64 {
	own, other := 0, 0
	for _, word := range words {
		switch {
		case len(word) > len("you've"):
		case saysI[word]:
			own = 1
		case saysYou[word]:
			other = min(2, other+1)
		}
	}
	return float64(own) - float64(other)/2
}

var (
	saysI   = set("i i'm i've i'd i'll me my we our we're we've")
	saysYou = set("you your you're you've yours you'll")
)

// denying are the words of a text that say that something is not so.
var denying = set(`not no never without cannot isn't aren't doesn't don't won't can't hasn't
	haven't wasn't weren't didn't`)

// Denies tells whether the words of a text say that something is not so. English only.
func Denies(words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return denying[word] })
}
