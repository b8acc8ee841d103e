package analysis

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// questionMarks end a question, in Latin, Chinese and Arabic writing.
const questionMarks = "?\uff1f\u061f"

// Asking is the share of a text that stands in questions, 0 to 1, in bytes.
func Asking(text string) float64 {
	if !strings.ContainsAny(text, questionMarks) {
		return 0
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

// Self tells of whom a text speaks: 1 where of whoever says it, -1 where of whoever
// hears it, 0 where of neither or of both. One "you" is said by the way (you know);
// two are meant.
func Self(text string) float64 {
	own, other := 0, 0
	scan(text, func(w word) {
		switch {
		case saysI[w.text]:
			own = 1
		case saysYou[w.text]:
			other = min(2, other+1)
		}
	})
	return float64(own) - float64(other)/2
}

var (
	saysI   = set("i i'm i've i'd i'll me my we our we're we've")
	saysYou = set("you your you're you've yours you'll")
)

// Follows is how many neighbours among terms are neighbours among tokens, in the
// same order, at most so many; each counts as often as it stands there.
func Follows(terms, tokens []string, most int) int {
	n, last := 0, -2
	for _, token := range tokens {
		at := indexOf(terms, token)
		if at >= 0 && at == last+1 {
			if n++; n >= most {
				return n
			}
		}
		last = at
		if at < 0 {
			last = -2
		}
	}
	return n
}

func indexOf(terms []string, token string) int {
	for i, term := range terms {
		if term == token {
			return i
		}
	}
	return -1
}
