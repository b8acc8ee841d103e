package offline

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"holdfast/internal/extract/prose"
)

// sentence is a sentence of an entry, without what leads in.
type sentence struct {
	prose.Span          // in the entry's text
	text       string   // as it stands there
	words      []string // as they stand there
	low        []string // in small letters
	led        string   // the last word that was left out at its start
	question   bool
	list       bool // an item of a list: begins with a number or a bullet
	gap        bool // stands behind an empty line
}

func newSentence(text string, span prose.Span, speakers map[string]bool) sentence {
	s := sentence{Span: span, text: span.Of(text), question: prose.IsQuestion(span.Of(text))}
	s.list = isItem(s.text)
	s.read()
	if !s.list {
		s.lead(speakers)
	}
	return s
}

func (s *sentence) read() {
	spans := prose.Words(s.text)
	s.words = make([]string, len(spans))
	for i, w := range spans {
		s.words[i] = w.Of(s.text)
	}
	s.low = prose.Lower(s.text)
}

// isItem tells whether a line begins as an item of a list does: "1.", "2)", "-", "*".
func isItem(line string) bool {
	digits := len(line) - len(strings.TrimLeft(line, "0123456789"))
	if digits > 0 && digits < 3 {
		rest := line[digits:]
		return len(rest) > 2 && (rest[0] == '.' || rest[0] == ')') && rest[1] == ' '
	}
	for _, bullet := range []string{"- ", "* ", "• ", "– "} {
		if strings.HasPrefix(line, bullet) {
			return true
		}
	}
	return false
}

// item is what an item of a list says.
func (s sentence) item() string {
	return strings.TrimLeftFunc(s.text, func(r rune) bool {
		return unicode.IsDigit(r) || unicode.IsSpace(r) || strings.ContainsRune(".)-*•–", r)
	})
}

var (
	// interjections lead in before a comma; connectives also without one.
	interjections = newPhrases("yes", "yeah", "yep", "yup", "no", "nope", "ok", "okay", "sure", "right", "true", "great",
		"nice", "cool", "wow", "oh", "ah", "aww", "haha", "hey", "hi", "hello", "thanks", "thank you", "perfect", "fine",
		"good", "good point", "interesting", "understood", "noted", "by the way", "btw", "of course", "indeed", "hm", "hmm",
		"lol", "look", "listen", "no problem", "well", "anyway", "actually", "honestly", "to be honest", "fyi", "yes please",
		"got it", "oh no", "good to know", "all right", "alright", "i see", "hi there", "whoa", "ha", "hah", "absolutely",
		"definitely", "totally", "yay", "oops", "gosh", "man", "dude", "so yeah", "wow yeah")
	// starters begin what an interjection leads in to, also without a comma.
	starters    = set("i we i'll we'll i've we've i'm we're let's the my our")
	connectives = set("but so and then also well anyway actually honestly plus")
)

// lead leaves out what leads in to the sentence: "Yes, but".
func (s *sentence) lead(speakers map[string]bool) {
	for range 4 {
		spans := prose.Words(s.text)
		if len(spans) < 3 {
			return
		}
		n := interjections.at(s.low, 0)
		if n < len(spans)-1 && speakers[s.low[n]] && strings.ContainsAny(s.text[spans[n].End:spans[n+1].Start], ",!.") {
			n++ // who is spoken to
		}
		if n > 0 && (n >= len(spans) || !starters[s.low[n]] && !strings.ContainsAny(s.text[spans[n-1].End:spans[n].Start], ",.!–—-")) {
			n = 0
		}
		if n == 0 && connectives[s.low[0]] {
			n = 1
		}
		if n == 0 {
			return
		}
		s.led = s.low[n-1]
		s.Start += spans[n].Start
		s.text = s.text[spans[n].Start:]
		s.read()
	}
}

// capital answers the text with a capital at its start.
func capital(text string) string {
	r, size := utf8.DecodeRuneInString(text)
	if r == utf8.RuneError {
		return text
	}
	return string(unicode.ToUpper(r)) + text[size:]
}

// verb is the number of the word at which the verb stands, 0 where the sentence has no
// subject with a verb behind it.
func (s sentence) verb() int {
	low := s.low
	if len(low) < 2 || isBase(low[0]) && !isVerbAt(low, 1) || prepositionalStart(low[0]) && !s.comma() {
		return 0
	}
	for i, w := range low {
		if strings.Contains(w, "'") && contracted(w) {
			return max(i, 1)
		}
		if i > 0 && isVerbAt(low, i) {
			return i
		}
	}
	return s.unknownVerb()
}

// unknownVerb finds the verb of a short whole sentence such as "The mill grinds rye.":
// the first word with an s behind a noun.
func (s sentence) unknownVerb() int {
	if !determiners[s.low[0]] || !strings.HasSuffix(s.text, ".") {
		return 0
	}
	for i := 2; i < len(s.low) && i < 5; i++ {
		if isThird(s.low[i]) {
			return i
		}
	}
	return 0
}

// isThird tells whether a small word may be a verb of the third person.
func isThird(low string) bool {
	return strings.HasSuffix(low, "s") && !strings.HasSuffix(low, "ss") && len(low) > 3
}

// isBare tells a note that leaves its subject out: "Lives on a houseboat."
func (s sentence) isBare() bool {
	return len(s.low) > 2 && isThird(s.low[0]) && verbs[s.low[0]] && !isVerbAt(s.low, 1)
}

func (s sentence) comma() bool { return strings.Contains(s.text, ",") }

func prepositionalStart(low string) bool {
	return low == "to" || low == "for" || low == "with" || low == "about"
}

// contracted tells whether a word holds its verb: I'm, we'll, it's.
func contracted(low string) bool {
	for _, tail := range []string{"'m", "'re", "'ve", "'ll", "'d", "n't"} {
		if strings.HasSuffix(low, tail) {
			return true
		}
	}
	head, ok := strings.CutSuffix(low, "'s")
	return ok && (pronouns[head] || head == "let" || head == "what" || head == "here")
}

// isVerbAt tells whether word i is a verb by its form and place.
func isVerbAt(low []string, i int) bool {
	w, before := word(low, i), word(low, i-1)
	switch {
	case w == "" || determiners[before] && !pronouns[before] || prepositions[before] && before != "as":
		return false
	case isVerb(w):
		return true
	case strings.HasSuffix(w, "ed") && len(w) > 4:
		return true
	}
	next := word(low, i+1)
	return isThird(w) && (determiners[next] || prepositions[next] || adverbs[next] || next == "again")
}
