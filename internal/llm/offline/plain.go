package offline

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"holdfast/internal/extract"
	"holdfast/internal/extract/prose"
	"holdfast/internal/search/analysis"
)

// An entry that says something is not lost: one whose type a caller gave gives its
// plain sentences as statements where no rule finds any, and every entry without a
// statement gives its best sentence to the episode.

// Worths of what no rule finds.
const (
	plainWorth = 1
	traceWorth = 0.1
)

// plain answers the sentences of an entry in which the rules found nothing, where its
// type is given and they are in another language, or short and plain.
func (e *entry) plain() []piece {
	kind := e.Type
	switch kind {
	case "policy":
		kind = extract.Fact
	case extract.Decision, extract.Preference, extract.Procedure, extract.Fact:
	default:
		return nil
	}
	var out []piece
	for _, s := range e.sentences {
		if !s.says() || utf8.RuneCountInString(s.text) > maxSentence {
			continue
		}
		if (!isEnglish(s.low) || s.isStrange()) && s.isLong() || s.isPlain(e) {
			out = append(out, e.piece(kind, unwrapped(s.text), plainWorth))
		}
	}
	return out
}

// says tells whether a sentence may say something: it is no question, greeting, filler
// or single word.
func (s sentence) says() bool {
	if s.question || len(s.low) == 0 || prose.WordRunes(s.text) < 3 || s.greets() {
		return false
	}
	if n := interjections.at(s.low, 0); n > 0 && n >= len(s.low)-1 || fillers.at(s.low, 0) > 0 && s.names()+s.figures() == 0 {
		return false
	}
	return len(s.low) > 1 || dense(s.text) && prose.WordRunes(s.text) > 3 || strings.ContainsFunc(s.text, unicode.IsDigit)
}

// isStrange tells a sentence with a name or number that has no small word and no verb of
// English.
func (s sentence) isStrange() bool {
	for _, low := range s.low {
		if english[low] || determiners[low] || prepositions[low] || adverbs[low] || self[low] || isVerb(low) || analysis.IsCommon(low) {
			return false
		}
	}
	return s.names()+s.figures() > 0 && strings.HasSuffix(s.text, ".")
}

// isLong tells whether a sentence in another language has words enough to state
// something.
func (s sentence) isLong() bool {
	return dense(s.text) || len(s.low) > 2 || len(s.low) == 2 && prose.WordRunes(s.text) >= 2*minLetters-4
}

// maxPlain is the most words of a short plain statement.
const maxPlain = 30

// isPlain tells whether an English sentence is a short plain statement. What somebody
// says has to name what it is about, or how they are called.
func (s sentence) isPlain(e *entry) bool {
	low := s.low
	if len(low) > maxPlain || s.doubted() || unsure.in(low) || fragments[low[0]] || fillers.at(low, 0) > 0 || idle.at(low, 0) > 0 {
		return false
	}
	signs := s.names() + s.figures()
	switch {
	case e.Weak:
		return len(low) > 3 && signs > 1 && s.kindOf() != "" && strings.HasSuffix(s.text, ".") && !s.addresses()
	case e.assistant:
		return false
	case s.tellsTrait(), callMe.at(low, 0) > 0 && len(low) < 6:
		return true
	case e.Type != extract.Fact:
		return len(low) > 1
	case e.Speaker != "":
		return isBase(low[0]) && len(low) > 4 && signs > 2 && !s.addresses()
	}
	return len(low) > 2 && (signs > 0 || s.verb() > 0 && !s.addresses() && !passing.in(low) && !pronouns[low[0]] && s.feelings() == 0)
}

// idle begin sentences that tell what the speaker is about to do or wishes.
var idle = newPhrases("let me", "let us", "let's", "see you", "see me", "bye", "come on", "go on", "go ahead", "tell me", "please")

var callMe = newPhrases("call me", "please call me", "my name is", "my name's", "they call me")

// tellsTrait tells "I'm pregnant": what somebody is for long.
func (s sentence) tellsTrait() bool {
	trait := word(s.low, 1)
	return s.low[0] == "i'm" && len(s.low) == 2 && traits[trait] && !determiners[trait] && !prepositions[trait]
}

// addresses tells whether a sentence speaks to somebody.
func (s sentence) addresses() bool {
	for _, low := range s.low {
		if low == "you" || low == "your" || strings.HasPrefix(low, "you'") {
			return true
		}
	}
	return false
}

// trace answers the best sentence of an entry that gives none of the pieces, false
// where it says nothing.
func (e *entry) trace(pieces []piece) (piece, bool) {
	var most *sentence
	worth := 0.0
	for i := range e.sentences {
		s := &e.sentences[i]
		w := float64(s.names()+s.figures()) + float64(len(analysis.Tokens(s.text)))/10
		if s.says() && (most == nil || w > worth) {
			most, worth = s, w
		}
	}
	if len(pieces) > 0 || most == nil {
		return piece{}, false
	}
	return e.piece(e.traceKind(), cutAt(unwrapped(most.text), maxTrace), traceWorth*worth), true
}

// traceKind is the type by which instructions keep a trace.
func (e *entry) traceKind() string {
	switch e.Type {
	case extract.Decision, extract.Preference, extract.Procedure:
		return e.Type
	}
	return extract.Fact
}

// maxTrace is the most of a sentence that stands for its entry, in code points.
const maxTrace = 400

// cutAt cuts a text before the word that goes beyond most code points.
func cutAt(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	head := string(runes[:most])
	if i := strings.LastIndexFunc(head, unicode.IsSpace); i > 0 {
		return head[:i]
	}
	return head
}

// unwrapped answers a sentence with its lines joined.
func unwrapped(text string) string {
	if !strings.Contains(text, "\n") {
		return text
	}
	return strings.Join(strings.Fields(text), " ")
}
